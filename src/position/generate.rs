//! Staged generation of legal moves.
//!
//! The search wants captures first and often nothing else, so the two stages are
//! separate: *noisy* moves (captures, en passant, promotions to a queen) and *quiet*
//! ones (all others, underpromotions and castling included). Legality is a matter of
//! masks: in check the targets shrink to the checker and the squares before it, and
//! pinned pieces stay on the line to their king.
//!
//! Invariant: both stages together give every legal move exactly once.

use shakmaty::{Bitboard, CastlingSide, Color, Position as _, Rank, Role, Square, attacks};

use super::{Position, moves::forward};
use crate::types::{MoveKind, MoveList, PackedMove};

/// The pieces a pawn may become besides a queen.
const UNDERPROMOTIONS: [Role; 3] = [Role::Knight, Role::Rook, Role::Bishop];

impl Position {
    /// Appends the legal captures, en passant captures and promotions to a queen
    /// (capturing or not); in check, those that answer it.
    #[inline]
    pub fn generate_noisy(&self, list: &mut MoveList) {
        self.generate::<true, false>(list);
    }

    /// Appends every legal move that [`Position::generate_noisy`] leaves out.
    #[inline]
    pub fn generate_quiets(&self, list: &mut MoveList) {
        self.generate::<false, true>(list);
    }

    /// Appends all legal moves.
    #[inline]
    pub fn generate_all(&self, list: &mut MoveList) {
        self.generate::<true, true>(list);
    }

    /// Whether there is a legal move: neither mate nor stalemate.
    pub fn has_legal_move(&self) -> bool {
        let free = !self.us();
        let steps = attacks::king_attacks(self.king) & free;
        if steps.into_iter().any(|to| self.king_may_enter(to)) {
            return true;
        }
        if self.checkers.more_than_one() {
            return false;
        }
        let targets = free & self.evasion_mask();
        let leaps = |from| (attacks::knight_attacks(from) & targets).any();
        if (self.our(Role::Knight) & !self.pinned)
            .into_iter()
            .any(leaps)
        {
            return true;
        }
        // Rare enough that the rest need not be clever.
        let mut list = MoveList::new();
        self.generate_all(&mut list);
        !list.is_empty()
    }

    fn generate<const NOISY: bool, const QUIET: bool>(&self, list: &mut MoveList) {
        let mut targets = Bitboard::EMPTY;
        if NOISY {
            targets |= self.them();
        }
        if QUIET {
            targets |= !self.board().occupied();
        }
        self.king_moves(targets, list);
        if self.checkers.more_than_one() {
            return;
        }
        if QUIET && self.checkers.is_empty() {
            self.castling_moves(list);
        }
        let evasions = self.evasion_mask();
        self.piece_moves(targets & evasions, list);
        match self.turn() {
            Color::White => self.pawn_moves::<true, NOISY, QUIET>(evasions, list),
            Color::Black => self.pawn_moves::<false, NOISY, QUIET>(evasions, list),
        }
        if NOISY && let Some(square) = self.ep {
            for from in self.ep_captors(square) {
                list.push(PackedMove::new(from, square, MoveKind::EnPassant));
            }
        }
    }

    /// Where a piece other than the king may go as far as checks are concerned: anywhere,
    /// or onto the checker and the squares between it and the king. Not for double checks.
    #[inline]
    pub(super) fn evasion_mask(&self) -> Bitboard {
        match self.checkers.first() {
            Some(checker) => attacks::between(self.king, checker).with(checker),
            None => Bitboard::FULL,
        }
    }

    /// Whether the king is safe on `to`, looking through the square it leaves.
    #[inline]
    pub(super) fn king_may_enter(&self, to: Square) -> bool {
        !self.is_attacked(to, self.board().occupied().without(self.king))
    }

    fn king_moves(&self, targets: Bitboard, list: &mut MoveList) {
        for to in attacks::king_attacks(self.king) & targets {
            if self.king_may_enter(to) {
                list.push(PackedMove::new(self.king, to, MoveKind::Normal));
            }
        }
    }

