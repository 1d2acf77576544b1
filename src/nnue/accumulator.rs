//! Hidden sums of the positions on the way from the root, kept incrementally.
//!
//! A move changes a few inputs only, so the sums of the position after it are those before it
//! plus and minus a few rows (Nasu 2018). Nothing is computed when a move is made. When a position
//! is evaluated its inputs are compared with those of the last one on the line that was, and that
//! its side saw from the same view; if there is none, with those of the last position that was seen
//! under that view at all, which usually differs in a few pieces (a cache known as a Finny table,
//! from the engine Koivisto).
//!
//! Invariant: sums that are marked as known equal the sums computed from scratch.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Square};

use super::{
    features::View,
    inputs::{Inputs, Man},
    network::{InputRow, Network, Row},
    simd::Kernels,
};
use crate::position::Position;

/// The sides in the order of their numbers, which index all arrays here.
const SIDES: [Color; 2] = [Color::Black, Color::White];

/// Room for the rows of every piece on a board.
type Rows<'a> = ArrayVec<&'a InputRow, 64>;

/// Room for every piece on a board.
type Men = ArrayVec<(Square, Man), 64>;

/// The sums of one position for one side.
#[derive(Clone, Debug)]
struct Sums {
    row: Row,
    view: View,
}

/// One position on the way from the root.
#[derive(Clone, Debug)]
struct Level {
    /// Whether all that follows is known.
    known: bool,
    inputs: Inputs,
    /// Sums as each of [`SIDES`] sees the board.
    sums: [Sums; 2],
}

/// The last position that was seen under one view.
#[derive(Clone, Debug)]
struct Cached {
    row: Row,
    inputs: Inputs,
}

/// The sums of a line of positions.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    levels: Vec<Level>,
    top: usize,
    cache: [Vec<Cached>; 2],
}

impl Accumulators {
    /// Sums for a line of which nothing is known yet.
    pub(super) fn new(network: &Network) -> Self {
        let empty = Cached {
            row: network.bias.clone(),
            inputs: Inputs::NONE,
        };
        let cache = vec![empty; View::SLOTS];
        let level = Level {
            known: false,
            inputs: Inputs::NONE,
            sums: SIDES.map(|color| Sums {
                row: Row::ZERO,
                view: View::new(color, Square::E1),
            }),
        };
        Self {
            levels: vec![level; crate::types::MAX_PLY + 1],
            top: 0,
            cache: [cache.clone(), cache],
        }
    }

    /// Begins another line.
    pub(super) fn reset(&mut self) {
        self.top = 0;
        self.levels[0].known = false;
    }

    /// Notes a move.
    #[inline]
    pub(super) fn push(&mut self) {
        self.top += 1;
        if self.top == self.levels.len() {
            self.levels.push(self.levels[self.top - 1].clone());
        }
        self.levels[self.top].known = false;
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
        if !self.levels[self.top].known {
            self.see(network, kernels, position);
        }
        let sums = &self.levels[self.top].sums;
        let turn = position.turn();
        (&sums[turn as usize].row, &sums[!turn as usize].row)
    }

    /// Computes the sums of the last level.
    fn see(&mut self, network: &Network, kernels: &Kernels, position: &Position) {
        let (line, rest) = self.levels.split_at_mut(self.top);
        let level = &mut rest[0];
        level.inputs = Inputs::of(position.board());
        let mut changes = Changes::default();
        let mut noted = None;
        for (side, sums) in level.sums.iter_mut().enumerate() {
            sums.view = view(position, SIDES[side]);
            let is_like = |level: &Level| level.known && level.sums[side].view == sums.view;
            if let Some(number) = line.iter().rposition(is_like) {
                // Both sides have mostly seen the same position last.
                if noted != Some(number) {
                    changes.note(&line[number].inputs, &level.inputs);
                    noted = Some(number);
                }
                changes.apply(network, kernels, sums, &line[number].sums[side].row);
            } else {
                let cached = &mut self.cache[side][sums.view.slot()];
                changes.note(&cached.inputs, &level.inputs);
                noted = None;
                changes.apply(network, kernels, sums, &cached.row);
                cached.row.clone_from(&sums.row);
                cached.inputs.clone_from(&level.inputs);
            }
        }
        level.known = true;
    }
}

fn view(position: &Position, color: Color) -> View {
    let king = position.board().king_of(color);
    View::new(color, king.expect("every position has both kings"))
}

/// What is different between two positions.
#[derive(Default)]
struct Changes {
    added: Men,
    removed: Men,
}

impl Changes {
    /// Notes what leads from one position to another.
    #[inline]
    fn note(&mut self, before: &Inputs, after: &Inputs) {
        let changed = after.difference(before);
        list(before, changed, &mut self.removed);
        list(after, changed, &mut self.added);
    }

    /// Computes `sums` from those before the changes.
    #[inline]
    fn apply(&self, network: &Network, kernels: &Kernels, sums: &mut Sums, from: &Row) {
        let (mut added, mut removed) = (Rows::new(), Rows::new());
        select(network, sums.view, &self.added, &mut added);
        select(network, sums.view, &self.removed, &mut removed);
        kernels.update(&mut sums.row, from, &added, &removed);
    }
}

/// Lists what stands on `squares`.
#[inline]
fn list(inputs: &Inputs, squares: Bitboard, men: &mut Men) {
    men.clear();
    for square in squares & inputs.occupied() {
        men.push((square, inputs.man(square)));
    }
}

/// The rows that `men` switch on. A loop, because `Iterator::collect` into an [`ArrayVec`] is not
/// inlined.
#[inline]
fn select<'a>(network: &'a Network, view: View, men: &Men, rows: &mut Rows<'a>) {
    for (square, man) in men {
        rows.push(&network.rows[view.row(*square, *man)]);
    }
}
