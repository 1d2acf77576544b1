//! The moves of the root: what each is worth, what it cost, and the line behind it.

use std::cmp::Reverse;

use super::pv::Line;
use crate::{
    tablebase::rank::{Ranked, Ranking},
    types::{Bound, Depth, PackedMove, Ply, Score},
};

/// One legal move of the root.
#[derive(Clone)]
pub(super) struct RootMove {
    pub(super) mv: PackedMove,
    /// What endgame tables say about it. A move of lower rank is not considered as long as
    /// one of higher rank is left.
    pub(super) ranked: Option<Ranked>,
    /// Value when it was last searched; `None` when it did not raise alpha then.
    pub(super) value: Option<Value>,
    /// Value as the head of a line, or since then the value of a line that was better; `None` if
    /// it has not led one lately.
    pub(super) settled: Option<Value>,
    /// Score after the iteration before.
    pub(super) previous: Option<Score>,
    /// Deepest ply reached below it.
    pub(super) selective_depth: Ply,
    /// Nodes spent on it by this thread since the search began.
    pub(super) nodes: u64,
    /// The line that begins with it, never empty.
    pub(super) line: Line,
}

impl RootMove {
    fn rank(&self) -> i32 {
        self.ranked.map_or(0, |ranked| ranked.rank)
    }

    pub(super) fn score(&self) -> Option<Score> {
        self.value.map(|value| value.score)
    }

    /// By what moves are sorted.
    fn worth(&self) -> (i32, Option<Score>) {
        (self.rank(), self.score())
    }

    /// The value to tell: that of the tables, unless the search has found a mate.
    pub(super) fn told(&self) -> Option<Value> {
        let value = self.value?;
        let ranked = self.ranked.filter(|_| !value.score.is_mate());
        Some(ranked.map_or(value, |ranked| Value {
            score: ranked.score,
            bound: Bound::Exact,
            ..value
        }))
    }
}

/// What a move is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) score: Score,
    pub(super) bound: Bound,
    /// Iteration that found it.
    pub(super) depth: Depth,
}

impl Value {
    /// What is left of it now that it cannot be more than `limit`, if that is known.
    fn at_most(self, limit: Option<Score>) -> Self {
        match limit {
            Some(limit) if self.score > limit => Self {
                score: limit,
                bound: Bound::Upper,
                ..self
            },
            _ => self,
        }
    }
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
    pub(super) fn new(moves: &[PackedMove], unrestricted: bool, ranking: Option<&Ranking>) -> Self {
        let ranked = |mv| {
            let mut moves = ranking?.moves.iter();
            moves.find(|ranked| ranked.mv == mv).copied()
        };
        let mut moves: Vec<_> = moves
            .iter()
            .map(|&mv| RootMove {
                mv,
                ranked: ranked(mv),
                value: None,
                settled: None,
                previous: None,
                selective_depth: Ply::ROOT,
                nodes: 0,
                line: std::iter::once(mv).collect(),
            })
            .collect();
        moves.sort_by_key(|root| Reverse(root.rank()));
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
        self.candidates().any(|root| root.mv == mv)
    }

    /// Whether a single move is worth playing, as the rules or the tables say.
    pub(super) fn is_forced(&self) -> bool {
        let highest = self.best().map(RootMove::rank);
        let peers = self.moves.iter().map(RootMove::rank);
        peers.filter(|&rank| Some(rank) == highest).count() == 1
    }

