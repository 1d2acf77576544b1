//! What the tables say about the moves of a root.
//!
//! WDL alone does not win: among won positions one could walk in circles. So the moves
//! are ranked by the distance to the next capture or pawn move (the scheme of the Syzygy
//! authors, 2013): every move that wins in time for the fifty-move rule is as good as
//! another, and the search, which sees mates, chooses among them. If that has not led
//! anywhere for a while, or the game repeats itself, the distance itself decides.
//!
//! Invariant: a move of the highest rank keeps what the position is worth.

use std::collections::HashSet;

use shakmaty_syzygy::{Dtz, Wdl};

use super::{Adviser, FRUSTRATED};
use crate::{
    position::{Game, Position, Trail},
    types::{PackedMove, Ply, Score},
};

/// Half moves without progress after which the search no longer chooses freely.
const PATIENCE: i32 = 16;
/// Half moves without progress that make a draw.
const FIFTY_MOVES: i32 = 100;
/// Rank of a won move; a lost one has the negative.
const WON: i32 = 10_000;
/// More than the rank of any move that wins too late for the fifty-move rule.
const LATE: i32 = 5_000;

/// A root move with what the tables say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The move.
    pub mv: PackedMove,
    /// Its rank; a move of higher rank leads to a better result, or is surer to.
    pub rank: i32,
    /// What it is worth.
    pub score: Score,
}

/// The moves of a root as the tables see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// Each of the moves that were asked about, in the same order.
    pub moves: Vec<Ranked>,
    /// Whether the ranks lead to the goal by themselves. If they only keep the result, a
    /// search for the win still needs the tables.
    pub sufficient: bool,
}

impl Adviser {
    /// Ranks `moves`, legal moves of the root of `game`; `None` where the tables do not
    /// cover it or do not know all of them.
    pub fn rank(&self, game: &Game, moves: &[PackedMove]) -> Option<Ranking> {
        let root = game.position();
        if !self.covers(&root) {
            return None;
        }
        let mut trail = Trail::new(game);
        trail.push(root.key());
        let by_distance = Situation {
            halfmoves: i32::try_from(root.halfmoves()).unwrap_or(i32::MAX / 2),
            repeated: has_repeated(game, &root),
            fifty_moves: self.fifty_moves,
        };
        let distance = |&mv: &PackedMove| {
            let distance = self.distance(&trail, &root.play(mv))?;
            Some(by_distance.ranked(mv, distance))
        };
        let by_result = Situation {
            halfmoves: 0,
            repeated: false,
            fifty_moves: self.fifty_moves,
        };
        let result = |&mv: &PackedMove| {
            let wdl = -self.tables.wdl(&root.play(mv))?;
            Some(by_result.ranked(mv, Dtz::before_zeroing(wdl).0))
        };
        if let Some(moves) = moves.iter().map(distance).collect() {
            let sufficient = true;
            return Some(Ranking { moves, sufficient });
        }
        let moves: Vec<Ranked> = moves.iter().map(result).collect::<Option<_>>()?;
        let sufficient = moves.iter().all(|ranked| ranked.score <= Score::DRAW);
        Some(Ranking { moves, sufficient })
    }

    /// Plies to the next capture or pawn move or mate, that to `child` included, on the
    /// way to a win (positive) or loss (negative) for whoever moved there; 0 for a draw.
    fn distance(&self, trail: &Trail, child: &Position) -> Option<i32> {
        if child.in_check() && !child.has_legal_move() {
            return Some(1);
        }
        if trail.is_repetition(child.key(), child.halfmoves(), Ply::ROOT.next()) {
            return Some(0);
        }
        if child.halfmoves() == 0 {
            let wdl = -self.tables.wdl(child)?;
            return Some(Dtz::before_zeroing(wdl).0);
        }
        let after = -self.tables.dtz(child)?;
        Some(after + after.signum())
    }

