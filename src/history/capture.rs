//! Capture history: how well a capture did, by the capturing piece, the square and
//! the captured role; refines the order given by the victim's value.

use shakmaty::{Color, Role, Square};

use super::{Cell, PIECES, SQUARES, piece_to};

/// Largest absolute score.
const LIMIT: i32 = 16384;
/// Victims: six roles and none (a promotion without capture).
const VICTIMS: usize = 7;

/// Scores of captures and promotions.
#[derive(Clone)]
pub struct CaptureHistory(Box<[[Cell<LIMIT>; VICTIMS]; PIECES * SQUARES]>);

impl Default for CaptureHistory {
    fn default() -> Self {
        Self(Box::new([[Cell::ZERO; VICTIMS]; PIECES * SQUARES]))
    }
}

/// A capture as the table sees it.
#[derive(Clone, Copy, Debug)]
pub struct CaptureKey {
    piece_to: usize,
    victim: usize,
}

impl CaptureKey {
    /// `color`'s `role` arrives on `to` and takes `victim`, if any.
    #[inline]
    pub fn new(color: Color, role: Role, to: Square, victim: Option<Role>) -> Self {
        Self {
            piece_to: piece_to(color, role, to),
            victim: victim.map_or(0, usize::from),
        }
    }
}

impl CaptureHistory {
    /// The score of the capture, in `-16384..=16384`.
    #[inline]
    pub fn get(&self, key: CaptureKey) -> i32 {
        self.0[key.piece_to][key.victim].get()
    }

    /// Rewards (or, below zero, punishes) the capture.
    #[inline]
    pub fn add(&mut self, key: CaptureKey, bonus: i32) {
        self.0[key.piece_to][key.victim].add(bonus);
    }
}
