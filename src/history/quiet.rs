//! Butterfly history: how well a quiet move did, by side to move and by its two
//! squares (Schaeffer 1983; the name from Hartmann 1988).

use shakmaty::Color;

use super::Cell;
use crate::types::PackedMove;

/// Largest absolute score.
const LIMIT: i32 = 8192;
const SQUARE_PAIRS: usize = 64 * 64;

/// Scores of quiet moves by colour, square of departure and square of arrival.
#[derive(Clone)]
pub struct QuietHistory(Box<[[Cell<LIMIT>; SQUARE_PAIRS]; 2]>);

impl Default for QuietHistory {
    fn default() -> Self {
        Self(Box::new([[Cell::ZERO; SQUARE_PAIRS]; 2]))
    }
}

impl QuietHistory {
    /// The score of `mv` for `color`, in `-8192..=8192`.
    #[inline]
    pub fn get(&self, color: Color, mv: PackedMove) -> i32 {
        self.0[usize::from(color.is_white())][mv.from_to()].get()
    }

    /// Rewards (or, below zero, punishes) `mv`.
    #[inline]
    pub fn add(&mut self, color: Color, mv: PackedMove, bonus: i32) {
        self.0[usize::from(color.is_white())][mv.from_to()].add(bonus);
    }
}
