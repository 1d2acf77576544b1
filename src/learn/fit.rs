//! Fitting the win-rate model to games.
//!
//! The likelihood of the results, given the scores, is made as large as possible at
//! once for all moves. The model is that of [`win_rate`](crate::types::win_rate); the
//! way is Fisher's scoring (1935), Newton's method with the expected curvature, damped
//! as by Levenberg (1944) and Marquardt (1963): a step that does not help is tried
//! again shorter. Invariant: the result is never worse than the beginning, and sound.

use anyhow::{Result, ensure};

use super::games::GameResult;
use crate::types::{
    convert,
    win_rate::{MODEL, WinRateModel},
};

/// Scores beyond this many centipawns say nothing new.
const LARGEST: i32 = 2000;
/// Scores are taken together in intervals of so many centipawns.
const STEP: i32 = 5;
const INTERVALS: usize = convert::index(2 * LARGEST / STEP) + 1;
/// Coefficients of one polynomial, and of the model.
const TERMS: usize = 4;
const UNKNOWNS: usize = 2 * TERMS;
/// A chance is never taken for less, so that one surprise is not infinitely surprising.
const LEAST_CHANCE: f64 = 1e-12;
/// A fit needs so many positions of each result at least.
const LEAST_COUNT: u64 = 100;
const STEPS: usize = 200;
/// Gain in log likelihood per position that is not worth another step.
const GAIN: f64 = 1e-10;
const DAMPING: f64 = 1e-3;
const LARGEST_DAMPING: f64 = 1e12;

/// How often a score at a move led to which result.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    /// By move number, then by score: games won, drawn and lost by White.
    moves: Vec<Vec<[u32; 3]>>,
}

/// A fitted model.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// The model.
    pub model: WinRateModel,
    /// Positions it is fitted to.
    pub positions: u64,
    /// Mean surprise (log loss, natural logarithm) at a result, by this model.
    pub loss: f64,
    /// The same by the model in the source.
    pub present_loss: f64,
}

type Vector = [f64; UNKNOWNS];
type Matrix = [Vector; UNKNOWNS];

impl Outcomes {
    /// Notes that at move `number` a position had this score for White, in a game with
    /// this result. What is outside the range of the model is left out.
    pub fn add(&mut self, number: u32, centipawns: i32, result: GameResult) {
        let known = WinRateModel::FIRST_MOVE..=WinRateModel::LAST_MOVE;
        if !known.contains(&number) || centipawns.abs() > LARGEST {
            return;
        }
        if self.moves.is_empty() {
            let moves = WinRateModel::LAST_MOVE - WinRateModel::FIRST_MOVE + 1;
            self.moves = vec![vec![[0; 3]; INTERVALS]; convert::size(u64::from(moves))];
        }
        let row = convert::size(u64::from(number - WinRateModel::FIRST_MOVE));
        let interval = convert::index((centipawns + LARGEST + STEP / 2) / STEP);
        let cell = self
            .moves
            .get_mut(row)
            .and_then(|row| row.get_mut(interval));
        if let Some(counts) = cell {
            counts[match result {
                GameResult::WhiteWins => 0,
                GameResult::Draw => 1,
                GameResult::BlackWins => 2,
            }] += 1;
        }
    }

    /// Positions by result: won, drawn and lost by White.
    pub fn totals(&self) -> [u64; 3] {
        let mut totals = [0; 3];
        for counts in self.moves.iter().flatten() {
            for (total, count) in totals.iter_mut().zip(counts) {
                *total += u64::from(*count);
            }
        }
        totals
    }

