//! The network while it learns: real numbers, laid out for the trainer's loops.
//!
//! The hidden neurons are cut into blocks of [`BLOCK`]; everything that belongs to a
//! block (its columns of the first layer, its biases, its output weights) lies
//! together, so that a thread works on a piece that nearly fits its second-level cache. A row of
//! a block is two cache lines, which makes good for the time that walking a list takes.
//! Each placement of a piece has, besides its weights for every condition (and every king
//! bucket), a shared part (the factoriser, as in Stockfish's trainer): it learns
//! what holds whatever the condition; the two are added up before use.

use std::{array, ops::Range};

use aligned_vec::{AVec, avec};
use rand::{Rng, SeedableRng, rngs::SmallRng};

use crate::{
    nnue::{
        arch,
        features::{self, KingBuckets},
    },
    types::convert,
};

/// Hidden neurons of one block.
pub const BLOCK: usize = 32;
/// Numbers of a learning block that are shared rows.
pub(super) const SHARED: usize = arch::PLACEMENTS * BLOCK;
/// Numbers of the rows of one kind of piece in one condition: one row for each square.
pub(super) const SET: usize = 64 * BLOCK;
/// Largest weight of the first layer: it then fits a byte.
const INPUT_LIMIT: f32 = 1.0;
/// Largest bias of the first layer.
const BIAS_LIMIT: f32 = 3.0;
/// Largest output weight: its product with an activation then fits 16 bits.
const OUTPUT_LIMIT: f32 = 1.98;

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    buckets: KingBuckets,
    width: usize,
}

impl Shape {
    /// `width` hidden neurons a side, rounded up to a multiple of [`BLOCK`].
    pub fn new(buckets: KingBuckets, width: usize) -> Self {
        Self {
            buckets,
            width: width.max(1).next_multiple_of(BLOCK),
        }
    }

    /// The partition of the king's squares.
    pub const fn buckets(&self) -> &KingBuckets {
        &self.buckets
    }

    /// Hidden neurons a side.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Number of blocks.
    pub const fn blocks(&self) -> usize {
        self.width / BLOCK
    }

    /// Rows of the first layer that a position can switch on.
    pub const fn inputs(&self) -> usize {
        self.buckets.count() * arch::INPUTS_PER_BUCKET
    }

    /// Numbers in one block: rows, a row of biases, output weights for both sides.
    pub const fn block_len(&self) -> usize {
        (self.inputs() + 1) * BLOCK + OUTPUTS_LEN
    }

    /// Numbers in one block while it learns: the shared rows come first.
    pub const fn master_len(&self) -> usize {
        SHARED + self.block_len()
    }
}

/// What a block consists of, in this order: something for each of its parts.
#[derive(Clone, Copy, Debug)]
pub struct Parts<T> {
    /// Columns of the first layer, a row of [`BLOCK`] for each input.
    pub rows: T,
    /// Biases of the first layer.
    pub bias: T,
    /// Output weights: by output bucket, then own and foreign side.
    pub outputs: T,
}

/// Numbers of a block that are output weights; as many as [`BLOCK`] are biases, and all others
/// belong to rows.
const OUTPUTS_LEN: usize = 2 * arch::OUTPUTS * BLOCK;

impl<'a> Parts<&'a [f32]> {
    /// Takes a block apart, with shared rows in front or without.
    pub fn of(block: &'a [f32]) -> Self {
        let (rest, outputs) = block.split_at(block.len() - OUTPUTS_LEN);
        let (rows, bias) = rest.split_at(rest.len() - BLOCK);
        Self {
            rows,
            bias,
            outputs,
        }
    }
}

impl<'a> Parts<&'a mut [f32]> {
    /// The same for writing.
    pub fn of_mut(block: &'a mut [f32]) -> Self {
        let (rest, outputs) = block.split_at_mut(block.len() - OUTPUTS_LEN);
        let (rows, bias) = rest.split_at_mut(rest.len() - BLOCK);
        Self {
            rows,
            bias,
            outputs,
        }
    }
}

impl<T> IntoIterator for Parts<T> {
    type Item = T;
    type IntoIter = array::IntoIter<T, 3>;

    fn into_iter(self) -> Self::IntoIter {
        [self.rows, self.bias, self.outputs].into_iter()
    }
}

/// The parameters of a network.
#[derive(Clone, Debug)]
pub struct Model {
    shape: Shape,
    /// What is learned, block after block.
    pub(super) master: Vec<f32>,
    /// What is used: the same with shared rows added in.
    pub(super) merged: AVec<f32>,
    /// Biases of the output neurons.
    pub(super) output_bias: Vec<f32>,
}

impl Model {
    /// A network with small random weights.
    pub fn random(shape: Shape, seed: u64) -> Self {
        let mut rng = SmallRng::seed_from_u64(seed);
        let inputs = (1.0 / convert::real32(arch::PLACEMENTS)).sqrt();
        let outputs = (0.5 / convert::real32(shape.width())).sqrt();
        let mut model = Self::zero(shape);
        for block in model.master.chunks_exact_mut(shape.master_len()) {
            let parts = Parts::of_mut(block);
            for weight in &mut parts.rows[..SHARED] {
                *weight = rng.random_range(-inputs..inputs);
            }
            for weight in parts.outputs {
                *weight = rng.random_range(-outputs..outputs);
            }
        }
        model.merge();
        model
    }

    /// A network without any weights.
    pub(super) fn zero(shape: Shape) -> Self {
        Self {
            shape,
            master: vec![0.0; shape.blocks() * shape.master_len()],
            merged: avec![0.0; shape.blocks() * shape.block_len()],
            output_bias: vec![0.0; arch::OUTPUTS],
        }
    }

    /// Its sizes.
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Biases of the output neurons.
    pub fn output_bias(&self) -> &[f32] {
        &self.output_bias
    }

    /// The parts of every block, in order, as the network uses them.
    pub fn blocks(&self) -> impl Iterator<Item = Parts<&[f32]>> {
        self.merged
            .chunks_exact(self.shape.block_len())
            .map(Parts::of)
    }

    /// Brings what is used up to date with what was learned.
    pub(super) fn merge(&mut self) {
        let shape = self.shape;
        let masters = self.master.chunks_exact(shape.master_len());
        let merged = self.merged.chunks_exact_mut(shape.block_len());
        for (master, merged) in masters.zip(merged) {
            merge_block(&shape, master, merged);
        }
    }
}

/// Adds to every set of rows of a block the shared ones of its kind.
pub(super) fn merge_block(shape: &Shape, master: &[f32], merged: &mut [f32]) {
    let (shared, own) = master.split_at(SHARED);
    merged.copy_from_slice(own);
    let sets = merged[..shape.inputs() * BLOCK].chunks_exact_mut(SET);
    for (set, rows) in sets.enumerate() {
        for (weight, shared) in rows.iter_mut().zip(&shared[shared_by(set)]) {
            *weight += shared;
        }
    }
}

/// Where among the shared rows those of set number `set` are.
pub(super) const fn shared_by(set: usize) -> Range<usize> {
    let start = features::kind(set) * SET;
    start..start + SET
}

/// The largest magnitude allowed in each part of a learning block. Half of what a weight may be is
/// for its shared part.
pub(super) const LIMITS: Parts<f32> = Parts {
    rows: INPUT_LIMIT / 2.0,
    bias: BIAS_LIMIT,
    outputs: OUTPUT_LIMIT,
};
