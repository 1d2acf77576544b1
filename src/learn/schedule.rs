//! The learning rate over time: a short linear warm-up, then half a cosine wave
//! (Loshchilov & Hutter 2016).

use std::f32::consts::PI;

use crate::types::convert;

/// A learning-rate schedule over a fixed number of steps.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Highest rate.
    pub rate: f32,
    /// Rate of the last step.
    pub final_rate: f32,
    /// Steps until the highest rate is reached.
    pub warm_up: usize,
    /// Steps in all.
    pub steps: usize,
}

impl Schedule {
    /// The rate of step `step`, counted from 0.
    pub fn rate(&self, step: usize) -> f32 {
        if step < self.warm_up {
            return self.rate * convert::real32(step + 1) / convert::real32(self.warm_up);
        }
        let length = self.steps.saturating_sub(self.warm_up).max(1);
        let done = convert::real32(step - self.warm_up) / convert::real32(length);
        let wave = 0.5 * (1.0 + (PI * done.min(1.0)).cos());
        self.final_rate + (self.rate - self.final_rate) * wave
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rises_then_falls() {
        let schedule = Schedule {
            rate: 1e-3,
            final_rate: 1e-5,
            warm_up: 10,
            steps: 100,
        };
        assert!(schedule.rate(0) < schedule.rate(9));
        assert!((schedule.rate(10) - 1e-3).abs() < 1e-6);
        assert!((schedule.rate(100) - 1e-5).abs() < 1e-6);
        assert!((10..100).all(|step| schedule.rate(step) >= schedule.rate(step + 1)));
    }
}
