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

/// Which rows are used at which places, both ways round.
#[derive(Default)]
struct Uses {
    /// Rows, place after place.
    rows: Vec<u32>,
    /// Where the rows of each place begin, and where those of the last one end.
    fences: Vec<usize>,
    /// Places, row after row.
    users: Vec<u32>,
    /// Where the users of each row end.
    ends: Vec<usize>,
}

impl Uses {
    fn clear(&mut self) {
        self.rows.clear();
        self.fences.clear();
        self.fences.push(0);
    }

    /// The next place uses `rows`.
    fn push(&mut self, rows: &[u32]) {
        self.rows.extend_from_slice(rows);
        self.fences.push(self.rows.len());
    }

    /// The rows used at a place.
    #[inline]
    fn rows(&self, place: usize) -> &[u32] {
        &self.rows[self.fences[place]..self.fences[place + 1]]
    }

    /// Sorts all uses by their rows, of which there are `rows` (a counting sort).
    fn find_users(&mut self, rows: usize) {
        self.ends.clear();
        self.ends.resize(rows, 0);
        for row in &self.rows {
            self.ends[*row as usize] += 1;
        }
        let mut begin = 0;
        for end in &mut self.ends {
            begin += std::mem::replace(end, begin);
        }
        self.users.clear();
        self.users.resize(begin, 0);
        for (number, place) in (0..).zip(self.fences.windows(2)) {
            for row in &self.rows[place[0]..place[1]] {
                let end = &mut self.ends[*row as usize];
                self.users[*end] = number;
                *end += 1;
            }
        }
    }

    /// The places that use each row, row after row.
    fn users(&self) -> impl Iterator<Item = &[u32]> {
        let mut begin = 0;
        self.ends.iter().map(move |&end| {
            let users = &self.users[begin..end];
            begin = end;
            users
        })
    }
}

/// What positions switch on, as lists.
///
/// A half that has much in common with the one before is told by what is different. Positions
/// of one game or fan follow each other, so that most are told like that.
#[derive(Default)]
pub(super) struct Inputs {
    /// Output bucket of each position.
    pub(super) buckets: Vec<usize>,
    /// All halves: White's one after the other, then Black's, in the order of their king buckets.
    pub(super) order: Vec<Half>,
    /// Whether a half, by its place in the order, begins with what the one before ended with.
    continues: Vec<bool>,
    /// Rows that are switched on, by place.
    added: Uses,
    /// Rows that are switched off, by place.
    removed: Uses,
    /// For each row, the last place (and one) that was found to switch it on.
    seen: Vec<u32>,
}

/// Rows of the first layer that positions switch on.
#[derive(Default)]
struct Rows {
    /// As the side to move sees them, and as its opponent does.
    rows: [Vec<u32>; 2],
    /// Where each position's rows begin, in both lists, and where the last one's end.
    fences: Vec<usize>,
}

impl Rows {
    fn of(&self, half: Half) -> &[u32] {
        let Half { position, side } = half;
        &self.rows[side][self.fences[position]..self.fences[position + 1]]
    }
}

impl Inputs {
    fn fill(&mut self, shape: &Shape, samples: &[Sample]) {
        let mut rows = Rows::default();
        rows.fences.push(0);
        self.buckets.clear();
        for sample in samples {
            let [own, foreign] = &mut rows.rows;
            sample.rows(shape.buckets(), own, foreign);
            rows.fences.push(own.len());
            self.buckets.push(sample.output_bucket());
        }
        self.arrange(samples, &rows);
        self.compare(&rows, shape.inputs());
        self.added.find_users(shape.inputs());
        self.removed.find_users(shape.inputs());
    }

    fn arrange(&mut self, samples: &[Sample], rows: &Rows) {
        self.order.clear();
        for foreign in [false, true] {
            let halves = samples.iter().enumerate().map(|(position, sample)| Half {
                position,
                side: usize::from(sample.is_black() != foreign),
            });
            self.order.extend(halves);
        }
        self.order.sort_by_key(|half| {
            let row = rows.of(*half).first().copied();
            row.unwrap_or(0) as usize / arch::INPUTS_PER_BUCKET
        });
    }

