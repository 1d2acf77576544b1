//! Static exchange evaluation: what a series of captures on one square is worth.
//!
//! The threshold form asks only whether the exchange is worth at least so much, and so
//! can stop early. Both sides always take with their least valuable piece, and may stop
//! whenever going on would cost them. Pins are ignored. The idea is from the earliest
//! programs (Slate & Atkin 1977 describe it for Chess 4.5); attackers hidden behind
//! others join as the square before them is left.

use shakmaty::{Bitboard, Board, ByRole, Color, Role, Square, attacks};

use super::{Position, moves};
use crate::types::{MoveKind, PackedMove};

/// Worth of the pieces in exchanges, in centipawns. Knight and bishop are equal, so
/// that trading them is neither gain nor loss; the king is never taken.
pub const VALUES: ByRole<i32> = ByRole {
    pawn: 100,
    knight: 300,
    bishop: 300,
    rook: 500,
    queen: 900,
    king: 0,
};

/// From the cheapest to the dearest.
const BY_VALUE: [Role; 6] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

impl Position {
    /// Whether the legal move `mv` and the captures that follow on its square win at
    /// least `threshold` centipawns (negative: lose at most so many).
    pub fn see_reaches(&self, mv: PackedMove, threshold: i32) -> bool {
        if mv.kind() == MoveKind::Castle {
            return threshold <= 0;
        }
        let moved = self.moved_role(mv);
        let standing = mv.promoted().unwrap_or(moved);
        let taken = self.captured_role(mv).map_or(0, |role| *VALUES.get(role));
        let gain = taken + VALUES.get(standing) - VALUES.get(moved);
        // To spoil it, the opponent must win at least this much by taking back.
        let need = gain - threshold + 1;
        let victim = *VALUES.get(standing);
        if need <= 0 {
            return false;
        }
        if victim < need {
            return true;
        }
        let mut occupied = self.board().occupied().without(mv.from()).with(mv.to());
        if mv.kind() == MoveKind::EnPassant {
            occupied.discard(moves::en_passant_victim(mv));
        }
        !taker_wins(
            self.board(),
            !self.turn(),
            mv.to(),
            occupied,
            (need, victim),
        )
    }
}

/// Whether `side`, to take a piece worth `stake.1` on `square`, can win at least
/// `stake.0` (which is positive) if both sides go on only while it pays.
fn taker_wins(
    board: &Board,
    side: Color,
    square: Square,
    mut occupied: Bitboard,
    stake: (i32, i32),
) -> bool {
    let (mut need, mut victim) = stake;
    let mut taker = side;
    let diagonal = board.bishops_and_queens();
    let straight = board.rooks_and_queens();
    let mut attackers = (board.attacks_to(square, Color::White, occupied)
        | board.attacks_to(square, Color::Black, occupied))
        & occupied;
    loop {
        // The side to take fails unless it takes, and taking must be enough by itself.
        let own = attackers & board.by_color(taker);
        let Some((from, role)) = least_valuable(board, own) else {
            return taker != side;
        };
        if victim < need || (role == Role::King && (attackers & board.by_color(!taker)).any()) {
            return taker != side;
        }
        occupied.discard(from);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop_attacks(square, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook_attacks(square, occupied) & straight;
        }
        attackers &= occupied;
        // The other side must now win back what keeps this one below its need.
        need = victim - need + 1;
        victim = *VALUES.get(role);
        taker = !taker;
    }
}

/// One of the cheapest of `pieces`.
#[inline]
fn least_valuable(board: &Board, pieces: Bitboard) -> Option<(Square, Role)> {
    BY_VALUE
        .into_iter()
        .find_map(|role| Some(((pieces & board.by_role(role)).first()?, role)))
}
