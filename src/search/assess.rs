//! The static judgement of a node before any move is tried.

use super::{Search, cutoffs, node::Node};
use crate::{
    position::Position,
    tt::Entry,
    types::{PackedMove, Score, Window},
};

/// What is known of a node without searching it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assessment {
    /// The evaluation as computed, for the table; `None` in check.
    pub(super) raw: Option<Score>,
    /// The best guess of the node's value: the evaluation, or the table's score where
    /// that is known to be closer; `None` in check.
    pub(super) estimate: Option<Score>,
    /// The side to move stands better than at its previous move.
    pub(super) improving: bool,
    /// The table's move, not yet checked for legality.
    pub(super) hash_move: Option<PackedMove>,
    /// The node was on a principal variation at some time.
    pub(super) was_pv: bool,
}

impl Search<'_> {
    /// Judges the node and notes its evaluation in the frame.
    pub(super) fn assess(&mut self, node: &Node<'_>, entry: Option<&Entry>) -> Assessment {
        let raw = self.raw_evaluation(node.position, entry);
        self.memory.frames.at_mut(node.ply).evaluation = raw;
        let estimate = raw.map(|raw| entry.map_or(raw, |entry| refined(raw, entry, node)));
        Assessment {
            raw,
            estimate,
            improving: self.is_improving(node, raw),
            hash_move: entry.and_then(|entry| entry.mv),
            was_pv: entry.is_some_and(|entry| entry.was_pv),
        }
    }

    /// The evaluation, from the table where it is known; `None` in check, where it means nothing.
    pub(super) fn raw_evaluation(
        &mut self,
        position: &Position,
        entry: Option<&Entry>,
    ) -> Option<Score> {
        if position.in_check() {
            return None;
        }
        entry
            .and_then(|entry| entry.evaluation)
            .or_else(|| Some(self.evaluate(position)))
    }

    fn is_improving(&self, node: &Node<'_>, now: Option<Score>) -> bool {
        let frames = &self.memory.frames;
        let before = [2, 4]
            .into_iter()
            .filter_map(|back| frames.above(node.ply, back))
            .find_map(|frame| frame.evaluation);
        match (now, before) {
            (Some(now), Some(before)) => now > before,
            (now, None) => now.is_some(),
            (None, Some(_)) => false,
        }
    }
}

/// The table's score instead of the evaluation, where its bound says that it is closer.
pub(super) fn refined(raw: Score, entry: &Entry, node: &Node<'_>) -> Score {
    let score = Score::from_table(entry.score, node.ply);
    match entry.bound {
        Some(bound) if cutoffs::settles(around(raw), score, bound) && !score.is_decisive() => score,
        _ => raw,
    }
}

/// The window that a bound must leave to say something about `score`.
fn around(score: Score) -> Window {
    Window::new(score - 1, score + 1)
}
