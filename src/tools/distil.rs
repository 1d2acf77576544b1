//! `arborist distil`: positions judged by another engine.

use std::{
    fmt,
    num::{NonZeroU8, NonZeroUsize},
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

use anyhow::Result;
use indicatif::ProgressBar;

use super::{clash, player::Patience, share, threads};
use crate::{
    learn::{
        distil::{self, Observer, Plan},
        games,
    },
    types::convert,
};

/// Let a UCI engine judge what could have happened in games.
///
/// For a random share of the games' positions, the engine evaluates what comes of every legal
/// move, or of some of them, or searches it `--depth` plies deep; the moves after which the
/// position is quiet are written, with their scores, to OUT/dSEED-tTHREAD.fan. `train` takes these files like games. The program may be
/// stopped at any time (Ctrl-C); the same command goes on where it was.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Files of games in viriformat, or directories of `.vf` files.
    #[arg(long, num_args = 1.., required = true)]
    pub data: Vec<PathBuf>,
    /// A UCI engine; without `--depth`, one with an option `MultiPV`.
    #[arg(long, value_name = "PATH")]
    pub engine: PathBuf,
    /// How long that engine is waited for.
    #[command(flatten)]
    pub patience: Patience,
    /// Search so many plies after each move, instead of evaluating what comes of it: a hundredth
    /// of the positions in the same time, but better judged.
    #[arg(long, value_name = "N")]
    pub depth: Option<NonZeroU8>,
    /// Directory for the files.
    #[arg(long)]
    pub out: PathBuf,
    /// Share of the positions whose moves are judged, 0 to 1.
    #[arg(long, default_value_t = 0.2, value_parser = share)]
    pub share: f64,
    /// Play up to so many random moves from a position before it is judged: a search looks at
    /// bad moves, too.
    #[arg(long, default_value_t = 0)]
    pub stray: usize,
    /// Judge at most so many moves of a position, drawn at random; all if not given.
    #[arg(long)]
    pub moves: Option<NonZeroUsize>,
    /// Begin no further game after so many seconds.
    #[arg(long)]
    pub seconds: Option<u64>,
    /// Seed of the choice of positions.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all cores if not given.
    #[arg(long)]
    pub threads: Option<NonZeroUsize>,
}

/// What was judged.
#[derive(Clone, Debug)]
pub struct Judged {
    out: PathBuf,
    parents: u64,
    positions: u64,
    time: Duration,
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.time.as_secs_f64();
        let speed = convert::real(self.positions) / seconds.max(1e-3);
        let (out, parents, positions) = (self.out.display(), self.parents, self.positions);
        write!(
            f,
            "{out}: {positions} positions after {parents} others in {seconds:.1} s, {speed:.0} positions/s"
        )
    }
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be read or written, a file of games would be written to, or the engine
/// fails; what was judged is kept.
pub fn run(args: &Args) -> Result<Judged> {
    let plan = Plan {
        games: args.data.clone(),
        engine: args.engine.clone(),
        patience: args.patience.time(),
        depth: args.depth,
        share: args.share,
        stray: args.stray,
        moves: args.moves,
        seed: args.seed,
        folder: args.out.clone(),
        threads: threads(args.threads),
        time: args.seconds.map(Duration::from_secs),
    };
    clash::check(games::files(&args.data, &[games::GAMES])?, &plan.outputs())?;
    let watcher = Watcher::new();
    let outcome = distil::run(&plan, &watcher);
    watcher.bar.finish_and_clear();
    outcome?;
    Ok(Judged {
        out: plan.folder,
        parents: watcher.parents.load(Relaxed),
        positions: watcher.positions.load(Relaxed),
        time: watcher.start.elapsed(),
    })
}

/// Shows a run as a progress bar.
struct Watcher {
    bar: ProgressBar,
    start: Instant,
    parents: AtomicU64,
    positions: AtomicU64,
}

impl Watcher {
    fn new() -> Self {
        let style = "{elapsed_precise} {wide_bar} {bytes}/{total_bytes} {msg}, ends in {eta}";
        Self {
            bar: super::progress_bar(Some(0), style),
            start: Instant::now(),
            parents: AtomicU64::new(0),
            positions: AtomicU64::new(0),
        }
    }
}

impl Observer for Watcher {
    fn begun(&self, bytes: u64) {
        self.bar.set_length(bytes);
    }

    fn read(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    fn judged(&self, quiet: usize) {
        let quiet = convert::wide(quiet);
        let positions = self.positions.fetch_add(quiet, Relaxed) + quiet;
        let parents = self.parents.fetch_add(1, Relaxed);
        if parents.is_multiple_of(1000) {
            let speed = convert::real(positions) / self.start.elapsed().as_secs_f64().max(1e-3);
            self.bar
                .set_message(format!("{positions} positions, {speed:.0} positions/s"));
        }
    }
}
