//! One evaluation taken apart: every output neuron, and what each piece contributes.
//!
//! A piece's contribution is the value of the position less the value of the board
//! without that piece (as Stockfish shows it since it has a network). Such a board need
//! not be a legal position, so everything is computed from scratch here. Invariant: the
//! value is the one that the search sees.

use shakmaty::{Board, Color, Piece, Role, Square};

use super::{
    arch::{self, OUTPUTS},
    features::View,
    inputs::Inputs,
    network::{InputRow, Network, Row},
    simd::Kernels,
};
use crate::{position::Position, types::Score};

/// What a network makes of one position; all values are White's.
#[derive(Clone, Debug)]
pub struct Anatomy {
    /// The value of the position.
    pub value: Score,
    /// The output neuron that gives this value.
    pub bucket: usize,
    /// What each output neuron would say if it were the responsible one.
    pub outputs: [Score; OUTPUTS],
    /// What each piece adds to the value, in centipawns; kings, which are never missing, add nothing.
    pub contributions: Vec<(Square, Piece, i32)>,
}

impl Anatomy {
    /// Takes the evaluation of `position` by `network` apart.
    pub fn of(network: &Network, position: &Position) -> Self {
        let (board, turn) = (position.board(), position.turn());
        let whole = Sums::of(network, board, turn);
        let bucket = bucket(board);
        let value = whole.output(bucket);
        let contribution = |(square, piece): (Square, Piece)| {
            let mut rest = board.clone();
            rest.discard_piece_at(square);
            let without = Sums::of(network, &rest, turn).output(self::bucket(&rest));
            (square, piece, value - without)
        };
        let pieces = board.clone().into_iter();
        Self {
            value,
            bucket,
            outputs: std::array::from_fn(|bucket| whole.output(bucket)),
            contributions: pieces
                .filter(|(_, piece)| piece.role != Role::King)
                .map(contribution)
                .collect(),
        }
    }
}

fn bucket(board: &Board) -> usize {
    arch::output_bucket(board.occupied().count())
}

/// The hidden sums of a board, first as the side to move sees it.
struct Sums<'n> {
    network: &'n Network,
    kernels: Kernels,
    turn: Color,
    rows: [Row; 2],
}

impl<'n> Sums<'n> {
    fn of(network: &'n Network, board: &Board, turn: Color) -> Self {
        let kernels = Kernels::detect();
        let seen_by = |color| {
            let king = board.king_of(color).expect("kings are never taken away");
            let view = View::new(color, king);
            let row = |(square, man)| &network.rows[view.row(square, man)];
            let inputs: Vec<&InputRow> = Inputs::of(board).men().map(row).collect();
            let mut sum = Row::ZERO;
            kernels.update(&mut sum, &network.bias, &inputs, &[]);
            sum
        };
        Self {
            network,
            kernels,
            turn,
            rows: [turn, !turn].map(seen_by),
        }
    }

    /// The value for White by this output neuron.
    fn output(&self, bucket: usize) -> Score {
        let [own, foreign] = &self.rows;
        let score = self.network.output(&self.kernels, [own, foreign], bucket);
        self.turn.fold_wb(score, -score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{nnue::Evaluator, position::Game};

    fn anatomy(fen: &str) -> (Anatomy, Position) {
        let position = Game::from_fen(fen, false).unwrap().position();
        (Anatomy::of(&Network::embedded(), &position), position)
    }

    #[test]
    fn the_value_is_the_one_of_the_search() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/pp3ppp/2n5/3q4/8/5N2/PP3PPP/R2QK2R b KQkq - 0 1",
            "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
        ] {
            let (anatomy, position) = anatomy(fen);
            let mut evaluator = Evaluator::new(Network::embedded());
            let score = evaluator.evaluate(&position);
            assert_eq!(anatomy.value, position.turn().fold_wb(score, -score));
            assert_eq!(anatomy.outputs[anatomy.bucket], anatomy.value);
        }
    }

    #[test]
    fn a_piece_contributes_what_is_lost_without_it() {
        let (whole, _) = anatomy("4k3/4r3/8/8/8/8/4P3/4K3 w - - 0 1");
        let (without, _) = anatomy("4k3/4r3/8/8/8/8/8/4K3 w - - 0 1");
        let pawn = (Square::E2, Color::White.pawn(), whole.value - without.value);
        assert_eq!(whole.contributions.len(), 2);
        assert_eq!(whole.contributions[0], pawn);
    }
}
