//! Negamax: minimax in one function, because what one side gains the other loses.
//!
//! `max(a, b) = -min(-a, -b)`: seen by the side to move, every node is a maximiser's
//! (Knuth & Moore 1975 write it so). Invariant: the value is that of the side to move.
//! Cost: that of minimax, node for node.

use super::{
    Log, State,
    quiescence::{self, Expansion},
};
use crate::types::{Score, Window};

/// The value of `state` for its side to move.
pub fn search<S: State>(state: &S, depth: u32, log: &mut Log<S::Move>) -> Score {
    let moves = match quiescence::expand(state, depth, Window::FULL, log) {
        Expansion::Leaf(value) => return value,
        Expansion::Inner(moves) => moves,
    };
    let mut best = -Score::INFINITE;
    for mv in moves {
        best = best.max(-search(&state.make(mv), depth - 1, log));
    }
    log.leave(best)
}
