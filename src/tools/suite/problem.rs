//! One position of a suite and what counts as its solution.
//!
//! Read are the EPD operations `bm` (a move to play), `am` (a move to avoid), `dm` (moves
//! to mate, negative for the side that is mated) and `ce` (a score in centipawns); all of
//! those given must be met. Some collections write a mate as `bm #3`, which means `dm 3`.

use std::{error, fmt};

use shakmaty::{
    Move,
    san::{San, SanPlus},
};

use crate::{
    position::{FenError, Game},
    search::Outcome,
    tools::epd::{EpdError, Record},
};

/// A score this close to zero is the draw that `ce 0` asks for, in centipawns.
const DRAW_MARGIN: i32 = 10;

/// A position with something to find.
#[derive(Clone)]
pub struct Problem {
    id: String,
    game: Game,
    best: Vec<Move>,
    avoid: Vec<Move>,
    mate: Option<i32>,
    score: Option<i32>,
}

/// Why a line of EPD is no problem to be solved.
#[derive(Debug)]
pub enum ProblemError {
    /// An operation cannot be read.
    Epd(EpdError),
    /// The line with this number has no playable position.
    Position(usize, FenError),
    /// The line with this number names a move that is not legal there.
    Move(usize, String),
    /// The line with this number asks for nothing.
    NothingAsked(usize),
}

impl Problem {
    /// Reads the position of `record` and what it asks for.
    ///
    /// # Errors
    /// When the position is illegal, a move is, or none of `bm`, `am`, `dm`, `ce` is given.
    pub fn read(record: &Record) -> Result<Self, ProblemError> {
        let game = Game::from_fen(record.fen(), false)
            .map_err(|error| ProblemError::Position(record.line(), error))?;
        let (mates, best): (Vec<&String>, Vec<&String>) = record
            .operands("bm")
            .unwrap_or_default()
            .iter()
            .partition(|text| text.starts_with('#'));
        let mate = mates.first().and_then(|text| text[1..].parse().ok());
        let avoid = record.operands("am").unwrap_or_default().iter();
        let problem = Self {
            id: record.id(),
            best: read_moves(record, &game, best.into_iter())?,
            avoid: read_moves(record, &game, avoid)?,
            mate: record.number("dm").map_err(ProblemError::Epd)?.or(mate),
            score: record.number("ce").map_err(ProblemError::Epd)?,
            game,
        };
        if problem.asks_for_something() {
            Ok(problem)
        } else {
            Err(ProblemError::NothingAsked(record.line()))
        }
    }

    fn asks_for_something(&self) -> bool {
        let moves = self.best.len() + self.avoid.len();
        moves > 0 || self.mate.is_some() || self.score.is_some()
    }

    /// The name of the position.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The position.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Whether `outcome` has everything that is asked for. A mate must not take longer than
    /// it needs; a mate against the side to move must not come sooner or later than it does.
    pub fn is_solved_by(&self, outcome: &Outcome) -> bool {
        let plays = |moves: &[Move]| outcome.best.is_some_and(|best| moves.contains(&best));
        let found = outcome.score.moves_to_mate();
        (self.best.is_empty() || plays(&self.best))
            && !plays(&self.avoid)
            && self.mate.is_none_or(|wanted| mates(wanted, found))
            && self
                .score
                .is_none_or(|wanted| reaches(wanted, outcome.score.centipawns()))
    }

    /// `mv` as people write it.
    pub fn san(&self, mv: Move) -> String {
        SanPlus::from_move(self.game.chess().clone(), mv).to_string()
    }
}

/// Whether the mate `found` is as short as the one `wanted`.
fn mates(wanted: i32, found: Option<i32>) -> bool {
    found.is_some_and(|found| found == wanted || (0 < found && found < wanted))
}

/// Whether `found` is a draw where a draw is wanted, else at least as much as `wanted` for
/// the same side.
fn reaches(wanted: i32, found: i32) -> bool {
    match wanted.signum() {
        0 => found.abs() <= DRAW_MARGIN,
        1 => found >= wanted,
        _ => found <= wanted,
    }
}

fn read_moves<'a>(
    record: &Record,
    game: &Game,
    texts: impl Iterator<Item = &'a String>,
) -> Result<Vec<Move>, ProblemError> {
    texts
        .map(|text| {
            read_move(game, text).ok_or_else(|| ProblemError::Move(record.line(), text.clone()))
        })
        .collect()
}

/// A move in algebraic notation (`Nf3`, `exd6`, `O-O`) or in coordinates (`g1f3`). The marks
/// of check and comment after it are not needed.
fn read_move(game: &Game, text: &str) -> Option<Move> {
    let plain = text.trim_end_matches(['+', '#', '!', '?']);
    San::from_ascii(plain.as_bytes())
        .ok()
        .and_then(|san| san.to_move(game.chess()).ok())
        .or_else(|| game.parse_uci_move(plain).ok())
}

