//! The minimal tree of a real, non-uniform game tree: the fewest leaves that prove its value.
//!
//! To prove a value `v` one must show that some line reaches it and that no line reaches
//! more. All along the line both sides' values are `v` (with changing sign), so that every
//! other node is asked about this one bound only: a CUT node must show one move that
//! reaches it, and the cheapest will do; an ALL node must refute all moves (Knuth & Moore
//! 1975; with unequal branching the cheapest refutation counts, Plaat et al. 1996).
//! Invariant: no search without a table that proves `v` visits fewer leaves. Cost: less
//! than minimax, because a refutation dearer than one already known is given up, the sooner as
//! every move not yet refuted takes a leaf at least.

use super::{Log, State, quiescence};
use crate::types::{Score, Window, convert};

/// The fewest leaves that prove `value` for `state` at `depth`; `None` if that is not its
/// value.
pub fn leaves<S: State>(state: &S, depth: u32, value: Score) -> Option<u64> {
    let moves = inner_moves(state, depth);
    if moves.is_empty() {
        return (leaf(state, depth, Window::FULL) == value).then_some(1);
    }
    let mut all = 0;
    // What the cheapest continuation of the line costs more than a refutation of its move.
    let mut extra = None;
    for mv in moves {
        let child = state.make(mv);
        let refutation = reaches(&child, depth - 1, -value, u64::MAX)?;
        all += refutation;
        if let Some(line) = leaves(&child, depth - 1, -value) {
            let dearer = line.saturating_sub(refutation);
            extra = Some(extra.map_or(dearer, |least: u64| least.min(dearer)));
        }
    }
    Some(all + extra?)
}

/// Leaves that prove that the value is at least `bound`, if no more than `limit` do.
fn reaches<S: State>(state: &S, depth: u32, bound: Score, limit: u64) -> Option<u64> {
    if limit == 0 {
        return None;
    }
    let moves = inner_moves(state, depth);
    if moves.is_empty() {
        let proved = leaf(state, depth, Window::null_below(bound)) >= bound;
        return proved.then_some(1);
    }
    let mut least = None;
    for mv in moves {
        let limit = least.map_or(limit, |least: u64| least - 1);
        if let Some(cost) = stays_below(&state.make(mv), depth - 1, -bound, limit) {
            least = Some(cost);
        }
    }
    least
}

/// Leaves that prove that the value is at most `bound`, if no more than `limit` do.
fn stays_below<S: State>(state: &S, depth: u32, bound: Score, limit: u64) -> Option<u64> {
    if limit == 0 {
        return None;
    }
    let moves = inner_moves(state, depth);
    if moves.is_empty() {
        let proved = leaf(state, depth, Window::null_above(bound)) <= bound;
        return proved.then_some(1);
    }
    let mut cost = 0;
    let left = (0..convert::wide(moves.len())).rev();
    for (mv, left) in moves.into_iter().zip(left) {
        let limit = limit.checked_sub(cost + left)?;
        cost += reaches(&state.make(mv), depth - 1, -bound, limit)?;
    }
    Some(cost)
}

/// The moves of an inner node; none at the horizon and at the end of the game.
fn inner_moves<S: State>(state: &S, depth: u32) -> Vec<S::Move> {
    if depth == 0 {
        Vec::new()
    } else {
        state.moves()
    }
}

/// The value of a leaf, or a bound of it outside `window`.
fn leaf<S: State>(state: &S, depth: u32, window: Window) -> Score {
    if depth == 0 {
        quiescence::search(state, window, &mut Log::new())
    } else {
        state.evaluate()
    }
}
