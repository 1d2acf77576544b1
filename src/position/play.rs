//! Playing a move: a new position, its keys derived from the old ones.

use shakmaty::{Color, Move, Position as _, Role};

use super::{
    Position, checkers_and_pinned,
    keys::{self, Keys},
};
use crate::types::{MoveKind, PackedMove};

impl Position {
    /// The position after the legal move `mv`.
    #[must_use]
    #[inline]
    pub fn play(&self, mv: PackedMove) -> Self {
        let full = self.unpack(mv);
        let mut next = self.clone();
        next.chess.play_unchecked(full);
        toggle_pieces(&mut next.keys, self.turn(), full);
        next.keys.update_castling(&self.chess, &next.chess);
        self.finish(&mut next);
        next
    }

    /// Passes the move in `next`: side to move, en passant, king, checkers and pins.
    #[inline]
    fn finish(&self, next: &mut Self) {
        next.keys.toggle_turn();
        if let Some(square) = self.ep {
            next.keys.toggle_en_passant(square);
        }
        next.refresh();
        if let Some(square) = next.ep {
            next.keys.toggle_en_passant(square);
        }
    }

    /// The position after passing (null move; Beal 1989, Donninger 1993). The side to
    /// move must not be in check. It counts as a ply for [`Position::halfmoves`].
    #[must_use]
    #[inline]
    pub fn play_null(&self) -> Self {
        debug_assert!(!self.in_check(), "passing in check");
        let king = self.king;
        let mut next = self.clone();
        // `swap_turn` validates the whole position again, and refuses those with more
        // material than a game can have. A "queen" on the king's square that "becomes"
        // the king passes the turn and clears en passant, and changes nothing else:
        // castling rights are lost only by moves of kings and rooks.
        next.chess.play_unchecked(Move::Normal {
            role: Role::Queen,
            from: king,
            capture: None,
            to: king,
            promotion: Some(Role::King),
        });
        next.keys.toggle_turn();
        if let Some(square) = self.ep {
            next.keys.toggle_en_passant(square);
        }
        let us = next.turn();
        next.king = next.board().king_of(us).unwrap_or(king);
        (next.checkers, next.pinned) = checkers_and_pinned(next.board(), us, next.king);
        next.ep = None;
        next
    }

    /// A cheap guess of the key after the legal move `mv`, to fetch the table entry
    /// early. Exact unless the move castles, takes en passant, moves a pawn two
    /// squares or changes castling rights.
    #[inline]
    pub fn key_after(&self, mv: PackedMove) -> u64 {
        let us = self.turn();
        let role = self.moved_role(mv);
        let mut key = self.keys.full
            ^ keys::white_to_move()
            ^ keys::piece_on(mv.from(), role.of(us))
            ^ keys::piece_on(mv.to(), mv.promoted().unwrap_or(role).of(us));
        if mv.kind() != MoveKind::Castle
            && let Some(victim) = self.role_at(mv.to())
        {
            key ^= keys::piece_on(mv.to(), victim.of(!us));
        }
        if let Some(square) = self.ep {
            key ^= keys::en_passant(square);
        }
        key
    }
}

/// Moves the pieces of `mv` in the keys.
#[inline]
fn toggle_pieces(keys: &mut Keys, us: Color, mv: Move) {
    match mv {
        Move::Normal {
            role,
            from,
            capture,
            to,
            promotion,
        } => {
            keys.toggle(from, role.of(us));
            keys.toggle(to, promotion.unwrap_or(role).of(us));
            if let Some(victim) = capture {
                keys.toggle(to, victim.of(!us));
            }
        }
        Move::EnPassant { from, to } => {
            keys.toggle(from, us.pawn());
            keys.toggle(to, us.pawn());
            let victim = shakmaty::Square::from_coords(to.file(), from.rank());
            keys.toggle(victim, (!us).pawn());
        }
        Move::Castle { king, rook } => {
            let side = shakmaty::CastlingSide::from_king_side(king < rook);
            keys.toggle(king, us.king());
            keys.toggle(rook, us.rook());
            keys.toggle(side.king_to(us), us.king());
            keys.toggle(side.rook_to(us), us.rook());
        }
        Move::Put { role, to } => keys.toggle(to, role.of(us)),
    }
}
