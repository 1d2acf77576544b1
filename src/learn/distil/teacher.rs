//! A UCI engine that judges moves of one position after the other.
//!
//! Asked for evaluations, it answers for all moves of a position at once, a line each; asked
//! for searches, it searches the position after each move by itself. Questions are sent
//! without waiting for answers, so that the engine is never idle: one thread asks, another
//! listens, and a bounded queue of the positions asked for keeps them together. Invariant:
//! what has been flushed to the engine it can answer without further questions, so that
//! neither thread waits for the other for ever.

use std::{
    io::{BufRead, BufReader, BufWriter, Write},
    num::NonZeroU8,
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
/// MiB of the engine's table: searches after neighbouring moves have something in common.
const HASH: usize = 16;

/// What is asked: to judge these moves of a position.
pub(super) struct Question {
    pub(super) parent: Chess,
    pub(super) moves: Vec<Move>,
}

/// A running engine.
pub(super) struct Teacher {
    name: String,
    /// Plies that it searches after a move; without, its evaluation is asked for.
    depth: Option<NonZeroU8>,
    child: Child,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Teacher {
    /// Starts the engine at `path`, to search so many plies after each move or, without `depth`, to
    /// say how it evaluates what comes of it.
    ///
    /// # Errors
    /// When it does not start or is no UCI engine, or has no option `MultiPV` for evaluations.
    pub(super) fn start(path: &Path, depth: Option<NonZeroU8>) -> Result<Self> {
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
            depth,
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
        if self.depth.is_none() {
            ensure!(many, "{name} has no option MultiPV");
            writeln!(self.input, "setoption name MultiPV value {LINES}")?;
        }
        writeln!(self.input, "setoption name Hash value {HASH}")?;
        // Castling is then written as king takes rook, whatever the start position.
        writeln!(self.input, "setoption name UCI_Chess960 value true")?;
        writeln!(self.input, "isready")?;
        self.input.flush()?;
        hear(&mut self.output, &name, "readyok", |_| {})?;
        Ok(())
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
        let depth = self.depth;
        let child = &mut self.child;
        let outcome = thread::scope(|scope| {
            let asking = scope.spawn(move || {
                let mut questions = Questions {
                    input,
                    asked,
                    depth,
                };
                parents(&mut |question| questions.ask(question))?;
                Ok(questions.input.flush()?)
            });
            let heard = match depth {
                None => listen(&answers, &mut keep, |question, fan| {
                    hear_evaluations(output, name, question, fan)
                }),
                Some(_) => listen(&answers, &mut keep, |question, fan| {
                    hear_searches(output, name, question, fan)
                }),
            };
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
    asked: SyncSender<Question>,
    depth: Option<NonZeroU8>,
}

impl Questions<'_> {
    fn ask(&mut self, question: Question) -> Result<()> {
        match self.depth {
            None => self.ask_evaluations(&question)?,
            Some(depth) => self.ask_searches(&question, depth)?,
        }
        match self.asked.try_send(question) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(question)) => {
                self.input.flush()?;
                Ok(self.asked.send(question)?)
            }
            Err(gone) => Err(gone.into()),
        }
    }

    fn ask_evaluations(&mut self, question: &Question) -> Result<()> {
        let fen = Fen::from_position(&question.parent, EnPassantMode::Legal);
        write!(self.input, "position fen {fen}\ngo depth 1 searchmoves")?;
        for mv in &question.moves {
            write!(self.input, " {}", mv.to_uci(CastlingMode::Chess960))?;
        }
        Ok(writeln!(self.input)?)
    }

    fn ask_searches(&mut self, question: &Question, depth: NonZeroU8) -> Result<()> {
        let fen = Fen::from_position(&question.parent, EnPassantMode::Legal);
        for mv in &question.moves {
            let mv = mv.to_uci(CastlingMode::Chess960);
            writeln!(
                self.input,
                "position fen {fen} moves {mv}\ngo depth {depth}"
            )?;
        }
        Ok(())
    }
}

/// Reads the answers to all that was asked; `hear_one` those to one question.
fn listen(
    answers: &Receiver<Question>,
    keep: &mut impl FnMut(&Game) -> Result<()>,
    mut hear_one: impl FnMut(&Question, &mut Draft) -> Result<()>,
) -> Result<()> {
    for question in answers {
        let mut fan = Draft::new(&question.parent);
        hear_one(&question, &mut fan)?;
        keep(&fan.finish(GameResult::Draw))?;
    }
    Ok(())
}

/// The evaluations of all quiet positions, in one answer.
fn hear_evaluations(
    output: &mut impl BufRead,
    name: &str,
    question: &Question,
    fan: &mut Draft,
) -> Result<()> {
    let parent = &question.parent;
    hear(output, name, "bestmove", |line| {
        let judged = |(mv, score): (UciMove, i32)| Some((mv.to_move(parent).ok()?, score));
        if let Some((mv, score)) = quiet_line(line).and_then(judged) {
            add(fan, parent, mv, score);
        }
    })?;
    Ok(())
}

/// The scores of searches, an answer for each move. Where the best reply wins something or
/// promotes, an evaluation has nothing to learn from what a search finds.
fn hear_searches(
    output: &mut impl BufRead,
    name: &str,
    question: &Question,
    fan: &mut Draft,
) -> Result<()> {
    for &mv in &question.moves {
        let mut score = None;
        let last = hear(output, name, "bestmove", |line| {
            score = score_of(line).or(score);
        })?;
        if let Some(score) = score.filter(|_| is_quiet_reply(&last, &question.parent, mv)) {
            add(fan, &question.parent, mv, -score);
        }
    }
    Ok(())
}

/// Whether `line` names a best move that neither captures nor promotes, after `mv` was played.
fn is_quiet_reply(line: &str, parent: &Chess, mv: Move) -> bool {
    let mut child = parent.clone();
    child.play_unchecked(mv);
    let reply = line.split_whitespace().nth(1);
    let reply = reply.and_then(|reply| reply.parse::<UciMove>().ok()?.to_move(&child).ok());
    reply.is_some_and(|reply| !reply.is_capture() && !reply.is_promotion())
}

/// Reads up to the line that begins with the word `end`, which is returned, and shows `each`
/// before it.
fn hear(
    output: &mut impl BufRead,
    name: &str,
    end: &str,
    mut each: impl FnMut(&str),
) -> Result<String> {
    let mut line = String::new();
    loop {
        line.clear();
        ensure!(output.read_line(&mut line)? > 0, "{name} has ended");
        if line.split_whitespace().next() == Some(end) {
            return Ok(line);
        }
        each(&line);
    }
}

/// The move of an `info` line whose variation ends after it, and its score in centipawns
/// for the side to move.
fn quiet_line(line: &str) -> Option<(UciMove, i32)> {
    let (_, variation) = line.trim_end().split_once(" pv ")?;
    Some((variation.parse().ok()?, score_of(line)?))
}

/// The score in centipawns of an `info` line, for the side to move, if it is no mate and no bound.
fn score_of(line: &str) -> Option<i32> {
    let (_, score) = line.split_once(" score cp ")?;
    let mut words = score.split(' ');
    let score = words.next()?.parse().ok()?;
    (words.next() == Some("nodes")).then_some(score)
}

/// Adds a move to a fan unless it gives check: evasions are no quiet matter.
fn add(fan: &mut Draft, parent: &Chess, mv: Move, score: i32) {
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
            let mv: UciMove = mv.parse().unwrap();
            if let Ok(mv) = mv.to_move(&parent) {
                add(&mut fan, &parent, mv, 900);
            }
        }
        let mut children = Vec::new();
        let fan = fan.finish(GameResult::Draw);
        fan.children(|child, score| children.push((child.clone(), score)))
            .unwrap();
        assert_eq!(children.len(), 1);
        assert_eq!(children[0].1, 900);
        assert!(!children[0].0.is_check());
    }

    /// The answers of a teacher to three moves: a quiet one with a bound at its end, one that is
    /// mated, one that is met by a capture.
    #[test]
    fn a_search_counts_with_its_last_score_where_the_reply_is_quiet() {
        let fen: Fen = "4k3/8/8/8/3p4/8/6N1/4K3 w - - 0 1".parse().unwrap();
        let parent: Chess = fen.into_position(CastlingMode::Chess960).unwrap();
        let find = |mv: &str| mv.parse::<UciMove>().unwrap().to_move(&parent).unwrap();
        let question = Question {
            moves: ["g2f4", "e1d2", "g2e3"].map(find).to_vec(),
            parent: parent.clone(),
        };
        let mut said = b"info depth 1 score cp -210 nodes 9 pv e8e7\n\
            info depth 2 score cp -230 nodes 30 pv e8e7 f4d5\n\
            info depth 3 score cp -250 lowerbound nodes 50 pv e8e7\n\
            bestmove e8e7 ponder f4d5\n\
            info depth 3 score mate -4 nodes 50 pv e8d7\n\
            bestmove e8d7\n\
            info depth 3 score cp 20 nodes 50 pv d4e3\n\
            bestmove d4e3\n"
            .as_slice();
        let mut fan = Draft::new(&parent);
        hear_searches(&mut said, "teacher", &question, &mut fan).unwrap();
        assert!(said.is_empty());
        let mut children = Vec::new();
        fan.finish(GameResult::Draw)
            .children(|child, score| children.push((child.board().to_string(), score)))
            .unwrap();
        let knight = "4k3/8/8/8/3p1N2/8/8/4K3".to_owned();
        assert_eq!(children, [(knight, 230)]);
    }
}
