//! Null-move pruning (Donninger 1993; Beal 1989 for the idea).
//!
//! It bets that passing is worse than the best move: if the opponent, moving twice,
//! cannot bring the score below beta, a real move would certainly hold it. The bet is
//! off in zugzwang, hence: never in check, never twice in a row, never with king, pawns and
//! at most one knight or bishop only, and at high depth the cut-off is verified by a reduced
//! search without null moves (Tabibi & Netanyahu 2002). The reduction grows with depth (Heinz
//! 1999) and with the distance from beta.

use super::{
    Search,
    assess::Assessment,
    node::{Expect, Node, NonPv, Stopped},
};
use crate::{
    params,
    types::{Depth, Ply, Score, Window},
};

impl Search<'_> {
    /// The score of a cut-off by passing, if there is one.
    pub(super) fn try_null_move(
        &mut self,
        node: &Node<'_>,
        assessment: &Assessment,
    ) -> Result<Option<Score>, Stopped> {
        let Some(estimate) = assessment.estimate.filter(|_| self.may_pass(node)) else {
            return Ok(None);
        };
        let beta = node.window.beta();
        if estimate < beta || beta.is_loss() {
            return Ok(None);
        }
        let depth = node.depth - reduction(node.depth, estimate - beta);
        let score = self.pass(node, depth)?;
        if !node.window.fails_high(score) {
            return Ok(None);
        }
        // A mate found while passing proves nothing about its length.
        let score = if score.is_win() { beta } else { score };
        if node.depth < Depth::new(params::null_move_verify_depth()) {
            return Ok(Some(score));
        }
        Ok(self.is_verified(node, assessment, depth)?.then_some(score))
    }

    fn may_pass(&self, node: &Node<'_>) -> bool {
        node.depth >= Depth::new(params::null_move_depth())
            && node.ply >= self.null_moves_from
            && self
                .memory
                .frames
                .above(node.ply, 1)
                .is_some_and(|frame| frame.played.is_some())
            && node.position.has_reserves(node.position.turn())
    }

    fn pass(&mut self, node: &Node<'_>, depth: Depth) -> Result<Score, Stopped> {
        let child = self.play_null(node);
        let score = -self.negamax::<NonPv>(Node {
            position: &child,
            window: -Window::null_below(node.window.beta()),
            depth,
            ply: node.ply.next(),
            expect: node.expect.of_child(),
            without: None,
        })?;
        self.unplay();
        Ok(score)
    }

    /// Searches the moves of the node itself at the reduced depth, with null moves switched
    /// off in the upper part of the tree; true if the node fails high without them.
    fn is_verified(
        &mut self,
        node: &Node<'_>,
        assessment: &Assessment,
        depth: Depth,
    ) -> Result<bool, Stopped> {
        let before = self.null_moves_from;
        let span = (3 * depth.plies() / 4).max(1);
        self.null_moves_from =
            Ply::new(u16::try_from(node.ply.to_i32() + span).unwrap_or(u16::MAX));
        let verifying = Node {
            window: Window::null_below(node.window.beta()),
            depth: depth.max(Depth::ONE),
            expect: Expect::Cut,
            ..*node
        };
        let found = self.search_moves::<NonPv>(&verifying, assessment)?;
        self.null_moves_from = before;
        Ok(node.window.fails_high(found.score))
    }
}

/// Plies taken off, the null move itself included.
fn reduction(depth: Depth, excess: i32) -> i32 {
    let for_depth = depth.plies() / params::null_move_divisor();
    let for_excess = (excess / params::null_move_excess()).min(params::null_move_excess_max());
    params::null_move_base() + for_depth + for_excess
}
