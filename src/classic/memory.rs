//! Alpha-beta with memory: what was proved of a state need not be proved again.
//!
//! Tests with zero-width windows ask the same tree one question after another; a
//! transposition table (Greenblatt 1967) keeps the answers, and tries first the move that
//! was best before (Plaat, Schaeffer, Pijls & de Bruin 1996 call this the memory-enhanced
//! test). Invariant: for each state and depth, `lower ≤ value ≤ upper`, which holds because
//! a [`State`] knows no history. Cost: memory for every inner node; never more leaves than
//! the same tests without it, and fewer where move orders lead to the same state.

use std::collections::HashMap;

use super::{
    Log, State,
    quiescence::{self, Expansion},
};
use crate::types::{Score, Window};

/// What is known of a state at one depth.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    lower: Score,
    upper: Score,
}

impl Bounds {
    /// Anything is possible.
    const NOTHING: Self = Self {
        lower: Window::FULL.alpha(),
        upper: Window::FULL.beta(),
    };

    /// The bound that answers the question of `window`, if one does.
    fn answer(self, window: Window) -> Option<Score> {
        if window.fails_high(self.lower) {
            Some(self.lower)
        } else if window.fails_low(self.upper) {
            Some(self.upper)
        } else {
            None
        }
    }
}

/// The bounds of all inner nodes met so far, and the move that was best at each state.
#[derive(Clone, Debug)]
pub struct Memory<M> {
    bounds: HashMap<(u64, u32), Bounds>,
    best: HashMap<u64, M>,
}

impl<M> Default for Memory<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M> Memory<M> {
    /// Knows nothing.
    pub fn new() -> Self {
        Self {
            bounds: HashMap::new(),
            best: HashMap::new(),
        }
    }
}

/// Whether the value of `state` reaches `beta`: a lower bound of it that is at least
/// `beta`, or an upper bound below.
pub fn test<S: State>(
    state: &S,
    depth: u32,
    beta: Score,
    memory: &mut Memory<S::Move>,
    log: &mut Log<S::Move>,
) -> Score {
    let window = Window::null_below(beta);
    let place = (state.key(), depth);
    let known = memory.bounds.get(&place).copied();
    if let Some(answer) = known.and_then(|bounds| bounds.answer(window)) {
        return log.recall(state, window, answer);
    }
    let mut moves = match quiescence::expand(state, depth, window, log) {
        Expansion::Leaf(value) => return value,
        Expansion::Inner(moves) => moves,
    };
    if let Some(&best) = memory.best.get(&state.key()) {
        moves.sort_by_key(|&mv| mv != best);
    }
    let mut best = -Score::INFINITE;
    for mv in moves {
        best = best.max(-test(&state.make(mv), depth - 1, -beta + 1, memory, log));
        if window.fails_high(best) {
            memory.best.insert(state.key(), mv);
            break;
        }
    }
    let bounds = memory.bounds.entry(place).or_insert(Bounds::NOTHING);
    if window.fails_high(best) {
        bounds.lower = best;
    } else {
        bounds.upper = best;
    }
    log.leave(best)
}
