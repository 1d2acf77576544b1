//! The two inner loops of training: forward and backward through one block.
//!
//! Inputs are sparse, so both walk lists: forward the rows that a side of a position switches
//! on, backward the sides that switch on a row, whose gradient is then written once. A side that
//! has much in common with the one before goes on from its sums, and passes back to it what it
//! learns, so that only differences are in the lists. All sums
//! stay in vector registers while a list is walked, in several strands, so that no addition
//! waits for the one before. The vector width is that of the machine: the crate `pulp` compiles each
//! loop for several instruction sets and picks one when the program runs.

use pulp::{Simd, WithSimd};

use super::{
    batch::Chunk,
    model::{BLOCK, Parts},
};

/// Sums that grow side by side.
const STRANDS: usize = 4;

/// Floats as arrays of `V` vectors, one array a row.
#[inline]
fn rows<S: Simd, const V: usize>(floats: &[f32]) -> &[[S::f32s; V]] {
    S::as_simd_f32s(floats).0.as_chunks().0
}

/// The same for writing.
#[inline]
fn rows_mut<S: Simd, const V: usize>(floats: &mut [f32]) -> &mut [[S::f32s; V]] {
    S::as_mut_simd_f32s(floats).0.as_chunks_mut().0
}

/// Runs `$body` with `V` such that `V` vectors make a block.
macro_rules! with_vectors {
    ($simd:expr, $task:expr) => {
        match S::F32_LANES {
            16 => $task.run::<S, { BLOCK / 16 }>($simd),
            8 => $task.run::<S, { BLOCK / 8 }>($simd),
            4 => $task.run::<S, { BLOCK / 4 }>($simd),
            _ => $task.run::<S, BLOCK>($simd),
        }
    };
}

/// Adds a block's share to the outputs of a chunk.
pub(super) struct Forward<'a> {
    /// The block.
    pub(super) parts: Parts<&'a [f32]>,
    /// The positions; `values` and this block's `hidden` are written.
    pub(super) chunk: &'a mut Chunk,
    /// Number of the block.
    pub(super) block: usize,
}

impl WithSimd for Forward<'_> {
    type Output = ();

    #[expect(
        clippy::inline_always,
        reason = "must be compiled for the caller's instruction set"
    )]
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        with_vectors!(simd, self);
    }
}

impl Forward<'_> {
    #[expect(
        clippy::inline_always,
        reason = "must be compiled for the caller's instruction set"
    )]
    #[inline(always)]
    fn run<S: Simd, const V: usize>(self, simd: S) {
        let weights = rows::<S, V>(self.parts.rows);
        let bias = rows::<S, V>(self.parts.bias)[0];
        let outputs = rows::<S, V>(self.parts.outputs);
        let Chunk {
            inputs,
            hidden,
            values,
            ..
        } = self.chunk;
        let stretch = inputs.order.len() * BLOCK;
        let hidden = rows_mut::<S, V>(&mut hidden[self.block * stretch..][..stretch]);
        let (zero, one) = (simd.splat_f32s(0.0), simd.splat_f32s(1.0));
        let mut sums = bias;
        for (place, (half, hidden)) in inputs.order.iter().zip(hidden).enumerate() {
            if !inputs.continues(place) {
                sums = bias;
            }
            change(simd, &mut sums, inputs.changes(place), weights);
            *hidden = sums;
            let output = &outputs[inputs.neuron(*half)];
            let mut total = zero;
            for v in 0..V {
                let active = simd.min_f32s(simd.max_f32s(sums[v], zero), one);
                let squared = simd.mul_f32s(active, active);
                total = simd.mul_add_e_f32s(squared, output[v], total);
            }
            values[half.position] += simd.reduce_sum_f32s(total);
        }
    }
}

/// Adds what a chunk says about a block to the block's gradient.
pub(super) struct Backward<'a> {
    /// The block's output weights.
    pub(super) outputs: &'a [f32],
    /// The positions, with derivatives in `values`; this block's `hidden` become derivatives, too.
    pub(super) chunk: &'a mut Chunk,
    /// Number of the block.
    pub(super) block: usize,
    /// The block's gradient.
    pub(super) gradient: Parts<&'a mut [f32]>,
}

impl WithSimd for Backward<'_> {
    type Output = ();

    #[expect(
        clippy::inline_always,
        reason = "must be compiled for the caller's instruction set"
    )]
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        with_vectors!(simd, self);
    }
}

