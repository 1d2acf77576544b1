//! How good a move was: what it gave away of the expected result.
//!
//! Centipawns mislead: two pawns less mean nothing a queen up and everything in an even
//! game. So a move is judged by what it costs of the expected result (a win is 1, a draw one
//! half), as the analysis of Lichess made popular (2015 and later). Invariant: who plays the
//! engine's best move gives nothing away.

use crate::types::{
    Score,
    win_rate::{Wdl, normalised, win_draw_loss},
};

/// How bad a bad move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `?!`: a twentieth of a game or more given away.
    Inaccuracy,
    /// `?`: a tenth or more.
    Mistake,
    /// `??`: a fifth or more.
    Blunder,
}

impl Mark {
    /// All of them, the mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The part of the expected result that must be lost.
    const fn threshold(self) -> f64 {
        match self {
            Self::Inaccuracy => 0.05,
            Self::Mistake => 0.10,
            Self::Blunder => 0.20,
        }
    }

    /// As it is written behind a move.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// In a word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// As PGN numbers it (numeric annotation glyph).
    pub const fn glyph(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}

/// By what a move of one accuracy follows from another: half as accurate for every 15.4 % lost.
const DECAY: f64 = 4.5;
/// In averages no position counts for more centipawns than this, mates included.
const MOST_CENTIPAWNS: i32 = 1000;

/// What one move gave away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// The part of the expected result that was lost, 0 to 1.
    pub lost: f64,
    /// The centipawns that were lost, 0 or more; scores beyond ±10 pawns count as that.
    pub centipawns: i32,
}

impl Judgement {
    /// A move at move `number` of the game from a position worth `before` to its mover, to
    /// one worth `after` to the same side.
    pub fn new(before: Score, after: Score, number: u32) -> Self {
        let expected = |score| expected(win_draw_loss(score, number));
        let counted = |score| normalised(score).clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS);
        Self {
            lost: (expected(before) - expected(after)).max(0.0),
            centipawns: (counted(before) - counted(after)).max(0),
        }
    }

    /// The mark it deserves, if any.
    pub fn mark(&self) -> Option<Mark> {
        let mut worst_first = Mark::ALL.into_iter().rev();
        worst_first.find(|mark| self.lost >= mark.threshold())
    }

    /// 100 for a move that gave nothing away, near 0 for one that gave away a won game.
    pub fn accuracy(&self) -> f64 {
        100.0 * (-DECAY * self.lost).exp()
    }
}

/// The expected result: 1 for a certain win, 0 for a certain loss.
fn expected(chances: Wdl) -> f64 {
    (f64::from(chances.win) + f64::from(chances.draw) / 2.0) / 1000.0
}

/// How one player played on the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Moves made.
    pub moves: u32,
    /// Mean accuracy of the moves; 100 without any.
    pub accuracy: f64,
    /// Mean loss in centipawns; 0 without moves.
    pub centipawns: f64,
    /// How many moves got each mark, in the order of [`Mark::ALL`].
    pub marks: [u32; 3],
}

impl Summary {
    /// The summary of one player's moves.
    pub fn of(judgements: impl IntoIterator<Item = Judgement>) -> Self {
        let mut summary = Self::default();
        let (mut accuracy, mut centipawns) = (0.0, 0.0);
        for judgement in judgements {
            summary.moves += 1;
            accuracy += judgement.accuracy();
            centipawns += f64::from(judgement.centipawns);
            if let Some(mark) = judgement.mark() {
                summary.marks[mark as usize] += 1;
            }
        }
        if summary.moves == 0 {
            accuracy = 100.0;
        }
        let moves = f64::from(summary.moves.max(1));
        summary.accuracy = accuracy / moves;
        summary.centipawns = centipawns / moves;
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Ply;

    fn judged(before: i32, after: i32) -> Judgement {
        let score = Score::from_centipawns;
        Judgement::new(score(before), score(after), 30)
    }

    #[test]
    fn what_is_lost_decides_not_the_centipawns() {
        assert_eq!(judged(20, 20).mark(), None);
        assert_eq!(
            judged(20, 300).lost.total_cmp(&0.0),
            std::cmp::Ordering::Equal
        );
        assert_eq!(judged(50, -600).mark(), Some(Mark::Blunder));
        assert_eq!(judged(2500, 1900).mark(), None);
        assert!(judged(0, -60).mark() < judged(0, -400).mark());
    }

    #[test]
    fn a_mate_missed_in_a_won_game_is_no_blunder_but_one_walked_into_is() {
        let mate = Score::mate_in(Ply::new(5));
        let won = Score::from_centipawns(3000);
        assert_eq!(Judgement::new(mate, won, 40).mark(), None);
        assert_eq!(Judgement::new(mate, won, 40).centipawns, 0);
        let even = Judgement::new(Score::DRAW, -mate, 40);
        assert_eq!((even.mark(), even.centipawns), (Some(Mark::Blunder), 1000));
    }

    #[test]
    fn accuracy_falls_with_every_loss() {
        let losses = [0, 20, 60, 150, 400, 2000];
        let accuracies = losses.map(|loss| judged(0, -loss).accuracy());
        assert!((accuracies[0] - 100.0).abs() < 1e-9);
        assert!(accuracies.is_sorted_by(|a, b| a > b), "{accuracies:?}");
        assert!(accuracies[5] > 0.0);
    }

    #[test]
    fn a_summary_counts_and_averages() {
        let none = Summary::of([]);
        assert_eq!((none.moves, none.marks), (0, [0; 3]));
        let summary = Summary::of([judged(0, 0), judged(0, -2000)]);
        assert_eq!((summary.moves, summary.marks), (2, [0, 0, 1]));
        assert!((summary.centipawns - 500.0).abs() < 1e-9);
        assert!(summary.accuracy > 50.0 && summary.accuracy < 70.0);
    }
}
