//! Tuning: the numbers of an engine are improved by games that it plays against itself.
//!
//! [`number`] reads what is to be tuned, [`walk`] decides what is tried and what follows from how
//! it went, and `pair` has it played. Every thread has two programs of its own and plays a pair of
//! games at a time; the walk is shared, and on disk each time that a place of it is remembered, so
//! that an interrupted run goes on with the same command. Invariant: the opening of pair `n`
//! depends on the seed and `n` only; with one thread the whole walk depends on the seed alone, as
//! far as the engine does.

pub mod number;
mod pair;
mod plot;
pub mod walk;

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use rand::{SeedableRng, rngs::SmallRng};
use serde::{Deserialize, Serialize};

use super::{
    crew::{self, Deadline},
    datagen::{External, Openings, Rules},
    deal::mix,
    output,
};
use number::Number;
use pair::Rivals;
pub use plot::picture;
use walk::Walk;

/// How the games are played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who plays; one that has the numbers as options.
    pub engine: External,
    /// MiB of each engine's transposition table.
    pub hash: usize,
    /// Nodes a move.
    pub nodes: u64,
    /// Nodes for the judgement of an opening.
    pub judge_nodes: u64,
    /// How games begin.
    pub openings: Openings,
    /// How games end.
    pub rules: Rules,
    /// Seed of all chance.
    pub seed: u64,
}

/// How much is played, and where the walk is kept.
#[derive(Clone, Debug)]
pub struct Extent {
    /// The file of the walk; a run that finds it there goes on.
    pub out: PathBuf,
    /// Threads, each with two programs.
    pub threads: usize,
    /// Pairs of games of the whole walk.
    pub pairs: u64,
    /// No pair is begun later than this after the start of the run.
    pub time: Option<Duration>,
}

/// Is told of every pair, from all threads.
pub trait Observer: Sync {
    /// The walk after one more pair, or as an earlier run left it.
    fn walked(&self, walk: &Walk);
}

/// What stands on disk.
#[derive(Serialize, Deserialize)]
struct State {
    seed: u64,
    nodes: u64,
    walk: Walk,
}

impl State {
    /// The state that an earlier run left at the place of `extent`, or a new one.
    fn open(plan: &Plan, extent: &Extent, numbers: Vec<Number>) -> Result<Self> {
        let fresh = Self {
            seed: plan.seed,
            nodes: plan.nodes,
            walk: Walk::new(numbers, extent.pairs),
        };
        let shown = extent.out.display();
        let text = match fs::read_to_string(&extent.out) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(fresh),
            text => text.with_context(|| format!("cannot read {shown}"))?,
        };
        let found: Self =
            serde_json::from_str(&text).with_context(|| format!("{shown} is no file of a walk"))?;
        let same = found.seed == fresh.seed
            && found.nodes == fresh.nodes
            && found.walk.planned() == extent.pairs
            && found.walk.numbers() == fresh.walk.numbers();
        ensure!(
            same,
            "{shown} is of another run; take another file, or the same numbers, games, nodes and seed"
        );
        Ok(found)
    }

    fn save(&self, path: &Path) -> Result<()> {
        output::write(path, serde_json::to_string(self)?.as_bytes())
    }
}

/// Plays until `extent` is reached and returns the walk.
///
/// # Errors
/// When the file is of another run or cannot be written, or an engine fails. What was walked until
/// then is kept.
pub fn run(
    plan: &Plan,
    extent: &Extent,
    numbers: Vec<Number>,
    observer: &dyn Observer,
) -> Result<Walk> {
    ensure!(extent.threads > 0, "at least one thread has to play");
    let state = State::open(plan, extent, numbers)?;
    observer.walked(&state.walk);
    let desk = Desk {
        plan,
        extent,
        begun: AtomicU64::new(state.walk.played()),
        state: Mutex::new(state),
        observer,
    };
    let names = desk.with_state(|state| names(&state.walk));
    let deadline = Deadline::after(extent.time);
    let outcome = crew::run(extent.threads, |_, stop| {
        let mut rivals = Rivals::start(plan, names.clone())?;
        while !stop.load(Relaxed) && !deadline.is_over() && desk.pair(&mut rivals)? {}
        Ok(())
    });
    let state = desk
        .state
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    state.save(&extent.out)?;
    outcome.map(|()| state.walk)
}

fn names(walk: &Walk) -> Vec<String> {
    let numbers = walk.numbers().iter();
    numbers.map(|number| number.name.clone()).collect()
}

/// What the threads share.
struct Desk<'a> {
    plan: &'a Plan,
    extent: &'a Extent,
    /// Pairs begun, those of earlier runs included.
    begun: AtomicU64,
    state: Mutex<State>,
    observer: &'a dyn Observer,
}

impl Desk<'_> {
    /// Has one more pair played; false once all were begun.
    fn pair(&self, rivals: &mut Rivals<'_>) -> Result<bool> {
        let Some(number) = self.next() else {
            return Ok(false);
        };
        let chance = mix(number, 0, self.plan.seed);
        let mut rng = SmallRng::seed_from_u64(mix(number, 1, self.plan.seed));
        let trial = self.with_state(|state| state.walk.propose(&mut rng));
        let tally = rivals.play(&trial, chance)?;
        self.with_state(|state| {
            let places = state.walk.places().len();
            state.walk.learn(&trial, tally);
            self.observer.walked(&state.walk);
            let is_due = state.walk.places().len() > places;
            if is_due {
                state.save(&self.extent.out)
            } else {
                Ok(())
            }
        })?;
        Ok(true)
    }

    /// The number of the next pair.
    fn next(&self) -> Option<u64> {
        let number = self.begun.fetch_add(1, Relaxed);
        (number < self.extent.pairs).then_some(number)
    }

    fn with_state<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut state)
    }
}
