//! The classical algorithms of game-tree search, each in its plainest form.
//!
//! Everything the playing search does grew out of these: minimax and negamax (the
//! definition), alpha-beta in two dialects, aspiration, principal variation search, tests
//! with zero-width windows (bisection, MTD(f)), null-move pruning and quiescence. They run
//! on any [`State`]: on small explicit trees ([`toy`]) and on chess ([`chess`]).
//!
//! They are there to be read, to be compared (`arborist compare`), and to judge the playing
//! search by: with its pruning switched off it must return what they return. Hence this
//! room knows nothing of it.
//!
//! Invariant: every [`Algorithm`] that is exact returns the value of minimax.

pub mod alpha_beta;
pub mod anatomy;
pub mod aspiration;
pub mod bisection;
pub mod chess;
mod log;
pub mod memory;
pub mod minimal;
pub mod minimax;
pub mod mtdf;
pub mod negamax;
pub mod null_move;
pub mod pvs;
pub mod quiescence;
mod state;
pub mod toy;

pub use log::{Log, Sketch};
pub use state::{State, Unrest};

use crate::types::{Score, Window};
use aspiration::Widening;
use memory::Memory;
use null_move::Passing;

/// One of the algorithms of this room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// [`minimax`].
    Minimax,
    /// [`negamax`].
    Negamax,
    /// [`alpha_beta::fail_hard`].
    FailHard,
    /// [`alpha_beta::fail_soft`].
    FailSoft,
    /// [`aspiration`].
    Aspiration,
    /// [`bisection`].
    Bisection,
    /// [`mtdf`].
    Mtdf,
    /// [`pvs`].
    Pvs,
    /// [`null_move`] with a fixed reduction of two plies, without the guard of zugzwang.
    UnguardedNullMove,
    /// [`null_move`] with a fixed reduction of two plies.
    NullMove,
    /// [`null_move`] with two passes in a row instead of the guard.
    DoubleNullMove,
    /// [`null_move`] with a reduction that depends on depth and pieces.
    AdaptiveNullMove,
    /// [`null_move`] with a reduction of three plies and a verification.
    VerifiedNullMove,
}

impl Algorithm {
    /// All of them, the oldest ideas first.
    pub const ALL: [Self; 13] = [
        Self::Minimax,
        Self::Negamax,
        Self::FailHard,
        Self::FailSoft,
        Self::Aspiration,
        Self::Bisection,
        Self::Mtdf,
        Self::Pvs,
        Self::UnguardedNullMove,
        Self::NullMove,
        Self::DoubleNullMove,
        Self::AdaptiveNullMove,
        Self::VerifiedNullMove,
    ];

    /// The name on the command line and in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Minimax => "minimax",
            Self::Negamax => "negamax",
            Self::FailHard => "fail-hard",
            Self::FailSoft => "fail-soft",
            Self::Aspiration => "aspiration",
            Self::Bisection => "bisection",
            Self::Mtdf => "mtdf",
            Self::Pvs => "pvs",
            Self::UnguardedNullMove => "null-unguarded",
            Self::NullMove => "null-move",
            Self::DoubleNullMove => "null-double",
            Self::AdaptiveNullMove => "null-adaptive",
            Self::VerifiedNullMove => "null-verified",
        }
    }

    /// The algorithm of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|algorithm| algorithm.name() == name)
    }

    /// Whether it returns the value of minimax, always. Pruning by null moves may err.
    pub const fn is_exact(self) -> bool {
        self.passing().is_none()
    }

    /// The rules of passing, if it passes.
    const fn passing(self) -> Option<Passing> {
        match self {
            Self::UnguardedNullMove => Some(Passing::UNGUARDED),
            Self::NullMove => Some(Passing::PLAIN),
            Self::DoubleNullMove => Some(Passing::DOUBLE),
            Self::AdaptiveNullMove => Some(Passing::ADAPTIVE),
            Self::VerifiedNullMove => Some(Passing::VERIFIED),
            _ => None,
        }
    }

    /// Whether it visits every node down to the horizon.
    pub const fn is_exhaustive(self) -> bool {
        matches!(self, Self::Minimax | Self::Negamax)
    }

    /// The value of `state` for its side to move, `depth` plies deep; `log` hears of every node.
    pub fn search<S: State>(self, state: &S, depth: u32, log: &mut Log<S::Move>) -> Score {
        let window = Window::FULL;
        if let Some(rules) = self.passing() {
            return null_move::search(state, depth, window, rules, log);
        }
        match self {
            Self::Minimax => minimax::maximiser(state, depth, log),
            Self::Negamax => negamax::search(state, depth, log),
            Self::FailHard => alpha_beta::fail_hard(state, depth, window, log),
            Self::Aspiration => aspiration::search(state, depth, Widening::Fully, log),
            Self::Bisection => bisection::search(state, depth, &mut Memory::new(), log),
            Self::Mtdf => mtdf::deepen(state, depth, &mut Memory::new(), log),
            Self::Pvs => pvs::search(state, depth, window, log),
            _ => alpha_beta::fail_soft(state, depth, window, log),
        }
    }
}
