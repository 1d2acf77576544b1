//! From the trainer's real numbers to the integers of inference, and back.

use anyhow::{Result, ensure};

use super::model::{BLOCK, Model, Parts, Shape};
use crate::{
    nnue::{arch, weights},
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
        let stretches = [
            (
                parts.rows,
                &mut parameters.input_weights,
                arch::QA,
                weights::MAX_INPUT_WEIGHT,
            ),
            (
                parts.bias,
                &mut parameters.bias,
                arch::QA,
                weights::MAX_BIAS,
            ),
            (
                parts.outputs,
                &mut parameters.output_weights,
                arch::QB,
                weights::MAX_OUTPUT_WEIGHT,
            ),
        ];
        for (from, to, unit, limit) in stretches {
            for (row, numbers) in from.chunks_exact(BLOCK).enumerate() {
                let to = &mut to[row * width + block * BLOCK..][..BLOCK];
                for (to, number) in to.iter_mut().zip(numbers) {
                    let rounded = convert::round_i32(number * f32::from(unit));
                    *to = convert::saturate_i16(rounded).clamp(-limit, limit);
                }
            }
        }
    }
    parameters
}

/// The model of `shape` that does what a finished network does, to learn more.
///
/// If the model is wider, its further neurons begin with random weights of `seed` that the outputs
/// do not listen to yet (as in Chen, Goodfellow & Shlens 2015). If the network has one king
/// bucket and the model several, each begins with the same weights: one half of them in the rows
/// that all buckets share. Of a network with several king buckets nothing is known to be shared;
/// of its weights the first step cuts off what is beyond half of the limit.
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
            restore_block(network, &shape, block, master);
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

/// Fills block number `block`, all zeros, of a model of `shape` with the network's.
fn restore_block(network: &weights::Parameters, shape: &Shape, block: usize, master: &mut [f32]) {
    let shared = shape.shared() * BLOCK;
    let rows = network.input_weights.len() / network.width;
    let parts = Parts::of_mut(master);
    let own = &mut parts.rows[shared..][..rows * BLOCK];
    let stretches = [
        (&network.input_weights, own, arch::QA),
        (&network.bias, parts.bias, arch::QA),
        (&network.output_weights, parts.outputs, arch::QB),
    ];
    for (from, to, unit) in stretches {
        for (row, numbers) in to.chunks_exact_mut(BLOCK).enumerate() {
            let from = &from[row * network.width + block * BLOCK..][..BLOCK];
            for (number, from) in numbers.iter_mut().zip(from) {
                *number = f32::from(*from) / f32::from(unit);
            }
        }
    }
    if network.buckets.count() == 1 && shared > 0 {
        let first = parts.rows[shared..][..shared].iter();
        let half: Vec<f32> = first.map(|weight| weight / 2.0).collect();
        for rows in parts.rows.chunks_exact_mut(shared) {
            rows.copy_from_slice(&half);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{learn::model, nnue::features::KingBuckets};

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
        for (part, limit) in block.into_iter().zip(model::limits(model.shape())) {
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
