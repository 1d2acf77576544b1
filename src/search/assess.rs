//! The static judgement of a node before any move is tried.

use shakmaty::Bitboard;

use super::{Search, cutoffs, node::Node};
use crate::{
    history::CorrectionKey,
    params,
    position::Position,
    tt::Entry,
    types::{Depth, PackedMove, Score, Window, convert},
};

/// What is known of a node without searching it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assessment {
    /// The evaluation as computed, for the table; `None` in check.
    pub(super) raw: Option<Score>,
    /// The evaluation with what is known of its errors; `None` in check.
    pub(super) corrected: Option<Score>,
    /// The best guess of the node's value: the evaluation, or the table's score where
    /// that is known to be closer; `None` in check.
    pub(super) estimate: Option<Score>,
    /// The side to move stands better than at its previous move.
    pub(super) improving: bool,
    /// The opponent stands worse than its last move was made from.
    pub(super) opponent_worsening: bool,
    /// The table's move, not yet checked for legality.
    pub(super) hash_move: Option<PackedMove>,
    /// Plies added to the depth of the table's move.
    pub(super) hash_move_extension: i32,
    /// The node was on a principal variation at some time.
    pub(super) was_pv: bool,
}

impl Search<'_> {
    /// Judges the node and notes its evaluation in the frame.
    pub(super) fn assess(&mut self, node: &Node<'_>, entry: Option<&Entry>) -> Assessment {
        let raw = self.raw_evaluation(node.position, entry);
        if let (Some(raw), None) = (raw, entry) {
            self.keep_evaluation(node.position, raw);
        }
        let corrected = raw.map(|raw| self.corrected(node, raw));
        self.memory.frames.at_mut(node.ply).evaluation = corrected;
        let gain = self.gained_by_opponent(node);
        if let Some(gain) = gain {
            self.learn_from_evaluation(node, gain);
        }
        let estimate =
            corrected.map(|score| entry.map_or(score, |entry| refined(score, entry, node)));
        Assessment {
            raw,
            corrected,
            estimate,
            improving: self.is_improving(node, corrected),
            opponent_worsening: gain.is_some_and(|gain| gain < 0),
            hash_move: entry.and_then(|entry| entry.mv),
            hash_move_extension: 0,
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

    /// Stores an evaluation alone: many nodes are pruned before there is a score to store, and met
    /// again in the next iteration.
    fn keep_evaluation(&self, position: &Position, evaluation: Score) {
        let entry = Entry {
            mv: None,
            score: 0,
            evaluation: Some(evaluation),
            depth: Depth::ZERO,
            bound: None,
            was_pv: false,
        };
        self.table.store(self.table_key(position), entry);
    }

    /// The evaluation with what the correction history adds.
    pub(super) fn corrected(&self, node: &Node<'_>, raw: Score) -> Score {
        if self.job.plain {
            return raw;
        }
        if let Some(dictated) = self.dictated(node.position) {
            return dictated;
        }
        let correction = self
            .memory
            .histories
            .correction
            .get(self.correction_key(node));
        let scaled = raw.units() * material_scale(node.position) / 1024;
        let scaled = damped(scaled, node.position.halfmoves());
        Score::evaluation(scaled + correction)
    }

    /// What the error of the evaluation at `node` is remembered under.
    pub(super) fn correction_key(&self, node: &Node<'_>) -> CorrectionKey {
        CorrectionKey::new(node.position, self.memory.frames.earlier(node.ply))
    }

    /// How much better the evaluation is for the opponent than before its last move; `None`
    /// where either is missing.
    fn gained_by_opponent(&self, node: &Node<'_>) -> Option<i32> {
        let frames = &self.memory.frames;
        let now = frames.at(node.ply).evaluation?;
        let before = frames.above(node.ply, 1)?.evaluation?;
        Some(-now - before)
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

/// An evaluation that fades, to half at the end, as the fifty-move rule comes closer: who
/// makes no progress has no plan.
fn damped(evaluation: i32, halfmoves: u32) -> i32 {
    let left = 200 - convert::saturate_i32(i64::from(halfmoves.min(100)));
    evaluation * left / 200
}

/// How far the evaluation is to be believed, in 1024ths: a lead is worth more while there
/// are pieces to make something of it.
fn material_scale(position: &Position) -> i32 {
    let board = position.board();
    let count = |pieces: Bitboard| convert::count_i32(pieces.count());
    let material = 3 * count(board.knights() | board.bishops())
        + 5 * count(board.rooks())
        + 10 * count(board.queens());
    params::material_base() + params::material_weight() * material / 16
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
