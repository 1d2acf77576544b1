//! A game up to the position that is to be searched.
//!
//! Invariant: the earlier keys are those of exactly the positions that could still be
//! repeated: every capture, pawn move and loss of a castling right empties the list.

use std::{error, fmt};

use shakmaty::{
    CastlingMode, CastlingSide, Chess, EnPassantMode, Move, Position as _, fen::Fen, uci::UciMove,
    zobrist::Zobrist64,
};

use super::{FenError, Position, fen};
use crate::types::MoveList;

/// The root of a search and what came before it.
#[derive(Clone, Debug)]
pub struct Game {
    chess: Chess,
    mode: CastlingMode,
    earlier_keys: Vec<u64>,
}

/// Why a move was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The text is no move at all.
    Unreadable(String),
    /// The move is not legal in this position.
    Illegal(String),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(text) => write!(f, "`{text}` is not a move such as e2e4 or e7e8q"),
            Self::Illegal(text) => write!(f, "the move {text} is not legal here"),
        }
    }
}

impl error::Error for MoveError {}

impl Default for Game {
    fn default() -> Self {
        Self::start()
    }
}

impl Game {
    /// The initial position.
    pub fn start() -> Self {
        Self::from_parts(Chess::new(), CastlingMode::Standard)
    }

    fn from_parts(chess: Chess, mode: CastlingMode) -> Self {
        Self {
            chess,
            mode,
            earlier_keys: Vec::new(),
        }
    }

    /// The position of a FEN, in Chess960 if `chess960` is set or if its castling rights
    /// make no sense otherwise. Castling rights may be written as `KQkq` or as files.
    ///
    /// # Errors
    /// When a field cannot be read or the position cannot be played; small faults
    /// (castling rights, en passant square, impossible checks, too much material) are mended.
    pub fn from_fen(fen: &str, chess960: bool) -> Result<Self, FenError> {
        let (chess, mode) = fen::parse(fen, chess960)?;
        Ok(Self::from_parts(chess, mode))
    }

