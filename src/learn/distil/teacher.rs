//! A UCI engine that judges every move of one position after the other.
//!
//! Questions are sent without waiting for answers, so that the engine is never idle: one
//! thread asks, another listens, and a bounded queue of the positions asked for keeps
//! them together. Invariant: what has been flushed to the engine it can answer without
//! further questions, so that neither thread waits for the other for ever.

use std::{
    io::{BufRead, BufReader, BufWriter, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    thread,
};

use anyhow::{Context, Result, anyhow, ensure};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, fen::Fen, uci::UciMove};

use crate::{
    learn::{
        draft::Draft,
        games::{Game, GameResult},
    },
    types::Score,
};

/// Questions that may be on their way.
const AHEAD: usize = 64;
/// More moves than any position has.
const LINES: usize = 256;
/// MiB of the engine's table; it has nothing to remember.
const HASH: usize = 1;

/// What is asked: to judge these moves of a position, all if none is named.
pub(super) struct Question {
    pub(super) parent: Chess,
    pub(super) moves: Vec<Move>,
}

/// A running engine.
pub(super) struct Teacher {
    name: String,
    child: Child,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Teacher {
    /// Starts the engine at `path`.
    ///
    /// # Errors
    /// When it does not start or is no UCI engine with an option `MultiPV`.
    pub(super) fn start(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let mut child = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        let input = child.stdin.take().context("no way to talk to it")?;
        let output = child.stdout.take().context("no way to hear it")?;
        let (input, output) = (BufWriter::new(input), BufReader::new(output));
        let mut teacher = Self {
            name,
            child,
            input,
            output,
        };
        teacher.greet()?;
        Ok(teacher)
    }

    fn greet(&mut self) -> Result<()> {
        let mut many = false;
        writeln!(self.input, "uci")?;
        self.input.flush()?;
        let name = self.name.clone();
        hear(&mut self.output, &name, "uciok", |line| {
            many |= line.starts_with("option name MultiPV ");
        })?;
        ensure!(many, "{name} has no option MultiPV");
        writeln!(self.input, "setoption name MultiPV value {LINES}")?;
        writeln!(self.input, "setoption name Hash value {HASH}")?;
        // Castling is then written as king takes rook, whatever the start position.
        writeln!(self.input, "setoption name UCI_Chess960 value true")?;
        writeln!(self.input, "isready")?;
        self.input.flush()?;
        hear(&mut self.output, &name, "readyok", |_| {})
    }

    /// Has all positions judged that `parents` asks for; `keep` gets them in the same
    /// order, each with the quiet moves and their scores.
    ///
    /// # Errors
    /// Those of `parents` and `keep`, or that the engine failed.
    pub(super) fn judge(
        mut self,
        parents: impl FnOnce(&mut dyn FnMut(Question) -> Result<()>) -> Result<()> + Send,
        mut keep: impl FnMut(&Game) -> Result<()>,
    ) -> Result<()> {
        let (asked, answers) = sync_channel(AHEAD);
        let (input, output, name) = (&mut self.input, &mut self.output, self.name.as_str());
        let child = &mut self.child;
        let outcome = thread::scope(|scope| {
            let asking = scope.spawn(move || {
                let mut questions = Questions { input, asked };
                parents(&mut |question| questions.ask(question))?;
                Ok(questions.input.flush()?)
            });
            let heard = listen(output, name, &answers, &mut keep);
            if heard.is_err() {
                // Nobody listens any more, and the asking thread must not wait for that.
                let _ = child.kill();
            }
            drop(answers);
            let asked = asking.join();
            heard.and(asked.unwrap_or_else(|_| Err(anyhow!("a thread failed"))))
        });
        // A failure here means that there is nobody left to say good-bye to.
        let _ = writeln!(self.input, "quit").and_then(|()| self.input.flush());
        let _ = self.child.wait();
        outcome
    }
}

impl Drop for Teacher {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The asking side.
struct Questions<'a> {
    input: &'a mut BufWriter<ChildStdin>,
    asked: SyncSender<Chess>,
}

impl Questions<'_> {
    fn ask(&mut self, question: Question) -> Result<()> {
        let Question { parent, moves } = question;
        let fen = Fen::from_position(&parent, EnPassantMode::Legal);
        write!(self.input, "position fen {fen}\ngo depth 1")?;
        if !moves.is_empty() {
            write!(self.input, " searchmoves")?;
        }
        for mv in moves {
            write!(self.input, " {}", mv.to_uci(CastlingMode::Chess960))?;
        }
        writeln!(self.input)?;
        match self.asked.try_send(parent) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(parent)) => {
                self.input.flush()?;
                Ok(self.asked.send(parent)?)
            }
            Err(gone) => Err(gone.into()),
        }
    }
}

