//! Judging games again: the same moves and results, with the scores of another player.
//!
//! A better judge makes better labels of old games, for the price of one search a position
//! (as Stockfish's trainers and Viridithas relabel their data). Invariant: which games a
//! thread judges, and in which order, depends on the files and the number of threads only, so
//! a run that was interrupted goes on where it was.

use std::{
    fmt, fs,
    path::PathBuf,
    sync::atomic::Ordering::Relaxed,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use shakmaty::{Chess, EnPassantMode, fen::Fen};

use super::{
    Observer,
    players::{Line, Player, PlayerKind},
    remember,
};
use crate::{
    learn::{
        crew,
        draft::Draft,
        file::GameFile,
        games::{self, Game, Games},
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
    remember(&folder.join("relabelled.txt"), &plan.to_string())?;
    let deadline = plan.time.map(|time| Instant::now() + time);
    crew::run(plan.threads, |number, stop| {
        let name = format!("r-t{number}.vf");
        let mut bench = Bench {
            plan,
            number: number as u64,
            judge: plan.judge.start(plan.hash)?,
            file: GameFile::open(&folder.join(name))?,
            observer,
        };
        observer.found(bench.file.games());
        let is_over =
            || stop.load(Relaxed) || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        bench.judge(&files, &is_over)
    })
}

/// One thread's place of work.
struct Bench<'a> {
    plan: &'a Relabelling,
    number: u64,
    judge: Box<dyn Player>,
    file: GameFile,
    observer: &'a dyn Observer,
}

impl Bench<'_> {
    /// Judges this thread's share of `files`, after what an earlier run has done.
    fn judge(&mut self, files: &[PathBuf], is_over: &dyn Fn() -> bool) -> Result<()> {
        let mut done = self.file.games();
        for path in files {
            for (index, game) in (0..).zip(Games::open(path)?) {
                if index % self.plan.threads as u64 != self.number {
                    continue;
                }
                if done > 0 {
                    done -= 1;
                    continue;
                }
                if is_over() {
                    return Ok(());
                }
                let judged = game.and_then(|game| self.again(&game));
                let judged = judged.with_context(|| format!("{}, game {index}", path.display()))?;
                self.file.append(&judged)?;
                self.observer.played(judged.len());
            }
        }
        Ok(())
    }

    /// The game with new scores.
    fn again(&mut self, game: &Game) -> Result<Game> {
        let start = game.start()?;
        let mut line = line_from(&start)?;
        let mut moves = Vec::with_capacity(game.len());
        game.replay(|_, mv, _| moves.push(mv))?;
        self.judge.new_game(line.is_chess960())?;
        let mut draft = Draft::new(&start);
        let mut last = Score::DRAW;
        for mv in moves {
            let answer = self.judge.think(&line, self.plan.nodes)?;
            last = answer.for_white(&line, last);
            draft.add(mv, last);
            line.play(mv);
        }
        Ok(draft.finish(game.result()))
    }
}

fn line_from(start: &Chess) -> Result<Line> {
    let fen = Fen::from_position(start, EnPassantMode::Legal).to_string();
    let game = position::Game::from_fen(&fen, false);
    Ok(Line::new(game.with_context(|| format!("position {fen}"))?))
}