    fn castling_moves(&self, list: &mut MoveList) {
        for side in CastlingSide::ALL {
            if let Some(rook) = self.chess.castles().rook(self.turn(), side)
                && self.may_castle(side, rook)
            {
                list.push(PackedMove::new(self.king, rook, MoveKind::Castle));
            }
        }
    }

    #[inline]
    fn piece_moves(&self, targets: Bitboard, list: &mut MoveList) {
        let (us, board) = (self.us(), self.board());
        let occupied = board.occupied();
        for from in us & board.knights() & !self.pinned {
            push_all(list, from, attacks::knight_attacks(from) & targets);
        }
        for from in us & board.bishops_and_queens() {
            let reach = attacks::bishop_attacks(from, occupied) & targets;
            push_all(list, from, reach & self.pin_mask(from));
        }
        for from in us & board.rooks_and_queens() {
            let reach = attacks::rook_attacks(from, occupied) & targets;
            push_all(list, from, reach & self.pin_mask(from));
        }
    }

    /// Where the piece on `from` may go as far as pins are concerned.
    #[inline]
    pub(super) fn pin_mask(&self, from: Square) -> Bitboard {
        if self.pinned.contains(from) {
            attacks::ray(self.king, from)
        } else {
            Bitboard::FULL
        }
    }

    /// Pawn moves, all pawns at once by shifting; `WHITE` fixes the direction.
    #[inline]
    fn pawn_moves<const WHITE: bool, const NOISY: bool, const QUIET: bool>(
        &self,
        evasions: Bitboard,
        list: &mut MoveList,
    ) {
        let us = Color::from_white(WHITE);
        let up = forward(us);
        let pawns = self.our(Role::Pawn);
        let empty = !self.board().occupied();
        let promoting = Bitboard::from_rank(us.relative_rank(Rank::Eighth));
        let third = Bitboard::from_rank(us.relative_rank(Rank::Third));

        let single = pawns.shift(up) & empty;
        self.promotions::<NOISY, QUIET>(single & promoting & evasions, up, list);
        if QUIET {
            self.pawn_steps(single & !promoting & evasions, up, MoveKind::Normal, list);
            let double = (single & third).shift(up) & empty & evasions;
            self.pawn_steps(double, 2 * up, MoveKind::DoublePush, list);
        }
        // The file from which a pawn would leave the board sideways is masked out.
        for (aside, edge) in [(-1, shakmaty::File::A), (1, shakmaty::File::H)] {
            let takers = pawns & !Bitboard::from_file(edge);
            let taken = takers.shift(up + aside) & self.them() & evasions;
            self.promotions::<NOISY, QUIET>(taken & promoting, up + aside, list);
            if NOISY {
                self.pawn_steps(taken & !promoting, up + aside, MoveKind::Normal, list);
            }
        }
    }

    /// Pawn moves of `offset` onto `targets`. Shifting keeps the order of squares, so
    /// the squares of departure are the shifted squares of arrival.
    #[inline]
    fn pawn_steps(&self, targets: Bitboard, offset: i32, kind: MoveKind, list: &mut MoveList) {
        for (from, to) in targets.shift(-offset).into_iter().zip(targets) {
            if self.pin_mask(from).contains(to) {
                list.push(PackedMove::new(from, to, kind));
            }
        }
    }

    #[inline]
    fn promotions<const NOISY: bool, const QUIET: bool>(
        &self,
        targets: Bitboard,
        offset: i32,
        list: &mut MoveList,
    ) {
        for (from, to) in targets.shift(-offset).into_iter().zip(targets) {
            if !self.pin_mask(from).contains(to) {
                continue;
            }
            if NOISY {
                list.push(PackedMove::promotion(from, to, Role::Queen));
            }
            if QUIET {
                list.extend(UNDERPROMOTIONS.map(|role| PackedMove::promotion(from, to, role)));
            }
        }
    }
}

#[inline]
fn push_all(list: &mut MoveList, from: Square, targets: Bitboard) {
    for to in targets {
        list.push(PackedMove::new(from, to, MoveKind::Normal));
    }
}