/// What is asked for, in the words of EPD.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        for (code, moves) in [("", &self.best), ("not ", &self.avoid)] {
            let moves: Vec<String> = moves.iter().map(|&mv| self.san(mv)).collect();
            if !moves.is_empty() {
                parts.push(format!("{code}{}", moves.join(" ")));
            }
        }
        parts.extend(self.mate.map(|moves| format!("mate {moves}")));
        parts.extend(self.score.map(|score| format!("cp {score}")));
        f.pad(&parts.join(", "))
    }
}

impl fmt::Display for ProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Epd(error) => error.fmt(f),
            Self::Position(line, error) => write!(f, "line {line}: {error}"),
            Self::Move(line, text) => write!(f, "line {line}: {text} is no legal move there"),
            Self::NothingAsked(line) => {
                write!(
                    f,
                    "line {line}: one of bm, am, dm, ce must say what to find"
                )
            }
        }
    }
}

impl error::Error for ProblemError {}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        search::Cutoffs,
        tools::epd,
        types::{Bound, Depth, Ply, Score},
    };

    const MATE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - -";

    fn problem(text: &str) -> Result<Problem, ProblemError> {
        Problem::read(&epd::parse(text).unwrap()[0])
    }

    fn solves(operations: &str, mv: &str, score: Score) -> bool {
        let problem = problem(&format!("{MATE} {operations}")).unwrap();
        let outcome = Outcome {
            best: Some(problem.game.parse_uci_move(mv).unwrap()),
            ponder: None,
            pv: Vec::new(),
            score,
            bound: Bound::Exact,
            depth: Depth::ONE,
            nodes: 1,
            time: Duration::ZERO,
            cutoffs: Cutoffs::default(),
            quiet_cutoffs: Cutoffs::default(),
            choices: Vec::new(),
        };
        problem.is_solved_by(&outcome)
    }

    #[test]
    fn moves_to_play_and_to_avoid() {
        for text in ["bm Ra8#;", "bm Kf1 Ra8;", "bm a1a8;", "am Ra7 Kf1;"] {
            assert!(solves(text, "a1a8", Score::DRAW), "{text}");
        }
        for text in ["bm Ra7;", "am Ra8+;", "bm Ra8; am Ra8;"] {
            assert!(!solves(text, "a1a8", Score::DRAW), "{text}");
        }
    }

    #[test]
    fn mates_must_not_take_longer() {
        let in_two = Score::mate_in(Ply::new(3));
        for text in ["dm 2;", "dm 3;", "bm #2;"] {
            assert!(solves(text, "a1a8", in_two), "{text}");
        }
        assert!(!solves("dm 1;", "a1a8", in_two));
        assert!(!solves("dm 1;", "a1a8", Score::from_centipawns(900)));
        assert!(!solves("dm -2;", "a1a8", in_two));
        assert!(solves("dm -2;", "a1a8", Score::mated_in(Ply::new(4))));
        assert!(!solves("dm -2;", "a1a8", Score::mated_in(Ply::new(6))));
    }

    #[test]
    fn scores_point_to_a_side_or_to_a_draw() {
        assert!(solves("ce 0;", "a1a8", Score::from_centipawns(-10)));
        assert!(!solves("ce 0;", "a1a8", Score::from_centipawns(11)));
        assert!(solves("ce -300;", "a1a8", Score::from_centipawns(-301)));
        assert!(!solves("ce -300;", "a1a8", Score::from_centipawns(299)));
        assert!(!solves("ce 300;", "a1a8", Score::from_centipawns(299)));
    }

    #[test]
    fn the_culprit_is_named() {
        let message = |text: &str| problem(text).err().unwrap().to_string();
        assert!(message(&format!("{MATE} bm Ra9;")).contains("line 1: Ra9"));
        assert!(message(&format!("{MATE} am Qa8;")).contains("Qa8"));
        assert!(message(&format!("{MATE} dm x;")).contains("dm: \"x\""));
        assert!(message(&format!("{MATE} id \"a\";")).contains("bm, am, dm, ce"));
        assert!(message("8/8/8/8/8/8/8/K7 w - - bm Ka2;").contains("king"));
    }

    #[test]
    fn a_problem_says_what_it_asks_for() {
        let shown = |text: &str| problem(&format!("{MATE} {text}")).unwrap().to_string();
        assert_eq!(shown("bm a1a8; dm 1;"), "Ra8#, mate 1");
        assert_eq!(shown("am Kf1 Kg2; ce 0;"), "not Kf1 Kg2, cp 0");
    }
}
