//! The evaluator: what the search asks for the value of a position.

use std::sync::Arc;

use super::{
    accumulator::Accumulators,
    arch::{self, QA, QB},
    network::{Network, Row},
    simd::Kernels,
};
use crate::{
    position::Position,
    types::{Score, convert},
};

/// One thread's evaluation: the network and the hidden sums along its current line.
///
/// Calls must mirror the search: [`Evaluator::reset`] at the root, a push for every
/// move made and a pop for every move taken back.
#[derive(Clone, Debug)]
pub struct Evaluator {
    network: Arc<Network>,
    kernels: Kernels,
    accumulators: Accumulators,
}

impl Evaluator {
    /// An evaluator at the beginning of a line.
    pub fn new(network: Arc<Network>) -> Self {
        Self {
            accumulators: Accumulators::new(&network),
            kernels: Kernels::detect(),
            network,
        }
    }

    /// Begins a line under `network`; cheap unless that is another network.
    pub fn begin(&mut self, network: &Arc<Network>) {
        if Arc::ptr_eq(network, &self.network) {
            self.reset();
        } else {
            *self = Self::new(Arc::clone(network));
        }
    }

    /// Begins another line; cheap.
    pub fn reset(&mut self) {
        self.accumulators.reset();
    }

    /// A move is made, or a null move.
    #[inline]
    pub fn push(&mut self) {
        self.accumulators.push();
    }

    /// The last move, null or not, is taken back.
    #[inline]
    pub fn pop(&mut self) {
        self.accumulators.pop();
    }

    /// The value of `position`, the last of the line, for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let bucket = arch::output_bucket(position.board().occupied().count());
        let (network, kernels) = (&*self.network, &self.kernels);
        let (own, foreign) = self.accumulators.rows(network, kernels, position);
        network.output(kernels, [own, foreign], bucket)
    }
}

impl Network {
    /// The value that the hidden sums of the side to move and of its opponent give at the
    /// output neuron `bucket`.
    #[inline]
    pub(super) fn output(&self, kernels: &Kernels, sums: [&Row; 2], bucket: usize) -> Score {
        let [own, foreign] = sums;
        let sum = kernels.output(own, foreign, &self.outputs[bucket]);
        let sum = i64::from(sum / i32::from(QA) + self.output_bias[bucket]);
        let units = sum * i64::from(Score::PER_LOGIT) / (i64::from(QA) * i64::from(QB));
        Score::evaluation(convert::saturate_i32(units))
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng, rngs::SmallRng};
    use shakmaty::{CastlingMode, Chess, Color, fen::Fen};

    use super::*;
    use crate::{
        learn::{
            model::{Model, Shape},
            quantise::quantise,
        },
        nnue::{condition::oracle::condition, features::View, inputs::Man},
        types::MoveList,
    };

    fn network() -> Arc<Network> {
        let shape = Shape::new(arch::KING_BUCKETS, arch::WIDTH);
        let mut parameters = quantise(&Model::random(shape, 3), 140);
        // The rows of a random model do not tell conditions apart.
        let mut rng = SmallRng::seed_from_u64(4);
        for weight in &mut parameters.input_weights {
            *weight = rng.random_range(-9..=9);
        }
        Arc::new(Network::new(&parameters).unwrap())
    }

    /// The evaluation in plain words, sharing no code with the incremental one.
    fn from_scratch(network: &Network, position: &Position) -> Score {
        let board = position.board();
        let mut sum = 0;
        let bucket = arch::output_bucket(board.occupied().count());
        for (side, color) in [position.turn(), !position.turn()].into_iter().enumerate() {
            let view = View::new(color, board.king_of(color).unwrap());
            let mut hidden = network.bias.0;
            for (square, piece) in board {
                let man = Man::new(piece, condition(board, square, piece));
                let row = &network.rows[view.row(square, man)];
                for (sum, weight) in hidden.iter_mut().zip(row.0) {
                    *sum += i16::from(weight);
                }
            }
            for (value, weight) in hidden.into_iter().zip(network.outputs[bucket][side].0) {
                let active = i32::from(value).clamp(0, i32::from(QA));
                sum += active * active * i32::from(weight);
            }
        }
        let sum = i64::from(sum / i32::from(QA) + network.output_bias[bucket]);
        let unit = i64::from(QA) * i64::from(QB);
        Score::evaluation(i32::try_from(sum * 400 / unit).unwrap())
    }

