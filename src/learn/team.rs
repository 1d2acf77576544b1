//! The threads that learn a batch together.
//!
//! Threads take chunks of a batch from a common counter, so that a slow one holds nobody
//! up, and add up gradients of their own; the optimiser's step then sums these block by
//! block.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use aligned_vec::{AVec, avec};
use pulp::Arch;

use super::{
    adam::{Moments, Step},
    batch::{Blend, Chunk},
    checkpoint::State,
    kernels::{Backward, Forward},
    model::{self, BLOCK, Model, Parts, SET, SHARED, Shape},
    sample::Sample,
};
use crate::{nnue::arch, types::convert};

/// Chunks of a batch for each thread, if that makes them neither small nor large.
const CHUNKS: usize = 2;
/// Positions of the smallest chunk.
const LEAST_CHUNK: usize = 512;
/// Positions of the largest chunk. The more there are, the oftener a row that was fetched is used.
const LARGEST_CHUNK: usize = 8192;

/// One thread's buffers.
struct Learner {
    chunk: Chunk,
    /// Gradient, laid out like the model in use.
    gradient: AVec<f32>,
    bias_gradient: Vec<f32>,
    loss: f64,
}

impl Learner {
    fn forward(&mut self, model: &Model, samples: &[Sample], target: Blend) {
        self.chunk.fill(model.shape(), samples, target);
        for (block, parts) in model.blocks().enumerate() {
            Arch::new().dispatch(Forward {
                parts,
                chunk: &mut self.chunk,
                block,
            });
        }
    }

    fn backward(&mut self, model: &Model) {
        let shape = model.shape();
        for (value, bucket) in self.chunk.values.iter().zip(&self.chunk.inputs.buckets) {
            self.bias_gradient[*bucket] += value;
        }
        let gradients = self.gradient.chunks_exact_mut(shape.block_len());
        for ((block, parts), gradient) in model.blocks().enumerate().zip(gradients) {
            Arch::new().dispatch(Backward {
                outputs: parts.outputs,
                chunk: &mut self.chunk,
                block,
                gradient: Parts::of_mut(gradient),
            });
        }
    }
}

/// The threads of a run and what they share.
pub(super) struct Team {
    learners: Vec<Learner>,
    target: Blend,
}

impl Team {
    /// Buffers for `threads` threads.
    pub(super) fn new(shape: &Shape, target: Blend, threads: usize) -> Self {
        let learner = || Learner {
            chunk: Chunk::default(),
            gradient: avec![0.0; shape.blocks() * shape.block_len()],
            bias_gradient: vec![0.0; arch::OUTPUTS],
            loss: 0.0,
        };
        Self {
            learners: (0..threads.max(1)).map(|_| learner()).collect(),
            target,
        }
    }

    /// Learns one batch and returns its mean loss.
    pub(super) fn learn(&mut self, state: &mut State, batch: &[Sample], step: Step) -> f64 {
        let target = self.target;
        let weight = 1.0 / convert::real32(batch.len());
        let model = &state.model;
        self.share(batch, |learner, samples| {
            learner.forward(model, samples, target);
            learner.loss += learner.chunk.judge(model.output_bias(), weight);
            learner.backward(model);
        });
        self.step_blocks(&mut state.model, &mut state.moments, step);
        self.step_output_bias(&mut state.model, &mut state.bias_moments, step);
        self.mean_loss(batch.len())
    }

    /// The mean loss on `samples`, learning nothing.
    pub(super) fn judge(&mut self, model: &Model, samples: &[Sample]) -> f64 {
        let target = self.target;
        self.share(samples, |learner, samples| {
            learner.forward(model, samples, target);
            learner.loss += learner.chunk.judge(model.output_bias(), 0.0);
        });
        self.mean_loss(samples.len())
    }

    fn mean_loss(&mut self, count: usize) -> f64 {
        let losses = self.learners.iter_mut();
        let sum: f64 = losses
            .map(|learner| std::mem::take(&mut learner.loss))
            .sum();
        sum / convert::real(count.max(1) as u64)
    }

