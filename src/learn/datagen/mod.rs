//! Playing games to learn from.
//!
//! Every thread has a player of its own and writes a file of its own; they share nothing
//! but the wish to stop. A game (`contest`) begins with random moves (`opening`), both sides are
//! played by one player (`players`), possibly with others at the same time (`simul`), and a
//! `referee` ends it early once it is decided.
//! That self-play from random openings at a fixed number of nodes a move teaches a
//! network is the way of the NNUE community since 2020 (Nodchip's generator for
//! Stockfish). Invariants: game `n` of thread `t` depends on the plan, the seed, `t` and `n` only,
//! so a run that was interrupted continues as if it had not been (an engine that plays several
//! at a time also remembers the others: then only the openings and the order of the games are
//! certain); and what stands in a file are whole games, apart from a torn one at its end that the
//! next run cuts off.

pub(super) mod contest;
pub(super) mod engine;
mod opening;
mod own;
pub(super) mod players;
pub(super) mod referee;
mod relabel;
mod simul;
mod starts;

use std::{
    fmt, fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use contest::Contest;
pub use opening::Openings;
use players::Player;
pub use players::{External, MAX_BOARDS, PlayerKind};
pub use referee::Rules;
pub use relabel::{Relabelling, relabel};
pub use starts::starts;

use super::{
    crew::{self, Deadline},
    deal::mix,
    file::GameFile,
};

/// What makes the games what they are.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who plays and judges.
    pub player: PlayerKind,
    /// Nodes a move.
    pub nodes: u64,
    /// Nodes for the judgement of an opening.
    pub judge_nodes: u64,
    /// MiB of each player's transposition table.
    pub hash: usize,
    /// How games begin.
    pub openings: Openings,
    /// How games end.
    pub rules: Rules,
    /// Seed of all chance.
    pub seed: u64,
}

/// The plan as it is kept beside the games.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}, player {}", self.seed, self.player)?;
        let (nodes, judge) = (self.nodes, self.judge_nodes);
        let hash = self.hash;
        writeln!(f, "{nodes} nodes a move, {judge} an opening, {hash} MiB")?;
        writeln!(f, "{:?}", self.openings)?;
        writeln!(f, "{:?}", self.rules)
    }
}

/// How much is played, and where it goes.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Directory of the files; made if need be.
    pub folder: PathBuf,
    /// Threads, each with a file of its own.
    pub threads: usize,
    /// Games in the files of this seed at the end, those of earlier runs included.
    pub games: Option<u64>,
    /// No game is begun later than this after the start of the run.
    pub time: Option<Duration>,
}

impl Extent {
    /// Games that the file of `thread` shall have in the end.
    fn quota(&self, thread: usize) -> u64 {
        let (threads, thread) = (self.threads as u64, thread as u64);
        self.games.map_or(u64::MAX, |games| {
            games / threads + u64::from(thread < games % threads)
        })
    }
}

/// Is told how it goes, from all threads.
pub trait Observer: Sync {
    /// A file of an earlier run was found with so many games.
    fn found(&self, games: u64);
    /// A game of so many plies is on disk.
    fn played(&self, plies: usize);
}

/// Plays the games of `plan` until `extent` is reached.
///
/// # Errors
/// When a file cannot be written or belongs to another plan, or a player fails. The games
/// on disk by then are kept.
pub fn run(plan: &Plan, extent: &Extent, observer: &dyn Observer) -> Result<()> {
    ensure!(extent.threads > 0, "at least one thread has to play");
    let folder = &extent.folder;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    remember(
        &folder.join(format!("s{}.txt", plan.seed)),
        &plan.to_string(),
    )?;
    let deadline = Deadline::after(extent.time);
    crew::run(extent.threads, |number, stop| {
        Desk::open(plan, extent, number, observer)?.play(deadline, stop)
    })
}

/// Keeps the words of a plan beside the games, and refuses to mix the games of two plans.
fn remember(path: &Path, text: &str) -> Result<()> {
    match fs::read_to_string(path) {
        Ok(old) => ensure!(
            old == text,
            "{} tells of other games; take another seed or directory",
            path.display()
        ),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
    Ok(())
}

/// One thread's place of work.
struct Desk<'a> {
    plan: &'a Plan,
    number: u64,
    quota: u64,
    player: Box<dyn Player>,
    file: GameFile,
    observer: &'a dyn Observer,
}

impl<'a> Desk<'a> {
    fn open(
        plan: &'a Plan,
        extent: &Extent,
        number: usize,
        observer: &'a dyn Observer,
    ) -> Result<Self> {
        let name = format!("s{}-t{number}.vf", plan.seed);
        let file = GameFile::open(&extent.folder.join(name))?;
        observer.found(file.games());
        Ok(Self {
            plan,
            number: number as u64,
            quota: extent.quota(number),
            player: plan.player.start(plan.hash)?,
            file,
            observer,
        })
    }

    fn play(mut self, deadline: Deadline, stop: &AtomicBool) -> Result<()> {
        let (plan, number) = (self.plan, self.number);
        let contests = (self.file.games()..self.quota)
            .take_while(|_| !deadline.is_over())
            .map(|index| Contest::new(plan, mix(number, index, plan.seed)));
        simul::play(&mut *self.player, contests, stop, |game| {
            self.file.append(game)?;
            self.observer.played(game.len());
            Ok(())
        })
    }
}
