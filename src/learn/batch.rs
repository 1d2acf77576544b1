//! A small stretch of a batch, unpacked for the kernels.

use aligned_vec::{AVec, avec};

use super::{model::Shape, sample::Sample};
use crate::nnue::arch;

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

/// One side of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Half {
    /// Number of the position in its chunk.
    pub(super) position: usize,
    /// 0 for the side to move, 1 for its opponent.
    pub(super) side: usize,
}

/// What positions switch on, as lists.
#[derive(Default)]
pub(super) struct Inputs {
    /// Rows of the first layer as the side to move sees them, and as its opponent does.
    rows: [Vec<u32>; 2],
    /// Where each position's rows begin, in both lists, and where the last one's end.
    fences: Vec<usize>,
    /// Output bucket of each position.
    pub(super) buckets: Vec<usize>,
    /// All halves in the order of their king buckets: rows that are used one after the
    /// other then lie together in memory.
    pub(super) order: Vec<Half>,
    /// The places in `order` of the halves that switch on a row, row after row.
    users: Vec<u32>,
    /// Where each row's users end.
    ends: Vec<usize>,
}

impl Inputs {
    fn fill(&mut self, shape: &Shape, samples: &[Sample]) {
        let [own, foreign] = &mut self.rows;
        own.clear();
        foreign.clear();
        self.fences.clear();
        self.fences.push(0);
        self.buckets.clear();
        for sample in samples {
            sample.rows(shape.buckets(), own, foreign);
            self.fences.push(own.len());
            self.buckets.push(sample.output_bucket());
        }
        self.arrange(samples.len());
        self.find_users(shape.inputs());
    }

    fn arrange(&mut self, positions: usize) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend((0..2 * positions).map(|number| Half {
            position: number / 2,
            side: number % 2,
        }));
        order.sort_by_key(|half| {
            let row = self.rows(*half).first().copied();
            row.unwrap_or(0) as usize / arch::INPUTS_PER_BUCKET
        });
        self.order = order;
    }

    /// Sorts all uses by their rows, of which there are `rows` (a counting sort).
    fn find_users(&mut self, rows: usize) {
        let mut ends = std::mem::take(&mut self.ends);
        ends.clear();
        ends.resize(rows, 0);
        for row in self.rows.iter().flatten() {
            ends[*row as usize] += 1;
        }
        let mut begin = 0;
        for end in &mut ends {
            begin += std::mem::replace(end, begin);
        }
        let mut users = std::mem::take(&mut self.users);
        users.clear();
        users.resize(begin, 0);
        for (number, half) in (0..).zip(&self.order) {
            for row in self.rows(*half) {
                let end = &mut ends[*row as usize];
                users[*end] = number;
                *end += 1;
            }
        }
        (self.users, self.ends) = (users, ends);
    }

    /// The places in the order of the halves that switch on each row, row after row.
    pub(super) fn users(&self) -> impl Iterator<Item = &[u32]> {
        let mut begin = 0;
        self.ends.iter().map(move |&end| {
            let users = &self.users[begin..end];
            begin = end;
            users
        })
    }

    /// The rows of the first layer that one side of a position switches on.
    #[inline]
    pub(super) fn rows(&self, half: Half) -> &[u32] {
        let Half { position, side } = half;
        &self.rows[side][self.fences[position]..self.fences[position + 1]]
    }

    /// The output weights responsible for one side of a position.
    #[inline]
    pub(super) fn neuron(&self, half: Half) -> usize {
        2 * self.buckets[half.position] + half.side
    }
}

/// Positions at work; buffers are kept from one use to the next.
pub(super) struct Chunk {
    pub(super) inputs: Inputs,
    /// Value to be learned.
    targets: Vec<f32>,
    /// Output of the network, then the derivative of the loss by it.
    pub(super) values: Vec<f32>,
    /// Hidden sums: by block, then in the order of the inputs.
    pub(super) hidden: AVec<f32>,
}

impl Default for Chunk {
    fn default() -> Self {
        Self {
            inputs: Inputs::default(),
            targets: Vec::new(),
            values: Vec::new(),
            hidden: avec![],
        }
    }
}

impl Chunk {
    /// Unpacks `samples`.
    pub(super) fn fill(&mut self, shape: &Shape, samples: &[Sample], blend: Blend) {
        self.inputs.fill(shape, samples);
        self.targets.clear();
        let targets = samples.iter().map(|sample| blend.target(sample));
        self.targets.extend(targets);
        self.values.clear();
        self.values.resize(samples.len(), 0.0);
        self.hidden.resize(samples.len() * 2 * shape.width(), 0.0);
    }

    /// Turns outputs into derivatives of the squared error of the expected result,
    /// weighted by `weight`, and returns the sum of the errors.
    pub(super) fn judge(&mut self, output_bias: &[f32], weight: f32) -> f64 {
        let mut loss = 0.0;
        let positions = self.values.iter_mut().zip(&self.targets);
        for ((value, target), bucket) in positions.zip(&self.inputs.buckets) {
            let expected = sigmoid(*value + output_bias[*bucket]);
            let error = expected - target;
            loss += f64::from(error * error);
            *value = 2.0 * weight * error * expected * (1.0 - expected);
        }
        loss
    }
}
