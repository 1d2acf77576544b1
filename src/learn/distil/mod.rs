//! Positions judged by another program, by its static evaluation or by a search of a few plies.
//!
//! A search of one ply over all moves costs a UCI engine little more than a search of a
//! few nodes for one, and tells what it thinks of every position that can follow. Where
//! its variation ends after the move, the other side can do no better than stand pat:
//! that score is the plain evaluation of a quiet position. Some twenty positions are
//! judged that way in the time of one search of a game, and a network that is trained on
//! them approaches the function of the teacher ("distillation": Hinton, Vinyals & Dean
//! 2015). A search of a few plies after each move costs a hundred times as much, and is nearer to
//! what a long search will find. Invariants: the parents that are chosen depend on seed, file
//! and game only, so that a run that was interrupted goes on where it was; games that the
//! trainer holds out for validation are left alone.

mod teacher;

use std::{
    fs,
    num::{NonZeroU8, NonZeroUsize},
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use rand::{Rng, SeedableRng, rngs::SmallRng, seq::IndexedRandom};
use shakmaty::{Chess, Move, Position};
use teacher::{Question, Teacher};

use super::{
    crew::{self, Deadline},
    deal::{Source, mix},
    file::GameFile,
    games::{self, Game},
};
use crate::{position, types::MoveList};

/// What is to be judged, and by whom.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Files of games, or directories of `.vf` files.
    pub games: Vec<PathBuf>,
    /// The teacher: a UCI engine, for evaluations one with an option `MultiPV`.
    pub engine: PathBuf,
    /// How long the teacher may take for one answer.
    pub patience: Duration,
    /// Plies that the teacher searches after a move; without, it says how it evaluates what comes
    /// of it.
    pub depth: Option<NonZeroU8>,
    /// Share of the games' positions whose moves are judged, 0 to 1.
    pub share: f64,
    /// At most so many moves, drawn at random, are played from a position before it is judged.
    pub stray: usize,
    /// At most so many moves of a position are judged, drawn at random; all if not given.
    pub moves: Option<NonZeroUsize>,
    /// Seed of the choice.
    pub seed: u64,
    /// Directory of the files to write; made if need be.
    pub folder: PathBuf,
    /// Threads, each with a teacher and a file of its own.
    pub threads: usize,
    /// No position is given to a teacher later than this after the start.
    pub time: Option<Duration>,
}

impl Plan {
    /// What the run writes to.
    pub fn outputs(&self) -> Vec<PathBuf> {
        (0..self.threads).map(|number| self.file(number)).collect()
    }

    /// The file of a thread.
    fn file(&self, number: usize) -> PathBuf {
        self.folder.join(format!("d{}-t{number}.fan", self.seed))
    }
}

/// Is told how it goes, from all threads.
pub trait Observer: Sync {
    /// A run over so many bytes of games begins.
    fn begun(&self, bytes: u64);
    /// So many bytes of games are done with.
    fn read(&self, bytes: u64);
    /// The moves of a position were judged, and so many led to quiet positions.
    fn judged(&self, quiet: usize);
}

/// Judges the positions of `plan`.
///
/// # Errors
/// When a file cannot be read or written, or a teacher fails; what was judged until then
/// is kept.
pub fn run(plan: &Plan, observer: &dyn Observer) -> Result<()> {
    ensure!(plan.threads > 0, "at least one thread has to work");
    let folder = &plan.folder;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let files = games::files(&plan.games, &[games::GAMES])?;
    observer.begun(games::bytes(&files)?);
    let deadline = Deadline::after(plan.time);
    crew::run(plan.threads, |number, stop| {
        let parents = Parents {
            plan,
            files: &files,
            number,
            deadline,
            stop,
            observer,
        };
        judge(plan, number, &parents)
    })
}

/// One thread's work.
fn judge(plan: &Plan, number: usize, parents: &Parents<'_>) -> Result<()> {
    let mut file = GameFile::open(&plan.file(number))?;
    let done = file.games();
    let teacher = Teacher::start(&plan.engine, plan.depth, plan.patience)?;
    teacher.judge(
        |ask| parents.visit(done, ask),
        |fan| {
            parents.observer.judged(fan.len());
            file.append(fan)
        },
    )
}

/// The positions that one thread has its teacher judge.
struct Parents<'a> {
    plan: &'a Plan,
    files: &'a [PathBuf],
    number: usize,
    deadline: Deadline,
    stop: &'a AtomicBool,
    observer: &'a dyn Observer,
}

impl Parents<'_> {
    /// Calls `ask` with each, the first `done` left out.
    fn visit(&self, done: u64, ask: &mut dyn FnMut(Question) -> Result<()>) -> Result<()> {
        let mut left_out = 0;
        let (threads, own) = (self.plan.threads as u64, self.number as u64);
        for path in self.files {
            let source = Source::new(path);
            source.visit(|number, game| {
                if number % threads != own || self.is_over() {
                    return Ok(());
                }
                self.observer.read(game.bytes() as u64);
                if source.is_held_out(number) {
                    return Ok(());
                }
                for question in self.choose(game, mix(source.hash, number, self.plan.seed))? {
                    left_out += 1;
                    if left_out > done {
                        ask(question)?;
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.stop.load(Relaxed) || self.deadline.is_over()
    }

    fn choose(&self, game: &Game, chance: u64) -> Result<Vec<Question>> {
        let mut rng = SmallRng::seed_from_u64(chance);
        let mut chosen = Vec::new();
        game.replay(|position, _, _| {
            if rng.random_bool(self.plan.share) {
                let plies = rng.random_range(0..=self.plan.stray);
                let parent = strayed(position.clone(), plies, &mut rng);
                chosen.push(self.question(parent, &mut rng));
            }
        })?;
        Ok(chosen)
    }

    fn question(&self, parent: Chess, rng: &mut SmallRng) -> Question {
        let legal = parent.legal_moves();
        let drawn = self
            .plan
            .moves
            .map(|most| legal.choose_multiple(rng, most.get()));
        let mut moves = drawn.map_or_else(|| legal.to_vec(), |drawn| drawn.copied().collect());
        if self.plan.depth.is_some() {
            // The teacher would search, and then name the capture.
            moves.retain(|&mv| is_quiet_after(&parent, mv));
        }
        Question { parent, moves }
    }
}

/// Whether the other side, after `mv`, is not in check and wins nothing by one exchange.
fn is_quiet_after(parent: &Chess, mv: Move) -> bool {
    let mut child = parent.clone();
    child.play_unchecked(mv);
    if child.is_check() {
        return false;
    }
    let child = position::Position::new(child);
    let mut noisy = MoveList::new();
    child.generate_noisy(&mut noisy);
    !noisy.iter().any(|&mv| child.see_reaches(mv, 1))
}

/// The position after so many random moves, or the last one before the game would be over: a
/// search, too, looks at more bad moves than good ones.
fn strayed(mut position: Chess, plies: usize, rng: &mut SmallRng) -> Chess {
    for _ in 0..plies {
        let Some(&mv) = position.legal_moves().choose(rng) else {
            break;
        };
        let mut next = position.clone();
        next.play_unchecked(mv);
        if next.is_game_over() {
            break;
        }
        position = next;
    }
    position
}
