//! Judging games again: the same moves and results, with the scores of another player.
//!
//! A better judge makes better labels of old games, for the price of one search a position
//! (as Stockfish's trainers and Viridithas relabel their data). Invariant: which games a
//! thread judges, and in which order, depends on the files and the number of threads only, so
//! a run that was interrupted goes on where it was.

use std::{
    fmt, fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use shakmaty::{Chess, EnPassantMode, Move, fen::Fen};

use super::{
    Observer,
    players::{Answer, Line, PlayerKind},
    remember,
    simul::{self, Board, Question},
};
use crate::{
    learn::{
        crew::{self, Deadline},
        draft::Draft,
        file::GameFile,
        games::{self, Game, GameResult, Games},
    },
    position,
    types::Score,
};

/// Which games are judged again, and by whom.
#[derive(Clone, Debug)]
pub struct Relabelling {
    /// Files of games, or directories of `.vf` files.
    pub games: Vec<PathBuf>,
    /// Who judges.
    pub judge: PlayerKind,
    /// Nodes a position.
    pub nodes: u64,
    /// MiB of each judge's transposition table.
    pub hash: usize,
    /// Directory of the files to write; made if need be.
    pub folder: PathBuf,
    /// Threads, each with a judge and a file of its own.
    pub threads: usize,
    /// No game is begun later than this after the start of the run.
    pub time: Option<Duration>,
}

impl Relabelling {
    /// What the run writes to.
    pub fn outputs(&self) -> Vec<PathBuf> {
        let files = (0..self.threads).map(|number| self.file(number));
        files.chain([self.notes()]).collect()
    }

    /// The file of a thread.
    fn file(&self, number: usize) -> PathBuf {
        self.folder.join(format!("r-t{number}.vf"))
    }

    /// Where the plan is kept.
    fn notes(&self) -> PathBuf {
        self.folder.join("relabelled.txt")
    }
}

/// The plan as it is kept beside the games.
impl fmt::Display for Relabelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "games judged again by {}", self.judge)?;
        let (nodes, hash, threads) = (self.nodes, self.hash, self.threads);
        writeln!(f, "{nodes} nodes a move, {hash} MiB, {threads} threads")?;
        let mut paths = self.games.iter();
        paths.try_for_each(|path| writeln!(f, "{}", path.display()))
    }
}

/// Judges the games of `plan` again.
///
/// # Errors
/// When a file cannot be read or written or belongs to another plan, or a judge fails. The
/// games finished until then are kept.
pub fn relabel(plan: &Relabelling, observer: &dyn Observer) -> Result<()> {
    ensure!(plan.threads > 0, "at least one thread has to judge");
    let files = games::files(&plan.games, &[games::GAMES])?;
    let folder = &plan.folder;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    remember(&plan.notes(), &plan.to_string())?;
    let deadline = Deadline::after(plan.time);
    crew::run(plan.threads, |number, stop| {
        let mut judge = plan.judge.start(plan.hash)?;
        let mut file = GameFile::open(&plan.file(number))?;
        observer.found(file.games());
        let mut originals = originals(plan.threads, &files, number);
        for _ in 0..file.games() {
            originals.next().transpose()?;
        }
        let reviews = originals
            .take_while(|_| !deadline.is_over())
            .map(|original| original?.review(plan));
        simul::play(&mut *judge, reviews, stop, |game| {
            file.append(game)?;
            observer.played(game.len());
            Ok(())
        })
    })
}

/// A game to be judged again.
struct Original<'a> {
    path: &'a Path,
    /// Its number in the file.
    index: usize,
    game: Game,
}

impl Original<'_> {
    /// The game as it is judged again, from its start.
    fn review(&self, plan: &Relabelling) -> Result<Review> {
        let review = Review::new(&self.game, plan);
        review.with_context(|| name(self.path, self.index))
    }
}

/// The games of `files` that thread `number` of `threads` judges: those whose index in their file
/// is congruent to its number, modulo the number of threads.
fn originals(
    threads: usize,
    files: &[PathBuf],
    number: usize,
) -> impl Iterator<Item = Result<Original<'_>>> {
    files.iter().flat_map(move |path| {
        let (games, error) = match Games::open(path) {
            Ok(games) => (Some(games), None),
            Err(error) => (None, Some(Err(error))),
        };
        let games = games.into_iter().flatten().enumerate();
        let own = games.filter(move |(index, _)| index % threads == number);
        let originals = own.map(move |(index, game)| {
            let game = game.with_context(|| name(path, index))?;
            Ok(Original { path, index, game })
        });
        error.into_iter().chain(originals)
    })
}

/// What a game is called in messages.
fn name(path: &Path, index: usize) -> String {
    format!("{}, game {index}", path.display())
}

/// A game that is being judged again.
struct Review {
    moves: Vec<Move>,
    result: GameResult,
    nodes: u64,
    line: Line,
    /// The moves that were judged.
    draft: Draft,
    last: Score,
}

impl Review {
    fn new(game: &Game, plan: &Relabelling) -> Result<Self> {
        let start = game.start()?;
        let mut moves = Vec::with_capacity(game.len());
        game.replay(|_, mv, _| moves.push(mv))?;
        Ok(Self {
            moves,
            result: game.result(),
            nodes: plan.nodes,
            line: line_from(&start, plan.judge.is_always_chess960())?,
            draft: Draft::new(&start),
            last: Score::DRAW,
        })
    }
}

impl Board for Review {
    fn question(&self) -> Option<Question<'_>> {
        (self.draft.len() < self.moves.len()).then_some(Question {
            line: &self.line,
            nodes: self.nodes,
            is_new: self.draft.is_empty(),
        })
    }

    fn hear(&mut self, answer: Answer) -> Result<()> {
        let mv = self.moves[self.draft.len()];
        self.last = answer.for_white(&self.line, self.last);
        self.draft.add(mv, self.last);
        self.line.play(mv);
        Ok(())
    }

    fn finish(self) -> Game {
        self.draft.finish(self.result)
    }
}

fn line_from(start: &Chess, chess960: bool) -> Result<Line> {
    let fen = Fen::from_position(start, EnPassantMode::Legal).to_string();
    let game = position::Game::from_fen(&fen, chess960);
    Ok(Line::new(game.with_context(|| format!("position {fen}"))?))
}
