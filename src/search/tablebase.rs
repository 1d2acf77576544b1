//! What the endgame tables say about a node.
//!
//! Right after a capture or pawn move a table may know who wins (Syzygy, de Man 2013), and
//! then no search is needed. A win says nothing about how far the mate is: it is a lower
//! bound of the value, and answers only a window that it leaves. When the root itself is
//! in the tables its moves are [ranked](crate::tablebase::rank) before the search, which
//! then gets no tables: it is to look for the way, not for the result.

use std::sync::atomic::Ordering;

use super::{
    Search,
    node::{Node, NodeType},
};
use crate::{
    tablebase::Wdl,
    tt::Entry,
    types::{Bound, Depth, Score},
};

/// How much deeper than the node its answer is worth: no search will know better.
const CERTAINTY: i32 = 6;

impl Search<'_> {
    /// The tables' answer to the question of the node's window, if they have one. Free
    /// when there are no tables.
    #[inline]
    pub(super) fn by_tablebase<N: NodeType>(&self, node: &Node<'_>) -> Option<Score> {
        let adviser = self.job.adviser.as_ref().filter(|_| !N::ROOT)?;
        let Some(wdl) = adviser.judge(node.position, node.depth) else {
            let fault = adviser.tables().take_fault();
            fault.inspect(|fault| self.reporter.fault(fault));
            return None;
        };
        let hits = &self.job.signals.tablebase_hits;
        hits.fetch_add(1, Ordering::Relaxed);
        let score = match wdl {
            Wdl::Draw => self.draw(node.position),
            decided => adviser.score(decided, node.ply),
        };
        let bound = if score.is_win() {
            Bound::Lower
        } else if score.is_loss() {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let open = match bound {
            Bound::Lower => node.window.fails_low(score),
            Bound::Upper => node.window.fails_high(score),
            Bound::Exact => false,
        };
        (!open).then(|| {
            self.remember::<N>(node, score, bound);
            score
        })
    }

    fn remember<N: NodeType>(&self, node: &Node<'_>, score: Score, bound: Bound) {
        let entry = Entry {
            mv: None,
            score: score.to_table(node.ply),
            evaluation: None,
            depth: (node.depth + CERTAINTY).min(Depth::MAX),
            bound: Some(bound),
            was_pv: N::PV,
        };
        self.table.store(self.table_key(node.position), entry);
    }
}
