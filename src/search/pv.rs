//! Principal variations, one line for each ply (a triangular table).
//!
//! Invariant: after a PV node at `ply` returned a score inside its window, `line(ply)`
//! holds the moves that lead to it, each legal after the ones before.

use arrayvec::ArrayVec;

use crate::types::{MAX_PLY, PackedMove, Ply};

/// A line of moves from some node on.
pub(super) type Line = ArrayVec<PackedMove, { MAX_PLY + 1 }>;

/// The lines under construction.
pub(super) struct PvTable(Box<[Line]>);

impl PvTable {
    pub(super) fn new() -> Self {
        Self(vec![Line::new(); MAX_PLY + 2].into_boxed_slice())
    }

    /// The line found at `ply`.
    pub(super) fn line(&self, ply: Ply) -> &Line {
        &self.0[ply.index()]
    }

    /// Forgets the line at `ply`.
    pub(super) fn clear(&mut self, ply: Ply) {
        self.0[ply.index()].clear();
    }

    /// The line at `ply` becomes `mv` and the line of the child.
    pub(super) fn extend(&mut self, ply: Ply, mv: PackedMove) {
        let (upper, lower) = self.0.split_at_mut(ply.index() + 1);
        let (Some(line), Some(rest)) = (upper.last_mut(), lower.first()) else {
            return;
        };
        line.clear();
        line.push(mv);
        line.extend(rest.iter().copied().take(MAX_PLY));
    }
}
