//! The moves of the root: what each is worth, what it cost, and the line behind it.

use super::pv::Line;
use crate::types::{Bound, PackedMove, Ply, Score};

/// One legal move of the root.
#[derive(Clone)]
pub(super) struct RootMove {
    pub(super) mv: PackedMove,
    /// Value when it was last searched; minus infinity when it did not raise alpha then.
    pub(super) score: Score,
    pub(super) bound: Bound,
    /// Value after the iteration before.
    pub(super) previous: Score,
    /// Deepest ply reached below it.
    pub(super) selective_depth: Ply,
    /// Nodes spent on it by this thread since the search began.
    pub(super) nodes: u64,
    /// The line that begins with it, never empty.
    pub(super) line: Line,
}

/// All moves that are considered, the lines found so far first.
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// Index of the line being searched: moves before it belong to better lines.
    line: usize,
    /// Whether every legal move is considered.
    unrestricted: bool,
}

impl RootMoves {
    /// `moves` in any order; `unrestricted` when these are all legal moves.
    pub(super) fn new(moves: &[PackedMove], unrestricted: bool) -> Self {
        let moves = moves
            .iter()
            .map(|&mv| RootMove {
                mv,
                score: -Score::INFINITE,
                bound: Bound::Exact,
                previous: -Score::INFINITE,
                selective_depth: Ply::ROOT,
                nodes: 0,
                line: std::iter::once(mv).collect(),
            })
            .collect();
        Self {
            moves,
            line: 0,
            unrestricted,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The moves, best first once an iteration is complete.
    pub(super) fn all(&self) -> &[RootMove] {
        &self.moves
    }

    /// The best move so far.
    pub(super) fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }

    /// The best move of the line being searched, as far as earlier iterations know.
    pub(super) fn current(&self) -> Option<PackedMove> {
        self.moves.get(self.line).map(|root| root.mv)
    }

    /// The root move at the head of the line being searched.
    pub(super) fn head(&self) -> Option<&RootMove> {
        self.moves.get(self.line)
    }

    /// Whether `mv` may lead the line being searched.
    pub(super) fn considers(&self, mv: PackedMove) -> bool {
        self.moves.iter().skip(self.line).any(|root| root.mv == mv)
    }

    /// Whether the search under way considers every legal move, so that its result is
    /// the value of the position.
    pub(super) fn is_complete(&self) -> bool {
        self.unrestricted && self.line == 0
    }

    pub(super) fn find_mut(&mut self, mv: PackedMove) -> Option<&mut RootMove> {
        self.moves.iter_mut().find(|root| root.mv == mv)
    }

    /// Remembers the scores and starts over with the first line.
    pub(super) fn begin_iteration(&mut self) {
        for root in &mut self.moves {
            root.previous = root.score;
        }
    }

    /// Turns to the line of this index.
    pub(super) fn begin_line(&mut self, line: usize) {
        self.line = line;
    }

    /// Sorts the moves of the line under way, best first; equal scores keep their order.
    pub(super) fn sort(&mut self) {
        if let Some(rest) = self.moves.get_mut(self.line..) {
            rest.sort_by(|a, b| b.score.cmp(&a.score).then(b.previous.cmp(&a.previous)));
        }
    }

    /// Sorts the completed lines, best first.
    pub(super) fn sort_lines(&mut self) {
        if let Some(lines) = self.moves.get_mut(..=self.line) {
            lines.sort_by_key(|root| std::cmp::Reverse(root.score));
        }
    }
}
