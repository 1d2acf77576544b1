//! What a node turned out to be, against what it was expected to be; how well moves were
//! ordered; and the least that any search must visit.
//!
//! Knuth & Moore (1975) sort the nodes of the minimal tree into three types: the principal
//! variation (1), nodes where one move refutes (2, CUT), and nodes where every move must be
//! refuted (3, ALL). Marsland & Campbell (1982) call a tree *strongly ordered* where the
//! first move is best at 70 % of the nodes, and the best lies in the first quarter of the
//! moves at 90 %. Invariant: with the best move first everywhere, every node of alpha-beta
//! is found to be what was expected.

use crate::types::{Score, Window, convert};

/// The type of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Type 1: its value lies inside the window.
    Pv,
    /// Type 2: a move reaches beta.
    Cut,
    /// Type 3: no move reaches alpha.
    All,
}

impl Kind {
    /// All types, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Pv, Self::Cut, Self::All];

    /// What is expected of a root that is asked about `window`: a zero-width test hopes to
    /// fail high.
    pub fn of_root(window: Window) -> Self {
        if window.beta() - window.alpha() > 1 {
            Self::Pv
        } else {
            Self::Cut
        }
    }

    /// What is expected of a child: the first one, or a later one.
    #[must_use]
    pub const fn of_child(self, first: bool) -> Self {
        match self {
            Self::Pv if first => Self::Pv,
            Self::Pv | Self::All => Self::Cut,
            Self::Cut => Self::All,
        }
    }

    /// What a node is that returned `value` when asked about `window`.
    pub fn found(window: Window, value: Score) -> Self {
        if window.fails_high(value) {
            Self::Cut
        } else if window.fails_low(value) {
            Self::All
        } else {
            Self::Pv
        }
    }

    const fn index(self) -> usize {
        match self {
            Self::Pv => 0,
            Self::Cut => 1,
            Self::All => 2,
        }
    }
}

/// How many nodes of each type were expected, and what they were found to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census([[u64; 3]; 3]);

impl Census {
    /// Counts a node.
    pub const fn note(&mut self, expected: Kind, found: Kind) {
        self.0[expected.index()][found.index()] += 1;
    }

    /// Nodes expected to be of the one type and found to be of the other.
    pub const fn count(&self, expected: Kind, found: Kind) -> u64 {
        self.0[expected.index()][found.index()]
    }

    /// Nodes that were found to be of this type.
    pub fn found(&self, kind: Kind) -> u64 {
        Kind::ALL
            .into_iter()
            .map(|expected| self.count(expected, kind))
            .sum()
    }

    /// Share of the nodes that were what they were expected to be; `None` without nodes.
    pub fn as_expected(&self) -> Option<f64> {
        let right = Kind::ALL.into_iter().map(|kind| self.count(kind, kind));
        let all = Kind::ALL.into_iter().map(|kind| self.found(kind));
        share(right.sum(), all.sum())
    }

    /// Adds the nodes of another search.
    pub fn add(&mut self, other: &Self) {
        let cells = self.0.iter_mut().flatten();
        for (cell, more) in cells.zip(other.0.iter().flatten()) {
            *cell += more;
        }
    }
}

/// How well the moves were ordered at the inner nodes where one was best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ordering {
    decided: u64,
    first: u64,
    first_quarter: u64,
    cuts: u64,
    first_cuts: u64,
}

impl Ordering {
    /// What is known of a search that only counted its cuts, and those by the first move.
    pub const fn of_cuts(cuts: u64, first_cuts: u64) -> Self {
        Self {
            decided: 0,
            first: 0,
            first_quarter: 0,
            cuts,
            first_cuts,
        }
    }

    /// Counts a node where the move with number `best`, from 0, of `moves` was best.
    pub fn note(&mut self, best: usize, moves: usize) {
        self.decided += 1;
        self.first += u64::from(best == 0);
        self.first_quarter += u64::from(best < moves.div_ceil(4));
    }

    /// Counts a node that was cut after `tried` moves.
    pub fn note_cut(&mut self, tried: usize) {
        self.cuts += 1;
        self.first_cuts += u64::from(tried == 1);
    }

    /// How often the first move was best, 0 to 1.
    pub fn first_is_best(&self) -> Option<f64> {
        share(self.first, self.decided)
    }

    /// How often the best move was in the first quarter of the moves, 0 to 1.
    pub fn best_in_first_quarter(&self) -> Option<f64> {
        share(self.first_quarter, self.decided)
    }

    /// How often a node that was cut was cut by its first move, 0 to 1.
    pub fn first_move_cuts(&self) -> Option<f64> {
        share(self.first_cuts, self.cuts)
    }

    /// Whether the tree is strongly ordered; `None` if nothing was counted.
    pub fn is_strong(&self) -> Option<bool> {
        let first = self.first_is_best()?;
        let quarter = self.best_in_first_quarter()?;
        Some(first >= 0.7 && quarter >= 0.9)
    }

    /// Adds the nodes of another search.
    pub const fn add(&mut self, other: &Self) {
        self.decided += other.decided;
        self.first += other.first;
        self.first_quarter += other.first_quarter;
        self.cuts += other.cuts;
        self.first_cuts += other.first_cuts;
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| convert::real(part) / convert::real(whole))
}

/// Leaves of the minimal tree with `branching` moves at every node and `depth` plies:
/// `b^⌈d/2⌉ + b^⌊d/2⌋ − 1`, saturating (Knuth & Moore 1975).
pub const fn uniform_minimum(branching: u64, depth: u32) -> u64 {
    let longer = branching.saturating_pow(depth.div_ceil(2));
    let shorter = branching.saturating_pow(depth / 2);
    longer.saturating_add(shorter).saturating_sub(1)
}
