//! Black-box tests: the real binary, driven through pipes as a chess program drives it.

mod book;
mod castling;
mod chances;
mod client;
mod compliance;
mod during_search;
mod endgames;
mod endings;
mod fuzz;
mod input;
mod limits;
mod manners;
mod mates;
mod network;
mod options;
mod ponder;
mod replies;
mod strength;
mod syzygy;
mod terminal;
mod wishes;
