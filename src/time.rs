//! Limits of a search, and the arithmetic that turns a clock into a budget.

use std::time::Duration;

use crate::types::Depth;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left before this move; a negative clock arrives here as zero.
    pub remaining: Duration,
    /// Time added after this move.
    pub increment: Duration,
    /// Moves until the next time control; `None` for sudden death.
    pub moves_to_go: Option<u32>,
}

/// Everything that may end a search. Several may be set; the first one reached counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Last iteration to complete.
    pub depth: Option<Depth>,
    /// Nodes to visit, over all threads.
    pub nodes: Option<u64>,
    /// Stop at a proven mate in so many moves, for or against the side to move.
    pub mate: Option<u32>,
    /// Time for exactly this move.
    pub move_time: Option<Duration>,
    /// Clock from which the time for this move is computed.
    pub clock: Option<Clock>,
    /// Do not finish before being told to.
    pub infinite: bool,
    /// The opponent is still to move: no limit counts before `ponderhit`.
    pub ponder: bool,
    /// Time lost between the clock and us on every move (`Move Overhead`).
    pub overhead: Duration,
}
