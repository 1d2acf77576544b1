//! Quiescence: the leaf evaluator of all algorithms here (Shannon 1950 saw the need;
//! standing pat, Slate & Atkin 1977).
//!
//! An evaluation taken in the middle of an exchange is worth nothing, so captures are
//! played out first. The side to move need not capture: its evaluation, the *stand-pat*
//! value, is a lower bound (in chess not in check, where every evasion is tried).
//! Invariant: inside the window the value is that of the tree in which both sides may stop
//! capturing at any time; outside it is a bound, as with fail-soft alpha-beta, which it is.
//! Cost: some nodes for each leaf, counted apart.

use super::{Log, State, Unrest};
use crate::types::{Score, Window};

/// What becomes of a node that an algorithm has reached.
#[derive(Clone, Debug)]
pub enum Expansion<M> {
    /// The horizon, or the end of the game: its value for the side to move.
    Leaf(Score),
    /// Moves to be tried, at least one.
    Inner(Vec<M>),
}

/// Enters `state` in `log`: as a leaf, with its value, at `depth` zero and at the end of
/// the game; else as an inner node, which the caller has to leave.
pub fn expand<S: State>(
    state: &S,
    depth: u32,
    window: Window,
    log: &mut Log<S::Move>,
) -> Expansion<S::Move> {
    if depth == 0 {
        let value = search(state, window, log);
        return Expansion::Leaf(log.leaf(state, window, value));
    }
    let moves = state.moves();
    if moves.is_empty() {
        return Expansion::Leaf(log.leaf(state, window, state.evaluate()));
    }
    log.enter(state, window, moves.len());
    Expansion::Inner(moves)
}

/// The value of `state` once its unrest is played out, or a bound of it outside `window`.
pub fn search<S: State>(state: &S, window: Window, log: &mut Log<S::Move>) -> Score {
    let Unrest { stand_pat, moves } = state.unrest();
    if stand_pat.is_none() && moves.is_empty() {
        return state.evaluate();
    }
    let mut best = stand_pat.unwrap_or(-Score::INFINITE);
    for mv in moves {
        if window.fails_high(best) {
            break;
        }
        log.quiet();
        let open = window.raised_to(best);
        best = best.max(-search(&state.make(mv), -open, log));
    }
    best
}
