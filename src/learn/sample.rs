//! One position to learn from, in 32 bytes.
//!
//! The board is turned so that the side to move plays up the board as White, which
//! is all the network ever sees; castling rights, en passant and clocks are left out.

use shakmaty::{Bitboard, Board, Chess, Color, Position, Role, Square};

use super::games::GameResult;
use crate::{
    nnue::{arch, features::KingBuckets, inputs::Inputs},
    types::convert,
};

/// The position was in no game.
const UNKNOWN: u8 = 3;

/// A position, its score and the result of its game, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    occupied: u64,
    /// Four bits a piece, in the order of the squares: role, and 8 for the opponent.
    pieces: [u8; 16],
    score: i16,
    /// 0 lost, 1 drawn, 2 won, or [`UNKNOWN`].
    result: u8,
    /// Whether the side to move is Black, so that the board is turned.
    black: bool,
    /// Whether the position belongs together with the one before.
    follows: bool,
}

impl Sample {
    /// Packs a position of at most 32 pieces, scored with `score` centipawns for White.
    pub fn new(position: &Chess, score: i16, result: Option<GameResult>) -> Self {
        let white = position.turn() == Color::White;
        let turn = |square: Square| {
            if white {
                square
            } else {
                square.flip_vertical()
            }
        };
        let board = position.board();
        let occupied = if white {
            board.occupied()
        } else {
            board.occupied().flip_vertical()
        };
        let mut pieces = [0; 16];
        for (index, square) in occupied.into_iter().take(32).enumerate() {
            if let Some(piece) = board.piece_at(turn(square)) {
                let foreign = u8::from(piece.color != position.turn()) * 8;
                pieces[index / 2] |= (piece.role as u8 | foreign) << (4 * (index % 2));
            }
        }
        Self {
            occupied: occupied.0,
            pieces,
            score: if white { score } else { score.saturating_neg() },
            result: match result {
                Some(result) if white => result as u8,
                Some(result) => 2 - result as u8,
                None => UNKNOWN,
            },
            black: !white,
            follows: false,
        }
    }

    /// The same, belonging together with the position before it or not.
    #[must_use]
    pub const fn following(self, follows: bool) -> Self {
        Self { follows, ..self }
    }

    /// Whether it belongs together with the position before it.
    pub const fn follows(&self) -> bool {
        self.follows
    }

    /// Whether the side to move is Black.
    pub const fn is_black(&self) -> bool {
        self.black
    }

    /// The score in centipawns for the side to move.
    pub const fn score(&self) -> i16 {
        self.score
    }

    /// The result for the side to move: 0, 0.5 or 1; none if the position was in no game.
    pub fn result(&self) -> Option<f32> {
        (self.result != UNKNOWN).then_some(f32::from(self.result) * 0.5)
    }

    /// The output neuron responsible.
    pub const fn output_bucket(&self) -> usize {
        arch::output_bucket(self.occupied.count_ones() as usize)
    }

    /// The board with the side to move as White.
    fn board(&self) -> Board {
        let mut board = Board::empty();
        for (index, square) in Bitboard(self.occupied).into_iter().enumerate() {
            let code = self.pieces[index / 2] >> (4 * (index % 2)) & 15;
            let color = Color::from_white(code < 8);
            if let Ok(role) = Role::try_from(code & 7) {
                board.set_piece_at(square, role.of(color));
            }
        }
        board
    }

    /// Appends the rows of the first layer that this position switches on: to `own`
    /// as the side to move sees them, to `foreign` as its opponent does.
    pub fn rows(&self, buckets: &KingBuckets, own: &mut Vec<u32>, foreign: &mut Vec<u32>) {
        let board = self.board();
        let view = |color| buckets.view(color, board.king_of(color).unwrap_or(Square::E1));
        let (ours, theirs) = (view(Color::White), view(Color::Black));
        for (square, man) in Inputs::of(&board).men() {
            own.push(convert::low_u32(ours.row(square, man) as u64));
            foreign.push(convert::low_u32(theirs.row(square, man) as u64));
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use rand::{Rng, SeedableRng, rngs::SmallRng, seq::IndexedRandom};

    use super::*;

    /// The positions of a game of so many random moves, which follow each other.
    pub(in crate::learn) fn random_game(plies: usize) -> Vec<Sample> {
        let mut rng = SmallRng::seed_from_u64(11);
        let mut position = Chess::default();
        let mut samples = Vec::new();
        for ply in 0..plies {
            let score = rng.random_range(-300..300);
            let sample = Sample::new(&position, score, Some(GameResult::WhiteWins));
            samples.push(sample.following(ply > 0));
            let legal = position.legal_moves();
            position.play_unchecked(*legal.choose(&mut rng).expect("the game goes on"));
        }
        samples
    }

    #[test]
    fn colours_are_symmetric() {
        let rows = |fen: &str| {
            let fen: shakmaty::fen::Fen = fen.parse().unwrap();
            let position: Chess = fen.into_position(shakmaty::CastlingMode::Standard).unwrap();
            let sample = Sample::new(&position, 31, Some(GameResult::WhiteWins));
            let (mut own, mut foreign) = (Vec::new(), Vec::new());
            sample.rows(&KingBuckets::FOUR, &mut own, &mut foreign);
            own.sort_unstable();
            foreign.sort_unstable();
            (sample.score(), sample.result().unwrap(), own, foreign)
        };
        let white = rows("4k3/pp6/8/8/4N3/8/6PP/R5K1 w - - 0 1");
        let black = rows("r5k1/6pp/8/4n3/8/8/PP6/4K3 b - - 0 1");
        assert_eq!((white.0, black.0), (31, -31));
        assert!((white.1 - 1.0).abs() < 1e-6 && black.1.abs() < 1e-6);
        assert_eq!((white.2, white.3), (black.2, black.3));
    }

    #[test]
    fn a_sample_takes_32_bytes() {
        assert_eq!(size_of::<Sample>(), 32);
    }
}
