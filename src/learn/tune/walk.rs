//! The walk of the numbers towards better play: simultaneous perturbation stochastic
//! approximation, SPSA (Spall 1992; for chess engines: Kiiski, 2011, and Stockfish's farm).
//!
//! All numbers are moved at once, each to one side by lot, and the engine so changed plays against
//! itself changed the other way. Who wins tells, for every number, on which side it may be better:
//! little in one pair, but of all numbers for the price of one. Steps shrink as the walk goes on,
//! slowly for what is tried and faster for what is learned, by the powers that Spall recommends.
//!
//! Invariant: no number leaves its bounds, neither as it stands nor as it is tried.

use rand::Rng;
use serde::{Deserialize, Serialize};

use super::number::Number;
use crate::types::convert;

/// The power of time by which what is learned shrinks.
const ALPHA: f64 = 0.602;
/// The power of time by which what is tried shrinks.
const GAMMA: f64 = 0.101;
/// Learning is slowed down at the beginning as if so much of the walk were over.
const STABILITY: f64 = 0.1;
/// The walk is remembered at so many places, for the picture.
const PLACES: u64 = 200;

/// Games as the engine moved to one side saw them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Games in all.
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Games won less games lost.
    pub const fn lead(self) -> i64 {
        self.wins.cast_signed() - self.losses.cast_signed()
    }
}

/// Where the numbers were after so many pairs of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Pairs played.
    pub pairs: u64,
    /// The numbers, in their order.
    pub values: Vec<f64>,
}

/// The numbers on their way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Walk {
    numbers: Vec<Number>,
    /// Pairs of games of the whole walk.
    planned: u64,
    played: u64,
    tally: Tally,
    values: Vec<f64>,
    places: Vec<Place>,
}

/// Both sides of one pair of games.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Trial {
    /// The numbers of either side.
    pub(super) sides: [Vec<i32>; 2],
    /// How far each number moves for each game that the first side wins more than it loses.
    gains: Vec<f64>,
}

impl Walk {
    /// The beginning of a walk of so many pairs.
    pub(super) fn new(numbers: Vec<Number>, planned: u64) -> Self {
        let values: Vec<_> = numbers.iter().map(|number| number.start).collect();
        Self {
            places: vec![Place {
                pairs: 0,
                values: values.clone(),
            }],
            numbers,
            planned,
            played: 0,
            tally: Tally::default(),
            values,
        }
    }

    /// The numbers as they were given.
    pub fn numbers(&self) -> &[Number] {
        &self.numbers
    }

    /// Where they have come to.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Where they were on average in the second half of the way, which luck moves less than where
    /// they are now (Polyak & Juditsky 1992).
    pub fn averages(&self) -> Vec<f64> {
        let later = |place: &&Place| 2 * place.pairs >= self.played;
        let mut sums = self.values.clone();
        let mut count = 1;
        for place in self.places.iter().filter(later) {
            count += 1;
            for (sum, value) in sums.iter_mut().zip(&place.values) {
                *sum += value;
            }
        }
        sums.iter().map(|sum| sum / f64::from(count)).collect()
    }

    /// Where they have been, from the start to now.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Pairs of games of the whole walk.
    pub const fn planned(&self) -> u64 {
        self.planned
    }

    /// Pairs of games up to now.
    pub const fn played(&self) -> u64 {
        self.played
    }

    /// All games, as the side moved first saw them: even, but for luck.
    pub const fn tally(&self) -> Tally {
        self.tally
    }

    /// How far each number is now moved to try it, in units of its last step.
    fn reach(&self) -> f64 {
        (self.length() / self.time()).powf(GAMMA)
    }

    /// How much of such a move is learned, in units of the rate at the end.
    fn zeal(&self) -> f64 {
        let head = STABILITY * self.length();
        let learned = ((head + self.length()) / (head + self.time())).powf(ALPHA);
        learned / (self.reach() * self.reach())
    }

    fn length(&self) -> f64 {
        convert::real(self.planned.max(1))
    }

    /// The number of the next pair; the last one's also after the end.
    fn time(&self) -> f64 {
        convert::real((self.played + 1).min(self.planned.max(1)))
    }

    /// Two ways to play, on either side of the present one.
    pub(super) fn propose(&self, rng: &mut impl Rng) -> Trial {
        let (reach, zeal) = (self.reach(), self.zeal());
        let mut trial = Trial {
            sides: [Vec::new(), Vec::new()],
            gains: Vec::new(),
        };
        for (number, value) in self.numbers.iter().zip(&self.values) {
            let step = reach * number.step;
            let step = if rng.random_bool(0.5) { step } else { -step };
            for (side, moved) in trial.sides.iter_mut().zip([value + step, value - step]) {
                side.push(whole(moved.clamp(number.min, number.max), rng));
            }
            trial.gains.push(number.rate * zeal * step);
        }
        trial
    }

