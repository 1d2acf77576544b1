//! Extensions: more depth where the tree hangs on a single move.
//!
//! Singular extensions (Anantharaman, Campbell & Hsu 1990), in the form of Stockfish: if
//! every other move falls clearly short of what the table promises for its move, that move
//! is searched deeper. The same search may find that several moves fail high (multi-cut,
//! Björnsson & Marsland 1999), which ends the node, or that the table's move is nothing
//! special where it was expected to cut, which takes depth away.

use super::{
    Search,
    assess::Assessment,
    node::{Expect, Node, NodeType, NonPv, Stopped},
};
use crate::{
    params,
    tt::Entry,
    types::{Bound, Depth, Score, Window},
};

/// What the search without the table's move says about that move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Singularity {
    /// So many plies are added to its depth, or taken away.
    Extension(i32),
    /// Another move fails high as well: the node is worth at least this.
    MultiCut(Score),
}

impl Search<'_> {
    /// How the table's move compares with all others.
    pub(super) fn singularity<N: NodeType>(
        &mut self,
        node: &Node<'_>,
        assessment: &Assessment,
        entry: Option<&Entry>,
    ) -> Result<Singularity, Stopped> {
        let Some(promised) = entry.and_then(|entry| self.promise::<N>(node, entry)) else {
            return Ok(Singularity::Extension(0));
        };
        let margin = params::singular_margin() * node.depth.plies() / 16;
        let target = promised - margin;
        let others = Node {
            window: Window::null_below(target),
            depth: Depth::new((node.depth.plies() - 1) / 2),
            without: assessment.hash_move,
            ..*node
        };
        let score = self.search_moves::<NonPv>(&others, assessment)?.score;
        let beta = node.window.beta();
        Ok(if score < target {
            Singularity::Extension(extension::<N>(target - score))
        } else if !N::PV && target >= beta && !target.is_decisive() {
            Singularity::MultiCut(target)
        } else if promised >= beta {
            Singularity::Extension(-2)
        } else if node.expect == Expect::Cut {
            Singularity::Extension(-1)
        } else {
            Singularity::Extension(0)
        })
    }

    /// The score that the table promises for its move, if it is worth comparing.
    fn promise<N: NodeType>(&self, node: &Node<'_>, entry: &Entry) -> Option<Score> {
        let deep = node.depth >= Depth::new(params::singular_depth())
            && entry.depth >= node.depth - 3
            && node.ply.to_i32() < 2 * self.depth.plies();
        let mv = entry.mv.filter(|_| deep && !N::ROOT)?;
        let promised = Score::from_table(entry.score, node.ply);
        let bounded = matches!(entry.bound, Some(Bound::Lower | Bound::Exact));
        (bounded && !promised.is_decisive() && node.position.is_legal(mv)).then_some(promised)
    }
}

/// Plies for a move that is better than all others by `lead` more than it had to be.
fn extension<N: NodeType>(lead: i32) -> i32 {
    if N::PV || lead <= params::singular_double() {
        1
    } else if lead <= params::singular_triple() {
        2
    } else {
        3
    }
}
