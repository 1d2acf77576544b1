//! Which squares a side attacks, and with what.

use shakmaty::{Bitboard, Board, Color, attacks};

use super::{Position, moves};

/// The squares that one side attacks, those of its own pieces included, by what attacks them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threats {
    /// Attacked by pawns.
    pub pawns: Bitboard,
    /// Attacked by knights.
    pub knights: Bitboard,
    /// Attacked by bishops.
    pub bishops: Bitboard,
    /// Attacked by rooks.
    pub rooks: Bitboard,
    /// Attacked by queens.
    pub queens: Bitboard,
    /// Attacked by the king.
    pub king: Bitboard,
}

impl Threats {
    /// What `color` attacks on `board`, pinned or not.
    #[inline]
    pub fn of(board: &Board, color: Color) -> Self {
        let (us, occupied) = (board.by_color(color), board.occupied());
        let mut threats = Self {
            pawns: pawn_threats(us & board.pawns(), color),
            ..Self::default()
        };
        for from in us & board.knights() {
            threats.knights |= attacks::knight_attacks(from);
        }
        for from in us & board.bishops() {
            threats.bishops |= attacks::bishop_attacks(from, occupied);
        }
        for from in us & board.rooks() {
            threats.rooks |= attacks::rook_attacks(from, occupied);
        }
        for from in us & board.queens() {
            threats.queens |= attacks::queen_attacks(from, occupied);
        }
        for from in us & board.kings() {
            threats.king |= attacks::king_attacks(from);
        }
        threats
    }

    /// Attacked by pawns, knights or bishops.
    #[inline]
    pub fn below_rook(&self) -> Bitboard {
        self.pawns | self.knights | self.bishops
    }

    /// Attacked by anything but queens and the king.
    #[inline]
    pub fn below_queen(&self) -> Bitboard {
        self.below_rook() | self.rooks
    }

    /// Attacked by anything but the king.
    #[inline]
    pub fn but_king(&self) -> Bitboard {
        self.below_queen() | self.queens
    }

    /// Attacked at all.
    #[inline]
    pub fn all(&self) -> Bitboard {
        self.but_king() | self.king
    }
}

impl Position {
    /// All squares that the opponent of the side to move attacks, defended ones included.
    pub fn threats(&self) -> Bitboard {
        Threats::of(self.board(), !self.turn()).all()
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
