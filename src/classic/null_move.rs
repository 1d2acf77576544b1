//! Null-move pruning: let the opponent move twice; who still stands well need not look
//! for a good move (Beal 1989; Goetsch & Campbell 1990; Donninger 1993).
//!
//! Passing is followed by a zero-width search reduced by `R` plies; if it reaches beta the
//! node is cut. The reduction is fixed, or *adaptive* (Heinz 1999), or the cut is *verified*
//! (David Tabibi & Netanyahu 2002): a fail high only takes one ply off the node, below
//! which cuts are no longer verified, and if the node then does not fail high it is
//! searched in full.
//!
//! Invariant: none of minimax's; this is forward pruning, and errs in two ways. In
//! *zugzwang* passing is better than every move, hence the guard that a side without
//! pieces does not pass, the verification, and the variant with two passes in a row, which
//! searches the same side to move again at reduced depth. And a threat may lie beyond the
//! reduced *horizon*: nothing but depth helps there. Never in check; not twice in a row
//! without being asked to, or the search would only count down.
//! Cost: alpha-beta's with a smaller base, the more so the deeper.

use super::{
    Log, State,
    quiescence::{self, Expansion},
};
use crate::types::{Score, Window};

/// Up to this depth the adaptive reduction is the small one.
const SHALLOW: u32 = 6;
/// Beyond this depth the adaptive reduction is the large one.
const DEEP: u32 = 8;
/// With so many pieces on one side the reduction may be large between the two.
const MANY_PIECES: usize = 3;

/// Plies by which the search after a pass is reduced, the pass itself not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// The same everywhere; 1 to 4 make sense.
    Fixed(u32),
    /// 2 in shallow searches, 3 in deep ones, by the number of pieces in between.
    Adaptive,
}

impl Reduction {
    fn plies<S: State>(self, state: &S, depth: u32) -> u32 {
        let many_pieces = state.pieces().into_iter().max() >= Some(MANY_PIECES);
        match self {
            Self::Fixed(plies) => plies,
            Self::Adaptive if depth > DEEP || depth > SHALLOW && many_pieces => 3,
            Self::Adaptive => 2,
        }
    }
}

/// The rules of passing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passing {
    /// How much less deep the search after a pass is.
    pub reduction: Reduction,
    /// Whether a cut must be confirmed by a search of the moves.
    pub verified: bool,
    /// Whether a side without pieces (king and pawns only) may not pass.
    pub guarded: bool,
    /// How many passes may follow one another: 1, or 2 to detect zugzwang by.
    pub in_a_row: u32,
}

impl Passing {
    /// Reduction by two plies, guarded.
    pub const PLAIN: Self = Self {
        reduction: Reduction::Fixed(2),
        verified: false,
        guarded: true,
        in_a_row: 1,
    };
    /// The same without the guard: what zugzwang is the undoing of.
    pub const UNGUARDED: Self = Self {
        guarded: false,
        ..Self::PLAIN
    };
    /// Two passes in a row instead of the guard.
    pub const DOUBLE: Self = Self {
        in_a_row: 2,
        ..Self::UNGUARDED
    };
    /// Adaptive reduction, guarded.
    pub const ADAPTIVE: Self = Self {
        reduction: Reduction::Adaptive,
        ..Self::PLAIN
    };
    /// Reduction by three plies, verified instead of guarded.
    pub const VERIFIED: Self = Self {
        reduction: Reduction::Fixed(3),
        verified: true,
        guarded: false,
        in_a_row: 1,
    };
}

/// One call of the search.
#[derive(Clone, Copy)]
struct Call {
    depth: u32,
    window: Window,
    /// Passes made just before.
    passes: u32,
    /// Whether a cut by passing must be verified here.
    verify: bool,
}

/// What fail-soft alpha-beta with null moves makes of `state`.
pub fn search<S: State>(
    state: &S,
    depth: u32,
    window: Window,
    rules: Passing,
    log: &mut Log<S::Move>,
) -> Score {
    let call = Call {
        depth,
        window,
        passes: 0,
        verify: rules.verified,
    };
    node(state, call, rules, log)
}

fn node<S: State>(state: &S, call: Call, rules: Passing, log: &mut Log<S::Move>) -> Score {
    let moves = match quiescence::expand(state, call.depth, call.window, log) {
        Expansion::Leaf(value) => return value,
        Expansion::Inner(moves) => moves,
    };
    let held = passing_holds(state, call, rules, log);
    if held && !call.verify {
        return log.leave(call.window.beta());
    }
    if held {
        let shallow = Call {
            depth: call.depth - 1,
            verify: false,
            ..call
        };
        let value = try_moves(state, &moves, shallow, rules, log);
        if call.window.fails_high(value) {
            return log.leave(value);
        }
        // Zugzwang: passing was better than any move.
        log.restart();
    }
    let value = try_moves(state, &moves, call, rules, log);
    log.leave(value)
}

/// Whether the side to move reaches beta even if it passes.
fn passing_holds<S: State>(state: &S, call: Call, rules: Passing, log: &mut Log<S::Move>) -> bool {
    let beta = call.window.beta();
    let idle = rules.guarded && state.pieces()[0] == 0;
    // To take a ply off there must be one left.
    let too_shallow = call.verify && call.depth < 2;
    if idle || too_shallow || call.passes >= rules.in_a_row || beta == Score::INFINITE {
        return false;
    }
    let Some(child) = state.pass() else {
        return false;
    };
    let reduction = rules.reduction.plies(state, call.depth);
    log.passing();
    let after = Call {
        depth: call.depth.saturating_sub(1 + reduction),
        window: -Window::null_below(beta),
        passes: call.passes + 1,
        ..call
    };
    -node(&child, after, rules, log) >= beta
}

fn try_moves<S: State>(
    state: &S,
    moves: &[S::Move],
    call: Call,
    rules: Passing,
    log: &mut Log<S::Move>,
) -> Score {
    let mut best = -Score::INFINITE;
    for &mv in moves {
        let child = Call {
            depth: call.depth - 1,
            window: -call.window.raised_to(best),
            passes: 0,
            ..call
        };
        best = best.max(-node(&state.make(mv), child, rules, log));
        if call.window.fails_high(best) {
            break;
        }
    }
    best
}
