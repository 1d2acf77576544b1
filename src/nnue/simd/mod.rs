//! The two inner loops of inference, once for each instruction set.
//!
//! `scalar` says what is computed; the others compute the same bit for bit, which
//! a test checks on random inputs. [`Kernels::detect`] picks the widest set that the
//! machine has when the program starts; a call then goes through a pointer, once for
//! some hundred vector instructions. All integer arithmetic wraps, so the order of
//! additions does not matter; that nothing does wrap in a network that was accepted
//! is shown in [`super::weights`].

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod sse41;

use super::network::{InputRow, Row};

type Update = unsafe fn(&mut Row, &Row, &[&InputRow], &[&InputRow]);
type Output = unsafe fn(&Row, &Row, &[Row; 2]) -> i32;

/// The loops for one instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    name: &'static str,
    update: Update,
    output: Output,
}

impl Kernels {
    const SCALAR: Self = Self {
        name: "scalar",
        update: scalar::update,
        output: scalar::output,
    };

    /// Every set of loops that this machine can run, the fastest first.
    pub fn available() -> Vec<Self> {
        let mut kernels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                kernels.push(Self {
                    name: "avx512",
                    update: avx512::update,
                    output: avx512::output,
                });
            }
            if is_x86_feature_detected!("avx2") {
                kernels.push(Self {
                    name: "avx2",
                    update: avx2::update,
                    output: avx2::output,
                });
            }
            if is_x86_feature_detected!("sse4.1") {
                kernels.push(Self {
                    name: "sse4.1",
                    update: sse41::update,
                    output: sse41::output,
                });
            }
        }
        #[cfg(target_arch = "aarch64")]
        kernels.push(Self {
            name: "neon",
            update: neon::update,
            output: neon::output,
        });
        kernels.push(Self::SCALAR);
        kernels
    }

    /// The fastest loops for this machine.
    pub fn detect() -> Self {
        let available = Self::available();
        available.first().copied().unwrap_or(Self::SCALAR)
    }

    /// The instruction set's name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// `to` becomes `from` plus the rows `added` less the rows `removed`.
    #[inline]
    pub fn update(&self, to: &mut Row, from: &Row, added: &[&InputRow], removed: &[&InputRow]) {
        // SAFETY: these kernels exist only if the machine has their instructions.
        #[expect(unsafe_code, reason = "chosen by the machine's instruction set")]
        unsafe {
            (self.update)(to, from, added, removed);
        }
    }

    /// The sum of the hidden neurons' squared clipped activations times the weights
    /// of one output neuron.
    #[inline]
    pub fn output(&self, own: &Row, foreign: &Row, weights: &[Row; 2]) -> i32 {
        // SAFETY: these kernels exist only if the machine has their instructions.
        #[expect(unsafe_code, reason = "chosen by the machine's instruction set")]
        unsafe {
            (self.output)(own, foreign, weights)
        }
    }
}

/// Writes both loops for an instruction set in terms of the vector operations that
/// are in scope: `load`, `widen` (bytes), `store`, `zero`, `add`, `sub`, `clamp`, `dot`, `total`.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! kernels {
    ($feature:literal, $lanes:literal, $tile:literal) => {
        use crate::nnue::{
            arch::WIDTH,
            network::{InputRow, Row},
        };

        /// Vectors that are kept in registers while a list of rows is added up.
        const TILE: usize = $tile;

        const _: () = assert!(
            WIDTH.is_multiple_of($lanes * TILE),
            "tiles must fill a row evenly"
        );

        type Lanes = [i16; $lanes];
        type Bytes = [i8; $lanes];

        #[target_feature(enable = $feature)]
        fn tiles<T>(row: &[T; WIDTH]) -> &[[[T; $lanes]; TILE]] {
            row.as_chunks().0.as_chunks().0
        }

        #[target_feature(enable = $feature)]
        pub(super) fn update(to: &mut Row, from: &Row, added: &[&InputRow], removed: &[&InputRow]) {
            let targets = to.0.as_chunks_mut::<$lanes>().0.as_chunks_mut::<TILE>().0;
            for (number, (target, tile)) in targets.iter_mut().zip(tiles(&from.0)).enumerate() {
                let mut sums = [zero(); TILE];
                for (sum, lanes) in sums.iter_mut().zip(tile) {
                    *sum = load(lanes);
                }
                for row in added {
                    for (sum, bytes) in sums.iter_mut().zip(&tiles(&row.0)[number]) {
                        *sum = add(*sum, widen(bytes));
                    }
                }
                for row in removed {
                    for (sum, bytes) in sums.iter_mut().zip(&tiles(&row.0)[number]) {
                        *sum = sub(*sum, widen(bytes));
                    }
                }
                for (lanes, sum) in target.iter_mut().zip(sums) {
                    store(lanes, sum);
                }
            }
        }

        #[target_feature(enable = $feature)]
        pub(super) fn output(own: &Row, foreign: &Row, weights: &[Row; 2]) -> i32 {
            let mut sums = [zero(); TILE];
            for (row, weights) in [own, foreign].into_iter().zip(weights) {
                for (tile, weights) in tiles(&row.0).iter().zip(tiles(&weights.0)) {
                    let terms = tile.iter().zip(weights);
                    for (sum, (lanes, weights)) in sums.iter_mut().zip(terms) {
                        *sum = dot(*sum, clamp(load(lanes)), load(weights));
                    }
                }
            }
            total(&sums)
        }
    };
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use kernels;

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng, rngs::SmallRng};

    use super::*;
    use crate::nnue::weights::{MAX_INPUT_WEIGHT, MAX_OUTPUT_WEIGHT};

    fn random_input(rng: &mut SmallRng) -> InputRow {
        let mut weight = || rng.random_range(-MAX_INPUT_WEIGHT..=MAX_INPUT_WEIGHT);
        InputRow(std::array::from_fn(|_| weight()))
    }

    fn random(rng: &mut SmallRng, limit: i16) -> Row {
        Row(std::array::from_fn(|_| rng.random_range(-limit..=limit)))
    }

    #[test]
    fn every_kernel_equals_the_scalar_one() {
        let mut rng = SmallRng::seed_from_u64(7);
        // Miri is some thousand times slower.
        let step = if cfg!(miri) { 67 } else { 1 };
        for round in (0..200).step_by(step) {
            let rows: Vec<_> = (0..round % 40).map(|_| random_input(&mut rng)).collect();
            let rows: Vec<_> = rows.iter().collect();
            let (added, removed) = rows.split_at(rows.len() / 2);
            let from = random(&mut rng, i16::MAX);
            let foreign = random(&mut rng, 400);
            let weights = [(); 2].map(|()| random(&mut rng, MAX_OUTPUT_WEIGHT));
            let results = Kernels::available().into_iter().map(|kernels| {
                let mut to = Row::ZERO;
                kernels.update(&mut to, &from, added, removed);
                let output = kernels.output(&to, &foreign, &weights);
                (kernels.name(), to, output)
            });
            let results: Vec<_> = results.collect();
            let (_, row, output) = results.last().unwrap();
            for (name, other, value) in &results {
                assert_eq!((other, value), (row, output), "{name}");
            }
        }
    }
}
