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

use std::{num::NonZeroUsize, thread};

/// As many threads as are `wanted`, or one for each core.
fn threads(wanted: Option<NonZeroUsize>) -> usize {
    let cores = || thread::available_parallelism().ok();
    wanted.or_else(cores).map_or(1, usize::from)
}

/// A share, from the command line.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok();
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share lies between 0 and 1".to_owned())
}
