//! The game as the algorithms see it: moves, making one, and a value where search ends.
//!
//! A [`State`] is a node of a game tree for two players whose gains add up to nothing. It is
//! copied, not changed, when a move is made. Invariant: what its methods return depends on
//! the state alone, not on the way there, so that a table of states stays true (positions
//! with a history do not have this property: the graph-history interaction, Campbell 1985).

use std::fmt::Debug;

use crate::types::Score;

/// A node of a game tree, seen by the side to move.
pub trait State: Clone {
    /// What leads from one state to the next.
    type Move: Copy + Debug + PartialEq;

    /// All moves, in the order in which they are to be tried; none where the game is over.
    fn moves(&self) -> Vec<Self::Move>;

    /// The state after `mv`, with the other side to move.
    #[must_use]
    fn make(&self, mv: Self::Move) -> Self;

    /// The value for the side to move without looking ahead: the result where the game is
    /// over, a judgement elsewhere.
    fn evaluate(&self) -> Score;

    /// The move that led here; `None` at the root and after passing.
    fn last_move(&self) -> Option<Self::Move>;

    /// A number that tells this state from others, for tables.
    fn key(&self) -> u64;

    /// What people call this state, in a picture of the tree.
    fn name(&self) -> String;

    /// What must be played out before [`State::evaluate`] may be trusted; by default nothing.
    fn unrest(&self) -> Unrest<Self::Move> {
        Unrest {
            stand_pat: Some(self.evaluate()),
            moves: Vec::new(),
        }
    }

    /// The state with the other side to move; `None` where passing is impossible.
    fn pass(&self) -> Option<Self> {
        None
    }

    /// Pieces, other than kings and pawns, of the side to move and of the other side: what
    /// null-move pruning asks about, since with few of them zugzwang is likely.
    fn pieces(&self) -> [usize; 2] {
        [0, 0]
    }
}

/// The moves that a quiescence search plays out, and the alternative to all of them.
#[derive(Clone, Debug)]
pub struct Unrest<M> {
    /// What the side to move is sure of if it plays none of the moves; `None` where it must.
    pub stand_pat: Option<Score>,
    /// The moves, in the order in which they are to be tried.
    pub moves: Vec<M>,
}
