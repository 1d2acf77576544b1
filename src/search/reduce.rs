//! Reductions: less depth for what is likely to fail low.
//!
//! Late move reductions: with good ordering, moves far back in the list seldom matter,
//! so they are searched less deeply, and again in full if they surprise (a formula in
//! the logarithms of depth and number, as in Fruit and Stockfish since about 2005).

use super::{
    Search,
    assess::Assessment,
    node::{Expect, Node, NodeType},
    trial::Trial,
};
use crate::{
    params,
    types::{Depth, Reduction, convert},
};

const DEPTHS: usize = 64;
const NUMBERS: usize = 64;

/// The part of the reduction that depends on depth and move number alone.
pub(super) struct ReductionTable([Box<[[i32; NUMBERS]; DEPTHS]>; 2]);

impl ReductionTable {
    pub(super) fn new() -> Self {
        Self([
            Self::build(
                params::reduction_noisy_base(),
                params::reduction_noisy_divisor(),
            ),
            Self::build(
                params::reduction_quiet_base(),
                params::reduction_quiet_divisor(),
            ),
        ])
    }

    fn build(base: i32, divisor: i32) -> Box<[[i32; NUMBERS]; DEPTHS]> {
        let mut table = Box::new([[0; NUMBERS]; DEPTHS]);
        let ln = |value: usize| convert::real(value as u64).ln();
        let scale = f64::from(Reduction::ONE_PLY) * 100.0 / f64::from(divisor);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, cell) in row.iter_mut().enumerate().skip(1) {
                *cell = base + convert::truncate_i32(scale * ln(depth) * ln(number));
            }
        }
        table
    }

    /// The plain reduction of the `number`th move at `depth`.
    pub(super) fn get(&self, quiet: bool, depth: Depth, number: i32) -> Reduction {
        let depth = convert::index(depth.plies()).min(DEPTHS - 1);
        let number = convert::index(number).min(NUMBERS - 1);
        Reduction::new(self.0[usize::from(quiet)][depth][number])
    }
}

/// Internal iterative reduction (Schröder 2021): a node without a hash move was not
/// worth a move before, and is badly ordered now. The root has a move from elsewhere.
pub(super) fn depth_without_hash_move<N: NodeType>(
    node: &Node<'_>,
    assessment: &Assessment,
) -> Depth {
    let missing = assessment.hash_move.is_none();
    if missing && !N::ROOT && node.depth >= Depth::new(params::missing_move_depth()) {
        node.depth - 1
    } else {
        node.depth
    }
}

impl Search<'_> {
    /// Hindsight (Stockfish 2024): a node reached by a large reduction whose side does not
    /// do better than before was reduced too much; one that stands far better than its
    /// parent believed needs less.
    pub(super) fn depth_in_hindsight<N: NodeType>(&self, node: &Node<'_>) -> Depth {
        let frames = &self.memory.frames;
        let (now, parent) = (frames.at(node.ply), frames.above(node.ply, 1));
        let Some(parent) = parent.filter(|_| !N::ROOT) else {
            return node.depth;
        };
        let (Some(ours), Some(theirs)) = (now.evaluation, parent.evaluation) else {
            return node.depth;
        };
        let gain = ours - -theirs;
        if parent.reduction >= 3 && gain <= params::hindsight_deeper() {
            node.depth + 1
        } else if parent.reduction >= 2
            && node.depth > Depth::ONE
            && gain > params::hindsight_shallower()
        {
            node.depth - 1
        } else {
            node.depth
        }
    }
}

/// The late move reduction with all its terms.
pub(super) fn late_move<N: NodeType>(
    node: &Node<'_>,
    assessment: &Assessment,
    trial: &Trial,
) -> Reduction {
    let mut reduction = trial.plain;
    if node.expect == Expect::Cut {
        reduction += params::reduction_cut_node();
        if assessment.hash_move.is_none() {
            reduction += params::reduction_cut_node_unknown();
        }
    }
    if !assessment.improving {
        reduction += params::reduction_not_improving();
    }
    if N::PV || assessment.was_pv {
        reduction -= params::reduction_pv();
    }
    if trial.gives_check {
        reduction -= params::reduction_check();
    }
    if trial.killer {
        reduction -= params::reduction_killer();
    }
    reduction -= trial.history * Reduction::ONE_PLY / params::reduction_history();
    reduction
}