    fn random_start(rng: &mut SmallRng) -> Position {
        let chess = if rng.random_bool(0.5) {
            Chess::default()
        } else {
            let mut setup = shakmaty::Setup::initial();
            setup.board = shakmaty::Board::chess960(rng.random_range(0..960));
            setup.castling_rights = setup.board.rooks();
            setup.position(CastlingMode::Chess960).unwrap()
        };
        Position::new(chess)
    }

    /// Walks at random, back as well as forth, evaluating only now and then.
    fn walk(rng: &mut SmallRng, network: &Network, evaluator: &mut Evaluator) {
        let mut line = vec![random_start(rng)];
        evaluator.reset();
        for _ in 0..160 {
            let position = line.last().unwrap();
            let mut moves = MoveList::new();
            position.generate_all(&mut moves);
            if line.len() > 1 && (moves.is_empty() || rng.random_bool(0.1)) {
                evaluator.pop();
                line.pop();
            } else if moves.is_empty() {
                break;
            } else if !position.in_check() && rng.random_bool(0.05) {
                evaluator.push();
                line.push(position.play_null());
            } else {
                let mv = moves[rng.random_range(0..moves.len())];
                evaluator.push();
                line.push(position.play(mv));
            }
            if rng.random_bool(0.6) {
                let position = line.last().unwrap();
                assert_eq!(
                    evaluator.evaluate(position),
                    from_scratch(network, position)
                );
            }
        }
    }

    #[test]
    fn incremental_equals_from_scratch() {
        let games = std::env::var("ARBORIST_SLOW_TESTS").map_or(40, |_| 10_000);
        let network = network();
        let mut rng = SmallRng::seed_from_u64(2);
        let mut evaluator = Evaluator::new(Arc::clone(&network));
        for _ in 0..games {
            walk(&mut rng, &network, &mut evaluator);
        }
    }

    #[test]
    fn crowded_boards_are_evaluated() {
        let fen =
            "qqqqkqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1";
        let fen: Fen = fen.parse().unwrap();
        let chess = fen
            .into_position::<Chess>(CastlingMode::Standard)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .or_else(shakmaty::PositionError::ignore_too_much_material);
        let position = Position::new(chess.unwrap());
        let network = network();
        let mut evaluator = Evaluator::new(Arc::clone(&network));
        let score = evaluator.evaluate(&position);
        assert_eq!(score, from_scratch(&network, &position));
    }

    #[test]
    fn colours_are_symmetric() {
        let network = network();
        let position = |fen: &str| {
            let fen: Fen = fen.parse().unwrap();
            Position::new(fen.into_position(CastlingMode::Standard).unwrap())
        };
        let white = position("r3k2r/pp3ppp/2n5/3q4/8/5N2/PP3PPP/R2QK2R w KQkq - 0 1");
        let black = position("r2qk2r/pp3ppp/5n2/8/3Q4/2N5/PP3PPP/R3K2R b KQkq - 0 1");
        let mut evaluator = Evaluator::new(network);
        let score = evaluator.evaluate(&white);
        evaluator.reset();
        assert_eq!(evaluator.evaluate(&black), score);
        assert_eq!(white.turn(), Color::White);
    }

    #[test]
    fn the_embedded_network_knows_material() {
        let fen: Fen = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
            .parse()
            .unwrap();
        let position = Position::new(fen.into_position(CastlingMode::Standard).unwrap());
        let mut evaluator = Evaluator::new(Network::embedded());
        let score = evaluator.evaluate(&position).units();
        assert!(score > 300, "a queen up, yet {score}");
    }
}