/// Reads the answers to all that was asked.
fn listen(
    output: &mut BufReader<ChildStdout>,
    name: &str,
    answers: &Receiver<Chess>,
    keep: &mut impl FnMut(&Game) -> Result<()>,
) -> Result<()> {
    for parent in answers {
        let mut fan = Draft::new(&parent);
        hear(output, name, "bestmove", |line| {
            if let Some((mv, score)) = quiet_line(line) {
                add(&mut fan, &parent, mv, score);
            }
        })?;
        keep(&fan.finish(GameResult::Draw))?;
    }
    Ok(())
}

/// Reads up to the line that begins with the word `end`, and shows `each` before it.
fn hear(
    output: &mut BufReader<ChildStdout>,
    name: &str,
    end: &str,
    mut each: impl FnMut(&str),
) -> Result<()> {
    let mut line = String::new();
    loop {
        line.clear();
        ensure!(output.read_line(&mut line)? > 0, "{name} has ended");
        if line.split_whitespace().next() == Some(end) {
            return Ok(());
        }
        each(&line);
    }
}

/// The move of an `info` line whose variation ends after it, and its score in centipawns
/// for the side to move.
fn quiet_line(line: &str) -> Option<(UciMove, i32)> {
    let (head, variation) = line.trim_end().split_once(" pv ")?;
    let (_, score) = head.split_once(" score cp ")?;
    let mut words = score.split(' ');
    let score = words.next()?.parse().ok()?;
    // Other words than `nodes` would be bounds.
    if words.next() != Some("nodes") {
        return None;
    }
    Some((variation.parse().ok()?, score))
}

/// Adds a move to a fan unless it gives check: evasions are no quiet matter.
fn add(fan: &mut Draft, parent: &Chess, mv: UciMove, score: i32) {
    let Ok(mv) = mv.to_move(parent) else {
        return;
    };
    let mut child = parent.clone();
    child.play_unchecked(mv);
    if child.is_check() || child.is_game_over() {
        return;
    }
    let score = Score::from_centipawns(score);
    let white = parent.turn() == Color::White;
    fan.add(mv, if white { score } else { -score });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_variations_of_one_move_are_quiet() {
        let head = "info depth 1 seldepth 1 multipv 3 score";
        let quiet = |rest: &str| quiet_line(&format!("{head} {rest}\n"));
        let (mv, score) = quiet("cp -31 nodes 9 nps 9000 time 1 pv e2e4").unwrap();
        assert_eq!((mv.to_string().as_str(), score), ("e2e4", -31));
        for loud in [
            "cp -31 nodes 9 pv e2e4 d7d5",
            "cp -31 upperbound nodes 9 pv e2e4",
            "mate 1 nodes 9 pv e2e4",
            "cp -31 nodes 9",
            "cp",
        ] {
            assert!(quiet(loud).is_none(), "{loud}");
        }
    }

    #[test]
    fn checks_and_ends_are_left_out() {
        let fen: Fen = "k7/8/1K6/8/8/8/8/1R5R w - - 0 1".parse().unwrap();
        let parent: Chess = fen.into_position(shakmaty::CastlingMode::Chess960).unwrap();
        let mut fan = Draft::new(&parent);
        // A check, a mate, a quiet move and nonsense.
        for mv in ["b1a1", "h1h8", "h1g1", "a1a2"] {
            add(&mut fan, &parent, mv.parse().unwrap(), 900);
        }
        let mut children = Vec::new();
        let fan = fan.finish(GameResult::Draw);
        fan.children(|child, score| children.push((child.clone(), score)))
            .unwrap();
        assert_eq!(children.len(), 1);
        assert_eq!(children[0].1, 900);
        assert!(!children[0].0.is_check());
    }
}
