//! What a packed move means on a given board: roles, captures, notation of `shakmaty`.

use shakmaty::{CastlingSide, Color, Move, Role, Square};

use super::Position;
use crate::types::{MoveKind, PackedMove};

impl Position {
    /// The role of the piece on the square of departure (the pawn, for a promotion);
    /// a pawn if there is none, which no legal move has.
    #[inline]
    pub fn moved_role(&self, mv: PackedMove) -> Role {
        self.role_at(mv.from()).unwrap_or(Role::Pawn)
    }

    /// What the move takes: `None` for castling, a pawn for en passant.
    #[inline]
    pub fn captured_role(&self, mv: PackedMove) -> Option<Role> {
        match mv.kind() {
            MoveKind::Castle => None,
            MoveKind::EnPassant => Some(Role::Pawn),
            _ => self.role_at(mv.to()),
        }
    }

    /// Whether the move takes something, en passant included.
    #[inline]
    pub fn is_capture(&self, mv: PackedMove) -> bool {
        match mv.kind() {
            MoveKind::Castle => false,
            MoveKind::EnPassant => true,
            _ => self.board().occupied().contains(mv.to()),
        }
    }

    /// Whether [`Position::generate_noisy`] would produce the legal move `mv`: captures
    /// (en passant included) and promotions to a queen, but no underpromotions.
    #[inline]
    pub fn is_noisy(&self, mv: PackedMove) -> bool {
        match mv.kind() {
            MoveKind::EnPassant | MoveKind::PromoteQueen => true,
            MoveKind::Normal => self.board().occupied().contains(mv.to()),
            _ => false,
        }
    }

    /// Where the moving piece ends up: the square of arrival, and for castling the
    /// king's square on the c- or g-file.
    #[inline]
    pub fn destination(&self, mv: PackedMove) -> Square {
        if mv.kind() == MoveKind::Castle {
            castling_side(mv).king_to(self.turn())
        } else {
            mv.to()
        }
    }

    /// The legal move `mv` in sixteen bits.
    ///
    /// # Panics
    /// On a drop, which no chess position has.
    pub fn pack(&self, mv: Move) -> PackedMove {
        match mv {
            Move::Normal {
                from,
                to,
                promotion: Some(role),
                ..
            } => PackedMove::promotion(from, to, role),
            Move::Normal { role, from, to, .. } => {
                let two_up = role == Role::Pawn && from.abs_diff(to) == 16;
                let kind = if two_up {
                    MoveKind::DoublePush
                } else {
                    MoveKind::Normal
                };
                PackedMove::new(from, to, kind)
            }
            Move::EnPassant { from, to } => PackedMove::new(from, to, MoveKind::EnPassant),
            Move::Castle { king, rook } => PackedMove::new(king, rook, MoveKind::Castle),
            Move::Put { .. } => unreachable!("chess knows no drops"),
        }
    }

    /// The full description of the legal move `mv`.
    #[inline]
    pub fn unpack(&self, mv: PackedMove) -> Move {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Castle => Move::Castle {
                king: from,
                rook: to,
            },
            MoveKind::EnPassant => Move::EnPassant { from, to },
            _ => Move::Normal {
                role: self.moved_role(mv),
                from,
                capture: self.role_at(to),
                to,
                promotion: mv.promoted(),
            },
        }
    }
}

/// To which side the castling move `mv` goes.
#[inline]
pub(super) fn castling_side(mv: PackedMove) -> CastlingSide {
    CastlingSide::from_king_side(mv.from() < mv.to())
}

/// The square of the pawn that the en passant capture `mv` takes.
#[inline]
pub(super) fn en_passant_victim(mv: PackedMove) -> Square {
    Square::from_coords(mv.to().file(), mv.from().rank())
}

/// The direction in which pawns of `color` advance, as a difference of square indices.
#[inline]
pub(super) fn forward(color: Color) -> i32 {
    color.fold_wb(8, -8)
}
