//! A UCI engine that judges moves of one position after the other.
//!
//! Asked for evaluations, it answers for all moves of a position at once, a line each; asked
//! for searches, it searches the position after each move by itself. Questions are sent
//! without waiting for answers, so that the engine is never idle: one thread asks, another
//! listens, and a bounded queue of the positions asked for keeps them together. Invariants: what
//! is in the queue the engine has been asked, so that who listens waits for nothing but the
//! engine, and for that not for ever; who asks waits for nothing but room in the queue.

use std::{
    io::Write,
    mem,
    num::NonZeroU8,
    path::Path,
    sync::mpsc::{Receiver, Sender, SyncSender, sync_channel},
    thread,
    time::Duration,
};

use anyhow::{Result, anyhow, ensure};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, fen::Fen, uci::UciMove};

use crate::{
    learn::{
        draft::Draft,
        games::{Game, GameResult},
        program::Program,
    },
    types::Score,
};

/// Questions that may be on their way.
const AHEAD: usize = 64;
/// Questions that are asked at once.
const BATCH: usize = 32;
/// How long to let answers gather, in which the engine has other questions to think about.
const REST: Duration = Duration::from_micros(200);
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
    program: Program,
    /// Plies that it searches after a move; without, its evaluation is asked for.
    depth: Option<NonZeroU8>,
}

impl Teacher {
    /// Starts the engine at `path`, to search so many plies after each move or, without `depth`, to
    /// say how it evaluates what comes of it. It may take `patience` for one answer.
    ///
    /// # Errors
    /// When it does not start or is no UCI engine, or has no option `MultiPV` for evaluations.
    pub(super) fn start(path: &Path, depth: Option<NonZeroU8>, patience: Duration) -> Result<Self> {
        let mut program = Program::start(path, patience, REST)?;
        if depth.is_none() {
            let many = program.offers("MultiPV");
            ensure!(many, "{} has no option MultiPV", program.name());
            program.set("MultiPV", &LINES.to_string())?;
        }
        program.set("Hash", &HASH.to_string())?;
        // Castling is then written as king takes rook, whatever the start position.
        program.set("UCI_Chess960", "true")?;
        program.synchronise()?;
        Ok(Self { program, depth })
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
        let mut questions = Questions {
            name: self.program.name().to_owned(),
            depth: self.depth,
            speaker: self.program.speaker(),
            text: Vec::new(),
            batch: Vec::new(),
            asked,
        };
        thread::scope(|scope| {
            let asking = scope.spawn(move || {
                parents(&mut |question| questions.ask(question))?;
                questions.pass_on()
            });
            let heard = self.listen(&answers, &mut keep);
            // Where nobody listens any more, nobody shall wait for that.
            drop(answers);
            let asked = asking.join();
            heard.and(asked.unwrap_or_else(|_| Err(anyhow!("a thread failed"))))
        })
    }

    /// Hears the answers to all that was asked.
    fn listen(
        &mut self,
        answers: &Receiver<Question>,
        keep: &mut impl FnMut(&Game) -> Result<()>,
    ) -> Result<()> {
        let program = &mut self.program;
        let mut hear = |each: &mut dyn FnMut(&str)| program.hear("bestmove", each);
        for question in answers {
            let mut fan = Draft::new(&question.parent);
            match self.depth {
                None => hear_evaluations(&question, &mut fan, &mut hear)?,
                Some(_) => hear_searches(&question, &mut fan, &mut hear)?,
            }
            keep(&fan.finish(GameResult::Draw))?;
        }
        Ok(())
    }
}

/// The asking side.
struct Questions {
    /// The engine's.
    name: String,
    depth: Option<NonZeroU8>,
    speaker: Sender<Vec<u8>>,
    /// Questions that are not asked yet, and their words.
    batch: Vec<Question>,
    text: Vec<u8>,
    /// Those that were.
    asked: SyncSender<Question>,
}

impl Questions {
    fn ask(&mut self, question: Question) -> Result<()> {
        match self.depth {
            None => self.ask_evaluations(&question)?,
            Some(depth) => self.ask_searches(&question, depth)?,
        }
        self.batch.push(question);
        if self.batch.len() < BATCH {
            return Ok(());
        }
        self.pass_on()
    }

    /// Asks what is not asked yet.
    fn pass_on(&mut self) -> Result<()> {
        let sent = self.speaker.send(mem::take(&mut self.text));
        sent.map_err(|_| anyhow!("{} hears nothing any more", self.name))?;
        for question in self.batch.drain(..) {
            self.asked.send(question)?;
        }
        Ok(())
    }

