//! The log of a search: every algorithm tells it where it goes, and it counts.
//!
//! A node is entered and left; between the two its children are. So the log knows, without
//! being told, which move was best, how many were tried before a cut, and what each node
//! was expected to be. It may also keep a sketch of the tree, for drawing. Invariant: nodes
//! are left in the reverse order in which they were entered, and a search leaves all.

use super::{
    State,
    anatomy::{Census, Kind, Ordering},
};
use crate::types::{Score, Window};

/// What the next child is, besides a move not tried before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Move,
    Repetition,
    Pass,
}

/// A node under way.
#[derive(Clone, Debug)]
struct Frame<M> {
    window: Window,
    expected: Kind,
    mv: Option<M>,
    passing: bool,
    /// Moves there are, and moves tried so far.
    moves: usize,
    tried: usize,
    best: Score,
    best_move: Option<(usize, M)>,
    /// Place in the sketch.
    place: Option<usize>,
}

/// A node of a tree as it is drawn.
#[derive(Clone, Debug)]
pub struct Sketch {
    /// Index of the parent; `None` for a root.
    pub parent: Option<usize>,
    /// Name of the state.
    pub name: String,
    /// The window it was asked about.
    pub window: Window,
    /// What it was expected to be.
    pub expected: Kind,
    /// What it returned; `None` while it is under way.
    pub value: Option<Score>,
    /// Moves there are; 0 at a leaf.
    pub moves: usize,
    /// Moves tried.
    pub tried: usize,
    /// Whether a pass led here.
    pub passing: bool,
}

/// Counts, and the path from the root to the node under way.
#[derive(Clone, Debug)]
pub struct Log<M> {
    /// Nodes visited, leaves included, those of quiescence not.
    pub nodes: u64,
    /// Nodes at the horizon or at the end of the game.
    pub leaves: u64,
    /// Nodes of quiescence below the leaves.
    pub quiescence: u64,
    /// How well moves were ordered.
    pub ordering: Ordering,
    /// What the nodes were, against what was expected.
    pub census: Census,
    path: Vec<Frame<M>>,
    next: Next,
    best: Option<M>,
    sketch: Vec<Sketch>,
    /// Nodes that the sketch has room for.
    room: usize,
}

impl<M> Default for Log<M> {
    fn default() -> Self {
        Self {
            nodes: 0,
            leaves: 0,
            quiescence: 0,
            ordering: Ordering::default(),
            census: Census::default(),
            path: Vec::new(),
            next: Next::Move,
            best: None,
            sketch: Vec::new(),
            room: 0,
        }
    }
}

impl<M: Copy> Log<M> {
    /// A log that counts.
    pub fn new() -> Self {
        Self::default()
    }

    /// A log that also keeps the first `room` nodes, for drawing small trees.
    pub fn sketching(room: usize) -> Self {
        Self {
            room,
            ..Self::default()
        }
    }

    /// The best move of the root in the last search that found one.
    pub const fn best_move(&self) -> Option<M> {
        self.best
    }

    /// The nodes that were kept, in the order in which they were entered.
    pub fn sketch(&self) -> &[Sketch] {
        &self.sketch
    }

    /// Enters a node with so many `moves`.
    pub fn enter<S: State<Move = M>>(&mut self, state: &S, window: Window, moves: usize) {
        let next = std::mem::replace(&mut self.next, Next::Move);
        self.nodes += 1;
        let expected = match self.path.last_mut() {
            None => Kind::of_root(window),
            Some(parent) => {
                let first = parent.tried == 0;
                parent.tried += usize::from(next == Next::Move);
                parent.expected.of_child(first)
            }
        };
        let passing = next == Next::Pass;
        let place = (self.sketch.len() < self.room).then_some(self.sketch.len());
        if place.is_some() {
            self.sketch.push(Sketch {
                parent: self.path.last().and_then(|frame| frame.place),
                name: state.name(),
                window,
                expected,
                value: None,
                moves,
                tried: 0,
                passing,
            });
        }
        self.path.push(Frame {
            window,
            expected,
            mv: state.last_move(),
            passing,
            moves,
            tried: 0,
            best: -Score::INFINITE,
            best_move: None,
            place,
        });
    }

    /// Leaves the node under way with `value`, which is passed through.
    pub fn leave(&mut self, value: Score) -> Score {
        let Some(frame) = self.path.pop() else {
            return value;
        };
        self.finish(&frame, value);
        match self.path.last_mut() {
            Some(parent) if !frame.passing => parent.hear(frame.mv, -value),
            Some(_) => {}
            None => {
                let raised = !frame.window.fails_low(value) || self.best.is_none();
                self.best = frame
                    .best_move
                    .map(|(_, mv)| mv)
                    .filter(|_| raised)
                    .or(self.best);
            }
        }
        value
    }

    /// Enters and leaves a leaf.
    pub fn leaf<S: State<Move = M>>(&mut self, state: &S, window: Window, value: Score) -> Score {
        self.leaves += 1;
        self.recall(state, window, value)
    }

    /// Enters and leaves a node whose value was known before.
    pub fn recall<S: State<Move = M>>(&mut self, state: &S, window: Window, value: Score) -> Score {
        self.enter(state, window, 0);
        self.leave(value)
    }

    /// Counts a node of quiescence.
    pub const fn quiet(&mut self) {
        self.quiescence += 1;
    }

    /// The next child is the last one again.
    pub const fn repeat(&mut self) {
        self.next = Next::Repetition;
    }

    /// The next child follows from a pass.
    pub const fn passing(&mut self) {
        self.next = Next::Pass;
    }

    /// The moves of the node under way are tried again from the first on.
    pub fn restart(&mut self) {
        if let Some(frame) = self.path.last_mut() {
            frame.tried = 0;
            frame.best = -Score::INFINITE;
            frame.best_move = None;
        }
    }

    fn finish(&mut self, frame: &Frame<M>, value: Score) {
        let found = Kind::found(frame.window, value);
        self.census.note(frame.expected, found);
        if let Some((best, _)) = frame.best_move.filter(|_| found != Kind::All) {
            self.ordering.note(best, frame.moves);
            if found == Kind::Cut {
                self.ordering.note_cut(frame.tried);
            }
        }
        if let Some(drawn) = frame.place.and_then(|place| self.sketch.get_mut(place)) {
            drawn.value = Some(value);
            drawn.tried = frame.tried;
        }
    }
}

impl<M> Frame<M> {
    /// A child that `mv` led to is worth `value`.
    fn hear(&mut self, mv: Option<M>, value: Score) {
        if value > self.best {
            self.best = value;
            self.best_move = mv.map(|mv| (self.tried.saturating_sub(1), mv));
        }
    }
}
