//! Minimax: the definition of a game's value, as two functions that call each other.
//!
//! The maximiser takes the best of what the minimiser leaves, and the other way round
//! (von Neumann 1928 for the theorem; Shannon 1950 for a program that stops at a depth and
//! evaluates there). Invariant: both return the value from the first player's view.
//! Cost: with `b` moves everywhere, `b^d` leaves at depth `d`; nothing is left out.

use super::{
    Log, State,
    quiescence::{self, Expansion},
};
use crate::types::{Score, Window};

/// The value of `state`, whose side to move wants it large.
pub fn maximiser<S: State>(state: &S, depth: u32, log: &mut Log<S::Move>) -> Score {
    let moves = match quiescence::expand(state, depth, Window::FULL, log) {
        Expansion::Leaf(value) => return value,
        Expansion::Inner(moves) => moves,
    };
    let mut best = -Score::INFINITE;
    for mv in moves {
        best = best.max(minimiser(&state.make(mv), depth - 1, log));
    }
    log.leave(best)
}

/// The value of `state`, whose side to move wants it small.
pub fn minimiser<S: State>(state: &S, depth: u32, log: &mut Log<S::Move>) -> Score {
    let moves = match quiescence::expand(state, depth, Window::FULL, log) {
        // A leaf speaks for its side to move, here the minimiser.
        Expansion::Leaf(value) => return -value,
        Expansion::Inner(moves) => moves,
    };
    let mut best = Score::INFINITE;
    for mv in moves {
        best = best.min(maximiser(&state.make(mv), depth - 1, log));
    }
    -log.leave(-best)
}
