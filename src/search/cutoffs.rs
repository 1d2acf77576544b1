//! Answers that need no search: draws, the horizon, mate distance, the table.

use super::{
    Search,
    node::{Node, NodeType},
};
use crate::{
    position::{Position, Trail},
    tt::Entry,
    types::{Bound, Ply, Score, Window},
};

/// Half moves without progress from which on the table is not trusted: its scores do
/// not know how close the fifty-move rule is.
const STALE_HALFMOVES: u32 = 90;
/// Half moves without progress that make a draw.
pub(super) const FIFTY_MOVES: u32 = 100;

impl Search<'_> {
    /// The static value at the depth limit of the tree.
    pub(super) fn horizon(&mut self, position: &Position) -> Score {
        if position.in_check() {
            self.draw(position)
        } else {
            self.evaluate(position)
        }
    }

    /// The node with alpha raised to a draw where its side to move can repeat a position
    /// (van Kervinck 2013): it need not accept less. That looks beyond the depth of the
    /// search, so a plain search does without.
    pub(super) fn with_upcoming_repetition<'p>(&self, node: Node<'p>) -> Node<'p> {
        let draw = self.draw(node.position);
        let may_gain = !self.job.plain && node.window.alpha() < draw;
        if may_gain && self.trail.can_repeat(node.position, node.ply) {
            let window = node.window.raised_to(draw);
            Node { window, ..node }
        } else {
            node
        }
    }
}

/// Whether the game is drawn at `position`, at the end of `trail` and `ply` plies below the
/// root, by repetition, the fifty-move rule or material. A mate on the board takes precedence
/// over the fifty-move rule (FIDE 9.6).
pub(super) fn is_draw(trail: &Trail, position: &Position, ply: Ply) -> bool {
    let halfmoves = position.halfmoves();
    trail.is_repetition(position.key(), halfmoves, ply)
        || position.is_insufficient_material()
        || (halfmoves >= FIFTY_MOVES && (!position.in_check() || position.has_legal_move()))
}

/// The window narrowed to what is still possible: no line from here can be better than
/// mating with the next move, or worse than being mated now (mate-distance pruning).
pub(super) fn within_mate_distance(node: &Node<'_>) -> Window {
    node.window
        .raised_to(Score::mated_in(node.ply))
        .lowered_to(Score::mate_in(node.ply.next()))
}

/// The table's answer, if it is deep enough and decides the window. Never at PV nodes,
/// so that principal variations stay whole.
pub(super) fn by_table<N: NodeType>(node: &Node<'_>, entry: Option<&Entry>) -> Option<Score> {
    let entry = entry?;
    if N::PV || entry.depth < node.depth || node.position.halfmoves() >= STALE_HALFMOVES {
        return None;
    }
    let score = Score::from_table(entry.score, node.ply);
    settles(node.window, score, entry.bound?).then_some(score)
}

/// Whether knowing `score` as a bound of this kind answers the question of `window`.
pub(super) fn settles(window: Window, score: Score, bound: Bound) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => window.fails_high(score),
        Bound::Upper => window.fails_low(score),
    }
}
