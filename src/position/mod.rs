//! The board as the search sees it.
//!
//! [`Position`] is `shakmaty::Chess` together with what every node asks for: keys
//! kept incrementally, the king, the checkers, the pinned pieces and the legal en
//! passant square. It is copied, not unmade: [`Position::play`] returns a new value.
//! Around it stand a staged generator, exact legality of a packed move, static
//! exchange evaluation and what each side attacks. [`Game`] is the
//! root with its history, [`Trail`] the keys of the line being searched.
//!
//! Invariant: whatever a [`Position`] stores beside the board equals what would be
//! computed from the board alone; [`Position::new`] and [`Position::play`] agree.

mod check;
mod cycle;
mod fen;
mod game;
mod generate;
mod keys;
mod legality;
mod moves;
mod play;
pub mod see;
mod threats;
mod trail;

pub use check::CheckSquares;
pub use fen::FenError;
pub use game::{Game, MoveError};
pub use threats::Threats;
pub use trail::Trail;

use keys::Keys;
use shakmaty::{Bitboard, Board, Chess, Color, Position as _, Role, Square, attacks};

/// A position with everything derived from it that a search asks for often.
#[derive(Clone, Debug)]
pub struct Position {
    chess: Chess,
    keys: Keys,
    checkers: Bitboard,
    pinned: Bitboard,
    king: Square,
    /// The en passant square, only if some en passant capture is legal.
    ep: Option<Square>,
}

impl Position {
    /// The position of `chess`, which must have one king a side; all else is computed from scratch.
    pub fn new(chess: Chess) -> Self {
        let mut position = Self {
            keys: Keys::of(&chess),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            king: Square::A1,
            ep: None,
            chess,
        };
        position.refresh();
        position
    }

    /// Recomputes king, checkers, pins and the legal en passant square.
    #[inline]
    fn refresh(&mut self) {
        let us = self.turn();
        let board = self.chess.board();
        let king = board
            .king_of(us)
            .expect("shakmaty refuses positions without kings");
        self.king = king;
        (self.checkers, self.pinned) = checkers_and_pinned(board, us, king);
        self.ep = None;
        if let Some(square) = self.chess.maybe_ep_square() {
            self.ep = self.ep_captors(square).any().then_some(square);
        }
    }

    /// The underlying position of `shakmaty`.
    #[inline]
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// Where the pieces stand.
    #[inline]
    pub fn board(&self) -> &Board {
        self.chess.board()
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.chess.turn()
    }

    /// Zobrist key of the whole position (Zobrist 1970); equals the key that
    /// `shakmaty` computes with `EnPassantMode::Legal`.
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.full
    }

    /// Key of the pawns of both sides.
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.keys.pawn
    }

    /// Key of the king and the pieces of `color`, without its pawns.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        *self.keys.non_pawn.get(color)
    }

    /// Key of the kings, bishops and knights of both sides.
    #[inline]
    pub fn minor_key(&self) -> u64 {
        self.keys.minor
    }

    /// The enemy pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that are pinned to their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The king of the side to move.
    #[inline]
    pub fn king(&self) -> Square {
        self.king
    }

    /// Plies since the last capture or pawn move; a null move counts as a ply.
    #[inline]
    pub fn halfmoves(&self) -> u32 {
        self.chess.halfmoves()
    }

    /// What `color` has besides its king and pawns.
    #[inline]
    fn pieces(&self, color: Color) -> Bitboard {
        let board = self.board();
        board.by_color(color) & !(board.pawns() | board.kings())
    }

    /// Whether `color` has anything besides its king and pawns.
    #[inline]
    pub fn has_pieces(&self, color: Color) -> bool {
        self.pieces(color).any()
    }

    /// Whether `color` has more than one knight or bishop besides its king and pawns: it is
    /// seldom in zugzwang then.
    #[inline]
    pub fn has_reserves(&self, color: Color) -> bool {
        let pieces = self.pieces(color);
        pieces.more_than_one() || (pieces & self.board().rooks_and_queens()).any()
    }

    /// Whether neither side can mate, however badly the other one plays.
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        self.chess.is_insufficient_material()
    }

    /// What stands on `square`.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.board().role_at(square)
    }

    /// Own pieces.
    #[inline]
    fn us(&self) -> Bitboard {
        self.board().by_color(self.turn())
    }

    /// Enemy pieces.
    #[inline]
    fn them(&self) -> Bitboard {
        self.board().by_color(!self.turn())
    }

    /// Own pieces of `role`.
    #[inline]
    fn our(&self, role: Role) -> Bitboard {
        self.us() & self.board().by_role(role)
    }

    /// Whether the enemy attacks `square` when the board is occupied as `occupied` says.
    #[inline]
    fn is_attacked(&self, square: Square, occupied: Bitboard) -> bool {
        self.board()
            .attacks_to(square, !self.turn(), occupied)
            .any()
    }
}

/// The enemy pieces that attack the `king` of `us`, and the pieces of `us` that stand
/// alone between it and an enemy slider.
#[inline]
fn checkers_and_pinned(board: &Board, us: Color, king: Square) -> (Bitboard, Bitboard) {
    let (ours, theirs) = (board.by_color(us), board.by_color(!us));
    // Only enemy pieces block the view here, so that exactly the sliders remain that
    // would give check if our own men were gone.
    let snipers = (attacks::rook_attacks(king, theirs) & board.rooks_and_queens())
        | (attacks::bishop_attacks(king, theirs) & board.bishops_and_queens());
    let leapers = (attacks::knight_attacks(king) & board.knights())
        | (attacks::pawn_attacks(us, king) & board.pawns());
    let mut checkers = leapers & theirs;
    let mut pinned = Bitboard::EMPTY;
    for sniper in snipers & theirs {
        let shield = attacks::between(king, sniper) & ours;
        if shield.is_empty() {
            checkers.add(sniper);
        } else if !shield.more_than_one() {
            pinned |= shield;
        }
    }
    (checkers, pinned)
}
