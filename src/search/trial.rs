//! A move about to be searched, with all that pruning and reductions ask about it.

use super::{Search, assess::Assessment, node::Node};
use crate::{
    movepick::{self, Hints},
    types::{Depth, PackedMove, Reduction},
};

/// A move about to be searched.
pub(super) struct Trial {
    pub(super) mv: PackedMove,
    /// From 1, in the order of the picker.
    pub(super) number: i32,
    pub(super) quiet: bool,
    pub(super) gives_check: bool,
    pub(super) killer: bool,
    /// The histories' score of a quiet move; 0 for others.
    pub(super) history: i32,
    /// Plies added to the depth of the child.
    pub(super) extension: i32,
    /// The plain late move reduction.
    pub(super) plain: Reduction,
    /// The depth the move would have after its plain reduction.
    pub(super) reduced_depth: Depth,
}

impl Search<'_> {
    /// Collects what is known of the `number`th move of the node.
    pub(super) fn prepare(
        &self,
        node: &Node<'_>,
        assessment: &Assessment,
        hints: &Hints,
        mv: PackedMove,
        number: i32,
    ) -> Trial {
        let position = node.position;
        let quiet = !position.is_noisy(mv);
        let histories = &self.memory.histories;
        let history = if quiet {
            movepick::quiet_score(position, mv, hints, histories)
        } else {
            0
        };
        let plain = self.memory.reductions.get(quiet, node.depth, number);
        let gives_check = position.gives_check(mv);
        Trial {
            mv,
            number,
            quiet,
            gives_check,
            killer: hints.killers.contains(&Some(mv)),
            history,
            // Forcing moves go deeper: a check that loses nothing.
            extension: if self.job.plain {
                0
            } else if assessment.hash_move == Some(mv) && assessment.hash_move_extension != 0 {
                assessment.hash_move_extension
            } else {
                i32::from(gives_check && position.see_reaches(mv, 0))
            },
            plain,
            reduced_depth: (node.depth - 1).reduced_by(plain).max(Depth::ZERO),
        }
    }
}
