//! What the search remembers about moves, apart from the position they were played in.
//!
//! A move that caused a cut-off is likely to do so again nearby (the history
//! heuristic, Schaeffer 1983). Each thread owns its tables: sharing them would cost
//! cache traffic and determinism.

mod capture;
mod continuation;
mod correction;
mod gravity;
mod quiet;

use shakmaty::{Color, Role, Square};

pub use capture::{CaptureHistory, CaptureKey};
pub use continuation::{ContinuationHistory, ContinuationKey};
pub use correction::{CorrectionHistory, CorrectionKey};
pub use gravity::Cell;
pub use quiet::QuietHistory;

/// Pieces of both colours.
const PIECES: usize = 12;
/// Squares of the board.
const SQUARES: usize = 64;

/// Pieces that went to a square.
const KEYS: usize = PIECES * SQUARES;

/// Index of a piece on a square, `0..768`.
#[inline]
fn piece_to(color: Color, role: Role, to: Square) -> usize {
    let piece = usize::from(role) - 1 + if color.is_white() { 0 } else { PIECES / 2 };
    piece * SQUARES + usize::from(to)
}

/// All tables of one thread.
#[derive(Clone, Default)]
pub struct Histories {
    /// Quiet moves by side and squares.
    pub quiet: QuietHistory,
    /// Captures by piece, square and victim.
    pub capture: CaptureHistory,
    /// Quiet moves as answers to, and continuations of, earlier moves.
    pub continuation: ContinuationHistory,
    /// Errors of the static evaluation.
    pub correction: CorrectionHistory,
}
