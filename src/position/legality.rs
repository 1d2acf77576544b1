//! Legality of a single move, without generating the others.
//!
//! Moves from the table may belong to another position with the same index, killers
//! and counter moves to a sibling. Every one is judged here before it is played.
//!
//! Invariant: true exactly for the moves that the generator would produce.

use shakmaty::{Bitboard, CastlingSide, Position as _, Rank, Role, Square, attacks};

use super::{Position, moves};
use crate::types::{MoveKind, PackedMove};

impl Position {
    /// Whether `mv`, which may hold any pattern of bits, is legal here.
    pub fn is_legal(&self, mv: PackedMove) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if !self.us().contains(from) {
            return false;
        }
        match mv.kind() {
            MoveKind::Castle => return self.is_legal_castling(mv),
            MoveKind::EnPassant => {
                return self.ep == Some(to) && self.ep_captors(to).contains(from);
            }
            _ if self.us().contains(to) => return false,
            _ => {}
        }
        match self.moved_role(mv) {
            Role::King => {
                mv.kind() == MoveKind::Normal
                    && attacks::king_attacks(from).contains(to)
                    && self.king_may_enter(to)
            }
            Role::Pawn => self.is_pawn_move(mv) && self.leaves_king_safe(from, to),
            role => {
                mv.kind() == MoveKind::Normal
                    && reach(role, from, self.board().occupied()).contains(to)
                    && self.leaves_king_safe(from, to)
            }
        }
    }

    /// Whether moving a piece other than the king keeps pins and answers a check.
    #[inline]
    fn leaves_king_safe(&self, from: Square, to: Square) -> bool {
        !self.checkers.more_than_one()
            && self.evasion_mask().contains(to)
            && self.pin_mask(from).contains(to)
    }

    /// Whether a pawn can make this move and its kind is the right one; en passant apart.
    fn is_pawn_move(&self, mv: PackedMove) -> bool {
        let (from, to, us) = (mv.from(), mv.to(), self.turn());
        let empty = !self.board().occupied();
        let ahead = Bitboard::from_square(from).shift(moves::forward(us)) & empty;
        if mv.kind() == MoveKind::DoublePush {
            return from.rank() == us.relative_rank(Rank::Second)
                && (ahead.shift(moves::forward(us)) & empty).contains(to);
        }
        let promotes = mv.kind() != MoveKind::Normal;
        let takes = attacks::pawn_attacks(us, from) & self.them();
        promotes == (to.rank() == us.relative_rank(Rank::Eighth)) && (ahead | takes).contains(to)
    }

    fn is_legal_castling(&self, mv: PackedMove) -> bool {
        let side = moves::castling_side(mv);
        mv.from() == self.king
            && self.chess.castles().rook(self.turn(), side) == Some(mv.to())
            && self.checkers.is_empty()
            && self.may_castle(side, mv.to())
    }

    /// Whether castling with `rook` is legal, given the right to it and no check: the way
    /// is free, and the king is attacked neither on its way nor at its end, where in
    /// Chess960 the departing rook may uncover an attack.
    pub(super) fn may_castle(&self, side: CastlingSide, rook: Square) -> bool {
        let us = self.turn();
        let occupied = self.board().occupied();
        if self.chess.castles().path(us, side).intersects(occupied) {
            return false;
        }
        let (king_to, rook_to) = (side.king_to(us), side.rook_to(us));
        let after = occupied.without(self.king).without(rook).with(rook_to);
        !self.is_attacked(king_to, after)
            && attacks::between(self.king, king_to)
                .into_iter()
                .all(|square| self.king_may_enter(square))
    }

    /// The own pawns that may legally take en passant on `square`.
    pub(super) fn ep_captors(&self, square: Square) -> Bitboard {
        let us = self.turn();
        let mut captors = attacks::pawn_attacks(!us, square) & self.our(Role::Pawn);
        for from in captors {
            if !self.ep_leaves_king_safe(from, square) {
                captors.discard(from);
            }
        }
        captors
    }

    /// Two pawns leave one rank at once, so neither pins nor checks tell: look at the
    /// board after the capture.
    fn ep_leaves_king_safe(&self, from: Square, to: Square) -> bool {
        let victim = Square::from_coords(to.file(), from.rank());
        let after = self
            .board()
            .occupied()
            .without(from)
            .without(victim)
            .with(to);
        self.board()
            .attacks_to(self.king, !self.turn(), after)
            .without(victim)
            .is_empty()
    }
}

/// The squares that a piece of `role`, not a pawn, attacks from `from`.
#[inline]
pub(super) fn reach(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => attacks::knight_attacks(from),
        Role::Bishop => attacks::bishop_attacks(from, occupied),
        Role::Rook => attacks::rook_attacks(from, occupied),
        Role::Queen => attacks::queen_attacks(from, occupied),
        Role::King => attacks::king_attacks(from),
    }
}
