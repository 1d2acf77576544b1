//! `arborist datagen`: games to learn from.

use std::{
    fmt,
    num::NonZeroUsize,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

use anyhow::{Error, Result};
use indicatif::{ProgressBar, ProgressStyle};

use super::threads;
use crate::{
    learn::datagen::{self, Extent, External, Observer, Openings, Plan, PlayerKind, Rules},
    nnue::Network,
    types::convert,
};

/// Play games to train a network on.
///
/// Each thread plays from random openings, at a fixed number of nodes a move, and writes
/// its games to OUT/sSEED-tTHREAD.vf in viriformat. Every game is complete on disk when it
/// ends, so the program may be stopped at any time (Ctrl-C); the same command goes on
/// where it was. Use a new seed for new games.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Directory for the files.
    #[arg(long)]
    pub out: PathBuf,
    /// Games in all, those of earlier runs included; endless if not given.
    #[arg(long)]
    pub games: Option<u64>,
    /// Begin no game after so many seconds.
    #[arg(long)]
    pub seconds: Option<u64>,
    /// Seed of all chance.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all cores if not given.
    #[arg(long)]
    pub threads: Option<NonZeroUsize>,
    /// Network of the built-in search, instead of the one that is part of the program.
    #[arg(long, value_name = "FILE", conflicts_with = "engine")]
    pub network: Option<PathBuf>,
    /// A UCI engine that plays and judges instead of the built-in search.
    #[arg(long, value_name = "PATH")]
    pub engine: Option<PathBuf>,
    /// A UCI option of that engine; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair, requires = "engine")]
    pub option: Vec<(String, String)>,
    /// Seconds that engine may take for one answer.
    #[arg(long, default_value_t = 60)]
    pub patience: u64,
    /// Nodes a move.
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Nodes for the judgement of an opening; four times those of a move if not given.
    #[arg(long)]
    pub judge_nodes: Option<u64>,
    /// MiB of each player's transposition table.
    #[arg(long, default_value_t = 4)]
    pub hash: usize,
    /// Fewest random plies of an opening.
    #[arg(long, default_value_t = 6)]
    pub min_plies: usize,
    /// Most random plies of an opening.
    #[arg(long, default_value_t = 10)]
    pub max_plies: usize,
    /// Share of games from double Fischer random start positions, 0 to 1.
    #[arg(long, default_value_t = 0.05)]
    pub dfrc: f64,
    /// Discard openings whose score is beyond this many centipawns.
    #[arg(long, default_value_t = 200)]
    pub opening_score: i32,
    /// A game is won at this score in centipawns …
    #[arg(long, default_value_t = 1000)]
    pub win_score: i32,
    /// … for so many plies in a row.
    #[arg(long, default_value_t = 5)]
    pub win_plies: usize,
    /// A game is drawn within this score in centipawns …
    #[arg(long, default_value_t = 5)]
    pub draw_score: i32,
    /// … for so many plies in a row …
    #[arg(long, default_value_t = 12)]
    pub draw_plies: usize,
    /// … after so many plies of the game.
    #[arg(long, default_value_t = 80)]
    pub draw_from: usize,
    /// A game of so many plies is drawn.
    #[arg(long, default_value_t = 400)]
    pub longest: usize,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=');
    let (name, value) = parts.ok_or("an option is written NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

impl Args {
    fn player(&self) -> Result<PlayerKind> {
        if let Some(path) = &self.engine {
            return Ok(PlayerKind::External(External {
                path: path.clone(),
                options: self.option.clone(),
                patience: Duration::from_secs(self.patience),
                chess960: self.dfrc > 0.0,
            }));
        }
        let (network, name) = match &self.network {
            Some(path) => (Network::load(path), path.display().to_string()),
            None => (Ok(Network::embedded()), "of the program".to_owned()),
        };
        let network = network.map_err(Error::msg)?;
        Ok(PlayerKind::BuiltIn { network, name })
    }

    fn plan(&self) -> Result<Plan> {
        Ok(Plan {
            player: self.player()?,
            nodes: self.nodes,
            judge_nodes: self.judge_nodes.unwrap_or(self.nodes.saturating_mul(4)),
            hash: self.hash,
            openings: Openings {
                min_plies: self.min_plies,
                max_plies: self.max_plies,
                dfrc: self.dfrc,
                max_score: self.opening_score,
            },
            rules: Rules {
                win_score: self.win_score,
                win_plies: self.win_plies,
                draw_score: self.draw_score,
                draw_plies: self.draw_plies,
                draw_from: self.draw_from,
                max_plies: self.longest,
            },
            seed: self.seed,
        })
    }
}

/// What was played.
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
        let played = format!("{games} games with {positions} positions played");
        write!(f, "{played} in {seconds:.1} s, {speed:.0} positions/s")
    }
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be written or a player fails; finished games are kept.
pub fn run(args: &Args) -> Result<Played> {
    let extent = Extent {
        folder: args.out.clone(),
        threads: threads(args.threads),
        games: args.games,
        time: args.seconds.map(Duration::from_secs),
    };
    let plan = args.plan()?;
    let watcher = Watcher::new(args.games);
    let outcome = datagen::run(&plan, &extent, &watcher);
    watcher.bar.finish_and_clear();
    outcome?;
    Ok(Played {
        out: extent.folder,
        found: watcher.found.load(Relaxed),
        games: watcher.games.load(Relaxed),
        positions: watcher.positions.load(Relaxed),
        time: watcher.start.elapsed(),
    })
}

/// Shows a run as a progress bar.
struct Watcher {
    bar: ProgressBar,
    start: Instant,
    found: AtomicU64,
    games: AtomicU64,
    positions: AtomicU64,
}

impl Watcher {
    fn new(games: Option<u64>) -> Self {
        let (bar, style) = match games {
            Some(games) => (
                ProgressBar::new(games),
                "{elapsed_precise} {wide_bar} {pos}/{len} games, {msg}, ends in {eta}",
            ),
            None => (
                ProgressBar::no_length(),
                "{elapsed_precise} {spinner} {pos} games, {msg}",
            ),
        };
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_secs(1));
        Self {
            bar,
            start: Instant::now(),
            found: AtomicU64::new(0),
            games: AtomicU64::new(0),
            positions: AtomicU64::new(0),
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
