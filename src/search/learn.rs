//! What a cut-off teaches the histories.

use super::{
    Search,
    assess::Assessment,
    moves::{Found, Tried},
    node::Node,
};
use shakmaty::Color;

use crate::{
    history::ContinuationKey,
    movepick, params,
    types::{Depth, PackedMove, Ply},
};

impl Search<'_> {
    /// Rewards the move that raised alpha last and blames the others that were tried, the more the
    /// deeper the search behind it.
    pub(super) fn learn(&mut self, node: &Node<'_>, best: PackedMove, found: &Found) {
        let bonus = bonus(node.depth);
        let malus = malus(node.depth);
        if node.position.is_noisy(best) {
            self.teach_noisy(node, best, bonus);
        } else {
            self.memory.frames.add_killer(node.ply, best);
            self.teach(node, best, bonus);
            for mv in others(&found.quiets, best) {
                self.teach(node, mv, -malus);
            }
        }
        for mv in others(&found.noisies, best) {
            self.teach_noisy(node, mv, -malus);
        }
    }

    /// Remembers how far the evaluation was off, where the result says so: not after a
    /// capture, which the evaluation does not see, and not where a bound leaves it open.
    pub(super) fn learn_error(&mut self, node: &Node<'_>, assessment: &Assessment, found: &Found) {
        let Some(corrected) = assessment.corrected else {
            return;
        };
        let noisy = found.best.is_some_and(|mv| node.position.is_noisy(mv));
        let open = if found.best.is_none() {
            found.score >= corrected
        } else {
            node.window.fails_high(found.score) && found.score <= corrected
        };
        if noisy || open || found.score.is_decisive() {
            return;
        }
        let key = self.correction_key(node);
        let correction = &mut self.memory.histories.correction;
        correction.learn(key, found.score - corrected, node.depth.plies());
    }

    /// Rewards the quiet move by which the table cuts the node off: it would have done so
    /// again.
    pub(super) fn learn_from_table(&mut self, node: &Node<'_>, mv: PackedMove) {
        if !node.position.is_noisy(mv) && node.position.is_legal(mv) {
            self.memory.frames.at_mut(node.ply).threats = node.position.threats();
            self.teach(node, mv, bonus(node.depth));
        }
    }

    /// Rewards the quiet move that led to the node, which has no good reply.
    pub(super) fn praise_previous(&mut self, node: &Node<'_>) {
        let Some(ply) = node.ply.previous() else {
            return;
        };
        let before = *self.memory.frames.at(ply);
        if let (Some(mv), Some(key)) = (before.quiet, before.played) {
            let bonus = bonus(node.depth);
            self.teach_quiet(ply, !node.position.turn(), mv, bonus);
            self.teach_continuation(ply, key, bonus);
        }
    }

    /// Rewards the quiet move that led to the node for the `gain` of its side's evaluation, or
    /// blames it for the loss (Stockfish 2020).
    pub(super) fn learn_from_evaluation(&mut self, node: &Node<'_>, gain: i32) {
        let Some(ply) = node.ply.previous() else {
            return;
        };
        if let Some(mv) = self.memory.frames.at(ply).quiet {
            let most = params::history_evaluation_max();
            let bonus = (gain * params::history_evaluation() / 8).clamp(-most, most);
            self.teach_quiet(ply, !node.position.turn(), mv, bonus);
        }
    }

    fn teach(&mut self, node: &Node<'_>, mv: PackedMove, bonus: i32) {
        let key = movepick::continuation_key(node.position, mv);
        self.teach_quiet(node.ply, node.position.turn(), mv, bonus);
        self.teach_continuation(node.ply, key, bonus);
    }

    fn teach_noisy(&mut self, node: &Node<'_>, mv: PackedMove, bonus: i32) {
        let key = movepick::capture_key(node.position, mv);
        self.memory.histories.capture.add(key, bonus);
    }

    /// Rewards the quiet `mv` of the node at `ply`, where `turn` is to move, or blames it.
    fn teach_quiet(&mut self, ply: Ply, turn: Color, mv: PackedMove, bonus: i32) {
        let memory = &mut *self.memory;
        let threats = memory.frames.at(ply).threats;
        memory.histories.quiet.add(turn, threats, mv, bonus);
    }

    /// The same for the move as a continuation of those before it.
    fn teach_continuation(&mut self, ply: Ply, key: ContinuationKey, bonus: i32) {
        let memory = &mut *self.memory;
        for back in [1, 2] {
            let frame = memory.frames.above(ply, back);
            if let Some(earlier) = frame.and_then(|frame| frame.played) {
                memory.histories.continuation.add(earlier, key, bonus);
            }
        }
    }
}

/// What was tried besides the best move.
fn others(tried: &Tried, best: PackedMove) -> impl Iterator<Item = PackedMove> {
    tried.iter().copied().filter(move |&mv| mv != best)
}

fn bonus(depth: Depth) -> i32 {
    (params::history_bonus() * depth.plies() + params::history_bonus_base())
        .clamp(0, params::history_bonus_max())
}

fn malus(depth: Depth) -> i32 {
    (params::history_malus() * depth.plies() + params::history_malus_base())
        .clamp(0, params::history_malus_max())
}
