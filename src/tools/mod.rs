//! The tools behind the commands: each returns a value that can be displayed.

pub mod analyse;
pub mod bench;
pub mod book;
pub mod compare;
pub mod datagen;
pub mod distil;
pub mod divide;
pub mod epd;
pub mod eval;
pub mod games;
mod limit;
pub mod perft;
pub mod position;
pub mod show;
pub mod suite;
pub mod table;
pub mod train;
pub mod tree;

/// As many threads as are `wanted`, or one for each core.
fn threads(wanted: Option<usize>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    wanted.unwrap_or_else(cores)
}
