//! A game while it is being played, before it is a [`Game`] in a file.
//!
//! From shakmaty's terms to those of viriformat; [`games`](super::games) has the way
//! back. Invariant: what is read back is what was played, in Chess960 too.

use shakmaty::{Chess, Color, EnPassantMode, Move, Position, Square};
use viriformat::{
    chess::{
        board::{Board, DrawType, GameOutcome, WinType},
        chessmove::{self, MoveFlags},
        piece::{Colour, Piece, PieceType},
        types::Square as FileSquare,
    },
    dataformat,
};

use super::games::{Game, GameResult};
use crate::types::{Score, convert};

/// A mate in `n` moves is written as this less `n`.
const MATE: i32 = 32_000;

/// A game that is still going on.
pub struct Draft(dataformat::Game);

impl Draft {
    /// A game from `start` with no move yet.
    pub fn new(start: &Chess) -> Self {
        Self(dataformat::Game::new(&board(start)))
    }

    /// Number of plies.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no move was played yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a legal move and the score, for White, of the position in which it was played.
    pub fn add(&mut self, mv: Move, score: Score) {
        self.0.add_move(written(mv), stored(score));
    }

    /// The finished game.
    pub fn finish(mut self, result: GameResult) -> Game {
        // The file does not say how a game was won or drawn.
        self.0.set_outcome(match result {
            GameResult::WhiteWins => GameOutcome::WhiteWin(WinType::Mate),
            GameResult::Draw => GameOutcome::Draw(DrawType::Repetition),
            GameResult::BlackWins => GameOutcome::BlackWin(WinType::Mate),
        });
        Game(self.0)
    }
}

/// The largest score in a file that is no mate.
const LIMIT: i32 = 30_000;

/// A score as the file keeps it: centipawns, or a mate at the end of the range.
fn stored(score: Score) -> i16 {
    convert::saturate_i16(match score.moves_to_mate() {
        Some(moves) if score.is_win() => MATE - moves,
        Some(moves) => -MATE - moves,
        None => score.centipawns().clamp(-LIMIT, LIMIT),
    })
}

/// Moves to the mate that a score in a file tells of, negative if White is mated.
pub(super) fn moves_to_mate(stored: i16) -> Option<i32> {
    let left = MATE - i32::from(stored.unsigned_abs());
    let moves = left * i32::from(stored.signum());
    (i32::from(stored.unsigned_abs()) > LIMIT).then_some(moves)
}

fn square(square: Square) -> FileSquare {
    FileSquare::new_clamped(u8::from(square))
}

fn written(mv: Move) -> chessmove::Move {
    let flagged = |from, to, flag| chessmove::Move::new_with_flags(square(from), square(to), flag);
    match mv {
        Move::Castle { king, rook } => flagged(king, rook, MoveFlags::Castle),
        Move::EnPassant { from, to } => flagged(from, to, MoveFlags::EnPassant),
        _ => {
            let (from, to) = (mv.from().unwrap_or(mv.to()), mv.to());
            let promotion = mv.promotion().map(|role| piece_type(role as u8));
            match promotion {
                Some(role) => chessmove::Move::new_with_promo(square(from), square(to), role),
                None => chessmove::Move::new(square(from), square(to)),
            }
        }
    }
}

/// The kind of piece of a role, pawn 1 to king 6.
fn piece_type(role: u8) -> PieceType {
    PieceType::new(role - 1).expect("there are six roles")
}

fn board(chess: &Chess) -> Board {
    let setup = chess.to_setup(EnPassantMode::Legal);
    let side = |color: Color| Colour::new(color.is_black());
    let mut board = Board::new();
    for (at, piece) in &setup.board {
        let kind = piece_type(piece.role as u8);
        board.add_piece(square(at), Piece::new(side(piece.color), kind));
    }
    for rook in setup.castling_rights {
        let color = setup.board.color_at(rook).unwrap_or(Color::White);
        let right_of_king = setup.board.king_of(color) < Some(rook);
        let rights = board.castling_rights_mut();
        let right = if right_of_king {
            rights.kingside_mut(side(color))
        } else {
            rights.queenside_mut(side(color))
        };
        *right = Some(square(rook));
    }
    *board.turn_mut() = side(setup.turn);
    *board.ep_sq_mut() = setup.ep_square.map(square);
    *board.halfmove_clock_mut() = convert::low_u8(u64::from(setup.halfmoves.min(100)));
    board.set_fullmove_clock(convert::low_u16(u64::from(setup.fullmoves.get())).max(1));
    board
}

/// The game of these moves, in words of UCI, with their scores for White, from the present
/// position of `game` on.
#[cfg(test)]
pub(super) fn played(
    mut game: crate::position::Game,
    moves: &[(&str, Score)],
    result: GameResult,
) -> Game {
    let mut draft = Draft::new(game.chess());
    for (mv, score) in moves {
        let mv = game.parse_uci_move(mv).unwrap();
        draft.add(mv, *score);
        game.play(mv);
    }
    draft.finish(result)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Role, fen::Fen};

    use super::*;
    use crate::types::Ply;

    fn position(fen: &str) -> Chess {
        let fen: Fen = fen.parse().unwrap();
        fen.into_position(CastlingMode::Chess960).unwrap()
    }

    #[test]
    fn start_positions_come_back() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/2PpP3/8/PP1P1PPP/RNBQKBNR b KQkq c3 0 3",
            "4k3/8/8/8/8/8/4P3/4K3 b - - 37 90",
            // The rook that may castle is not the outer one.
            "bqnbrkrn/pppppppp/8/8/8/8/PPPPPP2/RR2K1RR w BGeg - 5 9",
        ] {
            let start = position(fen);
            let game = Draft::new(&start).finish(GameResult::Draw);
            assert_eq!(game.start().unwrap(), start, "{fen}");
            let back = game.start().unwrap();
            assert_eq!(back.fullmoves(), start.fullmoves(), "{fen}");
        }
    }

    #[test]
    fn special_moves_come_back() {
        let start = position("1r2k2r/P6p/8/4pP2/8/8/8/RR2K3 w Bh e6 0 9");
        for mv in start.legal_moves() {
            let mut draft = Draft::new(&start);
            draft.add(mv, Score::from_centipawns(-17));
            let game = draft.finish(GameResult::BlackWins);
            let mut seen = Vec::new();
            game.replay(|_, mv, score| seen.push((mv, score))).unwrap();
            assert_eq!(seen, [(mv, -17)]);
            assert_eq!(game.result(), GameResult::BlackWins);
        }
        let kinds = start.legal_moves();
        assert!(kinds.iter().any(|mv| mv.is_castle()));
        assert!(kinds.iter().any(|mv| mv.is_en_passant()));
        assert!(kinds.iter().any(|mv| mv.promotion() == Some(Role::Knight)));
    }

    #[test]
    fn mates_count_in_moves_from_the_end_of_the_range() {
        let in_three = Score::mate_in(Ply::new(5));
        let against_us = Score::mated_in(Ply::new(4));
        assert_eq!((stored(in_three), stored(against_us)), (31_997, -31_998));
        assert_eq!(stored(Score::tablebase_win(Ply::ROOT)), 30_000);
        assert_eq!(stored(Score::from_centipawns(-250)), -250);
    }
}
