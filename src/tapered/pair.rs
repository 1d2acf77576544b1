//! A middlegame and an endgame value that are added in one instruction.
//!
//! The endgame value lies in the high half of 32 bits, the middlegame value in the low
//! half; a negative low half borrows one from the high half, which rounding gives back.
//! Invariant: each half stays within 16 bits, that is within about 30 queens.

use std::ops::{Add, AddAssign, Mul, Sub};

/// Two values in centipawns: for a full board and for an empty one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pair(i32);

impl Pair {
    /// Nothing, in either phase.
    pub(super) const ZERO: Self = Self(0);

    /// The pair of two values.
    pub(super) const fn new(middlegame: i16, endgame: i16) -> Self {
        Self(((endgame as i32) << 16) + middlegame as i32)
    }

    /// The value with all pieces on the board.
    pub(super) const fn middlegame(self) -> i32 {
        (self.0 << 16) >> 16
    }

    /// The value with no pieces left.
    pub(super) const fn endgame(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }
}

impl Add for Pair {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Pair {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Pair {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<i32> for Pair {
    type Output = Self;
    fn mul(self, count: i32) -> Self {
        Self(self.0 * count)
    }
}

#[cfg(test)]
mod tests {
    use super::Pair;

    #[test]
    fn halves_do_not_disturb_each_other() {
        for (a, b) in [(5, 7), (-5, 7), (5, -7), (-5, -7), (1000, -1), (-1, 0)] {
            let pair = Pair::new(a, b) * 3 - Pair::new(b, a);
            assert_eq!(pair.middlegame(), i32::from(3 * a - b));
            assert_eq!(pair.endgame(), i32::from(3 * b - a));
        }
    }
}
