//! Sizes of the network that is compiled into the engine; nothing else.
//!
//! One hidden layer, seen once by each side (the side to move first), feeds one of
//! several output neurons, chosen by the number of pieces on the board. To try
//! another width or another partition of the king's squares, change it here, train
//! with the same values and replace the embedded file: the file's header carries
//! these sizes, and a file that does not match is refused.

use super::features::KingBuckets;

/// What can stand where: 2 colours, 6 roles, 64 squares.
pub const PLACEMENTS: usize = 768;
/// Conditions that a piece of each role can be in, pawns first (see [`super::condition`]).
pub const CONDITIONS: [usize; 6] = [16, 8, 8, 8, 8, 32];
/// Inputs for one king bucket.
pub const INPUTS_PER_BUCKET: usize = 64 * super::features::SETS;
/// How the own king's square selects a set of input weights.
pub const KING_BUCKETS: KingBuckets = KingBuckets::SINGLE;
/// All inputs, and rows of the first layer.
pub const INPUTS: usize = INPUTS_PER_BUCKET * KING_BUCKETS.count();
/// Neurons of the hidden layer for each side.
pub const WIDTH: usize = 1024;
/// Output neurons, one for each range of piece counts.
pub const OUTPUTS: usize = 8;
/// Activations of 1.0 are this integer in the quantised first layer, and weights of 1.0, the
/// largest that fits a byte.
pub const QA: i16 = 127;
/// Output weights of 1.0 are this integer in the quantised network.
pub const QB: i16 = 128;

/// The output neuron responsible for a board with `pieces` pieces, kings included.
/// More pieces than a game can have are judged like a full board.
pub const fn output_bucket(pieces: usize) -> usize {
    let bucket = pieces.saturating_sub(2) / 4;
    if bucket < OUTPUTS {
        bucket
    } else {
        OUTPUTS - 1
    }
}
