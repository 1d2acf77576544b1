//! The value of a position for the side to move.
//!
//! Layout of the range, from the middle outwards:
//! evaluations `|s| < 30_000`, tablebase results `30_000..=31_000` less the ply,
//! mates `32_000` less the ply, and the open bounds of a full window at `32_001`.

use std::{
    fmt,
    ops::{Add, Neg, Sub},
};

use super::{MAX_PLY, Ply, convert, win_rate::normalised};

/// A score, positive when the side to move is better. Its unit is fine, so that margins and
/// windows can be: [`Score::PER_LOGIT`] of them multiply the odds of the result by *e*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// Units in one logit: the expected result is `1 / (1 + exp(-units / 400))`.
    pub const PER_LOGIT: i32 = 400;
    /// Units in one centipawn as users read it, in hundredths: 100 centipawns win half of
    /// the games.
    pub(super) const PER_CENTIPAWN: i32 = 286;
    /// A draw, and the middle of the scale.
    pub const DRAW: Self = Self(0);
    /// Larger than every value a search can return.
    pub const INFINITE: Self = Self(32_001);
    const MATE: i32 = 32_000;
    const TABLEBASE: i32 = 31_000;
    /// No mate within the tree is worth less than this.
    const MATE_FLOOR: i32 = Self::MATE - convert::count_i32(MAX_PLY);
    /// No tablebase win within the tree is worth less than this.
    const TABLEBASE_FLOOR: i32 = Self::TABLEBASE - convert::count_i32(MAX_PLY);
    /// What a tablebase win at the root is told as, in centipawns.
    const TOLD_TABLEBASE: i32 = 20_000;
    /// No evaluation is told as more centipawns than this, clearly less than a tablebase win.
    pub const LARGEST_TOLD: i32 = Self::TOLD_TABLEBASE - 1000;
    /// The largest value of a static evaluation.
    pub const MAX_EVALUATION: Self = Self(30_000);

    /// A score of so many units.
    pub const fn new(units: i32) -> Self {
        Self(units)
    }

    /// A static evaluation, clamped so that it can never look like a mate or a tablebase result.
    pub fn evaluation(units: i32) -> Self {
        Self(units.clamp(-Self::MAX_EVALUATION.0, Self::MAX_EVALUATION.0))
    }

    /// The side to move has been mated at `ply`.
    pub const fn mated_in(ply: Ply) -> Self {
        Self(ply.to_i32() - Self::MATE)
    }

    /// The side to move mates at `ply`.
    pub const fn mate_in(ply: Ply) -> Self {
        Self(Self::MATE - ply.to_i32())
    }

    /// The side to move wins by a tablebase position reached at `ply`.
    pub const fn tablebase_win(ply: Ply) -> Self {
        Self(Self::TABLEBASE - ply.to_i32())
    }

    /// The raw value, for arithmetic.
    pub const fn units(self) -> i32 {
        self.0
    }

    /// The score of so many centipawns, within the range of evaluations: the inverse of
    /// [`Score::centipawns`] but for rounding.
    pub fn from_centipawns(centipawns: i32) -> Self {
        Self::evaluation(centipawns.saturating_mul(Self::PER_CENTIPAWN) / 100)
    }

    /// The value in centipawns, for people and clients. A decided score stays as it is.
    pub const fn centipawns(self) -> i32 {
        if self.is_decisive() {
            self.0
        } else {
            let half = Self::PER_CENTIPAWN / 2 * self.0.signum();
            (self.0 * 100 + half) / Self::PER_CENTIPAWN
        }
    }

    /// The score half-way to `other`.
    #[must_use]
    pub const fn half_way_to(self, other: Self) -> Self {
        Self(i32::midpoint(self.0, other.0))
    }

    /// Whether this is a forced mate, for either side.
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MATE_FLOOR
    }

    /// Whether this is a proven win: by mate or by a tablebase.
    pub const fn is_win(self) -> bool {
        self.0 >= Self::TABLEBASE_FLOOR
    }

    /// Whether this is a proven loss: by mate or by a tablebase.
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::TABLEBASE_FLOOR
    }

    /// Whether the game is decided: neither margins nor averages make sense here.
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Moves (not plies) to mate, negative when the side to move is mated;
    /// `None` when this is no mate. `Some(0)` is a mate on the board.
    pub const fn moves_to_mate(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some((Self::MATE - self.0 + 1) / 2)
        } else {
            Some(-i32::midpoint(Self::MATE, self.0))
        }
    }

    /// The score as people and programs are told it where it is no mate, in units of its own
    /// kind: a tablebase win is 20,000 less the plies to it.
    pub const fn told(self) -> i32 {
        if self.is_decisive() {
            let size = self.0.abs() - Self::TABLEBASE + Self::TOLD_TABLEBASE;
            size * self.0.signum()
        } else {
            self.centipawns()
        }
    }

    /// The score as the transposition table keeps it: mates count from the node at
    /// `ply`, not from the root, so that they stay true when the node is reached
    /// at another distance.
    pub const fn to_table(self, ply: Ply) -> i16 {
        let value = if self.is_win() {
            self.0 + ply.to_i32()
        } else if self.is_loss() {
            self.0 - ply.to_i32()
        } else {
            self.0
        };
        convert::saturate_i16(value)
    }

    /// The inverse of [`Score::to_table`].
    pub const fn from_table(stored: i16, ply: Ply) -> Self {
        let score = Self(stored as i32);
        if score.is_win() {
            Self(score.0 - ply.to_i32())
        } else if score.is_loss() {
            Self(score.0 + ply.to_i32())
        } else {
            score
        }
    }
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    fn add(self, margin: i32) -> Self {
        Self(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    fn sub(self, margin: i32) -> Self {
        Self(self.0 - margin)
    }
}

impl Sub for Score {
    type Output = i32;
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

/// As UCI writes it: `cp 35`, [normalised], or `mate -3`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moves_to_mate() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", normalised(*self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_in_moves_from_the_root() {
        assert_eq!(Score::mate_in(Ply::new(1)).moves_to_mate(), Some(1));
        assert_eq!(Score::mate_in(Ply::new(3)).moves_to_mate(), Some(2));
        assert_eq!(Score::mated_in(Ply::new(0)).moves_to_mate(), Some(0));
        assert_eq!(Score::mated_in(Ply::new(2)).moves_to_mate(), Some(-1));
        assert_eq!(Score::mated_in(Ply::new(4)).moves_to_mate(), Some(-2));
        assert_eq!(Score::MAX_EVALUATION.moves_to_mate(), None);
    }

    #[test]
    fn mates_survive_the_table_at_another_ply() {
        for (at, from) in [(5, 3), (0, 0), (17, 100)] {
            let here = Score::mate_in(Ply::new(at + 6));
            let stored = here.to_table(Ply::new(at));
            let there = Score::from_table(stored, Ply::new(from));
            assert_eq!(there, Score::mate_in(Ply::new(from + 6)));
        }
    }

    #[test]
    fn a_tablebase_win_is_told_apart_from_evaluations_and_mates() {
        let win = |ply| Score::tablebase_win(Ply::new(ply));
        assert_eq!(win(0).to_string(), "cp 20000");
        assert_eq!((-win(13)).to_string(), "cp -19987");
        assert_eq!(win(240).to_string(), "cp 19760");
        assert!(normalised(Score::MAX_EVALUATION) <= Score::LARGEST_TOLD);
        assert_eq!(Score::from_centipawns(-35).told(), -35);
    }

    #[test]
    fn a_full_window_fits_the_table() {
        assert!(Score::INFINITE.units() < i32::from(i16::MAX));
    }
}
