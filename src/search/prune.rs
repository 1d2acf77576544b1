//! Pruning before and among the moves, by static judgement.
//!
//! Pruning of the whole node is off in check and at PV nodes, pruning among the moves as
//! long as only losses have been found and without pieces (zugzwang).

use super::{
    Search,
    assess::Assessment,
    node::{Node, Stopped},
    trial::Trial,
};
use crate::{
    params,
    tt::Entry,
    types::{Depth, Score},
};

/// What to do with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Search it.
    Search,
    /// Leave it out.
    Skip,
    /// Leave it out, and all quiet moves after it.
    SkipQuiets,
}

impl Search<'_> {
    /// A score for the whole node without trying its moves, if the node looks decided.
    pub(super) fn prune_node(
        &mut self,
        node: &Node<'_>,
        assessment: &Assessment,
        entry: Option<&Entry>,
    ) -> Result<Option<Score>, Stopped> {
        if let Some(score) = reverse_futility(node, assessment) {
            return Ok(Some(score));
        }
        if let Some(score) = self.try_null_move(node, assessment)? {
            return Ok(Some(score));
        }
        self.try_probcut(node, assessment, entry)
    }
}

/// Whether a move is worth its search, given that the node is not lost for all that is known.
pub(super) fn judge_move(node: &Node<'_>, assessment: &Assessment, trial: &Trial) -> Verdict {
    if trial.quiet {
        judge_quiet(node, assessment, trial)
    } else if loses_too_much(
        node,
        trial,
        params::see_capture_margin() * node.depth.plies(),
    ) {
        Verdict::Skip
    } else {
        Verdict::Search
    }
}

fn judge_quiet(node: &Node<'_>, assessment: &Assessment, trial: &Trial) -> Verdict {
    if comes_too_late(node, assessment, trial) || is_futile(node, assessment, trial) {
        return Verdict::SkipQuiets;
    }
    let reduced = trial.reduced_depth.plies();
    let poor_history = reduced <= params::history_pruning_depth()
        && trial.history < params::history_pruning_margin() * reduced.max(1);
    let margin = params::see_quiet_margin() * reduced * reduced;
    if poor_history || loses_too_much(node, trial, margin) {
        Verdict::Skip
    } else {
        Verdict::Search
    }
}

/// Reverse futility, or static null-move, pruning (Heinz 1998): so far above beta that a
/// shallow search will hardly come below it. Not where a principal variation once went: there
/// the exact value matters.
fn reverse_futility(node: &Node<'_>, assessment: &Assessment) -> Option<Score> {
    let estimate = assessment.estimate?;
    let beta = node.window.beta();
    let shallow = node.depth <= Depth::new(params::reverse_futility_depth());
    if !shallow || assessment.was_pv || beta.is_decisive() {
        return None;
    }
    let margin = params::reverse_futility_margin() * node.depth.plies()
        - params::reverse_futility_improving() * i32::from(assessment.improving)
        - params::reverse_futility_worsening() * i32::from(assessment.opponent_worsening);
    (estimate - margin.max(0) >= beta && !estimate.is_decisive())
        .then(|| estimate.half_way_to(beta))
}

/// Late move pruning: with good ordering the best move is seldom so far back.
fn comes_too_late(node: &Node<'_>, assessment: &Assessment, trial: &Trial) -> bool {
    let depth = node.depth.plies();
    let halving = if assessment.improving { 1 } else { 2 };
    depth <= params::late_move_depth()
        && trial.number > (params::late_move_base() + depth * depth) / halving
}

/// Futility pruning (Schaeffer 1986): a quiet move will not make up for so large a deficit.
fn is_futile(node: &Node<'_>, assessment: &Assessment, trial: &Trial) -> bool {
    let Some(estimate) = assessment.estimate else {
        return false;
    };
    let reduced = trial.reduced_depth.plies();
    reduced <= params::futility_depth()
        && !trial.gives_check
        && estimate + params::futility_base() + params::futility_margin() * reduced
            <= node.window.alpha()
}

/// Static exchange evaluation says that the move drops more than `margin` (negative).
fn loses_too_much(node: &Node<'_>, trial: &Trial, margin: i32) -> bool {
    node.depth <= Depth::new(params::see_pruning_depth())
        && !node.position.see_reaches(trial.mv, margin)
}
