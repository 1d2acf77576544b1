//! What a cut-off teaches the histories.

use super::{
    Search,
    assess::Assessment,
    moves::{Found, Tried},
    node::Node,
};
use crate::{
    movepick, params,
    types::{Depth, PackedMove},
};

impl Search<'_> {
    /// Rewards the move that raised alpha last and blames the others that were tried, the more the
    /// deeper the search behind it.
    pub(super) fn learn(&mut self, node: &Node<'_>, best: PackedMove, found: &Found) {
        let bonus = bonus(node.depth);
        let malus = malus(node.depth);
        let others =
            |tried: &Tried| -> Tried { tried.iter().copied().filter(|&mv| mv != best).collect() };
        if node.position.is_noisy(best) {
            self.teach_noisy(node, best, bonus);
        } else {
            self.memory.frames.add_killer(node.ply, best);
            self.teach_quiet(node, best, bonus);
            for mv in others(&found.quiets) {
                self.teach_quiet(node, mv, -malus);
            }
        }
        for mv in others(&found.noisies) {
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

    fn teach_noisy(&mut self, node: &Node<'_>, mv: PackedMove, bonus: i32) {
        let key = movepick::capture_key(node.position, mv);
        self.memory.histories.capture.add(key, bonus);
    }

    fn teach_quiet(&mut self, node: &Node<'_>, mv: PackedMove, bonus: i32) {
        let key = movepick::continuation_key(node.position, mv);
        let memory = &mut *self.memory;
        memory.histories.quiet.add(node.position.turn(), mv, bonus);
        for back in [1, 2] {
            let earlier = memory
                .frames
                .above(node.ply, back)
                .and_then(|frame| frame.played);
            if let Some(earlier) = earlier {
                memory.histories.continuation.add(earlier, key, bonus);
            }
        }
    }
}

fn bonus(depth: Depth) -> i32 {
    (params::history_bonus() * depth.plies() + params::history_bonus_base())
        .clamp(0, params::history_bonus_max())
}

fn malus(depth: Depth) -> i32 {
    (params::history_malus() * depth.plies() + params::history_malus_base())
        .clamp(0, params::history_malus_max())
}
