//! A small stretch of a batch, unpacked for the kernels.

use super::{model::Shape, sample::Sample};

/// How the value to be learned is made from score and result.
#[derive(Clone, Copy, Debug)]
pub struct Blend {
    /// Share of the game's result; the rest is the score's. All is, where there was no game.
    pub result: f32,
    /// Centipawns at which the logistic curve has risen from 1/2 to 0.731.
    pub scale: f32,
}

impl Blend {
    fn target(self, sample: &Sample) -> f32 {
        let score = sigmoid(f32::from(sample.score()) / self.scale);
        let Some(result) = sample.result() else {
            return score;
        };
        self.result * result + (1.0 - self.result) * score
    }
}

/// The logistic function.
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Positions as lists of inputs; buffers are kept from one use to the next.
#[derive(Default)]
pub(super) struct Chunk {
    pub(super) own: Vec<u16>,
    pub(super) foreign: Vec<u16>,
    /// Where each position's inputs end, in both lists.
    pub(super) ends: Vec<usize>,
    /// Output bucket of each position.
    pub(super) buckets: Vec<usize>,
    /// Value to be learned.
    pub(super) targets: Vec<f32>,
    /// Output of the network, then the derivative of the loss by it.
    pub(super) values: Vec<f32>,
    /// Hidden sums: by block, by position, own and foreign side.
    pub(super) hidden: Vec<f32>,
}

impl Chunk {
    /// Unpacks `samples`.
    pub(super) fn fill(&mut self, shape: &Shape, samples: &[Sample], blend: Blend) {
        self.own.clear();
        self.foreign.clear();
        self.ends.clear();
        self.buckets.clear();
        self.targets.clear();
        for sample in samples {
            sample.rows(shape.buckets(), &mut self.own, &mut self.foreign);
            self.ends.push(self.own.len());
            self.buckets.push(sample.output_bucket());
            self.targets.push(blend.target(sample));
        }
        self.values.clear();
        self.values.resize(samples.len(), 0.0);
        self.hidden.resize(samples.len() * 2 * shape.width(), 0.0);
    }

    /// Turns outputs into derivatives of the squared error of the expected result,
    /// weighted by `weight`, and returns the sum of the errors.
    pub(super) fn judge(&mut self, output_bias: &[f32], weight: f32) -> f64 {
        let mut loss = 0.0;
        let positions = self.values.iter_mut().zip(&self.targets);
        for ((value, target), bucket) in positions.zip(&self.buckets) {
            let expected = sigmoid(*value + output_bias[*bucket]);
            let error = expected - target;
            loss += f64::from(error * error);
            *value = 2.0 * weight * error * expected * (1.0 - expected);
        }
        loss
    }
}