    /// The model that makes the results likeliest.
    ///
    /// # Errors
    /// When there are too few positions of one of the results.
    pub fn fit(&self) -> Result<Fit> {
        let totals = self.totals();
        ensure!(
            totals.iter().all(|total| *total >= LEAST_COUNT),
            "too few positions for a fit: {} won, {} drawn, {} lost",
            totals[0],
            totals[1],
            totals[2]
        );
        let positions: u64 = totals.iter().sum();
        let mean = |likelihood: f64| -likelihood / convert::real(positions);
        let start = WinRateModel {
            center: [100.0, 0.0, 0.0, 0.0],
            spread: [100.0, 0.0, 0.0, 0.0],
        };
        let (model, likelihood) = self.climb(start, GAIN * convert::real(positions));
        Ok(Fit {
            model,
            positions,
            loss: mean(likelihood),
            present_loss: mean(self.likelihood(&MODEL)),
        })
    }

    /// Climbs from `start` until a step gains less than `gain`.
    fn climb(&self, start: WinRateModel, gain: f64) -> (WinRateModel, f64) {
        let (mut model, mut best) = (start, self.likelihood(&start));
        let mut damping = DAMPING;
        for _ in 0..STEPS {
            let (slope, curvature) = self.derivatives(&model);
            let before = best;
            while damping < LARGEST_DAMPING {
                let next = moved(&model, &step(&slope, &curvature, damping));
                let likelihood = self.likelihood(&next);
                if next.is_sound() && likelihood >= best {
                    (model, best) = (next, likelihood);
                    damping /= 10.0;
                    break;
                }
                damping *= 10.0;
            }
            if best - before < gain {
                break;
            }
        }
        (model, best)
    }

    /// Every interval that is not empty: move number, centipawns, counts.
    fn cells(&self) -> impl Iterator<Item = (u32, f64, [f64; 3])> {
        let rows = (WinRateModel::FIRST_MOVE..).zip(&self.moves);
        rows.flat_map(|(number, row)| {
            let cells = (-LARGEST..).step_by(convert::index(STEP)).zip(row);
            cells
                .filter(|(_, counts)| **counts != [0; 3])
                .map(move |(score, counts)| (number, f64::from(score), counts.map(f64::from)))
        })
    }

    /// Logarithm of the likelihood of the results by `model`.
    fn likelihood(&self, model: &WinRateModel) -> f64 {
        self.cells()
            .map(|(number, score, counts)| {
                let chances = model.chances(score, number);
                let terms = counts.iter().zip(chances);
                terms
                    .map(|(count, chance)| count * chance.max(LEAST_CHANCE).ln())
                    .sum::<f64>()
            })
            .sum()
    }

    /// Slope of the log likelihood and its expected curvature, with the sign turned.
    fn derivatives(&self, model: &WinRateModel) -> (Vector, Matrix) {
        let (mut slope, mut curvature) = ([0.0; UNKNOWNS], [[0.0; UNKNOWNS]; UNKNOWNS]);
        for (number, score, counts) in self.cells() {
            let total: f64 = counts.iter().sum();
            let powers = powers(WinRateModel::argument(number));
            let chances = model.chances(score, number);
            let gradients = gradients(model, number, score, &chances);
            for ((count, chance), gradient) in counts.iter().zip(chances).zip(gradients) {
                let chance = chance.max(LEAST_CHANCE);
                let full: Vector =
                    std::array::from_fn(|index| gradient[index / TERMS] * powers[index % TERMS]);
                for (row, first) in full.iter().enumerate() {
                    slope[row] += count / chance * first;
                    for (column, second) in full.iter().enumerate() {
                        curvature[row][column] += total / chance * first * second;
                    }
                }
            }
        }
        (slope, curvature)
    }
}

fn powers(argument: f64) -> [f64; TERMS] {
    let square = argument * argument;
    [1.0, argument, square, square * argument]
}

/// How the chances to win, draw and lose change with centre and spread.
fn gradients(model: &WinRateModel, number: u32, score: f64, chances: &[f64; 3]) -> [[f64; 2]; 3] {
    let (center, spread) = (model.center_at(number), model.spread_at(number));
    let of = |chance: f64, score: f64| {
        let steepness = -chance * (1.0 - chance) / spread;
        [steepness, steepness * (score - center) / spread]
    };
    let (win, loss) = (of(chances[0], score), of(chances[2], -score));
    let draw = [-win[0] - loss[0], -win[1] - loss[1]];
    [win, draw, loss]
}

