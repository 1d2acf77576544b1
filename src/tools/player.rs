//! What the commands share that have games played or judged: by whom, and how it goes.

use std::{
    fmt,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

use anyhow::{Error, Result};
use indicatif::ProgressBar;

use crate::{
    learn::datagen::{External, MAX_BOARDS, Observer, PlayerKind},
    nnue::Network,
    types::convert,
};

/// The most seconds an engine can be waited for: a week.
const MAX_PATIENCE: u64 = 7 * 24 * 60 * 60;

/// How long an engine is waited for.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Patience {
    /// Seconds that engine may take for one answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 60,
          value_parser = clap::value_parser!(u64).range(..=MAX_PATIENCE))]
    pub patience: u64,
}

impl Patience {
    pub(super) fn time(self) -> Duration {
        Duration::from_secs(self.patience)
    }
}

/// Who plays or judges.
#[derive(clap::Args, Clone, Debug)]
pub struct PlayerArgs {
    /// Network of the built-in search, instead of the one that is part of the program.
    #[arg(long, value_name = "FILE", conflicts_with = "engine")]
    pub network: Option<PathBuf>,
    /// A UCI engine that plays and judges instead of the built-in search.
    #[arg(long, value_name = "PATH")]
    pub engine: Option<PathBuf>,
    /// A UCI option of that engine; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = option_pair, requires = "engine")]
    pub option: Vec<(String, String)>,
    /// How long that engine is waited for.
    #[command(flatten)]
    pub patience: Patience,
    /// Games that the engine plays or judges at the same time, 1 to 64, so that it need not wait
    /// for questions; for engines that keep orders until they are free, as Stockfish does.
    #[arg(long, default_value_t = 1, requires = "engine",
          value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_BOARDS)))]
    pub boards: u8,
    /// MiB of each player's transposition table.
    #[arg(long, default_value_t = 4)]
    pub hash: usize,
}

/// A UCI option, from the command line.
pub(super) fn option_pair(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=');
    let (name, value) = parts.ok_or("an option is written NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

impl PlayerArgs {
    /// The player; `chess960` says whether an engine will certainly be asked to play that.
    ///
    /// # Errors
    /// When the network cannot be read.
    pub(super) fn kind(&self, chess960: bool) -> Result<PlayerKind> {
        if let Some(path) = &self.engine {
            return Ok(PlayerKind::External(External {
                path: path.clone(),
                options: self.option.clone(),
                patience: self.patience.time(),
                chess960,
                boards: self.boards,
            }));
        }
        let (network, name) = match &self.network {
            Some(path) => (Network::load(path), path.display().to_string()),
            None => (Ok(Network::embedded()), "of the program".to_owned()),
        };
        let network = network.map_err(Error::msg)?;
        Ok(PlayerKind::BuiltIn { network, name })
    }
}

/// What was played or judged.
#[derive(Clone, Debug)]
pub struct Played {
    out: PathBuf,
    found: u64,
    games: u64,
    positions: u64,
    time: Duration,
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (games, positions) = (self.games, self.positions);
        let seconds = self.time.as_secs_f64();
        let speed = convert::real(positions) / seconds.max(1e-3);
        write!(f, "{}: ", self.out.display())?;
        if self.found > 0 {
            write!(f, "{} games found, ", self.found)?;
        }
        let played = format!("{games} games with {positions} positions");
        write!(f, "{played} in {seconds:.1} s, {speed:.0} positions/s")
    }
}

/// Shows a run as a progress bar.
pub(super) struct Watcher {
    bar: ProgressBar,
    start: Instant,
    found: AtomicU64,
    games: AtomicU64,
    positions: AtomicU64,
}

impl Watcher {
    /// For so many games, if their number is known.
    pub(super) fn new(games: Option<u64>) -> Self {
        let style = match games {
            Some(_) => "{elapsed_precise} {wide_bar} {pos}/{len} games, {msg}, ends in {eta}",
            None => "{elapsed_precise} {spinner} {pos} games, {msg}",
        };
        Self {
            bar: super::progress_bar(games, style),
            start: Instant::now(),
            found: AtomicU64::new(0),
            games: AtomicU64::new(0),
            positions: AtomicU64::new(0),
        }
    }

    /// The run, whose files are in `out`, is over.
    pub(super) fn finish(self, out: PathBuf) -> Played {
        self.bar.finish_and_clear();
        Played {
            out,
            found: self.found.into_inner(),
            games: self.games.into_inner(),
            positions: self.positions.into_inner(),
            time: self.start.elapsed(),
        }
    }
}

impl Observer for Watcher {
    fn found(&self, games: u64) {
        self.found.fetch_add(games, Relaxed);
        self.bar.inc(games);
        // What was there is not part of this run's speed.
        self.bar.reset_eta();
    }

    fn played(&self, plies: usize) {
        self.games.fetch_add(1, Relaxed);
        let plies = convert::wide(plies);
        let positions = self.positions.fetch_add(plies, Relaxed) + plies;
        let speed = convert::real(positions) / self.start.elapsed().as_secs_f64().max(1e-3);
        self.bar
            .set_message(format!("{positions} positions, {speed:.0} positions/s"));
        self.bar.inc(1);
    }
}
