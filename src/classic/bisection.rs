//! Bisection: find the value by asking only yes-or-no questions.
//!
//! A zero-width test says whether the value reaches a bound; halving the range of what is
//! still possible finds the value as in a game of guessing numbers (Coplan 1982 built C*
//! on this). Invariant: `lower ≤ value ≤ upper`, and the distance at least halves with every
//! test. Cost: about sixteen tests for the range of scores, each cheaper than a search with
//! an open window; without memory it does not pay.

use super::{Log, State, memory, memory::Memory};
use crate::types::{Score, Window};

/// The value of `state` for its side to move.
pub fn search<S: State>(
    state: &S,
    depth: u32,
    memory: &mut Memory<S::Move>,
    log: &mut Log<S::Move>,
) -> Score {
    let mut lower = Window::FULL.alpha();
    let mut upper = Window::FULL.beta();
    while lower < upper {
        let middle = i32::midpoint(lower.units(), upper.units());
        // Above the lower end, or a "yes" would teach nothing.
        let beta = Score::new(middle).max(lower + 1);
        let value = memory::test(state, depth, beta, memory, log);
        if value >= beta {
            lower = value;
        } else {
            upper = value;
        }
    }
    lower
}
