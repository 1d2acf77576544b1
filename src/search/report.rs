//! What a search tells the outside: the [`Reporter`] and what passes through it.
//!
//! UCI, the benchmark and the tests are three reporters. The search itself never
//! prints.

use std::{ops::Add, time::Duration};

use shakmaty::Move;

use crate::{
    position::Position,
    types::{Bound, Depth, Ply, Score, convert},
};

/// One line of thought: the state of one principal variation.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// Depth of the iteration.
    pub depth: Depth,
    /// Deepest ply reached, quiescence search included.
    pub selective_depth: Ply,
    /// Rank of the line, from 1 (`multipv`).
    pub line: usize,
    /// Value of the line for the side to move at the root.
    pub score: Score,
    /// Whether the score is exact or only a bound (a fail high or low at the root).
    pub bound: Bound,
    /// Nodes visited so far by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Share of the table filled by this search, in permille.
    pub hashfull: u32,
    /// Tablebase positions found so far by all threads.
    pub tablebase_hits: u64,
    /// The line itself: legal moves from the root, at least one.
    pub pv: &'a [Move],
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The move to play; `None` only when the root has no legal move.
    pub best: Option<Move>,
    /// The answer that is expected, for pondering.
    pub ponder: Option<Move>,
    /// The line that begins with the best move; empty without a legal move.
    pub pv: Vec<Move>,
    /// Value of the best move; minus infinity if none was searched.
    pub score: Score,
    /// Whether that value is exact.
    pub bound: Bound,
    /// Last completed depth.
    pub depth: Depth,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
    /// How well the thread that found it ordered its moves in the main search.
    pub cutoffs: Cutoffs,
    /// The same for the quiescence search.
    pub quiet_cutoffs: Cutoffs,
    /// The best moves with their values, if the search was asked for
    /// [several](super::Effort::lines) to choose from.
    pub choices: Vec<Choice>,
}

/// A move that might be played.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Its value.
    pub score: Score,
    /// The line that begins with it.
    pub pv: Vec<Move>,
    /// The answer that is expected.
    pub ponder: Option<Move>,
}

/// Nodes that a move cut: how many, and how many the first move did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cutoffs {
    /// All of them.
    pub all: u64,
    /// Those that needed one move.
    pub first: u64,
}

impl Cutoffs {
    /// Counts a node that the move with this number, from 1, cut.
    #[inline]
    pub(super) fn note(&mut self, number: i32) {
        self.all += 1;
        self.first += u64::from(number == 1);
    }

    /// How often the first move did it, 0 to 1; `None` without such nodes.
    pub fn by_first(self) -> Option<f64> {
        (self.all > 0).then(|| convert::real(self.first) / convert::real(self.all))
    }
}

impl Add for Cutoffs {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            all: self.all + other.all,
            first: self.first + other.first,
        }
    }
}

impl Outcome {
    /// The outcome where nothing was searched: the game is over, or every thread failed and
    /// `best` is played unseen.
    pub fn without_search(position: &Position, best: Option<Move>, time: Duration) -> Self {
        let mated = best.is_none() && position.in_check();
        Self {
            best,
            ponder: None,
            pv: best.into_iter().collect(),
            score: if mated {
                Score::mated_in(Ply::ROOT)
            } else {
                Score::DRAW
            },
            bound: Bound::Exact,
            depth: Depth::ZERO,
            nodes: 0,
            time,
            cutoffs: Cutoffs::default(),
            quiet_cutoffs: Cutoffs::default(),
            choices: Vec::new(),
        }
    }
}

/// Receives what the search has to say, on the thread that searches.
pub trait Reporter: Send + Sync {
    /// A new or changed line.
    fn line(&self, report: &Report<'_>);

    /// The root move about to be searched, numbered from 1; sent only in long searches.
    fn current_move(&self, depth: Depth, mv: Move, number: usize) {
        let _ = (depth, mv, number);
    }

    /// The line that is being looked at; sent only if the job asks for it.
    fn current_line(&self, line: &[Move]) {
        let _ = line;
    }

    /// A root move that is not among the best, and the line that refutes it, if one is known;
    /// sent only if the job asks for it.
    fn refutation(&self, line: &[Move]) {
        let _ = line;
    }

    /// Something that no line says, in words.
    fn remark(&self, words: &str) {
        let _ = words;
    }

    /// A thread failed, which is a fault of the program; the search goes on without it.
    fn fault(&self, message: &str) {
        let _ = message;
    }

    /// The search is over. Called exactly once.
    fn finished(&self, outcome: &Outcome);
}
