//! What the network is told of a position: which piece stands where, and in what condition.
//!
//! It is kept as planes of bits, so that what a move changes, on the board and in the condition of
//! other pieces, is found by comparing two sets of planes.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use super::condition;
use crate::types::convert;

/// Bits of a [`Man`]: three for the role, one for the colour, the others for the condition.
const PLANES: usize = CONDITION + condition::BITS;
/// The plane that tells White's pieces.
const WHITE: usize = 3;
/// The first plane of conditions.
const CONDITION: usize = 4;

/// A piece and its condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man(u16);

impl Man {
    /// `piece` in this condition, a number below its role's in [`super::arch::CONDITIONS`].
    #[cfg(test)]
    pub(super) const fn new(piece: shakmaty::Piece, condition: u16) -> Self {
        Self(piece.role as u16 | (piece.color as u16) << WHITE | condition << CONDITION)
    }

    /// One more than the greatest code.
    pub(super) const CODES: usize = 1 << PLANES;

    /// The man of that code, if a man has it.
    pub(super) const fn of_code(code: usize) -> Self {
        Self(convert::low_u16(code as u64))
    }

    /// A number for him, below [`Man::CODES`].
    pub(super) const fn code(self) -> usize {
        self.0 as usize % Self::CODES
    }

    /// Its place among the roles: 0 for a pawn, 5 for a king; `None` for a code that no man has.
    pub(super) const fn role(self) -> Option<usize> {
        match self.0 & 7 {
            0 | 7 => None,
            number => Some(number as usize - 1),
        }
    }

    /// Whether it is one of `color`'s.
    pub(super) const fn is_of(self, color: Color) -> bool {
        self.0 >> WHITE & 1 == color as u16
    }

    /// Its condition, below its role's number in [`super::arch::CONDITIONS`].
    pub(super) const fn condition(self) -> usize {
        (self.0 >> CONDITION) as usize
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
        planes[CONDITION..].copy_from_slice(&condition::of(board));
        Self(planes)
    }

    /// The squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.0[0] | self.0[1] | self.0[2]
    }

    /// The squares on which something else stands in `other`, or the same in another condition.
    #[inline]
    pub fn difference(&self, other: &Self) -> Bitboard {
        let planes = self.0.iter().zip(other.0);
        planes.fold(Bitboard::EMPTY, |all, (mine, yours)| all | (*mine ^ yours))
    }

    /// What stands on `square`, which must be occupied.
    #[inline]
    pub fn man(&self, square: Square) -> Man {
        let bit = |plane: Bitboard| u16::from(plane.contains(square));
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
