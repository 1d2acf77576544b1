//! From the trainer's real numbers to the integers of inference, and back.

use anyhow::{Result, ensure};

use super::model::{self, BLOCK, Model, Parts, SET, SHARED, Shape};
use crate::{
    nnue::{arch, features, weights},
    types::convert,
};

/// Rounds a model to integers; `scale` is the centipawns of one unit of its output.
///
/// The trainer's limits keep all weights in range already, save rounding; clamping
/// makes sure of it.
pub fn quantise(model: &Model, scale: u32) -> weights::Parameters {
    let shape = model.shape();
    let width = shape.width();
    let mut parameters = weights::Parameters {
        buckets: *shape.buckets(),
        width,
        scale,
        input_weights: vec![0; shape.inputs() * width],
        bias: vec![0; width],
        output_weights: vec![0; 2 * arch::OUTPUTS * width],
        output_bias: model
            .output_bias()
            .iter()
            .map(|bias| convert::round_i32(bias * f32::from(arch::QA) * f32::from(arch::QB)))
            .collect(),
    };
    for (block, parts) in model.blocks().enumerate() {
        let column = Column { width, block };
        let input_weight = rounded(arch::QA, weights::MAX_INPUT_WEIGHT);
        column.write(parts.rows, &mut parameters.input_weights, input_weight);
        let bias = rounded(arch::QA, weights::MAX_BIAS);
        column.write(parts.bias, &mut parameters.bias, bias);
        let output_weight = rounded(arch::QB, weights::MAX_OUTPUT_WEIGHT);
        column.write(parts.outputs, &mut parameters.output_weights, output_weight);
    }
    parameters
}

/// Rounds to integers of which `unit` make 1.0 and whose magnitude is at most `limit`.
fn rounded<T: Copy + Into<i32> + TryFrom<i32>>(unit: i16, limit: T) -> impl Fn(f32) -> T {
    let most = limit.into();
    move |number| {
        let integer = convert::round_i32(number * f32::from(unit)).clamp(-most, most);
        T::try_from(integer).unwrap_or(limit)
    }
}

/// Where the numbers of a block lie in rows as wide as the network.
#[derive(Clone, Copy)]
struct Column {
    width: usize,
    block: usize,
}

impl Column {
    /// Copies the numbers of a block, a row of [`BLOCK`] after the other, into the network's.
    fn write<T>(self, block: &[f32], network: &mut [T], convert: impl Fn(f32) -> T) {
        for (row, numbers) in block.chunks_exact(BLOCK).enumerate() {
            let to = &mut network[self.begin(row)..][..BLOCK];
            for (to, number) in to.iter_mut().zip(numbers) {
                *to = convert(*number);
            }
        }
    }

    /// The way back: integers of which `unit` make 1.0.
    fn read<T: Copy + Into<f32>>(self, block: &mut [f32], network: &[T], unit: i16) {
        for (row, numbers) in block.chunks_exact_mut(BLOCK).enumerate() {
            let from = &network[self.begin(row)..][..BLOCK];
            for (number, from) in numbers.iter_mut().zip(from) {
                *number = (*from).into() / f32::from(unit);
            }
        }
    }

    const fn begin(self, row: usize) -> usize {
        row * self.width + self.block * BLOCK
    }
}

/// The model of `shape` that does what a finished network does, to learn more.
///
/// If the model is wider, its further neurons begin with random weights of `seed` that the outputs
/// do not listen to yet (as in Chen, Goodfellow & Shlens 2015). If the network has one king
/// bucket and the model several, each begins with the same weights. What is shared is the mean of
/// all weights of a placement.
///
/// # Errors
/// When the network is wider, or has other king buckets than one or those of `shape`.
pub fn restore(network: &weights::Parameters, shape: Shape, seed: u64) -> Result<Model> {
    let is_single = network.buckets.count() == 1;
    ensure!(
        network.width <= shape.width()
            && network.width.is_multiple_of(BLOCK)
            && (is_single || network.buckets == *shape.buckets()),
        "a network of {} cannot become one of width {} with king buckets {}",
        network.architecture(),
        shape.width(),
        shape.buckets().name(),
    );
    let mut model = Model::random(shape, seed);
    let masters = model.master.chunks_exact_mut(shape.master_len());
    for (block, master) in masters.enumerate() {
        if block < network.width / BLOCK {
            master.fill(0.0);
            restore_block(network, block, master);
        } else {
            Parts::of_mut(master).outputs.fill(0.0);
        }
    }
    let unit = f64::from(arch::QA) * f64::from(arch::QB);
    for (bias, from) in model.output_bias.iter_mut().zip(&network.output_bias) {
        *bias = convert::narrow(f64::from(*from) / unit);
    }
    model.merge();
    Ok(model)
}

