//! The classical algorithms and the playing search side by side on the same positions.
//!
//! Every contestant searches every position to depth 1, 2, 3 … and what it found and what
//! it cost is kept. Invariant: the exact algorithms must agree on every value; where they do
//! not, [`Comparison::disputes`] says so.

mod engine;
mod plot;
mod summary;

use std::{
    fs,
    num::NonZeroUsize,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use shakmaty::san::SanPlus;

use self::engine::Playing;
use super::{clash, epd};
use crate::{
    classic::{Algorithm, Log, anatomy::Ordering, chess::Chess, minimal},
    learn::{crew, output},
    position::Game,
    types::{PackedMove, Score, Window},
};

/// Compares the classical algorithms of game-tree search, and the engine with them.
///
/// The classical ones evaluate with material, piece squares and mobility; the engine with
/// its network and all its pruning, so its values differ. The exit code is 1 where
/// algorithms that must agree do not.
#[derive(Args, Clone, Debug)]
pub struct CompareArgs {
    /// The position; the start position if none is given
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// A file of positions instead
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    epd: Option<PathBuf>,
    /// Depth of the searches, in plies
    #[arg(long, value_name = "N", default_value_t = 4,
        value_parser = clap::value_parser!(u8).range(1..=16))]
    depth: u8,
    /// Names, separated by commas; all if none are given
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', value_parser = contestant)]
    algorithms: Vec<Contestant>,
    /// Seconds that one search may take; deeper ones that would take longer are left out
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    patience: u64,
    /// Positions searched at the same time; as many as there are cores if not given. The
    /// times are exact with one
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Writes every single result as JSON instead of the table
    #[arg(long)]
    pub json: bool,
    /// Draws nodes by depth into a picture
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Who takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contestant {
    /// A classical algorithm.
    Classical(Algorithm),
    /// The playing search, as it is.
    Engine,
}

impl Contestant {
    /// All there are, the engine last.
    pub fn all() -> Vec<Self> {
        let classical = Algorithm::ALL.into_iter().map(Self::Classical);
        classical.chain([Self::Engine]).collect()
    }

    /// The name in tables and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classical(algorithm) => algorithm.name(),
            Self::Engine => "engine",
        }
    }

    /// Whether it must return the value of minimax.
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Classical(algorithm) if algorithm.is_exact())
    }
}

fn contestant(name: &str) -> Result<Contestant, String> {
    let all = Contestant::all();
    let names: Vec<_> = all.iter().map(|one| one.name()).collect();
    all.iter()
        .copied()
        .find(|one| one.name() == name)
        .ok_or_else(|| format!("known are {}", names.join(", ")))
}

/// One search of one position by one contestant to one depth.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    #[serde(skip)]
    contestant: Contestant,
    /// The contestant's name.
    algorithm: &'static str,
    /// Depth in plies.
    depth: u32,
    /// Value for the side to move, in centipawns; mates count down from 32000.
    value: i32,
    /// The best move found, in algebraic notation.
    best: Option<String>,
    /// Nodes of the tree and of quiescence.
    nodes: u64,
    /// Nodes at the horizon or the end of the game; unknown for the engine.
    leaves: Option<u64>,
    /// Seconds from the start of the search.
    seconds: f64,
    /// How often the first move was best, 0 to 1.
    first_best: Option<f64>,
    /// How often the best move was in the first quarter, 0 to 1.
    best_in_first_quarter: Option<f64>,
    /// How often the first move cut, of the nodes that were cut, 0 to 1.
    first_move_cuts: Option<f64>,
    #[serde(skip)]
    ordering: Ordering,
}

/// All runs on one position.
#[derive(Clone, Debug, Serialize)]
pub struct Trial {
    /// The position.
    fen: String,
    /// Leaves of the minimal tree at the full depth, where the value is known.
    minimal_leaves: Option<u64>,
    /// The searches, by contestant and depth.
    runs: Vec<Run>,
}

/// The result of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The full depth.
    depth: u32,
    #[serde(skip)]
    contestants: Vec<Contestant>,
    /// One entry a position.
    positions: Vec<Trial>,
}

/// Runs what `args` ask for, telling `progress` how many contests of how many are done, and
/// draws the picture if one is wanted.
///
/// # Errors
/// When a position or a file cannot be used, or the picture would destroy the positions.
pub fn run(args: &CompareArgs, progress: impl FnMut(usize, usize) + Send) -> Result<Comparison> {
    clash::check(&args.epd, args.plot.as_slice())?;
    args.plot.iter().try_for_each(|path| output::check(path))?;
    let games = games(args)?;
    let contestants = if args.algorithms.is_empty() {
        Contestant::all()
    } else {
        args.algorithms.clone()
    };
    let contest = Contest {
        depth: u32::from(args.depth),
        patience: Duration::from_secs(args.patience),
        contestants: &contestants,
        progress: Mutex::new(progress),
        ended: AtomicUsize::new(0),
        all: games.len() * contestants.len(),
    };
    let positions = contest.hold(&games, super::threads(args.threads))?;
    let comparison = Comparison {
        depth: contest.depth,
        positions,
        contestants,
    };
    if let Some(path) = &args.plot {
        plot::nodes_by_depth(&comparison, path)?;
    }
    Ok(comparison)
}

/// What all threads of a comparison share.
struct Contest<'c, P> {
    depth: u32,
    patience: Duration,
    contestants: &'c [Contestant],
    progress: Mutex<P>,
    /// How many contestants are through with a position, and how many are to be.
    ended: AtomicUsize,
    all: usize,
}

