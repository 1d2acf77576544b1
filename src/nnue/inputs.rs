//! What the network is told of a position: which piece stands where, and how exposed it is.
//!
//! Exposure is what a player sees at a glance: is the piece defended, and what is the cheapest
//! thing that attacks it? A network that only knows where pieces stand has to find that out for
//! every pair of squares, from games in which it mattered. (Telling a network about threats is an
//! idea of `Monty`'s, 2024, made finer here by what the attacker is worth.)
//!
//! All this is kept as planes of bits, so that what a move changes, on the board and in the
//! exposure of other pieces, is found by comparing two sets of planes.

use shakmaty::{Bitboard, Board, ByColor, Color, Role, Square};

use super::arch::EXPOSURES;
use crate::position::Threats;

/// Bits of a [`Man`]: three for the role, one for the colour, three for the exposure.
const PLANES: usize = 7;
/// The plane that tells White's pieces.
const WHITE: usize = 3;
/// The first plane of exposure: undefended.
const LOOSE: usize = 4;
/// The other planes of exposure, a number of two bits: attacked by nothing, by dearer pieces only,
/// by one worth as much, by a cheaper one. Knights and bishops are worth the same.
const ATTACK: [usize; 2] = [5, 6];

const _: () = assert!(EXPOSURES == 1 << (PLANES - LOOSE));

/// A piece and how exposed it is. Kings count as not exposed: they are never taken, and positions
/// in check are not evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man(u8);

impl Man {
    /// `piece`, exposed in this way, a number below [`EXPOSURES`].
    #[cfg(test)]
    pub(super) const fn new(piece: shakmaty::Piece, exposure: u8) -> Self {
        Self(piece.role as u8 | (piece.color as u8) << WHITE | exposure << LOOSE)
    }

    /// Its place among the roles: 0 for a pawn, 5 for a king.
    pub(super) const fn role(self) -> usize {
        (self.0 & 7) as usize - 1
    }

    /// Whether it is one of `color`'s.
    pub(super) const fn is_of(self, color: Color) -> bool {
        self.0 >> WHITE & 1 == color as u8
    }

    /// How exposed it is, below [`EXPOSURES`].
    pub(super) const fn exposure(self) -> usize {
        (self.0 >> LOOSE) as usize
    }
}

/// All that the network is told of a position, save whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs([Bitboard; PLANES]);

impl Inputs {
    /// The empty board.
    pub const NONE: Self = Self([Bitboard::EMPTY; PLANES]);

    /// What there is to say of `board`.
    #[inline]
    pub fn of(board: &Board) -> Self {
        let mut planes = [Bitboard::EMPTY; PLANES];
        for role in Role::ALL {
            for (bit, plane) in planes[..WHITE].iter_mut().enumerate() {
                if role as usize >> bit & 1 == 1 {
                    *plane |= board.by_role(role);
                }
            }
        }
        planes[WHITE] = board.white();
        let threats = ByColor::new_with(|color| Threats::of(board, color));
        for color in Color::ALL {
            let pieces = board.by_color(color) & !board.kings();
            let (own, foreign) = (threats.get(color), threats.get(!color));
            let attacked = pieces & foreign.all;
            let (evenly, cheaply) = (evenly(board, foreign), cheaply(board, foreign));
            planes[LOOSE] |= pieces & !own.all;
            planes[ATTACK[0]] |= attacked & (!evenly | cheaply);
            planes[ATTACK[1]] |= attacked & evenly;
        }
        Self(planes)
    }

    /// The squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.0[0] | self.0[1] | self.0[2]
    }

    /// The squares on which something else stands in `other`, or the same otherwise exposed.
    #[inline]
    pub fn difference(&self, other: &Self) -> Bitboard {
        let planes = self.0.iter().zip(other.0);
        planes.fold(Bitboard::EMPTY, |all, (mine, yours)| all | (*mine ^ yours))
    }

    /// What stands on `square`, which must be occupied.
    #[inline]
    pub fn man(&self, square: Square) -> Man {
        let bit = |plane: Bitboard| u8::from(plane.contains(square));
        let planes = self.0.iter().enumerate();
        Man(planes.fold(0, |man, (number, plane)| man | bit(*plane) << number))
    }

    /// All pieces with their squares.
    pub fn men(&self) -> impl Iterator<Item = (Square, Man)> {
        self.occupied()
            .into_iter()
            .map(|square| (square, self.man(square)))
    }
}

/// Pieces that what makes these threats could take with something that is worth no more.
#[inline]
fn evenly(board: &Board, threats: &Threats) -> Bitboard {
    (board.pawns() & threats.pawns)
        | ((board.knights() | board.bishops()) & threats.minors)
        | (board.rooks() & threats.rooks)
        | (board.queens() & threats.queens)
}

/// Pieces that what makes these threats could take with something that is worth less.
#[inline]
fn cheaply(board: &Board, threats: &Threats) -> Bitboard {
    ((board.knights() | board.bishops()) & threats.pawns)
        | (board.rooks() & threats.minors)
        | (board.queens() & threats.rooks)
}
