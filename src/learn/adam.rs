//! The optimiser: Adam with decoupled weight decay (Kingma & Ba 2014, Loshchilov &
//! Hutter 2017).

use pulp::Arch;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// First and second moments of a stretch of parameters.
#[derive(Clone, Debug)]
pub(super) struct Moments {
    pub(super) mean: Vec<f32>,
    pub(super) square: Vec<f32>,
}

impl Moments {
    pub(super) fn new(len: usize) -> Self {
        Self {
            mean: vec![0.0; len],
            square: vec![0.0; len],
        }
    }
}

/// What all parameters share in one step.
#[derive(Clone, Copy)]
pub(super) struct Step {
    rate: f32,
    /// What is left of every weight after it has decayed.
    keep: f32,
    /// 1 / (1 - beta^t), which makes up for moments that start from zero.
    mean_boost: f32,
    square_boost: f32,
}

impl Step {
    /// Step number `number`, counted from 1, at learning rate `rate`; `decay` is the share of
    /// every weight that decays at rate 1.
    pub(super) fn new(number: i32, rate: f32, decay: f32) -> Self {
        Self {
            rate,
            keep: 1.0 - rate * decay,
            mean_boost: 1.0 / (1.0 - BETA1.powi(number)),
            square_boost: 1.0 / (1.0 - BETA2.powi(number)),
        }
    }

    /// Moves `weights` against `gradient` and clips them to `limit`.
    pub(super) fn apply(
        self,
        weights: &mut [f32],
        gradient: &[f32],
        mean: &mut [f32],
        square: &mut [f32],
        limit: f32,
    ) {
        Arch::new().dispatch(
            #[inline(always)]
            || {
                let moments = mean.iter_mut().zip(square);
                for ((weight, g), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
                    *mean = BETA1 * *mean + (1.0 - BETA1) * g;
                    *square = BETA2 * *square + (1.0 - BETA2) * g * g;
                    let scale = (*square * self.square_boost).sqrt() + EPSILON;
                    let change = self.rate * *mean * self.mean_boost / scale;
                    // Not `clamp`: it may panic, and then this is not compiled for vectors.
                    *weight = (*weight * self.keep - change).min(limit).max(-limit);
                }
            },
        );
    }
}
