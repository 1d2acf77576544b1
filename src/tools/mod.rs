//! The tools behind the commands: each returns a value that can be displayed.

pub mod analyse;
pub mod bench;
pub mod book;
pub mod build;
pub mod clash;
pub mod compare;
pub mod convert;
pub mod datagen;
pub mod distil;
pub mod divide;
pub mod epd;
pub mod eval;
mod filter;
pub mod games;
pub mod genfens;
mod limit;
pub mod perft;
pub mod player;
pub mod position;
pub mod relabel;
pub mod show;
pub mod speedtest;
pub mod suite;
pub mod table;
pub mod train;
pub mod tree;
pub mod tune;

use std::{fmt::Display, num::NonZeroUsize, thread, time::Duration};

use clap::{Args, Parser};
use indicatif::{ProgressBar, ProgressStyle};

use crate::engine::{Engine, options::OptionError};

/// As many threads as are `wanted`, or one for each core.
fn threads(wanted: Option<NonZeroUsize>) -> usize {
    let cores = || thread::available_parallelism().ok();
    wanted.or_else(cores).map_or(1, usize::from)
}

/// An engine with so many threads and a table of `hash` MiB.
fn engine(threads: impl Display, hash: impl Display) -> Result<Engine, OptionError> {
    let mut engine = Engine::new();
    engine.set_option("Threads", Some(&threads.to_string()))?;
    engine.set_option("Hash", Some(&hash.to_string()))?;
    Ok(engine)
}

/// A progress bar in a style of indicatif's; without a length if that is not known.
fn progress_bar(length: Option<u64>, style: &str) -> ProgressBar {
    let bar = length.map_or_else(ProgressBar::no_length, ProgressBar::new);
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// A share, from the command line.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok();
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share lies between 0 and 1".to_owned())
}

/// Arguments written as words, as in the UCI extra command `bench 12 1 16`.
///
/// # Errors
/// When a word is no number in its range; the message names it.
pub fn parse_words<A: Args>(words: &[String]) -> Result<A, String> {
    #[derive(Parser)]
    #[command(no_binary_name = true, disable_help_flag = true)]
    struct Words<A: Args> {
        #[command(flatten)]
        args: A,
    }
    let parsed = Words::<A>::try_parse_from(words);
    parsed.map(|words| words.args).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        first.trim_start_matches("error: ").to_owned()
    })
}
