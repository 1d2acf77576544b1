//! Butterfly history: how well a quiet move did, by side to move and by its two
//! squares (Schaeffer 1983; the name from Hartmann 1988), and by whether the opponent
//! attacks these squares: fleeing from an attack and walking into one are other moves.

use shakmaty::{Bitboard, Color};

use super::Cell;
use crate::types::PackedMove;

/// Largest absolute score.
const LIMIT: i32 = 8192;
const SQUARE_PAIRS: usize = 64 * 64;
/// Colours, and whether either square is attacked.
const CONTEXTS: usize = 8;

/// Scores of quiet moves by colour, by the squares of departure and arrival being attacked,
/// and by these squares.
#[derive(Clone)]
pub struct QuietHistory(Box<[Cell<LIMIT>]>);

impl Default for QuietHistory {
    fn default() -> Self {
        Self(vec![Cell::ZERO; CONTEXTS * SQUARE_PAIRS].into_boxed_slice())
    }
}

impl QuietHistory {
    /// The score of `mv` for `color` under these `threats` of the opponent, in `-8192..=8192`.
    #[inline]
    pub fn get(&self, color: Color, threats: Bitboard, mv: PackedMove) -> i32 {
        self.0[index(color, threats, mv)].get()
    }

    /// Rewards (or, below zero, punishes) `mv`.
    #[inline]
    pub fn add(&mut self, color: Color, threats: Bitboard, mv: PackedMove, bonus: i32) {
        self.0[index(color, threats, mv)].add(bonus);
    }
}

/// The cell of a move: its squares, whose move it is, and what it does about the threats.
#[inline]
fn index(color: Color, threats: Bitboard, mv: PackedMove) -> usize {
    let context = 4 * usize::from(color.is_white())
        + 2 * usize::from(threats.contains(mv.from()))
        + usize::from(threats.contains(mv.to()));
    context * SQUARE_PAIRS + mv.from_to()
}
