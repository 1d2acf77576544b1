//! `ProbCut` (Buro 1995; with captures only, as in Stockfish): a capture that comes out far
//! above beta in a shallower search will hardly come below beta in the full one.
//!
//! The bet is off at low depth, where it saves nothing, and where the table already knows
//! that the margin is not reached.

use super::{
    Search,
    assess::Assessment,
    node::{Node, NonPv, Stopped},
};
use crate::{
    movepick::MovePicker,
    params,
    tt::Entry,
    types::{Bound, Depth, PackedMove, Score, Window},
};

/// Plies by which the search behind the cut-off is shallower than the node's.
const SHALLOWER: i32 = 4;

impl Search<'_> {
    /// The score of a cut-off by a capture, if there is one.
    pub(super) fn try_probcut(
        &mut self,
        node: &Node<'_>,
        assessment: &Assessment,
        entry: Option<&Entry>,
    ) -> Result<Option<Score>, Stopped> {
        let beta = node.window.beta();
        let target = beta + params::probcut_margin();
        let Some(evaluation) = assessment.corrected else {
            return Ok(None);
        };
        let shallow = node.depth < Depth::new(params::probcut_depth());
        if shallow || beta.is_decisive() || entry.is_some_and(|entry| denies(node, entry, target)) {
            return Ok(None);
        }
        let hash_move = assessment.hash_move;
        let mut picker = MovePicker::new_noisy(node.position, hash_move);
        let needed = (target - evaluation) * 100 / params::quiescence_gain();
        while let Some(mv) = picker.next(&self.memory.histories) {
            self.prefetch(node.position, mv);
            if !node.position.see_reaches(mv, needed) {
                continue;
            }
            let score = self.confirm(node, mv, target)?;
            if score >= target {
                self.remember_cut(node, assessment, mv, score);
                let decisive = score.is_decisive();
                let excess = if decisive { 0 } else { target - beta };
                return Ok(Some(score - excess));
            }
        }
        Ok(None)
    }

    /// The value of `mv` against `target`: by captures alone, and if they reach it, by a
    /// search of reduced depth.
    fn confirm(
        &mut self,
        node: &Node<'_>,
        mv: PackedMove,
        target: Score,
    ) -> Result<Score, Stopped> {
        let child = self.play(node, mv);
        let quick = Node {
            position: &child,
            window: -Window::null_below(target),
            depth: Depth::ZERO,
            ply: node.ply.next(),
            expect: node.expect.of_child(),
            without: None,
        };
        let mut score = -self.quiesce::<NonPv>(quick)?;
        let depth = node.depth - SHALLOWER;
        if score >= target && !depth.is_exhausted() {
            score = -self.negamax::<NonPv>(Node { depth, ..quick })?;
        }
        self.unplay();
        Ok(score)
    }

    fn remember_cut(&self, node: &Node<'_>, assessment: &Assessment, mv: PackedMove, score: Score) {
        let entry = Entry {
            mv: Some(mv),
            score: score.to_table(node.ply),
            evaluation: assessment.raw,
            depth: node.depth - SHALLOWER + 1,
            bound: Some(Bound::Lower),
            was_pv: assessment.was_pv,
        };
        self.table.store(self.table_key(node.position), entry);
    }
}

/// Whether the table knows by a search deep enough that the node stays below `target`.
fn denies(node: &Node<'_>, entry: &Entry, target: Score) -> bool {
    entry.bound.is_some()
        && entry.depth > node.depth - SHALLOWER
        && Score::from_table(entry.score, node.ply) < target
}
