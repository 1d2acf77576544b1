//! Principal variation search: bet that the first move is best (Marsland & Campbell 1982;
//! `NegaScout`, Reinefeld 1983, is the same idea).
//!
//! Only the first move is searched with the open window. Each later one must first beat it
//! in a zero-width test, which cuts more; if it does, against expectation, it is searched
//! again. Invariant: that of fail-soft alpha-beta. Cost: with good ordering less than
//! alpha-beta; with bad ordering the repeated searches cost more than the tests save.

use super::{
    Log, State,
    quiescence::{self, Expansion},
};
use crate::types::{Score, Window};

/// The value of `state` for its side to move, or a bound of it outside `window`.
pub fn search<S: State>(state: &S, depth: u32, window: Window, log: &mut Log<S::Move>) -> Score {
    let moves = match quiescence::expand(state, depth, window, log) {
        Expansion::Leaf(value) => return value,
        Expansion::Inner(moves) => moves,
    };
    let mut best = -Score::INFINITE;
    for (index, mv) in moves.into_iter().enumerate() {
        let child = state.make(mv);
        let open = window.raised_to(best);
        let first = index == 0;
        let test = Window::null_above(open.alpha());
        let narrow = if first { open } else { test };
        let mut value = -search(&child, depth - 1, -narrow, log);
        if !first && open.contains(value) {
            log.repeat();
            value = -search(&child, depth - 1, -open, log);
        }
        best = best.max(value);
        if window.fails_high(best) {
            break;
        }
    }
    log.leave(best)
}
