//! Zobrist keys, kept move by move (Zobrist 1970).
//!
//! All keys are sums of the same random numbers, those of `shakmaty`: the full key
//! for the table and for repetitions, and partial keys that name a pawn structure
//! or a set of pieces for correction histories.
//!
//! Invariant: the full key equals `zobrist_hash::<Zobrist64>(EnPassantMode::Legal)`.

use shakmaty::{
    Bitboard, ByColor, ByRole, CastlingSide, Chess, Color, EnPassantMode, Piece, Position as _,
    Square,
    zobrist::{Zobrist64, ZobristValue},
};

/// The keys of a position.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    /// Everything: pieces, side to move, castling rights, legal en passant file.
    pub(super) full: u64,
    /// Pawns of both sides.
    pub(super) pawn: u64,
    /// Kings, bishops and knights of both sides.
    pub(super) minor: u64,
    /// King and pieces of one side.
    pub(super) non_pawn: ByColor<u64>,
}

/// To which of the smaller keys a piece belongs: all ones or zero.
struct Masks {
    pawn: u64,
    minor: u64,
}

const MASKS: ByRole<Masks> = {
    const PAWN: Masks = Masks { pawn: !0, minor: 0 };
    const MINOR: Masks = Masks { pawn: 0, minor: !0 };
    const MAJOR: Masks = Masks { pawn: 0, minor: 0 };
    ByRole {
        pawn: PAWN,
        knight: MINOR,
        bishop: MINOR,
        rook: MAJOR,
        queen: MAJOR,
        king: MINOR,
    }
};

impl Keys {
    /// The keys of `chess`, from scratch.
    pub(super) fn of(chess: &Chess) -> Self {
        let mut keys = Self {
            full: 0,
            pawn: 0,
            minor: 0,
            non_pawn: ByColor::new_with(|_| 0),
        };
        for (square, piece) in chess.board() {
            keys.toggle(square, piece);
        }
        keys.full = chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        keys
    }

    /// Adds or removes `piece` on `square`. Masks instead of branches: which key a
    /// piece belongs to is as hard to predict as which piece moves.
    #[inline]
    pub(super) fn toggle(&mut self, square: Square, piece: Piece) {
        let number = piece_on(square, piece);
        let masks = MASKS.get(piece.role);
        self.full ^= number;
        self.pawn ^= number & masks.pawn;
        self.minor ^= number & masks.minor;
        *self.non_pawn.get_mut(piece.color) ^= number & !masks.pawn;
    }

    /// Passes the move to the other side.
    #[inline]
    pub(super) fn toggle_turn(&mut self) {
        self.full ^= white_to_move();
    }

    /// Adds or removes the right to take en passant on the file of `square`.
    #[inline]
    pub(super) fn toggle_en_passant(&mut self, square: Square) {
        self.full ^= Zobrist64::zobrist_for_en_passant_file(square.file()).0;
    }

    /// Accounts for the castling rights that `before` had and `after` lost.
    #[inline]
    pub(super) fn update_castling(&mut self, before: &Chess, after: &Chess) {
        if rights(before) == rights(after) {
            return;
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if before.castles().has(color, side) != after.castles().has(color, side) {
                    self.full ^= Zobrist64::zobrist_for_castling_right(color, side).0;
                }
            }
        }
    }
}

/// The rooks that may still castle.
#[inline]
fn rights(chess: &Chess) -> Bitboard {
    chess.castles().castling_rights()
}

/// The random number of `piece` on `square`.
#[inline]
pub(super) fn piece_on(square: Square, piece: Piece) -> u64 {
    Zobrist64::zobrist_for_piece(square, piece).0
}

/// The random number of White being to move.
#[inline]
pub(super) fn white_to_move() -> u64 {
    Zobrist64::zobrist_for_white_turn().0
}

/// The random number of the right to take en passant on the file of `square`.
#[inline]
pub(super) fn en_passant(square: Square) -> u64 {
    Zobrist64::zobrist_for_en_passant_file(square.file()).0
}
