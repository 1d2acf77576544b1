//! Hidden sums of the positions on the way from the root, kept incrementally.
//!
//! A move changes at most four inputs, so the sums of the position after it are those
//! before it plus and minus a few rows (Nasu 2018). Nothing is computed when a move is
//! made: only the change is noted, and the sums follow when, and if, the position is
//! evaluated. When a king crosses to another view of the board all inputs of its side
//! change; then the sums are rebuilt from the last position that was seen under that
//! view, which usually differs in a few pieces only (a cache known as a Finny table,
//! from the engine Koivisto).
//!
//! Invariant: sums that are marked as known equal the sums computed from scratch.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, Color, Piece, Role};

use super::{
    features::View,
    network::{Network, Row},
    simd::Kernels,
};
use crate::position::{Changes, Delta, Position};

/// The sides in the order of their numbers, which index all arrays here.
const SIDES: [Color; 2] = [Color::Black, Color::White];

/// Room for every piece on a board.
type Rows<'a> = ArrayVec<&'a Row, 64>;

/// What is known about one position for one side.
#[derive(Clone, Debug)]
struct Sums {
    row: Row,
    view: View,
    known: bool,
}

/// One position on the way from the root.
#[derive(Clone, Debug)]
struct Level {
    /// Sums as each of [`SIDES`] sees the board.
    sums: [Sums; 2],
    /// What the move that led here changed.
    delta: Delta,
}

/// The last position that was seen under one view.
#[derive(Clone, Debug)]
struct Cached {
    row: Row,
    board: Board,
}

/// The sums of a line of positions.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    levels: Vec<Level>,
    top: usize,
    cache: [Vec<Cached>; 2],
}

impl Accumulators {
    /// Sums for a line that begins with `root`.
    pub(super) fn new(network: &Network, root: &Position) -> Self {
        let empty = Cached {
            row: network.bias.clone(),
            board: Board::empty(),
        };
        let cache = vec![empty; View::SLOTS];
        let level = Level {
            sums: SIDES.map(|color| Sums {
                row: Row::ZERO,
                view: view(root, color),
                known: false,
            }),
            delta: Delta::default(),
        };
        Self {
            levels: vec![level; crate::types::MAX_PLY + 1],
            top: 0,
            cache: [cache.clone(), cache],
        }
    }

    /// Begins another line.
    pub(super) fn reset(&mut self, root: &Position) {
        self.top = 0;
        for color in Color::ALL {
            let sums = &mut self.levels[0].sums[color as usize];
            sums.view = view(root, color);
            sums.known = false;
        }
    }

    /// Notes a move.
    #[inline]
    pub(super) fn push(&mut self, delta: Delta) {
        self.top += 1;
        if self.top == self.levels.len() {
            self.levels.push(self.levels[self.top - 1].clone());
        }
        let (before, after) = self.levels.split_at_mut(self.top);
        let (before, level) = (&before[self.top - 1], &mut after[0]);
        for (sums, before) in level.sums.iter_mut().zip(&before.sums) {
            sums.view = before.view;
            sums.known = false;
        }
        if let Some((square, piece)) = delta.added.first()
            && piece.role == Role::King
        {
            level.sums[piece.color as usize].view = View::new(piece.color, *square);
        }
        level.delta = delta;
    }

    /// Takes the last move back.
    #[inline]
    pub(super) fn pop(&mut self) {
        debug_assert!(self.top > 0, "no move to take back");
        self.top = self.top.saturating_sub(1);
    }

    /// The sums of `position`, which must be the last of the line: as the side to move
    /// sees the board, and as its opponent does.
    #[inline]
    pub(super) fn rows(
        &mut self,
        network: &Network,
        kernels: &Kernels,
        position: &Position,
    ) -> (&Row, &Row) {
        for side in 0..2 {
            if !self.levels[self.top].sums[side].known {
                match self.last_known(side) {
                    Some(known) => self.follow(network, kernels, known, side),
                    None => self.rebuild(network, kernels, position.board(), side),
                }
            }
        }
        let sums = &self.levels[self.top].sums;
        let turn = position.turn();
        (&sums[turn as usize].row, &sums[!turn as usize].row)
    }

    /// The last level whose sums are known, if no change of view lies in between.
    fn last_known(&self, side: usize) -> Option<usize> {
        let view = self.levels[self.top].sums[side].view;
        for number in (0..=self.top).rev() {
            let sums = &self.levels[number].sums[side];
            if sums.view != view {
                return None;
            }
            if sums.known {
                return Some(number);
            }
        }
        None
    }

    /// Computes the sums of all levels above `known`.
    fn follow(&mut self, network: &Network, kernels: &Kernels, known: usize, side: usize) {
        for number in known + 1..=self.top {
            let (before, after) = self.levels.split_at_mut(number);
            let from = &before[number - 1].sums[side].row;
            let Level { sums, delta } = &mut after[0];
            let sums = &mut sums[side];
            let added = changed_rows(network, sums.view, &delta.added);
            let removed = changed_rows(network, sums.view, &delta.removed);
            kernels.update(&mut sums.row, from, &added, &removed);
            sums.known = true;
        }
    }

    /// Computes the sums of the last level from the cache of its view.
    fn rebuild(&mut self, network: &Network, kernels: &Kernels, board: &Board, side: usize) {
        let sums = &mut self.levels[self.top].sums[side];
        let cached = &mut self.cache[side][sums.view.slot()];
        let (mut added, mut removed) = (Rows::new(), Rows::new());
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = Piece { color, role };
                let (now, then) = (board.by_piece(piece), cached.board.by_piece(piece));
                collect(network, sums.view, piece, now & !then, &mut added);
                collect(network, sums.view, piece, then & !now, &mut removed);
            }
        }
        kernels.update(&mut sums.row, &cached.row, &added, &removed);
        sums.known = true;
        cached.row.clone_from(&sums.row);
        cached.board.clone_from(board);
    }
}

fn view(position: &Position, color: Color) -> View {
    let king = position.board().king_of(color);
    View::new(color, king.expect("every position has both kings"))
}

/// The rows of what a move changes. A loop, because `Iterator::collect` into an [`ArrayVec`] is not
/// inlined and takes 3 % of all time.
#[inline]
fn changed_rows<'a>(network: &'a Network, view: View, changes: &Changes) -> ArrayVec<&'a Row, 2> {
    let mut rows = ArrayVec::new();
    for &(square, piece) in changes {
        rows.push(&network.rows[view.row(square, piece)]);
    }
    rows
}

fn collect<'a>(
    network: &'a Network,
    view: View,
    piece: Piece,
    squares: Bitboard,
    rows: &mut Rows<'a>,
) {
    rows.extend(
        squares
            .into_iter()
            .map(|square| &network.rows[view.row(square, piece)]),
    );
}
