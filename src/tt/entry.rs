//! What the table remembers of a node, and how 64 bits hold it.
//!
//! From the lowest bit: move 16, score 16, static evaluation 16, depth 8, bound 2,
//! was on the principal variation 1, generation 5. The depth byte of a written entry
//! is never 0, so a word of zeros (fresh memory) is an empty slot.

use crate::types::{Bound, Depth, PackedMove, Score, convert};

/// What is known about a position from an earlier visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or the one that refuted the node. Possibly illegal: see the room's notes.
    pub mv: Option<PackedMove>,
    /// The score as [`Score::to_table`] gives it; meaningless without a bound.
    pub score: i16,
    /// The static evaluation, without corrections; `None` where it was not made (in check).
    pub evaluation: Option<Score>,
    /// Depth of the search behind the score, kept exactly from -7 to 247 plies.
    pub depth: Depth,
    /// What the score says about the true value; `None` when only the evaluation is known.
    pub bound: Option<Bound>,
    /// Whether the node was ever on a principal variation.
    pub was_pv: bool,
}

/// Number of the current search, modulo 32; entries of earlier ones lose value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Generation(u8);

impl Generation {
    const MASK: u8 = 31;

    /// The generation in the five lowest bits.
    pub(super) const fn new(number: u8) -> Self {
        Self(number & Self::MASK)
    }

    /// How many searches ago `older` was written, 0 to 31.
    pub(super) const fn age_of(self, older: Self) -> i32 {
        (self.0.wrapping_sub(older.0) & Self::MASK) as i32
    }
}

/// An entry and its generation in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed(u64);

impl Packed {
    const MOVE_MASK: u64 = 0xffff;
    const SCORE: u32 = 16;
    const EVALUATION: u32 = 32;
    const DEPTH: u32 = 48;
    const BOUND: u32 = 56;
    const WAS_PV: u32 = 58;
    const GENERATION: u32 = 59;
    /// Added to the depth, so that every depth the search has is a byte above 0.
    const DEPTH_OFFSET: i32 = 8;
    /// Stands for "no evaluation"; far outside the range of scores.
    const NO_EVALUATION: i16 = i16::MIN;

    /// The word read from a slot.
    pub(super) const fn from_word(word: u64) -> Self {
        Self(word)
    }

    /// The word to write to a slot.
    pub(super) const fn word(self) -> u64 {
        self.0
    }

    /// `entry` as written by the search `generation`.
    pub(super) fn new(entry: &Entry, generation: Generation) -> Self {
        let evaluation = entry
            .evaluation
            .map_or(Self::NO_EVALUATION, |s| convert::saturate_i16(s.units()));
        let depth = (entry.depth.plies() + Self::DEPTH_OFFSET).clamp(1, 255);
        Self(
            u64::from(entry.mv.map_or(0, PackedMove::bits))
                | u64::from(entry.score.cast_unsigned()) << Self::SCORE
                | u64::from(evaluation.cast_unsigned()) << Self::EVALUATION
                | u64::from(depth.cast_unsigned()) << Self::DEPTH
                | entry.bound.map_or(0, |b| b as u64) << Self::BOUND
                | u64::from(entry.was_pv) << Self::WAS_PV
                | u64::from(generation.0) << Self::GENERATION,
        )
    }

    /// The entry in this word.
    pub(super) fn unpack(self) -> Entry {
        let evaluation = convert::low_u16(self.0 >> Self::EVALUATION).cast_signed();
        Entry {
            mv: PackedMove::from_bits(convert::low_u16(self.0)),
            score: convert::low_u16(self.0 >> Self::SCORE).cast_signed(),
            evaluation: (evaluation != Self::NO_EVALUATION)
                .then(|| Score::new(i32::from(evaluation))),
            depth: Depth::new(self.depth()),
            bound: self.bound(),
            was_pv: self.0 >> Self::WAS_PV & 1 == 1,
        }
    }

    /// Whether nothing was ever written here.
    pub(super) const fn is_empty(self) -> bool {
        self.depth_byte() == 0
    }

    /// The depth of the search behind the score, in plies.
    pub(super) const fn depth(self) -> i32 {
        self.depth_byte() as i32 - Self::DEPTH_OFFSET
    }

    /// What the score says.
    pub(super) const fn bound(self) -> Option<Bound> {
        Bound::from_bits(convert::low_u8(self.0 >> Self::BOUND))
    }

    /// The search that wrote the entry.
    pub(super) const fn generation(self) -> Generation {
        Generation::new(convert::low_u8(self.0 >> Self::GENERATION))
    }

    /// Whether a move is known.
    pub(super) const fn has_move(self) -> bool {
        self.0 & Self::MOVE_MASK != 0
    }

    /// The same word with the move of `other`.
    pub(super) const fn with_move_of(self, other: Self) -> Self {
        Self(self.0 & !Self::MOVE_MASK | other.0 & Self::MOVE_MASK)
    }

    const fn depth_byte(self) -> u8 {
        convert::low_u8(self.0 >> Self::DEPTH)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;
    use crate::types::{MoveKind, Ply};

    fn entry() -> Entry {
        Entry {
            mv: Some(PackedMove::new(
                Square::G7,
                Square::H8,
                MoveKind::PromoteQueen,
            )),
            score: -32_000,
            evaluation: Some(Score::new(-1234)),
            depth: Depth::new(-3),
            bound: Some(Bound::Upper),
            was_pv: true,
        }
    }

    #[test]
    fn every_field_survives() {
        let bare = Entry {
            mv: None,
            score: i16::MAX,
            evaluation: None,
            depth: Depth::MAX,
            bound: None,
            was_pv: false,
        };
        for entry in [entry(), bare] {
            let packed = Packed::new(&entry, Generation::new(31));
            assert_eq!(packed.unpack(), entry);
            assert_eq!(packed.generation(), Generation::new(31));
        }
    }

    #[test]
    fn extreme_depths_are_clamped_and_never_empty() {
        for (plies, kept) in [(-1000, -7), (-7, -7), (247, 247), (1000, 247)] {
            let depth = Depth::new(plies);
            let packed = Packed::new(&Entry { depth, ..entry() }, Generation::new(0));
            assert!(!packed.is_empty());
            assert_eq!(packed.depth(), kept);
        }
        assert!(Packed::from_word(0).is_empty());
    }

    #[test]
    fn ages_wrap_around() {
        assert_eq!(Generation::new(2).age_of(Generation::new(30)), 4);
        assert_eq!(Generation::new(32), Generation::new(0));
    }

    #[test]
    fn mates_are_relative_to_the_node() {
        let score = Score::mate_in(Ply::new(9)).to_table(Ply::new(6));
        let packed = Packed::new(&Entry { score, ..entry() }, Generation::new(0));
        let there = Score::from_table(packed.unpack().score, Ply::new(2));
        assert_eq!(there, Score::mate_in(Ply::new(5)));
    }
}
