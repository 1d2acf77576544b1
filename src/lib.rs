//! Arborist, a UCI chess engine.
//!
//! The crate is a house of rooms; each uses only rooms below it:
//!
//! ```text
//! uci        the conversation: reading commands, printing answers
//! tools      what the command line offers besides: values that can be printed
//! learn      from games to a network         classic   the textbook algorithms, as the judge
//! analyse    games annotated: values, bad moves, better lines, a page to look at
//! engine     options, threads, and whose answer is played
//! search     the search, one idea a file
//! movepick   legal moves, the likeliest cut-off first
//! time       limits and clock      nnue      network       tapered   plain evaluation
//! tt         transposition table   history   what is remembered about moves
//! tablebase  endgame tables           book      opening book
//! position   the board: shakmaty's position with keys, pins and checks kept beside it
//! params     every number of the search
//! types      score, depth, window, packed move: the vocabulary
//! ```
//!
//! The way of a `go`: [`uci`] reads the line and makes a command of it; [`engine`] sends a
//! job to its threads; each runs [`search`], which asks [`movepick`] for moves,
//! [`position`] for what follows, [`tt`] for what is known and the evaluation for what is
//! not. Reports come back to [`uci`], which prints them.

pub mod analyse;
pub mod book;
pub mod classic;
pub mod engine;
pub mod history;
pub mod learn;
pub mod movepick;
pub mod nnue;
pub mod params;
pub mod position;
pub mod search;
pub mod tablebase;
pub mod tapered;
pub mod time;
pub mod tools;
pub mod tt;
pub mod types;
pub mod uci;