    /// The moves that may lead the line being searched.
    fn candidates(&self) -> impl Iterator<Item = &RootMove> {
        let rest = self.moves.get(self.line..).unwrap_or_default();
        let highest = rest.first().map(RootMove::rank);
        rest.iter().filter(move |root| Some(root.rank()) == highest)
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
            root.previous = root.score();
        }
    }

    /// Turns to the line of this index.
    pub(super) fn begin_line(&mut self, line: usize) {
        self.line = line;
    }

    /// Sorts the moves of the line under way, best first; equal scores keep their order.
    pub(super) fn sort(&mut self) {
        if let Some(rest) = self.moves.get_mut(self.line..) {
            rest.sort_by_key(|root| Reverse((root.worth(), root.previous)));
        }
    }

    /// The line under way is complete: the move at its head has a value, and none after it is
    /// worth more, whatever it seemed to be worth an iteration ago.
    pub(super) fn settle(&mut self) {
        let rest = self.moves.get_mut(self.line..).unwrap_or_default();
        if let Some((head, rest)) = rest.split_first_mut() {
            head.settled = head.value;
            for root in rest {
                let limited = |value: Option<Value>| Some(value?.at_most(head.score()));
                root.value = limited(root.value);
                root.settled = limited(root.settled);
            }
        }
    }

    /// All lines are complete: the moves that led none have no value of their own.
    pub(super) fn forget_unsettled(&mut self) {
        let rest = self.moves.get_mut(self.line + 1..).unwrap_or_default();
        for root in rest {
            root.settled = None;
        }
    }

    /// The best lines as they stand, in the order of their values: those with a value and, in the
    /// middle of an iteration, those that had one in the iteration before, with that value. If one
    /// of these then seems better than the best move, which may have failed low since, the best move
    /// is told as it was in the iteration before, too.
    pub(super) fn standing(&self, count: usize) -> Vec<RootMove> {
        let mut lines = self.moves.clone();
        for root in &mut lines {
            root.value = root.value.or(root.settled);
        }
        lines.retain(|root| root.value.is_some());
        if let Some((best, others)) = lines.split_first_mut().filter(|_| count > 1) {
            others.sort_by_key(|root| Reverse(root.worth()));
            let outdone = others
                .first()
                .is_some_and(|root| root.worth() > best.worth());
            if outdone {
                best.value = best.settled.or(best.value);
            }
            for root in others.iter_mut().filter(|root| root.worth() > best.worth()) {
                root.value = root.value.map(|value| value.at_most(best.score()));
            }
        }
        lines.truncate(count);
        lines
    }

    /// Sorts the completed lines, best first.
    pub(super) fn sort_lines(&mut self) {
        if let Some(lines) = self.moves.get_mut(..=self.line) {
            lines.sort_by_key(|root| Reverse(root.worth()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Game;

    /// The legal moves of the start position, of which the tables prefer the last two.
    fn ranked() -> (Vec<PackedMove>, RootMoves) {
        let game = Game::start();
        let legal = game.legal_moves();
        let position = game.position();
        let moves: Vec<_> = legal.into_iter().map(|mv| position.pack(mv)).collect();
        let ranked = moves.iter().enumerate().map(|(number, &mv)| {
            let won = number >= moves.len() - 2;
            let (rank, score) = if won {
                (9, Score::tablebase_win(Ply::ROOT))
            } else {
                (0, Score::DRAW)
            };
            Ranked { mv, rank, score }
        });
        let ranking = Ranking {
            moves: ranked.collect(),
            sufficient: true,
        };
        let root = RootMoves::new(&moves, true, Some(&ranking));
        (moves, root)
    }

    fn exactly(score: i32) -> Value {
        Value {
            score: Score::new(score),
            bound: Bound::Exact,
            depth: Depth::ONE,
        }
    }

    #[test]
    fn a_move_of_lower_rank_waits_until_no_higher_one_is_left() {
        let (moves, mut root) = ranked();
        let considered = |root: &RootMoves| {
            let considered = moves.iter().filter(|&&mv| root.considers(mv));
            considered.copied().collect::<Vec<_>>()
        };
        assert_eq!(considered(&root), moves[18..]);
        assert!(!root.is_forced());
        root.begin_line(1);
        assert_eq!(considered(&root), moves[19..]);
        root.begin_line(2);
        assert_eq!(considered(&root), moves[..18]);
    }

    #[test]
    fn values_are_those_of_the_latest_lines() {
        let (moves, mut root) = ranked();
        let settled = |root: &RootMoves| {
            let settled = root.all().iter().filter_map(|root| root.settled);
            settled
                .map(|settled| (settled.score.units(), settled.bound))
                .collect::<Vec<_>>()
        };
        let lead = |root: &mut RootMoves, mv: PackedMove, line, score| {
            root.begin_line(line);
            root.find_mut(mv).expect("a legal move").value = Some(exactly(score));
            root.sort();
            root.settle();
            settled(root)
        };
        let (exact, upper) = (Bound::Exact, Bound::Upper);
        assert_eq!(lead(&mut root, moves[18], 0, 50), [(50, exact)]);
        assert_eq!(
            lead(&mut root, moves[19], 1, 30),
            [(50, exact), (30, exact)]
        );
        // In the next iteration the second move leads, and the first is worth less than it.
        root.forget_unsettled();
        root.find_mut(moves[18]).expect("a legal move").value = None;
        assert_eq!(
            lead(&mut root, moves[19], 0, 20),
            [(20, exact), (20, upper)]
        );
        root.forget_unsettled();
        assert_eq!(settled(&root), [(20, exact)]);
    }

    #[test]
    fn lines_of_the_iteration_before_keep_their_own_values() {
        let game = Game::start();
        let position = game.position();
        let legal = game.legal_moves().into_iter();
        let moves: Vec<_> = legal.map(|mv| position.pack(mv)).collect();
        let mut root = RootMoves::new(&moves, true, None);
        let (exact, upper) = (Bound::Exact, Bound::Upper);
        let value = |score, bound, depth| Value {
            score,
            bound,
            depth: Depth::new(depth),
        };
        let before = [30, 20, 10].map(|score| value(Score::new(score), exact, 7));
        for (mv, before) in moves.iter().zip(before) {
            root.find_mut(*mv).expect("a legal move").settled = Some(before);
        }
        let told = |root: &RootMoves| {
            let lines = root.standing(3).into_iter();
            lines.filter_map(|root| root.value).collect::<Vec<_>>()
        };
        // The best move has failed low, and nothing else was searched since.
        let best = root.find_mut(moves[0]).expect("a legal move");
        let low = value(Score::mated_in(Ply::new(2)), upper, 8);
        best.value = Some(low);
        assert_eq!(told(&root), before);
        assert_eq!(root.standing(1)[0].value, Some(low));
        // It is worth a little less than before, but more than the others were.
        let best = root.find_mut(moves[0]).expect("a legal move");
        let new = value(Score::new(25), exact, 8);
        best.value = Some(new);
        assert_eq!(told(&root), [new, before[1], before[2]]);
        // The line is complete, so no other move is worth more.
        let best = root.find_mut(moves[0]).expect("a legal move");
        let new = value(Score::new(15), exact, 8);
        best.value = Some(new);
        root.settle();
        let limited = value(Score::new(15), upper, 7);
        assert_eq!(told(&root), [new, limited, before[2]]);
    }

    #[test]
    fn a_better_score_does_not_make_up_for_a_lower_rank() {
        let (moves, mut root) = ranked();
        for (mv, score) in [(moves[3], 500), (moves[19], -20)] {
            let found = root.find_mut(mv).expect("a legal move");
            found.value = Some(exactly(score));
        }
        root.sort();
        assert_eq!(root.current(), Some(moves[19]));
        let best = root.best().expect("there are moves");
        let told = best.told().expect("it was searched");
        let won = (Score::tablebase_win(Ply::ROOT), Bound::Exact);
        assert_eq!((told.score, told.bound), won);
    }
}