/// Fills block number `block` of a model, all zeros, with the network's.
fn restore_block(network: &weights::Parameters, block: usize, master: &mut [f32]) {
    let rows = network.input_weights.len() / network.width;
    let parts = Parts::of_mut(master);
    let column = Column {
        width: network.width,
        block,
    };
    let own = &mut parts.rows[SHARED..][..rows * BLOCK];
    column.read(own, &network.input_weights, arch::QA);
    column.read(parts.bias, &network.bias, arch::QA);
    column.read(parts.outputs, &network.output_weights, arch::QB);
    let (shared, own) = parts.rows.split_at_mut(SHARED);
    let (first, others) = own.split_at_mut(rows * BLOCK);
    for bucket in others.chunks_exact_mut(rows * BLOCK) {
        bucket.copy_from_slice(first);
    }
    share(shared, own);
}

/// Moves the mean of all sets of a kind, as far as the limit lets it, into the shared rows.
fn share(shared: &mut [f32], own: &mut [f32]) {
    let buckets = own.len() / (arch::INPUTS_PER_BUCKET * BLOCK);
    for (set, rows) in own.chunks_exact(SET).enumerate() {
        let sets = convert::real32(buckets * features::conditions(features::kind(set)));
        for (mean, weight) in shared[model::shared_by(set)].iter_mut().zip(rows) {
            *mean += weight / sets;
        }
    }
    let limit = model::LIMITS.rows;
    for mean in shared.iter_mut() {
        *mean = mean.clamp(-limit, limit);
    }
    for (set, rows) in own.chunks_exact_mut(SET).enumerate() {
        for (weight, mean) in rows.iter_mut().zip(&shared[model::shared_by(set)]) {
            *weight -= mean;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::features::KingBuckets;

    const SCALE: u32 = 140;

    const WIDTH: usize = 2 * BLOCK;

    fn shape(buckets: &str) -> Shape {
        Shape::new(KingBuckets::by_name(buckets).unwrap(), WIDTH)
    }

    /// A model of which every number differs from its neighbours, within the limits.
    fn learned(shape: Shape) -> Model {
        let mut model = Model::zero(shape);
        let steps = (1_u16..=97).map(|step| f32::from(step) / 100.0);
        for (weight, step) in model.master.iter_mut().zip(steps.cycle()) {
            *weight = step;
        }
        for (bias, step) in model.output_bias.iter_mut().zip(1_u8..) {
            *bias = f32::from(step) / 4.0;
        }
        model.merge();
        model
    }

    #[test]
    fn what_was_rounded_is_restored() {
        for buckets in ["single", "four"] {
            let shape = shape(buckets);
            let network = quantise(&learned(shape), SCALE);
            assert!(network.bias.iter().all(|bias| *bias != 0));
            let again = quantise(&restore(&network, shape, 1).unwrap(), SCALE);
            assert!(again.to_bytes() == network.to_bytes(), "{buckets}");
        }
    }

    #[test]
    fn king_buckets_begin_alike() {
        let single = quantise(&learned(shape("single")), SCALE);
        let model = restore(&single, shape("four"), 1).unwrap();
        let many = quantise(&model, SCALE);
        let buckets = many.input_weights.chunks(single.input_weights.len());
        assert_eq!(buckets.len(), 4);
        for bucket in buckets {
            assert!(bucket == single.input_weights);
        }
        assert!(many.bias == single.bias && many.output_bias == single.output_bias);
        assert!(many.output_weights == single.output_weights);
        // The first step does not cut off anything.
        let block = Parts::of(&model.master[..model.shape().master_len()]);
        for (part, limit) in block.into_iter().zip(model::LIMITS) {
            assert!(part.iter().all(|weight| weight.abs() <= limit));
        }
        assert!(restore(&many, shape("single"), 1).is_err());
    }

    #[test]
    fn a_wider_network_begins_like_the_narrow_one() {
        let narrow = quantise(&learned(shape("single")), SCALE);
        let wide = Shape::new(KingBuckets::SINGLE, WIDTH + BLOCK);
        let wide = quantise(&restore(&narrow, wide, 1).unwrap(), SCALE);
        let rows = wide.input_weights.chunks(wide.width);
        for (row, old) in rows.zip(narrow.input_weights.chunks(WIDTH)) {
            assert!(row[..WIDTH] == *old);
        }
        let rows = wide.output_weights.chunks(wide.width);
        for (row, old) in rows.zip(narrow.output_weights.chunks(WIDTH)) {
            assert!(row[..WIDTH] == *old && row[WIDTH..] == [0; BLOCK]);
        }
        assert!(wide.bias[..WIDTH] == narrow.bias && wide.output_bias == narrow.output_bias);
        // The new neurons are not all the same, so that they can learn different things.
        assert!(wide.input_weights[WIDTH] != wide.input_weights[WIDTH + 1]);
        assert!(restore(&wide, shape("single"), 1).is_err());
    }
}
