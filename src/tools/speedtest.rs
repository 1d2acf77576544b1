//! The speed test: nodes a second of all threads together, for a while.
//!
//! Unlike the benchmark it ends by the clock, and forgets nothing from one position to the next,
//! so that the table fills as in a long game. Stockfish has a command of this name with the same
//! arguments.

use std::{
    fmt,
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Result;
use clap::Args;

use super::{bench, build::Build};
use crate::{
    search::{Outcome, Report, Reporter},
    time::Limits,
};

/// Searches with all threads for a while and tells their speed.
#[derive(Args, Clone, Copy, Debug)]
pub struct SpeedTestArgs {
    /// Searching threads; one for each core if it is not said
    pub threads: Option<NonZeroUsize>,
    /// Transposition table in MiB
    #[arg(default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..))]
    pub hash: u32,
    /// Seconds that it takes
    #[arg(default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub seconds: u32,
}

/// The figures of a run.
#[derive(Clone, Debug)]
pub struct SpeedReport {
    threads: usize,
    hash: u32,
    nodes: u64,
    hashfull: u32,
    time: Duration,
}

impl fmt::Display for SpeedReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = u64::try_from(self.time.as_millis()).unwrap_or(u64::MAX);
        let speed = self.nodes.saturating_mul(1000) / millis.max(1);
        writeln!(f, "{Build}")?;
        writeln!(f, "threads: {}", self.threads)?;
        writeln!(f, "table: {} MiB, hashfull {}", self.hash, self.hashfull)?;
        writeln!(f, "time: {:.3} s", self.time.as_secs_f64())?;
        write!(f, "{} nodes {speed} nps", self.nodes)
    }
}

/// Adds up the nodes, and keeps how full the table was last.
#[derive(Default)]
struct Tally {
    nodes: AtomicU64,
    hashfull: AtomicU32,
}

impl Reporter for Tally {
    fn line(&self, report: &Report<'_>) {
        self.hashfull.store(report.hashfull, Ordering::Relaxed);
    }

    fn finished(&self, outcome: &Outcome) {
        self.nodes.fetch_add(outcome.nodes, Ordering::Relaxed);
    }
}

/// Searches the positions of the benchmark, each for the same time, until `stop` is set.
///
/// # Errors
/// When threads or table are not to be had.
pub fn run(args: SpeedTestArgs, stop: &AtomicBool) -> Result<SpeedReport> {
    let games = bench::positions()?;
    let threads = super::threads(args.threads);
    let tally = Arc::new(Tally::default());
    let mut engine = super::engine(threads, args.hash)?;
    let all = Duration::from_secs(u64::from(args.seconds));
    let share = all / u32::try_from(games.len()).unwrap_or(u32::MAX).max(1);
    let start = Instant::now();
    for game in games {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        engine.set_game(game);
        let limits = Limits {
            move_time: Some(share),
            ..Limits::default()
        };
        engine.go(limits, Vec::new(), tally.clone());
        bench::attend(&engine, stop);
    }
    Ok(SpeedReport {
        threads,
        hash: args.hash,
        nodes: tally.nodes.load(Ordering::Relaxed),
        hashfull: tally.hashfull.load(Ordering::Relaxed),
        time: start.elapsed(),
    })
}
