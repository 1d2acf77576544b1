//! Which moves give check.

use shakmaty::{Bitboard, ByRole, Role, Square, attacks};

use super::{Position, legality::reach, moves};
use crate::types::{MoveKind, PackedMove};

/// The squares from which a piece of each kind would attack the enemy king.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares(ByRole<Bitboard>);

impl CheckSquares {
    /// Whether a `role` that arrives on `to`, as what it was, gives check from there; uncovered
    /// checks are left out.
    #[inline]
    pub fn contains(&self, role: Role, to: Square) -> bool {
        self.0.get(role).contains(to)
    }
}

impl Position {
    /// From where the side to move would give check; none without an enemy king.
    pub fn check_squares(&self) -> CheckSquares {
        let Some(target) = self.board().king_of(!self.turn()) else {
            return CheckSquares(ByRole::default());
        };
        let occupied = self.board().occupied();
        let (bishop, rook) = (
            attacks::bishop_attacks(target, occupied),
            attacks::rook_attacks(target, occupied),
        );
        CheckSquares(ByRole {
            pawn: attacks::pawn_attacks(!self.turn(), target),
            knight: attacks::knight_attacks(target),
            bishop,
            rook,
            queen: bishop | rook,
            king: Bitboard::EMPTY,
        })
    }

    /// Whether the legal move `mv` gives check, directly or by discovery.
    #[inline]
    pub fn gives_check(&self, mv: PackedMove) -> bool {
        let Some(target) = self.board().king_of(!self.turn()) else {
            return false;
        };
        match mv.kind() {
            MoveKind::Castle => self.castling_checks(mv, target),
            MoveKind::EnPassant => {
                let after = self
                    .occupied_after(mv)
                    .without(moves::en_passant_victim(mv));
                attacks::pawn_attacks(self.turn(), mv.to()).contains(target)
                    || self.sliders_attack(target, after)
            }
            _ => self.checks_directly(mv, target) || self.discovers_check(mv, target),
        }
    }

    /// The occupied squares once the piece has gone from `from` to `to`.
    #[inline]
    fn occupied_after(&self, mv: PackedMove) -> Bitboard {
        self.board().occupied().without(mv.from()).with(mv.to())
    }

    #[inline]
    fn checks_directly(&self, mv: PackedMove, target: Square) -> bool {
        match mv.promoted().unwrap_or_else(|| self.moved_role(mv)) {
            Role::Pawn => attacks::pawn_attacks(self.turn(), mv.to()).contains(target),
            Role::King => false,
            role => reach(role, mv.to(), self.occupied_after(mv)).contains(target),
        }
    }

    /// Only a piece that leaves a line through the enemy king can uncover an attack.
    #[inline]
    fn discovers_check(&self, mv: PackedMove, target: Square) -> bool {
        let line = attacks::ray(target, mv.from());
        line.any()
            && !line.contains(mv.to())
            && self.sliders_attack(target, self.occupied_after(mv))
    }

    /// Whether an own slider on its present square attacks `target` through `occupied`.
    #[inline]
    fn sliders_attack(&self, target: Square, occupied: Bitboard) -> bool {
        let board = self.board();
        let rooks = attacks::rook_attacks(target, occupied) & board.rooks_and_queens();
        let bishops = attacks::bishop_attacks(target, occupied) & board.bishops_and_queens();
        ((rooks | bishops) & occupied & self.us()).any()
    }

    /// Castling checks with the rook alone: king and rook end side by side and the way
    /// there is free, so that no other piece gains a line along the back rank.
    fn castling_checks(&self, mv: PackedMove, target: Square) -> bool {
        let (us, side) = (self.turn(), moves::castling_side(mv));
        let (king_to, rook_to) = (side.king_to(us), side.rook_to(us));
        let vacated = self.board().occupied().without(mv.from()).without(mv.to());
        let after = vacated.with(king_to).with(rook_to);
        attacks::rook_attacks(rook_to, after).contains(target)
    }
}
