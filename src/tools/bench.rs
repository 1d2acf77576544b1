//! The benchmark: a fixed set of positions searched to a fixed depth.
//!
//! The node count is a fingerprint of the search (with one thread it is the same on
//! every machine), the speed a figure to compare builds by. The last line is the one
//! that OpenBench reads.

use std::{
    fmt,
    ops::Add,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use clap::Args;

use super::epd;
use crate::{
    engine::Engine,
    position::Game,
    search::{Cutoffs, Outcome, Report, Reporter},
    time::Limits,
    types::{Depth, convert},
};

/// The file of the positions.
const POSITIONS: &str = include_str!("../../bench-positions/bench.epd");

/// How often a benchmark under way looks whether it is still wanted.
const LISTEN_INTERVAL: Duration = Duration::from_millis(50);

/// Searches a fixed set of positions: a fingerprint of the search and its speed.
#[derive(Args, Clone, Copy, Debug)]
pub struct BenchArgs {
    /// Depth of each search
    #[arg(default_value_t = 12, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub depth: u8,
    /// Searching threads
    #[arg(default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Transposition table in MiB
    #[arg(default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    pub hash: u32,
    /// Says besides how well moves were ordered and how fast the tree grows
    #[arg(long)]
    pub stats: bool,
}

/// The figures of a run.
#[derive(Clone, Debug)]
pub struct BenchReport {
    /// Nodes visited in each position.
    pub nodes: Vec<u64>,
    /// Time taken for all of them.
    pub time: Duration,
    /// Cut nodes of all main searches, and how many of them the first move cut.
    pub cutoffs: Cutoffs,
    /// The same for the quiescence searches.
    pub quiet_cutoffs: Cutoffs,
    args: BenchArgs,
}

impl BenchReport {
    /// Nodes visited in all.
    pub fn total(&self) -> u64 {
        self.nodes.iter().sum()
    }

    /// Nodes a second.
    pub fn speed(&self) -> u64 {
        let millis = u64::try_from(self.time.as_millis())
            .unwrap_or(u64::MAX)
            .max(1);
        self.total().saturating_mul(1000) / millis
    }

    /// The effective branching factor: by what the nodes multiply with every ply, as the
    /// root of their number (a geometric mean over the positions).
    pub fn branching(&self) -> Option<f64> {
        let logarithms: f64 = self
            .nodes
            .iter()
            .map(|&n| convert::real(n.max(1)).ln())
            .sum();
        let plies = f64::from(self.args.depth) * convert::real(convert::wide(self.nodes.len()));
        (plies > 0.0).then(|| (logarithms / plies).exp())
    }
}

impl BenchReport {
    fn write_cuts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let both = self.cutoffs + self.quiet_cutoffs;
        let kinds = [
            ("in the main search", self.cutoffs),
            ("in quiescence", self.quiet_cutoffs),
            ("in all", both),
        ];
        kinds.into_iter().try_for_each(|(place, cutoffs)| {
            let percent = 100.0 * cutoffs.by_first().unwrap_or(0.0);
            let all = cutoffs.all;
            writeln!(
                f,
                "first move cuts {percent:.1} % of {all} cut nodes {place}"
            )
        })
    }
}

impl fmt::Display for BenchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "positions {}", self.nodes.len())?;
        writeln!(f, "time {:.3} s", self.time.as_secs_f64())?;
        if self.args.stats {
            self.write_cuts(f)?;
            let branching = self.branching().unwrap_or(0.0);
            writeln!(f, "effective branching factor {branching:.2}")?;
        }
        write!(f, "{} nodes {} nps", self.total(), self.speed())
    }
}

/// Keeps the nodes and cut-offs of the searches that it hears of.
#[derive(Default)]
struct Counter(Mutex<Vec<(u64, [Cutoffs; 2])>>);

impl Reporter for Counter {
    fn line(&self, _report: &Report<'_>) {}

    fn finished(&self, outcome: &Outcome) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((outcome.nodes, [outcome.cutoffs, outcome.quiet_cutoffs]));
    }
}

/// The positions of the benchmark.
///
/// # Errors
/// When a line of the built-in file is no position, which a test rules out.
pub fn positions() -> Result<Vec<Game>> {
    let records = epd::parse(POSITIONS)?;
    let games = records.iter().map(|record| {
        let fen = record.fen();
        Game::from_fen(fen, false).with_context(|| format!("benchmark position {fen}"))
    });
    games.collect()
}

/// Waits for the end of the search, and ends it when `stop` is set.
pub(super) fn attend(engine: &Engine, stop: &AtomicBool) {
    while !engine.wait_for(LISTEN_INTERVAL) {
        if stop.load(Ordering::Relaxed) {
            engine.stop();
        }
    }
}

/// Runs the benchmark, telling `progress` how many positions of how many are done, until
/// it is through or `stop` is set.
///
/// # Errors
/// When the table cannot be allocated.
pub fn run(
    args: BenchArgs,
    stop: &AtomicBool,
    mut progress: impl FnMut(usize, usize),
) -> Result<BenchReport> {
    let games = positions()?;
    let counter = Arc::new(Counter::default());
    let mut engine = super::engine(args.threads, args.hash)?;
    let depth = Some(Depth::new(i32::from(args.depth)));
    let mut time = Duration::ZERO;
    for (index, game) in games.iter().enumerate() {
        progress(index, games.len());
        engine.new_game();
        engine.set_game(game.clone());
        let start = Instant::now();
        let limits = Limits {
            depth,
            ..Limits::default()
        };
        engine.go(limits, Vec::new(), counter.clone());
        attend(&engine, stop);
        time += start.elapsed();
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    let searches = counter.0.lock().unwrap_or_else(PoisonError::into_inner);
    let total = |kind: usize| {
        let counts = searches.iter().map(|(_, cutoffs)| cutoffs[kind]);
        counts.fold(Cutoffs::default(), Cutoffs::add)
    };
    Ok(BenchReport {
        nodes: searches.iter().map(|&(nodes, _)| nodes).collect(),
        time,
        cutoffs: total(0),
        quiet_cutoffs: total(1),
        args,
    })
}
