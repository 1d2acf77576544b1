//! The main search: fail-soft principal-variation alpha-beta, as a list of its steps.
//!
//! Invariant: the returned score is the node's value where it lies inside the window,
//! a lower bound of it at or above beta, and an upper bound at or below alpha (as far
//! as pruning may be trusted).

use super::{
    Search,
    assess::Assessment,
    cutoffs,
    extend::Singularity,
    moves::Found,
    node::{Node, NodeType, Stopped},
    reduce,
};
use crate::{
    tt::Entry,
    types::{Bound, Depth, Score},
};

impl Search<'_> {
    /// The value of `node` for its side to move.
    pub(super) fn negamax<N: NodeType>(&mut self, node: Node<'_>) -> Result<Score, Stopped> {
        if node.depth.is_exhausted() {
            return self.quiesce::<N>(node);
        }
        self.enter::<N>(&node)?;
        let node = match self.settle::<N>(node) {
            Ok(open) => open,
            Err(score) => return Ok(score),
        };
        let entry = self.probe(node.position);
        if let Some(score) = cutoffs::by_table::<N>(&node, entry.as_ref()) {
            let mv = entry.and_then(|entry| entry.mv);
            if let Some(mv) = mv.filter(|_| node.window.fails_high(score)) {
                self.learn_from_table(&node, mv);
            }
            return Ok(score);
        }
        if let Some(score) = self.by_tablebase::<N>(&node) {
            return Ok(score);
        }
        let mut assessment = self.assess(&node, entry.as_ref());
        if !N::PV
            && !self.job.plain
            && let Some(score) = self.prune_node(&node, &assessment, entry.as_ref())?
        {
            return Ok(score);
        }
        match self.singularity::<N>(&node, &assessment, entry.as_ref())? {
            Singularity::Extension(plies) => assessment.hash_move_extension = plies,
            Singularity::MultiCut(score) => return Ok(score),
        }
        let depth = self.adjusted_depth::<N>(&node, &assessment);
        let node = Node { depth, ..node };
        self.memory.frames.forget_killers_below(node.ply);
        let found = self.search_moves::<N>(&node, &assessment)?;
        self.conclude::<N>(&node, &assessment, &found);
        Ok(found.score)
    }

    /// The depth that the node deserves, judged by what led here and what is known of it.
    fn adjusted_depth<N: NodeType>(&self, node: &Node<'_>, assessment: &Assessment) -> Depth {
        if self.job.plain {
            return node.depth;
        }
        let depth = self.depth_in_hindsight::<N>(node);
        reduce::depth_without_hash_move::<N>(&Node { depth, ..*node }, assessment)
    }

    /// The rules' and the horizon's word on the node: its score as `Err`, or else the
    /// node with its window narrowed by mate distance.
    fn settle<'p, N: NodeType>(&mut self, node: Node<'p>) -> Result<Node<'p>, Score> {
        if N::ROOT {
            return Ok(node);
        }
        if cutoffs::is_draw(&self.trail, node.position, node.ply) {
            return Err(self.draw(node.position));
        }
        if node.ply.is_at_limit() {
            return Err(self.horizon(node.position));
        }
        let node = self.with_upcoming_repetition(node);
        let window = cutoffs::within_mate_distance(&node);
        if window.is_closed() {
            Err(window.alpha())
        } else {
            Ok(Node { window, ..node })
        }
    }

    /// Learns from the result and stores it.
    fn conclude<N: NodeType>(&mut self, node: &Node<'_>, assessment: &Assessment, found: &Found) {
        if let Some(best) = found.best {
            self.learn(node, best, found);
        } else if node.depth > Depth::ONE {
            self.praise_previous(node);
        }
        if N::ROOT && !self.root.is_complete() {
            return;
        }
        self.learn_error(node, assessment, found);
        let bound = if node.window.fails_high(found.score) {
            Bound::Lower
        } else if N::PV && found.best.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.store(
            self.table_key(node.position),
            Entry {
                mv: found.best,
                score: found.score.to_table(node.ply),
                evaluation: assessment.raw,
                depth: node.depth,
                bound: Some(bound),
                was_pv: N::PV || assessment.was_pv,
            },
        );
    }
}