impl Backward<'_> {
    #[expect(
        clippy::inline_always,
        reason = "must be compiled for the caller's instruction set"
    )]
    #[inline(always)]
    fn run<S: Simd, const V: usize>(self, simd: S) {
        let outputs = rows::<S, V>(self.outputs);
        let Chunk {
            inputs,
            hidden,
            values,
            ..
        } = self.chunk;
        let stretch = inputs.order.len() * BLOCK;
        let hidden = rows_mut::<S, V>(&mut hidden[self.block * stretch..][..stretch]);
        let weights_gradient = rows_mut::<S, V>(self.gradient.rows);
        let bias_gradient = &mut rows_mut::<S, V>(self.gradient.bias)[0];
        let outputs_gradient = rows_mut::<S, V>(self.gradient.outputs);
        let mut later = [simd.splat_f32s(0.0); V];
        for (place, (half, hidden)) in inputs.order.iter().zip(&mut *hidden).enumerate().rev() {
            let slope = simd.splat_f32s(values[half.position]);
            let neuron = inputs.neuron(*half);
            let gradient = &mut outputs_gradient[neuron];
            *hidden = back_through(simd, slope, hidden, &outputs[neuron], gradient);
            add(simd, bias_gradient, hidden);
            if inputs.continues(place + 1) {
                add(simd, hidden, &later);
            }
            later = *hidden;
        }
        for (users, gradient) in inputs.users().zip(weights_gradient) {
            change(simd, gradient, users, hidden);
        }
    }
}

/// Adds to `sums` the first chosen of the `terms`, and takes the second away.
#[expect(
    clippy::inline_always,
    reason = "must be compiled for the caller's instruction set"
)]
#[inline(always)]
fn change<S: Simd, const V: usize>(
    simd: S,
    sums: &mut [S::f32s; V],
    [added, removed]: [&[u32]; 2],
    terms: &[[S::f32s; V]],
) {
    add_chosen(simd, sums, added, terms);
    if !removed.is_empty() {
        let mut less = [simd.splat_f32s(0.0); V];
        add_chosen(simd, &mut less, removed, terms);
        for v in 0..V {
            sums[v] = simd.sub_f32s(sums[v], less[v]);
        }
    }
}

/// Adds to `sums` those of the `terms` with these numbers.
#[expect(
    clippy::inline_always,
    reason = "must be compiled for the caller's instruction set"
)]
#[inline(always)]
fn add_chosen<S: Simd, const V: usize>(
    simd: S,
    sums: &mut [S::f32s; V],
    numbers: &[u32],
    terms: &[[S::f32s; V]],
) {
    let (groups, rest) = numbers.as_chunks::<STRANDS>();
    if !groups.is_empty() {
        let mut strands = [[simd.splat_f32s(0.0); V]; STRANDS];
        for group in groups {
            for (strand, number) in strands.iter_mut().zip(group) {
                add(simd, strand, &terms[*number as usize]);
            }
        }
        for strand in &strands {
            add(simd, sums, strand);
        }
    }
    for number in rest {
        add(simd, sums, &terms[*number as usize]);
    }
}

/// Derivatives by the hidden sums, through the squared clipped activation; adds the
/// activations' part to the gradient of the output weights.
#[expect(
    clippy::inline_always,
    reason = "must be compiled for the caller's instruction set"
)]
#[inline(always)]
fn back_through<S: Simd, const V: usize>(
    simd: S,
    slope: S::f32s,
    sums: &[S::f32s; V],
    outputs: &[S::f32s; V],
    gradient: &mut [S::f32s; V],
) -> [S::f32s; V] {
    let (zero, one) = (simd.splat_f32s(0.0), simd.splat_f32s(1.0));
    let twice = simd.add_f32s(slope, slope);
    let mut slopes = [zero; V];
    for v in 0..V {
        let active = simd.min_f32s(simd.max_f32s(sums[v], zero), one);
        let squared = simd.mul_f32s(active, active);
        gradient[v] = simd.mul_add_e_f32s(squared, slope, gradient[v]);
        let inside = simd.less_than_f32s(sums[v], one);
        let steep = simd.mul_f32s(simd.mul_f32s(twice, active), outputs[v]);
        slopes[v] = simd.select_f32s(inside, steep, zero);
    }
    slopes
}

#[expect(
    clippy::inline_always,
    reason = "must be compiled for the caller's instruction set"
)]
#[inline(always)]
fn add<S: Simd, const V: usize>(simd: S, sums: &mut [S::f32s; V], terms: &[S::f32s; V]) {
    for v in 0..V {
        sums[v] = simd.add_f32s(sums[v], terms[v]);
    }
}
