//! From the trainer's real numbers to the integers of inference.

use super::model::{BLOCK, Model};
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