impl<P: FnMut(usize, usize) + Send> Contest<'_, P> {
    /// All contestants on all positions, `threads` positions at a time.
    fn hold(&self, games: &[Game], threads: usize) -> Result<Vec<Trial>> {
        let next = AtomicUsize::new(0);
        let trials: Vec<Mutex<Option<Trial>>> = games.iter().map(|_| Mutex::default()).collect();
        crew::run(threads.min(games.len()), |_, _| {
            let mut playing = Playing::new()?;
            loop {
                let index = next.fetch_add(1, Relaxed);
                let (Some(game), Some(slot)) = (games.get(index), trials.get(index)) else {
                    return Ok(());
                };
                let trial = self.compete(game, &mut playing);
                *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(trial);
            }
        })?;
        let trials = trials.into_iter().filter_map(|slot| {
            let trial = slot.into_inner();
            trial.unwrap_or_else(PoisonError::into_inner)
        });
        Ok(trials.collect())
    }

    /// All contestants on one position.
    fn compete(&self, game: &Game, playing: &mut Playing) -> Trial {
        let mut trial = Trial::of(game);
        for &contestant in self.contestants {
            trial.runs.extend(match contestant {
                Contestant::Classical(algorithm) => {
                    deepen(algorithm, game, self.depth, self.patience)
                }
                Contestant::Engine => playing.deepen(game, self.depth, self.patience),
            });
            let ended = self.ended.fetch_add(1, Relaxed) + 1;
            let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress(ended, self.all);
        }
        trial.measure(game, self.depth);
        trial
    }
}

fn games(args: &CompareArgs) -> Result<Vec<Game>> {
    let Some(path) = &args.epd else {
        let fen = args.fen.as_deref();
        return Ok(vec![fen.map_or_else(
            || Ok(Game::start()),
            |fen| Game::from_fen(fen, false).with_context(|| fen.to_owned()),
        )?]);
    };
    let shown = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("{shown}"))?;
    let records = epd::parse(&text).with_context(|| format!("{shown}"))?;
    let game = |record: &epd::Record| {
        Game::from_fen(record.fen(), false)
            .with_context(|| format!("{shown}, line {}", record.line()))
    };
    records.iter().map(game).collect()
}

/// The searches of `algorithm` to depth 1, 2, 3 … as long as they are worth waiting for.
fn deepen(algorithm: Algorithm, game: &Game, depth: u32, patience: Duration) -> Vec<Run> {
    let root = Chess::new(game.position());
    let growth = u32::try_from(game.legal_moves().len()).unwrap_or(u32::MAX);
    let mut runs: Vec<Run> = Vec::new();
    let mut expected = Duration::ZERO;
    for depth in 1..=depth {
        if expected > patience {
            break;
        }
        let mut log = Log::new();
        let start = Instant::now();
        let value = algorithm.search(&root, depth, &mut log);
        let time = start.elapsed();
        expected = if algorithm.is_exhaustive() {
            time.saturating_mul(growth)
        } else {
            time
        };
        runs.push(Run {
            best: log.best_move().map(|mv| san(game, mv)),
            leaves: Some(log.leaves),
            ..Run::new(
                Contestant::Classical(algorithm),
                depth,
                value,
                (log.nodes + log.quiescence, time),
                log.ordering,
            )
        });
    }
    runs
}

fn san(game: &Game, mv: PackedMove) -> String {
    let mv = game.position().unpack(mv);
    SanPlus::from_move(game.chess().clone(), mv).to_string()
}

impl Run {
    /// A run that visited so many nodes in such a time.
    fn new(
        contestant: Contestant,
        depth: u32,
        value: Score,
        (nodes, time): (u64, Duration),
        ordering: Ordering,
    ) -> Self {
        Self {
            contestant,
            algorithm: contestant.name(),
            depth,
            value: value.units(),
            best: None,
            nodes,
            leaves: None,
            seconds: time.as_secs_f64(),
            first_best: ordering.first_is_best(),
            best_in_first_quarter: ordering.best_in_first_quarter(),
            first_move_cuts: ordering.first_move_cuts(),
            ordering,
        }
    }
}

impl Trial {
    fn of(game: &Game) -> Self {
        Self {
            fen: game.fen(),
            minimal_leaves: None,
            runs: Vec::new(),
        }
    }

    fn find(&self, contestant: Contestant, depth: u32) -> Option<&Run> {
        self.runs
            .iter()
            .find(|run| run.contestant == contestant && run.depth == depth)
    }

    /// The value that the first of the exact algorithms found.
    fn value(&self, depth: u32) -> Option<i32> {
        let exact = |run: &&Run| run.contestant.is_exact() && run.depth == depth;
        self.runs.iter().find(exact).map(|run| run.value)
    }

    /// Counts the minimal tree of the position, whose value is known.
    fn measure(&mut self, game: &Game, depth: u32) {
        let root = Chess::new(game.position());
        let value = self.value(depth).map(Score::new);
        self.minimal_leaves = value
            .filter(|&value| Window::FULL.contains(value))
            .and_then(|value| minimal::leaves(&root, depth, value));
    }
}

impl Comparison {
    /// Where an exact algorithm contradicts another: one line each.
    pub fn disputes(&self) -> Vec<String> {
        let runs = self.positions.iter().flat_map(|trial| {
            let contradicts =
                |run: &&Run| run.contestant.is_exact() && Some(run.value) != trial.value(run.depth);
            trial.runs.iter().filter(contradicts).map(|run| {
                let (algorithm, depth, value) = (run.algorithm, run.depth, run.value);
                format!("{algorithm} says {value} at depth {depth} of {}", trial.fen)
            })
        });
        runs.collect()
    }

    /// Everything as JSON.
    ///
    /// # Errors
    /// Never, in fact: all values can be written.
    pub fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)?)
    }
}
