//! Alpha-beta pruning: leave out what cannot matter (McCarthy 1956; Edwards & Hart 1961;
//! analysed by Knuth & Moore 1975).
//!
//! Alpha is what the side to move is already sure of, beta what its opponent is sure of.
//! As soon as a move reaches beta the opponent will not let the game come here, and the
//! other moves need no look. Two dialects:
//!
//! * *fail-hard* returns the true value clamped to the window;
//! * *fail-soft* (Fishburn 1983) returns the best it has seen, outside the window too: at
//!   most alpha, it is an upper bound of the true value; at least beta, a lower bound.
//!
//! Invariant: inside the window both return the value of minimax. Cost: between
//! `b^⌈d/2⌉ + b^⌊d/2⌋ − 1` leaves with the best move first everywhere, which doubles the
//! depth, and `b^d` with the worst order.

use super::{
    Log, State,
    quiescence::{self, Expansion},
};
use crate::types::{Score, Window};

/// The value of `state` for its side to move, clamped to `window`.
pub fn fail_hard<S: State>(state: &S, depth: u32, window: Window, log: &mut Log<S::Move>) -> Score {
    let moves = match quiescence::expand(state, depth, window, log) {
        Expansion::Leaf(value) => return value.clamp(window.alpha(), window.beta()),
        Expansion::Inner(moves) => moves,
    };
    let mut alpha = window.alpha();
    for mv in moves {
        let open = Window::new(alpha, window.beta());
        let value = -fail_hard(&state.make(mv), depth - 1, -open, log);
        if value >= window.beta() {
            return log.leave(window.beta());
        }
        alpha = alpha.max(value);
    }
    log.leave(alpha)
}

/// The value of `state` for its side to move, or a bound of it outside `window`.
pub fn fail_soft<S: State>(state: &S, depth: u32, window: Window, log: &mut Log<S::Move>) -> Score {
    let moves = match quiescence::expand(state, depth, window, log) {
        Expansion::Leaf(value) => return value,
        Expansion::Inner(moves) => moves,
    };
    let mut best = -Score::INFINITE;
    for mv in moves {
        let open = window.raised_to(best);
        best = best.max(-fail_soft(&state.make(mv), depth - 1, -open, log));
        if window.fails_high(best) {
            break;
        }
    }
    log.leave(best)
}
