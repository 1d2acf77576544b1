//! Continuation history: how well a quiet move did after an earlier move, by the
//! pieces and the squares they went to. One ply back it learns answers (the
//! countermove heuristic, Uiterwijk 1992, in the form of scores), two plies back it
//! learns plans.

use shakmaty::{Color, Role, Square};

use super::{Cell, KEYS, piece_to};

/// Largest absolute score.
const LIMIT: i32 = 16384;

/// A piece that went to a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContinuationKey(u16);

impl ContinuationKey {
    /// `color`'s `role` went to `to`.
    #[inline]
    pub fn new(color: Color, role: Role, to: Square) -> Self {
        Self(crate::types::convert::low_u16(
            piece_to(color, role, to) as u64
        ))
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Scores of moves by what came before.
#[derive(Clone)]
pub struct ContinuationHistory(Box<[[Cell<LIMIT>; KEYS]]>);

impl Default for ContinuationHistory {
    fn default() -> Self {
        Self(vec![[Cell::ZERO; KEYS]; KEYS].into_boxed_slice())
    }
}

impl ContinuationHistory {
    /// The score of `mv` after `earlier`, in `-16384..=16384`.
    #[inline]
    pub fn get(&self, earlier: ContinuationKey, mv: ContinuationKey) -> i32 {
        self.0[earlier.index()][mv.index()].get()
    }

    /// Rewards (or, below zero, punishes) `mv` after `earlier`.
    #[inline]
    pub fn add(&mut self, earlier: ContinuationKey, mv: ContinuationKey, bonus: i32) {
        self.0[earlier.index()][mv.index()].add(bonus);
    }
}
