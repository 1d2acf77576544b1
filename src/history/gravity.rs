//! The cell of every history table: a score that is pulled back towards zero the
//! further out it gets ("gravity"), so that it never overflows and forgets old news.

/// A bounded score in `-LIMIT..=LIMIT`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Cell<LIMIT> {
    /// Nothing learned yet.
    pub const ZERO: Self = Self(0);

    /// The score.
    #[inline]
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves the score towards `LIMIT` times the sign of `bonus`, by a step that
    /// shrinks in proportion to what is already there.
    #[inline]
    pub fn add(&mut self, bonus: i32) {
        const { assert!(LIMIT > 0 && LIMIT <= i16::MAX as i32) };
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let old = self.get();
        let new = old + bonus - old * bonus.abs() / LIMIT;
        self.0 = crate::types::convert::saturate_i16(new);
    }
}

#[cfg(test)]
mod tests {
    use super::Cell;

    #[test]
    fn never_leaves_its_range_and_reaches_its_ends() {
        let mut cell = Cell::<16384>::ZERO;
        for _ in 0..10_000 {
            cell.add(2000);
            assert!(cell.get() <= 16384);
        }
        assert!(cell.get() > 15000);
        for _ in 0..10_000 {
            cell.add(-100_000);
            assert!(cell.get() >= -16384);
        }
    }
}