    /// Plays the legal move `mv`.
    pub fn play(&mut self, mv: Move) {
        let rights = self.chess.castles().castling_rights();
        let key = self.chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal);
        self.earlier_keys.push(key.0);
        self.chess.play_unchecked(mv);
        if self.chess.halfmoves() == 0 || self.chess.castles().castling_rights() != rights {
            self.earlier_keys.clear();
        }
    }

    /// Plays a move in UCI notation; see [`Game::parse_uci_move`].
    ///
    /// # Errors
    /// When the text is no move or the move is not legal; the game is then unchanged.
    pub fn play_uci(&mut self, text: &str) -> Result<(), MoveError> {
        let mv = self.parse_uci_move(text)?;
        self.play(mv);
        Ok(())
    }

    /// The legal move that `text` means, in lower or upper case. Castling may be written
    /// as king takes rook or as the king's step to the c- or g-file.
    ///
    /// # Errors
    /// When the text is no move or the move is not legal.
    pub fn parse_uci_move(&self, text: &str) -> Result<Move, MoveError> {
        let uci = UciMove::from_ascii(text.to_ascii_lowercase().as_bytes())
            .map_err(|_| MoveError::Unreadable(text.to_owned()))?;
        uci.to_move(&self.chess)
            .ok()
            .or_else(|| self.castling_by_destination(uci))
            .ok_or_else(|| MoveError::Illegal(text.to_owned()))
    }

    /// The castling that takes the king from a square other than e1 or e8 straight to its
    /// destination, as some clients write it in Chess960.
    fn castling_by_destination(&self, uci: UciMove) -> Option<Move> {
        let king = self.chess.board().king_of(self.chess.turn())?;
        if uci.from() != Some(king) {
            return None;
        }
        let side = CastlingSide::ALL
            .into_iter()
            .find(|side| uci.to() == Some(side.king_to(self.chess.turn())))?;
        self.chess.castling_moves(side).first().copied()
    }

    /// The root as `shakmaty` sees it.
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// The root as the search sees it.
    pub fn position(&self) -> Position {
        Position::new(self.chess.clone())
    }

    /// How castling is written for the client.
    pub fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// Changes how castling is written, not what is legal.
    pub fn set_mode(&mut self, mode: CastlingMode) {
        self.mode = mode;
    }

    /// The root as FEN, with an en passant square only where a capture is legal.
    pub fn fen(&self) -> String {
        Fen::from_position(&self.chess, EnPassantMode::Legal).to_string()
    }

    /// Keys of the earlier positions that could still be repeated, the oldest first, the
    /// root not included.
    pub fn earlier_keys(&self) -> &[u64] {
        &self.earlier_keys
    }

    /// The legal moves of the root.
    pub fn legal_moves(&self) -> Vec<Move> {
        let position = self.position();
        let mut list = MoveList::new();
        position.generate_all(&mut list);
        list.into_iter().map(|mv| position.unpack(mv)).collect()
    }

    /// The root with colours exchanged and the board turned round, without history.
    ///
    /// # Errors
    /// As for [`Game::from_fen`]; a legal game's root has none.
    pub fn flipped(&self) -> Result<Self, FenError> {
        let setup = self.chess.to_setup(EnPassantMode::Always).into_mirrored();
        let chess = fen::set_up(setup, self.chess.castles().mode())?;
        Ok(Self::from_parts(chess, self.mode))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &[&str]) -> Game {
        let mut game = Game::start();
        for mv in moves {
            game.play_uci(mv).unwrap();
        }
        game
    }

    #[test]
    fn keeps_what_can_be_repeated() {
        assert_eq!(after(&["g1f3", "g8f6", "b1c3"]).earlier_keys().len(), 3);
        assert!(after(&["g1f3", "e7e5"]).earlier_keys().is_empty());
        // The rook comes back, the right to castle does not.
        let moves = ["g1f3", "g8f6", "h1g1", "h8g8", "g1h1", "g8h8"];
        let game = after(&moves);
        assert_eq!(game.earlier_keys().len(), 2);
        assert_ne!(game.position().key(), after(&moves[..2]).position().key());
    }

    #[test]
    fn castling_may_be_written_in_every_way() {
        let standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let shuffled = "rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1";
        for (fen, text) in [
            (standard, ["e1g1", "e1h1", "E1G1"]),
            (standard, ["e1c1", "e1a1", "E1a1"]),
            (shuffled, ["b1g1", "b1h1", "B1H1"]),
        ] {
            let game = Game::from_fen(fen, false).unwrap();
            for text in text {
                let mv = game.parse_uci_move(text).unwrap();
                assert!(mv.is_castle(), "{text}");
            }
        }
        // A step to the neighbouring c-file is a step.
        let game = Game::from_fen(shuffled, false).unwrap();
        assert!(!game.parse_uci_move("b1c1").unwrap().is_castle());
    }

    #[test]
    fn bad_moves_are_named_and_change_nothing() {
        let mut game = Game::start();
        let unreadable = ["", "e2", "castle", "e2e9", "e7e8x", "\u{e9}2e4"];
        let illegal = ["e2e5", "0000", "e7e5", "e2e4q", "e1g1", "Q@e4"];
        for text in unreadable {
            let error = MoveError::Unreadable(text.to_owned());
            assert_eq!(game.play_uci(text), Err(error));
        }
        for text in illegal {
            let error = MoveError::Illegal(text.to_owned());
            assert_eq!(game.play_uci(text), Err(error));
        }
        assert_eq!(game.fen(), Game::start().fen());
    }

    #[test]
    fn promotions_may_be_capitals() {
        let mut game = Game::from_fen("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", false).unwrap();
        game.play_uci("E7E8N").unwrap();
        assert_eq!(game.fen(), "4N3/6k1/8/8/8/8/8/4K3 b - - 0 1");
    }
}