    /// Learns how a pair of games went, as its first side saw them.
    pub(super) fn learn(&mut self, trial: &Trial, pair: Tally) {
        let lead = f64::from(convert::saturate_i32(pair.lead()));
        let moved = self.values.iter_mut().zip(&trial.gains);
        for ((value, gain), number) in moved.zip(&self.numbers) {
            *value = (*value + gain * lead).clamp(number.min, number.max);
        }
        self.played += 1;
        self.tally.wins += pair.wins;
        self.tally.draws += pair.draws;
        self.tally.losses += pair.losses;
        let spacing = self.planned.div_ceil(PLACES).max(1);
        if self.played.is_multiple_of(spacing) || self.played == self.planned {
            self.places.push(Place {
                pairs: self.played,
                values: self.values.clone(),
            });
        }
    }
}

/// A whole number beside `value`, the nearer one more often, so that it is `value` on average.
fn whole(value: f64, rng: &mut impl Rng) -> i32 {
    convert::truncate_i32((value + rng.random::<f64>()).floor())
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::SmallRng};

    use super::*;

    fn number(name: &str, start: f64, step: f64) -> Number {
        Number {
            name: name.to_owned(),
            start,
            min: 0.0,
            max: 100.0,
            step,
            rate: 0.01,
        }
    }

    /// A pair of games in which who is nearer to `best` wins more often.
    fn play(trial: &Trial, best: &[f64], rng: &mut SmallRng) -> Tally {
        let distance = |side: &[i32]| -> f64 {
            let gaps = side.iter().zip(best);
            gaps.map(|(&value, best)| (f64::from(value) - best).powi(2))
                .sum()
        };
        let edge = distance(&trial.sides[1]) - distance(&trial.sides[0]);
        let chance = 1.0 / (1.0 + (-edge / 1500.0).exp());
        let mut tally = Tally::default();
        for _ in 0..2 {
            if rng.random_bool(chance) {
                tally.wins += 1;
            } else {
                tally.losses += 1;
            }
        }
        tally
    }

    #[test]
    fn numbers_walk_to_where_games_are_won_and_stay_within_bounds() {
        let best = [30.0, 75.0, 100.0];
        let numbers = ["a", "b", "c"].map(|name| number(name, 50.0, 5.0));
        let mut walk = Walk::new(numbers.to_vec(), 6000);
        let mut rng = SmallRng::seed_from_u64(3);
        while walk.played() < walk.planned() {
            let trial = walk.propose(&mut rng);
            for value in trial.sides.iter().flatten() {
                assert!((0..=100).contains(value), "{value}");
            }
            let pair = play(&trial, &best, &mut rng);
            walk.learn(&trial, pair);
        }
        let ends = walk.values().iter().zip(walk.averages());
        for ((value, average), best) in ends.zip(best) {
            assert!((value - best).abs() < 8.0, "{value} instead of {best}");
            assert!((average - best).abs() < 8.0, "{average} instead of {best}");
        }
        assert_eq!(walk.tally().games(), 12_000);
        assert_eq!(walk.places().len(), 201);
        assert_eq!(walk.places().last().map(|place| place.pairs), Some(6000));
    }

    /// The last pair is played with the step and the rate that were asked for, by definition.
    #[test]
    fn steps_shrink_to_what_was_asked_for() {
        let mut walk = Walk::new(vec![number("a", 50.0, 4.0)], 1000);
        let mut rng = SmallRng::seed_from_u64(4);
        let (mut reach, mut gain) = (f64::INFINITY, 0.0);
        for _ in 0..1000 {
            let trial = walk.propose(&mut rng);
            assert!(walk.reach() <= reach);
            (reach, gain) = (walk.reach(), trial.gains[0].abs());
            walk.learn(&trial, Tally::default());
        }
        assert!((reach - 1.0).abs() < 1e-9);
        assert!((gain - 0.01 * 4.0).abs() < 1e-9);
    }

    #[test]
    fn whole_numbers_are_right_on_average() {
        let mut rng = SmallRng::seed_from_u64(5);
        for value in [-2.75, -1.0, 0.5, 7.25] {
            let sum: i32 = (0..4000).map(|_| whole(value, &mut rng)).sum();
            assert!((f64::from(sum) / 4000.0 - value).abs() < 0.04, "{value}");
        }
    }
}
