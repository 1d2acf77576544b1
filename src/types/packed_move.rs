//! A move in sixteen bits, as the search, the picker and the table keep it.
//!
//! Bits 0-5 hold the square of departure, bits 6-11 the square of arrival and bits
//! 12-15 the [`MoveKind`]. Castling is written as king takes own rook, as in
//! Chess960 and in `shakmaty`. The pattern 0 (a1 to a1) is no move, hence
//! `Option<PackedMove>` also takes sixteen bits.

use std::num::NonZeroU16;

use shakmaty::{Role, Square};

/// What is special about a move; enough, with a board, to rebuild the full move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum MoveKind {
    /// A piece goes to an empty or enemy square.
    Normal = 0,
    /// A pawn goes two squares forward.
    DoublePush = 1,
    /// King takes own rook.
    Castle = 2,
    /// A pawn takes en passant.
    EnPassant = 3,
    /// A pawn becomes a knight.
    PromoteKnight = 4,
    /// A pawn becomes a bishop.
    PromoteBishop = 5,
    /// A pawn becomes a rook.
    PromoteRook = 6,
    /// A pawn becomes a queen.
    PromoteQueen = 7,
}

impl MoveKind {
    const fn from_bits(bits: u16) -> Option<Self> {
        Some(match bits {
            0 => Self::Normal,
            1 => Self::DoublePush,
            2 => Self::Castle,
            3 => Self::EnPassant,
            4 => Self::PromoteKnight,
            5 => Self::PromoteBishop,
            6 => Self::PromoteRook,
            7 => Self::PromoteQueen,
            _ => return None,
        })
    }
}

/// A move in sixteen bits; says nothing about legality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedMove(NonZeroU16);

impl PackedMove {
    /// The move of `kind` between two different squares.
    ///
    /// # Panics
    /// When both squares and the kind are zero (a1 to a1), which is no move.
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let bits = (from as u16) | ((to as u16) << 6) | ((kind as u16) << 12);
        Self(NonZeroU16::new(bits).expect("a move joins two different squares"))
    }

    /// A promotion to `role`; any role but a minor piece or a rook is taken as a queen.
    pub const fn promotion(from: Square, to: Square, role: Role) -> Self {
        let kind = match role {
            Role::Knight => MoveKind::PromoteKnight,
            Role::Bishop => MoveKind::PromoteBishop,
            Role::Rook => MoveKind::PromoteRook,
            _ => MoveKind::PromoteQueen,
        };
        Self::new(from, to, kind)
    }

    /// The move in these bits, or `None` for 0 and for bits that encode no kind.
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match (NonZeroU16::new(bits), MoveKind::from_bits(bits >> 12)) {
            (Some(bits), Some(_)) => Some(Self(bits)),
            _ => None,
        }
    }

    /// The sixteen bits, never 0.
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Square of departure.
    pub const fn from(self) -> Square {
        Square::new((self.0.get() & 63) as u32)
    }

    /// Square of arrival; for castling the square of the own rook.
    pub const fn to(self) -> Square {
        Square::new(((self.0.get() >> 6) & 63) as u32)
    }

    /// The kind of the move.
    pub const fn kind(self) -> MoveKind {
        match MoveKind::from_bits(self.0.get() >> 12) {
            Some(kind) => kind,
            None => MoveKind::Normal,
        }
    }

    /// The role a pawn turns into.
    pub const fn promoted(self) -> Option<Role> {
        match self.kind() {
            MoveKind::PromoteKnight => Some(Role::Knight),
            MoveKind::PromoteBishop => Some(Role::Bishop),
            MoveKind::PromoteRook => Some(Role::Rook),
            MoveKind::PromoteQueen => Some(Role::Queen),
            _ => None,
        }
    }

    /// Index of the pair of squares, `0..4096`, for history tables.
    pub const fn from_to(self) -> usize {
        (self.0.get() & 0xfff) as usize
    }
}

/// More moves than any position has: the largest legal number is 218, and some may have more
/// pieces than a game can have.
pub const MAX_MOVES: usize = 270;

/// All moves of one position.
pub type MoveList = arrayvec::ArrayVec<PackedMove, MAX_MOVES>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_survive_packing() {
        let mv = PackedMove::new(Square::E2, Square::E4, MoveKind::DoublePush);
        assert_eq!(
            (mv.from(), mv.to(), mv.kind()),
            (Square::E2, Square::E4, MoveKind::DoublePush)
        );
        let mv = PackedMove::promotion(Square::A7, Square::B8, Role::Rook);
        assert_eq!(mv.promoted(), Some(Role::Rook));
        assert_eq!(PackedMove::from_bits(mv.bits()), Some(mv));
        assert_eq!(PackedMove::from_bits(0), None);
        assert_eq!(PackedMove::from_bits(0xf041), None);
        assert_eq!(size_of::<Option<PackedMove>>(), 2);
    }
}
