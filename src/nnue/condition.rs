//! The condition of each piece: what a player sees of it at a glance, besides where it stands.
//!
//! A network that only knows where pieces stand has to find all this out for every pair of
//! squares, from games in which it mattered. It is told a few bits of each piece, which mean
//! something else for kings:
//!
//! | bits | pawns | knights to queens | kings |
//! |---|---|---|---|
//! | 0 | nothing defends it | the same | a knight could give a safe check |
//! | 1, 2 | what attacks it | the same | a bishop could, a rook could |
//! | 3 | it is passed | | a queen could |
//! | 4 | | | a queen could go next to it, backed |
//!
//! * What attacks it: 0 nothing, 1 dearer pieces only, 2 one worth as much, 3 a cheaper one. Knights
//!   and bishops are worth the same, kings are the dearest. (Telling a network about threats is an
//!   idea of `Monty`'s, 2024, made finer here by what the attacker is worth.)
//! * A check is safe on a square that the king's side does not attack; something may be taken there.
//!   Next to the king, a queen must be backed by something cheaper, and only the king attack her there.
//!   (Safe checks and passed pawns are old terms of evaluations made by hand.)
//!
//! All this is kept as sets of squares, one for each bit, and mostly computed for all pieces at once.

#[cfg(test)]
pub(super) mod oracle;

use shakmaty::{Bitboard, Board, ByColor, Color, attacks};

use super::arch::CONDITIONS;
use crate::position::Threats;

/// Bits of a condition.
pub const BITS: usize = 5;

const _: () = assert!(CONDITIONS[5] == 1 << BITS, "kings use all bits");

/// The conditions of all pieces of `board`: for each bit, the squares of those who have it.
#[inline]
pub fn of(board: &Board) -> [Bitboard; BITS] {
    let threats = ByColor::new_with(|color| Threats::of(board, color));
    let [black, white] =
        Color::ALL.map(|color| of_side(board, color, threats.get(color), threats.get(!color)));
    std::array::from_fn(|bit| black[bit] | white[bit])
}

/// The conditions of one side's pieces, given what both sides attack.
#[inline]
fn of_side(board: &Board, color: Color, own: &Threats, foreign: &Threats) -> [Bitboard; BITS] {
    let men = board.by_color(color) & !board.kings();
    let attack = attack(board, men, foreign);
    let [knight, bishop, rook, queen, contact] = checks(board, color, own, foreign);
    [
        men & !own.all() | knight,
        attack[0] | bishop,
        attack[1] | rook,
        passed(board, color, foreign) | queen,
        contact,
    ]
}

/// What attacks each of `men`, as a number of two bits.
#[inline]
fn attack(board: &Board, men: Bitboard, foreign: &Threats) -> [Bitboard; 2] {
    let minors = board.knights() | board.bishops();
    let (from_minors, from_rooks) = (foreign.below_rook(), foreign.below_queen());
    let evenly = (board.pawns() & foreign.pawns)
        | (minors & from_minors)
        | (board.rooks() & from_rooks)
        | (board.queens() & foreign.but_king());
    let cheaply =
        (minors & foreign.pawns) | (board.rooks() & from_minors) | (board.queens() & from_rooks);
    let attacked = men & foreign.all();
    [attacked & (!evenly | cheaply), attacked & evenly]
}

/// The passed pawns of `color`: no foreign pawn is ahead of them, on their file or next to it.
#[inline]
fn passed(board: &Board, color: Color, foreign: &Threats) -> Bitboard {
    let behind = |ranks: i32| color.fold_wb(-8, 8) * ranks;
    let blockers = board.pawns() & board.by_color(!color);
    let mut covered = blockers.shift(behind(1)) | foreign.pawns;
    for ranks in [1, 2, 4] {
        covered |= covered.shift(behind(ranks));
    }
    board.pawns() & board.by_color(color) & !covered
}

/// The square of `color`'s king in each of these sets: if a knight could give it a safe check, a
/// bishop, a rook, a queen, and if a queen could go next to it.
#[inline]
fn checks(board: &Board, color: Color, own: &Threats, foreign: &Threats) -> [Bitboard; BITS] {
    let king = board.kings() & board.by_color(color);
    let Some(square) = king.first() else {
        return [Bitboard::EMPTY; BITS];
    };
    let free = !board.by_color(!color);
    let safe = free & !own.all();
    let diagonal = attacks::bishop_attacks(square, board.occupied());
    let straight = attacks::rook_attacks(square, board.occupied());
    let backed = foreign.below_queen() & !own.but_king() & free;
    [
        foreign.knights & attacks::knight_attacks(square) & safe,
        foreign.bishops & diagonal & safe,
        foreign.rooks & straight & safe,
        foreign.queens & (diagonal | straight) & safe,
        foreign.queens & attacks::king_attacks(square) & backed,
    ]
    .map(|from| if from.any() { king } else { Bitboard::EMPTY })
}
