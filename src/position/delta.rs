//! What a move changes on the board, for evaluations that are kept incrementally.

use arrayvec::ArrayVec;
use shakmaty::{Piece, Role, Square};

use super::{Position, moves};
use crate::types::{MoveKind, PackedMove};

/// At most two pieces with their squares.
pub type Changes = ArrayVec<(Square, Piece), 2>;

/// The pieces that a move takes off the board and then puts on it: one and one for a
/// quiet move, two and one for a capture, two and two for castling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// Pieces that leave their squares, the moving piece first.
    pub removed: Changes,
    /// Pieces that appear, the moving piece first.
    pub added: Changes,
}

impl Position {
    /// What the legal move `mv` changes. Removals come before additions: in Chess960 a
    /// castling king may end where its rook stood, or where it stood itself.
    #[inline]
    pub fn delta(&self, mv: PackedMove) -> Delta {
        let us = self.turn();
        let mut delta = Delta::default();
        if mv.kind() == MoveKind::Castle {
            let side = moves::castling_side(mv);
            delta.removed.push((mv.from(), us.king()));
            delta.removed.push((mv.to(), us.rook()));
            delta.added.push((side.king_to(us), us.king()));
            delta.added.push((side.rook_to(us), us.rook()));
            return delta;
        }
        let role = self.moved_role(mv);
        delta.removed.push((mv.from(), role.of(us)));
        delta
            .added
            .push((mv.to(), mv.promoted().unwrap_or(role).of(us)));
        if mv.kind() == MoveKind::EnPassant {
            let victim = moves::en_passant_victim(mv);
            delta.removed.push((victim, Role::Pawn.of(!us)));
        } else if let Some(victim) = self.role_at(mv.to()) {
            delta.removed.push((mv.to(), victim.of(!us)));
        }
        delta
    }
}
