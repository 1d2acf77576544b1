//! What the search keeps about each ply of the current path.

use shakmaty::Bitboard;

use crate::{
    history::ContinuationKey,
    movepick::KILLERS,
    types::{MAX_PLY, PackedMove, Ply, Score},
};

/// One ply of the current path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Static evaluation; `None` in check.
    pub(super) evaluation: Option<Score>,
    /// The move being searched from here; `None` for a null move and before the first.
    pub(super) played: Option<ContinuationKey>,
    /// The same move as it is written.
    pub(super) mv: Option<PackedMove>,
    /// The same move, if it is a quiet one.
    pub(super) quiet: Option<PackedMove>,
    /// The squares attacked by the opponent of the side to move.
    pub(super) threats: Bitboard,
    /// Plies taken off the search of the move under way.
    pub(super) reduction: i32,
    /// Quiet moves that were best at this ply.
    pub(super) killers: [Option<PackedMove>; KILLERS],
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            evaluation: None,
            played: None,
            mv: None,
            quiet: None,
            threats: Bitboard::EMPTY,
            reduction: 0,
            killers: [None; KILLERS],
        }
    }
}

/// The frames of the path, by ply.
pub(super) struct Frames(Box<[Frame]>);

impl Frames {
    pub(super) fn new() -> Self {
        Self(vec![Frame::default(); MAX_PLY + 3].into_boxed_slice())
    }

    /// Forgets the last search.
    pub(super) fn clear(&mut self) {
        self.0.fill(Frame::default());
    }

    pub(super) fn at(&self, ply: Ply) -> &Frame {
        &self.0[ply.index()]
    }

    pub(super) fn at_mut(&mut self, ply: Ply) -> &mut Frame {
        &mut self.0[ply.index()]
    }

    /// The frame `back` plies above `ply`; `None` above the root.
    pub(super) fn above(&self, ply: Ply, back: usize) -> Option<&Frame> {
        self.0.get(ply.index().checked_sub(back)?)
    }

    /// The moves one and two plies before `ply`, where there are such.
    pub(super) fn earlier(&self, ply: Ply) -> [Option<ContinuationKey>; 2] {
        [1, 2].map(|back| self.above(ply, back).and_then(|frame| frame.played))
    }

    /// The killers of the grandchildren belong to other branches: forgets them.
    pub(super) fn forget_killers_below(&mut self, ply: Ply) {
        if let Some(frame) = self.0.get_mut(ply.index() + 2) {
            frame.killers = [None; KILLERS];
        }
    }

    /// Remembers that `mv` was best at `ply`.
    pub(super) fn add_killer(&mut self, ply: Ply, mv: PackedMove) {
        let killers = &mut self.0[ply.index()].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}
