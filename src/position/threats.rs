//! Which squares a side attacks, and how cheap the attackers are.

use shakmaty::{Bitboard, Board, Color, attacks};

use super::{Position, moves};

/// The squares that one side attacks, those of its own pieces included. Each set contains the
/// one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threats {
    /// Attacked by pawns.
    pub pawns: Bitboard,
    /// Attacked by pawns, knights or bishops.
    pub minors: Bitboard,
    /// Attacked by anything but queens and the king.
    pub rooks: Bitboard,
    /// Attacked by anything but the king.
    pub queens: Bitboard,
    /// Attacked at all.
    pub all: Bitboard,
}

impl Threats {
    /// What `color` attacks on `board`, pinned or not.
    #[inline]
    pub fn of(board: &Board, color: Color) -> Self {
        let (us, occupied) = (board.by_color(color), board.occupied());
        let pawns = pawn_threats(us & board.pawns(), color);
        let mut minors = pawns;
        for from in us & board.knights() {
            minors |= attacks::knight_attacks(from);
        }
        for from in us & board.bishops() {
            minors |= attacks::bishop_attacks(from, occupied);
        }
        let mut rooks = minors;
        for from in us & board.rooks() {
            rooks |= attacks::rook_attacks(from, occupied);
        }
        let mut queens = rooks;
        for from in us & board.queens() {
            queens |= attacks::queen_attacks(from, occupied);
        }
        let mut all = queens;
        for from in us & board.kings() {
            all |= attacks::king_attacks(from);
        }
        Self {
            pawns,
            minors,
            rooks,
            queens,
            all,
        }
    }
}

impl Position {
    /// All squares that the opponent of the side to move attacks, defended ones included.
    pub fn threats(&self) -> Bitboard {
        Threats::of(self.board(), !self.turn()).all
    }
}

/// The squares attacked by `pawns` of `color`.
#[inline]
fn pawn_threats(pawns: Bitboard, color: Color) -> Bitboard {
    let up = moves::forward(color);
    let left = pawns & !Bitboard::from_file(shakmaty::File::A);
    let right = pawns & !Bitboard::from_file(shakmaty::File::H);
    left.shift(up - 1) | right.shift(up + 1)
}
