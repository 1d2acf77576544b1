//! The tools behind the commands: each returns a value that can be displayed.

pub mod epd;
pub mod perft;
