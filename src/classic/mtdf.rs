//! MTD(f): bisection that begins with a good guess (Plaat 1996).
//!
//! Zero-width tests step from the guess `f` towards the value; each returns a fail-soft
//! bound, and the next test asks just beyond it. With the value of the iteration before as
//! the guess a few tests are enough. Invariant: `lower ≤ value ≤ upper`. Cost: each test is
//! as cheap as alpha-beta can be; the memory makes the repetition of tests affordable, and
//! the better the evaluation's grain hides small changes, the fewer tests are needed.

use super::{Log, State, memory, memory::Memory};
use crate::types::{Score, Window};

/// The value of `state` for its side to move, stepping from `guess`.
pub fn search<S: State>(
    state: &S,
    depth: u32,
    guess: Score,
    memory: &mut Memory<S::Move>,
    log: &mut Log<S::Move>,
) -> Score {
    let mut value = guess;
    let mut lower = Window::FULL.alpha();
    let mut upper = Window::FULL.beta();
    while lower < upper {
        let beta = value.max(lower + 1);
        value = memory::test(state, depth, beta, memory, log);
        if value < beta {
            upper = value;
        } else {
            lower = value;
        }
    }
    value
}

/// The value at `depth`, each iteration guessing that of the iteration before.
pub fn deepen<S: State>(
    state: &S,
    depth: u32,
    memory: &mut Memory<S::Move>,
    log: &mut Log<S::Move>,
) -> Score {
    let mut value = Score::DRAW;
    for depth in depth.min(1)..=depth {
        value = search(state, depth, value, memory, log);
    }
    value
}