fn moved(model: &WinRateModel, step: &Vector) -> WinRateModel {
    let add = |index: usize| {
        (
            model.center[index] + step[index],
            model.spread[index] + step[TERMS + index],
        )
    };
    WinRateModel {
        center: std::array::from_fn(|index| add(index).0),
        spread: std::array::from_fn(|index| add(index).1),
    }
}

/// The step to where the slope would vanish, shortened by the damping.
fn step(slope: &Vector, curvature: &Matrix, damping: f64) -> Vector {
    let mut matrix = *curvature;
    for (index, row) in matrix.iter_mut().enumerate() {
        row[index] *= 1.0 + damping;
        row[index] += f64::MIN_POSITIVE;
    }
    solve(matrix, *slope)
}

/// The solution of a system of linear equations, by elimination with pivots (Gauss).
fn solve(mut matrix: Matrix, mut right: Vector) -> Vector {
    for pivot in 0..UNKNOWNS {
        let size = |row: &usize| matrix[*row][pivot].abs();
        let largest = (pivot..UNKNOWNS).max_by(|a, b| size(a).total_cmp(&size(b)));
        let largest = largest.unwrap_or(pivot);
        matrix.swap(pivot, largest);
        right.swap(pivot, largest);
        let (row, value) = (matrix[pivot], right[pivot]);
        for other in (0..UNKNOWNS).filter(|other| *other != pivot) {
            let factor = matrix[other][pivot] / row[pivot];
            for (cell, above) in matrix[other].iter_mut().zip(row) {
                *cell -= factor * above;
            }
            right[other] -= factor * value;
        }
    }
    std::array::from_fn(|index| right[index] / matrix[index][index])
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng, rngs::SmallRng};

    use super::*;

    const RESULTS: [GameResult; 3] = [
        GameResult::WhiteWins,
        GameResult::Draw,
        GameResult::BlackWins,
    ];

    /// Results as often as `model` has them.
    fn sampled(model: &WinRateModel, positions: usize) -> Outcomes {
        let mut rng = SmallRng::seed_from_u64(3);
        let mut outcomes = Outcomes::default();
        for _ in 0..positions {
            let number = rng.random_range(8..=120);
            let score = 25 * rng.random_range(-20..=20);
            let [win, draw, _] = model.chances(f64::from(score), number);
            let chance: f64 = rng.random();
            let result = usize::from(chance > win) + usize::from(chance > win + draw);
            outcomes.add(number, score, RESULTS[result]);
        }
        outcomes
    }

    #[test]
    fn the_fit_finds_the_model_that_made_the_games() {
        let truth = WinRateModel {
            center: [80.0, -20.0, 45.0, -5.0],
            spread: [90.0, 10.0, -6.0, 2.0],
        };
        assert!(truth.is_sound());
        let fit = sampled(&truth, 200_000).fit().unwrap();
        for number in [8, 20, 32, 60, 120] {
            let centers = (fit.model.center_at(number), truth.center_at(number));
            let spreads = (fit.model.spread_at(number), truth.spread_at(number));
            for (found, made) in [centers, spreads] {
                let error = (found / made - 1.0).abs();
                assert!(error < 0.08, "move {number}: {found} instead of {made}");
            }
        }
        assert!(fit.model.is_sound() && fit.loss <= fit.present_loss);
        assert_eq!(fit.positions, 200_000);
    }

    #[test]
    fn too_little_is_not_enough() {
        let mut outcomes = Outcomes::default();
        assert!(outcomes.fit().is_err());
        for _ in 0..1000 {
            outcomes.add(30, 50, GameResult::WhiteWins);
            outcomes.add(30, -50, GameResult::BlackWins);
        }
        let error = outcomes.fit().unwrap_err().to_string();
        assert!(error.contains("0 drawn"), "{error}");
    }
}
