//! Aspiration search: deepen ply by ply, and expect the value to stay where it was
//! (Slate & Atkin 1977; the name is Baudet's, 1978).
//!
//! A window around the value of the previous iteration cuts more than the full one. Where
//! the value falls out of it the search must be repeated with the failing side open: at
//! once, or step by step. Invariant: what is returned lay inside the window, so it is the
//! value of minimax. Cost: less than alpha-beta while the value is steady, up to twice as
//! much where it jumps; the earlier iterations are extra.

use super::{Log, State, alpha_beta};
use crate::types::{Score, Window};

/// Half a pawn: how far the value may move unnoticed, in centipawns.
pub const MARGIN: i32 = 50;

/// How a window is opened on the side where the value fell out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Widening {
    /// At once.
    Fully,
    /// By a margin that doubles each time.
    Stepwise,
}

/// The value of `state` for its side to move, by iterations up to `depth`.
pub fn search<S: State>(
    state: &S,
    depth: u32,
    widening: Widening,
    log: &mut Log<S::Move>,
) -> Score {
    let mut value = alpha_beta::fail_soft(state, depth.min(1), Window::FULL, log);
    for depth in 2..=depth {
        value = around(value, state, depth, widening, log);
    }
    value
}

/// The value at `depth`, which is expected to be near `guess`.
fn around<S: State>(
    guess: Score,
    state: &S,
    depth: u32,
    widening: Widening,
    log: &mut Log<S::Move>,
) -> Score {
    let mut margin = MARGIN;
    let mut window = within(guess - margin, guess + margin);
    loop {
        let value = alpha_beta::fail_soft(state, depth, window, log);
        if window.contains(value) {
            return value;
        }
        margin = match widening {
            Widening::Fully => 2 * Score::INFINITE.units(),
            Widening::Stepwise => 2 * margin,
        };
        window = if window.fails_low(value) {
            within(value - margin, window.beta())
        } else {
            within(window.alpha(), value + margin)
        };
    }
}

/// The window between two scores, as far as scores go.
fn within(alpha: Score, beta: Score) -> Window {
    Window::FULL.raised_to(alpha).lowered_to(beta)
}