    /// What the tables say about the root of `game` for its side to move, in words.
    pub fn describe(&self, game: &Game) -> Option<String> {
        let position = game.position();
        let (wdl, dtz) = self
            .covers(&position)
            .then(|| (self.tables.wdl(&position), self.tables.dtz(&position)))?;
        let word = match wdl? {
            Wdl::Win => "won",
            Wdl::CursedWin => "won, but drawn by the fifty-move rule",
            Wdl::Draw => "drawn",
            Wdl::BlessedLoss => "lost, but drawn by the fifty-move rule",
            Wdl::Loss => "lost",
        };
        Some(match dtz {
            Some(plies) if plies != 0 => {
                let plies = plies.abs();
                format!("{word} for the side to move, DTZ {plies}")
            }
            _ => format!("{word} for the side to move"),
        })
    }
}

/// Whether a position since the last capture or pawn move has come about twice.
fn has_repeated(game: &Game, root: &Position) -> bool {
    let mut seen = HashSet::new();
    let keys = game.earlier_keys().iter().copied();
    keys.chain([root.key()]).any(|key| !seen.insert(key))
}

/// What matters about the game so far.
struct Situation {
    /// Half moves without progress.
    halfmoves: i32,
    repeated: bool,
    fifty_moves: bool,
}

impl Situation {
    fn ranked(&self, mv: PackedMove, distance: i32) -> Ranked {
        let (rank, score) = self.rank(distance);
        Ranked { mv, rank, score }
    }

    /// Rank and score of a move with this [distance](Adviser::distance).
    fn rank(&self, distance: i32) -> (i32, Score) {
        let plies = distance.abs();
        let total = plies + self.halfmoves;
        // A distance may be rounded by one ply, unless it is that of the next move.
        let in_time = !self.fifty_moves || total < FIFTY_MOVES || plies == 1;
        let hurry = self.repeated || self.halfmoves >= PATIENCE;
        let win = Score::tablebase_win(Ply::ROOT);
        match distance.signum() {
            1 if in_time && hurry => (WON - plies, win),
            1 if in_time => (WON, win),
            1 => (LATE - total.min(LATE - 1), FRUSTRATED),
            -1 if !self.fifty_moves || plies + total < FIFTY_MOVES => (-WON, -win),
            // Close to the fifty-move rule the longest defence may be a draw.
            -1 if total <= FIFTY_MOVES => (-LATE + total, -win),
            -1 => (-LATE + total.min(LATE - 1), -FRUSTRATED),
            _ => (0, Score::DRAW),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALM: Situation = Situation {
        halfmoves: 0,
        repeated: false,
        fifty_moves: true,
    };

    fn rank(situation: &Situation, distance: i32) -> i32 {
        let (rank, score) = situation.rank(distance);
        assert_eq!(score > Score::DRAW, rank > 0);
        assert_eq!(score < Score::DRAW, rank < 0);
        rank
    }

    #[test]
    fn results_are_ordered() {
        let by_worth = [-3, -120, 0, 120, 99];
        let ranks = by_worth.map(|distance| rank(&CALM, distance));
        assert!(ranks.is_sorted_by(|a, b| a < b), "{ranks:?}");
    }

    #[test]
    fn the_search_chooses_among_wins_until_it_walks_in_circles() {
        assert_eq!(rank(&CALM, 3), rank(&CALM, 31));
        let repeated = Situation {
            repeated: true,
            ..CALM
        };
        let stuck = Situation {
            halfmoves: PATIENCE,
            ..CALM
        };
        for hurried in [repeated, stuck] {
            assert!(rank(&hurried, 3) > rank(&hurried, 5));
            assert!(rank(&hurried, 31) > rank(&hurried, 0));
        }
    }

    #[test]
    fn a_win_must_come_before_the_fifty_moves_are_over() {
        let late = Situation {
            halfmoves: 80,
            ..CALM
        };
        assert!(rank(&late, 25) < rank(&late, 10));
        assert!(rank(&late, 25) > rank(&late, 0));
        assert_eq!(late.rank(25).1, FRUSTRATED);
        // The loser holds on as long as he can.
        assert!(rank(&late, -25) > rank(&late, -12));
        assert!(rank(&late, -25) < rank(&late, 0));
        let unlimited = Situation {
            fifty_moves: false,
            ..late
        };
        assert!(rank(&unlimited, 25) > rank(&CALM, 120));
        let last = Situation {
            halfmoves: 99,
            ..CALM
        };
        assert!(rank(&last, 1) > rank(&last, 2));
    }
}