    fn ask_evaluations(&mut self, question: &Question) -> Result<()> {
        let fen = Fen::from_position(&question.parent, EnPassantMode::Legal);
        write!(self.text, "position fen {fen}\ngo depth 1 searchmoves")?;
        for mv in &question.moves {
            write!(self.text, " {}", mv.to_uci(CastlingMode::Chess960))?;
        }
        Ok(writeln!(self.text)?)
    }

    fn ask_searches(&mut self, question: &Question, depth: NonZeroU8) -> Result<()> {
        let fen = Fen::from_position(&question.parent, EnPassantMode::Legal);
        for mv in &question.moves {
            let mv = mv.to_uci(CastlingMode::Chess960);
            writeln!(self.text, "position fen {fen} moves {mv}\ngo depth {depth}")?;
        }
        Ok(())
    }
}

/// The evaluations of all quiet positions, in one answer: `hear` shows its lines and returns the
/// last.
fn hear_evaluations(
    question: &Question,
    fan: &mut Draft,
    hear: &mut impl FnMut(&mut dyn FnMut(&str)) -> Result<String>,
) -> Result<()> {
    let parent = &question.parent;
    hear(&mut |line| {
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
    question: &Question,
    fan: &mut Draft,
    hear: &mut impl FnMut(&mut dyn FnMut(&str)) -> Result<String>,
) -> Result<()> {
    for &mv in &question.moves {
        let mut score = None;
        let last = hear(&mut |line| score = score_of(line).or(score))?;
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
    #[cfg(unix)]
    use std::time::Instant;

    use super::*;
    use crate::learn::program;
    #[cfg(unix)]
    use crate::learn::program::scripts::{TALK, stage};

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
        let mut hear = |each: &mut dyn FnMut(&str)| Ok(program::hear(&mut said, "bestmove", each)?);
        hear_searches(&question, &mut fan, &mut hear).unwrap();
        assert!(said.is_empty());
        let mut children = Vec::new();
        fan.finish(GameResult::Draw)
            .children(|child, score| children.push((child.board().to_string(), score)))
            .unwrap();
        let knight = "4k3/8/8/8/3p1N2/8/8/4K3".to_owned();
        assert_eq!(children, [(knight, 230)]);
    }

    /// How it ends when the script is started and asked so many questions.
    #[cfg(unix)]
    fn taught(name: &str, text: &str, patience: Duration, questions: usize) -> Result<()> {
        let parent = Chess::new();
        let moves = parent.legal_moves().to_vec();
        stage(name, text, |path| {
            let teacher = Teacher::start(path, None, patience)?;
            let parents = |ask: &mut dyn FnMut(Question) -> Result<()>| {
                let question = || Question {
                    parent: parent.clone(),
                    moves: moves.clone(),
                };
                (0..questions).try_for_each(|_| ask(question()))
            };
            teacher.judge(parents, |_| Ok(()))
        })
    }

    #[cfg(unix)]
    #[test]
    fn teachers_that_fail_are_named_and_do_not_hang() {
        /// Many more than a pipe holds.
        const MANY: usize = 5000;
        let (long, short) = (Duration::from_mins(1), Duration::from_millis(500));
        let complaint = |name: &str, text: &str, patience| {
            let error = taught(name, text, patience, MANY).unwrap_err();
            let said = format!("{error:#}");
            assert!(said.contains(name), "{said}");
            said
        };
        let answering = |name: &str, answer: &str, patience| {
            complaint(name, &format!("{TALK} {answer};; esac; done"), patience)
        };
        let said = complaint("gone", "exit 3", long);
        assert!(said.contains("exit status: 3"), "{said}");
        for (name, text) in [("still", "exec sleep 60"), ("echoing", "exec cat")] {
            let said = complaint(name, text, short);
            assert!(said.contains("no `uciok` within 0.5 s"), "{said}");
        }
        let said = complaint("plain", "echo uciok; exec cat", long);
        assert!(said.contains("no option MultiPV"), "{said}");
        let said = answering("leaving", "echo bestmove e2e4; exit 4", long);
        assert!(said.contains("exit status: 4"), "{said}");
        let said = answering("asleep", "exec sleep 60", short);
        assert!(said.contains("no `bestmove` within 0.5 s"), "{said}");
        // What the script has started keeps the pipes open when the script has been ended.
        let start = Instant::now();
        let said = answering("wrapped", "sleep 30", short);
        assert!(said.contains("no `bestmove` within 0.5 s"), "{said}");
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[cfg(unix)]
    #[test]
    fn teachers_that_do_not_listen_are_left() {
        let minute = Duration::from_mins(1);
        let staying = format!("{TALK} echo bestmove e2e4;; quit) exec sleep 60;; esac; done");
        taught("staying", &staying, minute, 3).unwrap();
        let deaf = "echo option name MultiPV type spin; echo uciok; echo readyok; \
            exec yes bestmove e2e4";
        taught("deaf", deaf, minute, 5000).unwrap();
    }
}