    /// Lets every thread do `work` on chunks until none is left.
    fn share(&mut self, samples: &[Sample], work: impl Fn(&mut Learner, &[Sample]) + Sync) {
        let chunk =
            (samples.len() / (CHUNKS * self.learners.len())).clamp(LEAST_CHUNK, LARGEST_CHUNK);
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            for learner in &mut self.learners {
                scope.spawn(|| {
                    loop {
                        let start = next.fetch_add(chunk, Ordering::Relaxed);
                        if start >= samples.len() {
                            break;
                        }
                        let end = samples.len().min(start + chunk);
                        work(learner, &samples[start..end]);
                    }
                });
            }
        });
    }

    /// Moves all blocks of weights, several at a time.
    fn step_blocks(&mut self, model: &mut Model, moments: &mut Moments, step: Step) {
        let shape = *model.shape();
        let threads = self.learners.len();
        let mut gradients: Vec<_> = self
            .learners
            .iter_mut()
            .map(|learner| learner.gradient.chunks_exact_mut(shape.block_len()))
            .collect();
        let master = model.master.chunks_exact_mut(shape.master_len());
        let merged = model.merged.chunks_exact_mut(shape.block_len());
        let mean = moments.mean.chunks_exact_mut(shape.master_len());
        let square = moments.square.chunks_exact_mut(shape.master_len());
        let jobs: Vec<_> = master
            .zip(merged)
            .zip(mean.zip(square))
            .map(|((master, merged), (mean, square))| BlockStep {
                master,
                merged,
                mean,
                square,
                gradients: gradients.iter_mut().filter_map(Iterator::next).collect(),
            })
            .collect();
        let jobs = Mutex::new(jobs.into_iter());
        let take = || jobs.lock().expect("no thread panics").next();
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut total = Vec::new();
                    while let Some(mut job) = take() {
                        job.run(&shape, step, &mut total);
                    }
                });
            }
        });
    }

    fn step_output_bias(&mut self, model: &mut Model, moments: &mut Moments, step: Step) {
        let mut gradient = vec![0.0; arch::OUTPUTS];
        for learner in &mut self.learners {
            for (sum, part) in gradient.iter_mut().zip(&mut learner.bias_gradient) {
                *sum += std::mem::take(part);
            }
        }
        step.apply(
            &mut model.output_bias,
            &gradient,
            &mut moments.mean,
            &mut moments.square,
            f32::INFINITY,
        );
    }
}

/// The optimiser's work on one block.
struct BlockStep<'a> {
    master: &'a mut [f32],
    merged: &'a mut [f32],
    mean: &'a mut [f32],
    square: &'a mut [f32],
    /// The block's gradient in each thread.
    gradients: Vec<&'a mut [f32]>,
}

impl BlockStep<'_> {
    fn run(&mut self, shape: &Shape, step: Step, total: &mut Vec<f32>) {
        self.add_up(shape, total);
        let weights = Parts::of_mut(self.master).into_iter();
        let gradient = Parts::of(total).into_iter();
        let moments = Parts::of_mut(self.mean)
            .into_iter()
            .zip(Parts::of_mut(self.square));
        let parts = weights.zip(gradient).zip(moments);
        for (((weights, gradient), (mean, square)), limit) in parts.zip(model::LIMITS) {
            step.apply(weights, gradient, mean, square, limit);
        }
        model::merge_block(shape, self.master, self.merged);
    }

    /// Makes `total` the sum of all threads' gradients, which are cleared, with that of the shared
    /// rows in front: it is the sum over all sets of their kind.
    fn add_up(&mut self, shape: &Shape, total: &mut Vec<f32>) {
        total.clear();
        total.resize(shape.master_len(), 0.0);
        let (front, own) = total.split_at_mut(SHARED);
        for gradient in &mut self.gradients {
            for (sum, part) in own.iter_mut().zip(gradient.iter_mut()) {
                *sum += std::mem::take(part);
            }
        }
        let sets = own[..shape.inputs() * BLOCK].chunks_exact(SET);
        for (set, rows) in sets.enumerate() {
            for (sum, part) in front[model::shared_by(set)].iter_mut().zip(rows) {
                *sum += part;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{learn::sample::tests::random_game, nnue::features::KingBuckets};

    const TARGET: Blend = Blend {
        result: 0.1,
        scale: 140.0,
    };

    /// Loss and gradient of `samples`, taken `together` at a time.
    fn learned(model: &Model, samples: &[Sample], together: usize) -> (f64, AVec<f32>) {
        let mut team = Team::new(model.shape(), TARGET, 1);
        let learner = &mut team.learners[0];
        for chunk in samples.chunks(together) {
            learner.forward(model, chunk, TARGET);
            learner.loss += learner.chunk.judge(model.output_bias(), 1.0);
            learner.backward(model);
        }
        (learner.loss, learner.gradient.clone())
    }

    #[test]
    fn positions_teach_the_same_alone_and_together() {
        let samples = random_game(90);
        for buckets in [KingBuckets::SINGLE, KingBuckets::FOUR] {
            let model = Model::random(Shape::new(buckets, 2 * BLOCK), 7);
            let (loss, gradient) = learned(&model, &samples, 1);
            let (loss_together, together) = learned(&model, &samples, samples.len());
            assert!((loss - loss_together).abs() < 1e-4 && loss > 1.0);
            let largest = gradient.iter().fold(0.0, |most: f32, g| most.max(g.abs()));
            for (alone, together) in gradient.iter().zip(together.iter()) {
                assert!((alone - together).abs() < 1e-4 * largest.max(1.0));
            }
            assert!(largest > 0.01, "{largest}");
        }
    }
}