    /// Finds what each half has in common with the one before.
    fn compare(&mut self, rows: &Rows, inputs: usize) {
        self.seen.clear();
        self.seen.resize(inputs, 0);
        self.continues.clear();
        self.added.clear();
        self.removed.clear();
        let (mut before, mut added, mut removed) = (&[][..], Vec::new(), Vec::new());
        for (place, half) in (1..).zip(&self.order) {
            let now = rows.of(*half);
            added.clear();
            for row in now {
                let seen = std::mem::replace(&mut self.seen[*row as usize], place);
                if place == 1 || seen != place - 1 {
                    added.push(*row);
                }
            }
            removed.clear();
            let seen = &self.seen;
            removed.extend(before.iter().filter(|row| seen[**row as usize] != place));
            let continues = added.len() + removed.len() < now.len();
            self.continues.push(continues);
            self.added.push(if continues { &added } else { now });
            self.removed.push(if continues { &removed } else { &[] });
            before = now;
        }
    }

    /// Whether the half at `place` in the order begins with the sums of the one before.
    #[inline]
    pub(super) fn continues(&self, place: usize) -> bool {
        self.continues
            .get(place)
            .is_some_and(|continues| *continues)
    }

    /// The rows that the half at `place` in the order adds to what it begins with, and those that
    /// it takes away.
    #[inline]
    pub(super) fn changes(&self, place: usize) -> [&[u32]; 2] {
        [self.added.rows(place), self.removed.rows(place)]
    }

    /// The places in the order at which each row is added, and those at which it is taken away,
    /// row after row.
    pub(super) fn users(&self) -> impl Iterator<Item = [&[u32]; 2]> {
        let users = self.added.users().zip(self.removed.users());
        users.map(|(added, removed)| [added, removed])
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{learn::sample::tests::random_game, nnue::features::KingBuckets};

    fn filled(buckets: KingBuckets, samples: &[Sample]) -> Inputs {
        let mut inputs = Inputs::default();
        inputs.fill(&Shape::new(buckets, 32), samples);
        inputs
    }

    #[test]
    fn changes_lead_from_half_to_half() {
        let samples = random_game(90);
        for buckets in [KingBuckets::SINGLE, KingBuckets::FOUR] {
            let inputs = filled(buckets, &samples);
            let (mut rows, mut told, mut all) = (BTreeSet::new(), 0, 0);
            for (place, half) in inputs.order.iter().enumerate() {
                if !inputs.continues(place) {
                    rows.clear();
                }
                let [added, removed] = inputs.changes(place);
                assert!(added.iter().all(|row| rows.insert(*row)));
                assert!(removed.iter().all(|row| rows.remove(row)));
                let mut sides = [Vec::new(), Vec::new()];
                let [own, foreign] = &mut sides;
                samples[half.position].rows(&buckets, own, foreign);
                let expected: BTreeSet<u32> = sides[half.side].iter().copied().collect();
                assert_eq!(rows, expected);
                told += added.len() + removed.len();
                all += expected.len();
            }
            assert_eq!(inputs.order.len(), 2 * samples.len());
            assert!(2 * told < all, "{told} of {all}");
        }
    }

    #[test]
    fn users_are_the_changes_the_other_way_round() {
        let samples = random_game(40);
        let inputs = filled(KingBuckets::SINGLE, &samples);
        let places = |pick: usize| -> BTreeSet<(u32, u32)> {
            let rows = (0..).zip(inputs.users());
            rows.flat_map(|(row, users)| users[pick].iter().map(move |place| (row, *place)))
                .collect()
        };
        for pick in [0, 1] {
            let mut expected = BTreeSet::new();
            for (place, number) in (0..inputs.order.len()).zip(0..) {
                expected.extend(inputs.changes(place)[pick].iter().map(|row| (*row, number)));
            }
            assert!(!expected.is_empty());
            assert_eq!(places(pick), expected);
        }
    }
}
