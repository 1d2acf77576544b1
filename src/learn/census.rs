//! What is in files of games: counts, results, lengths, scores, and whether all of it is
//! legal.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use shakmaty::Position;

use super::{
    fit::Outcomes,
    games::{Game, GameResult, Games},
    sampler::Filter,
};
use crate::types::convert;

/// Scores beyond this many centipawns stand for mates and other proven results.
const PROVEN: u16 = 30_000;

/// Counts of numbers in intervals of equal length; what lies below the first or above the
/// last counts there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    first: i32,
    step: i32,
    counts: Vec<u64>,
}

impl Histogram {
    /// `intervals` of `step` numbers from `first` on.
    pub fn new(first: i32, step: i32, intervals: usize) -> Self {
        let counts = vec![0; intervals];
        Self {
            first,
            step,
            counts,
        }
    }

    /// Counts a number.
    pub fn add(&mut self, number: i32) {
        let interval = convert::index((number - self.first).div_euclid(self.step));
        let last = self.counts.len().saturating_sub(1);
        if let Some(count) = self.counts.get_mut(interval.min(last)) {
            *count += 1;
        }
    }

    /// The first number of each interval, and its count.
    pub fn intervals(&self) -> impl Iterator<Item = (i32, u64)> {
        (0..)
            .zip(&self.counts)
            .map(|(number, count)| (self.first + number * self.step, *count))
    }

    /// All numbers counted.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// What is in some files.
#[derive(Clone, Debug)]
pub struct Census {
    /// Whole games.
    pub games: u64,
    /// Positions, one for each move played.
    pub positions: u64,
    /// Positions that pass the filter of the training.
    pub passing: u64,
    /// Positions with a proven result for a score.
    pub proven: u64,
    /// Games won by Black, drawn, won by White.
    pub results: [u64; 3],
    /// Lengths of the games in plies.
    pub lengths: Histogram,
    /// Scores in centipawns for White, without the proven ones.
    pub scores: Histogram,
    /// Files that end within a game, and how many bytes do not count.
    pub torn: Vec<(PathBuf, u64)>,
    /// Scores and results, for the win-rate model.
    pub outcomes: Outcomes,
}

impl Census {
    /// Counts the games in `files`.
    ///
    /// # Errors
    /// When a file cannot be read or holds an illegal game: the first one is named.
    pub fn take(files: &[PathBuf], filter: &Filter) -> Result<Self> {
        let mut census = Self {
            games: 0,
            positions: 0,
            passing: 0,
            proven: 0,
            results: [0; 3],
            lengths: Histogram::new(0, 20, 21),
            scores: Histogram::new(-1000, 100, 20),
            torn: Vec::new(),
            outcomes: Outcomes::default(),
        };
        for file in files {
            census.add_file(file, filter)?;
        }
        Ok(census)
    }

    fn add_file(&mut self, path: &Path, filter: &Filter) -> Result<()> {
        let mut bytes = 0;
        for (number, game) in (0..).zip(Games::open(path)?) {
            let place = || format!("{}, game {number}", path.display());
            let game: Game = game.with_context(place)?;
            self.add(&game, filter).with_context(place)?;
            bytes += convert::wide(game.bytes());
        }
        let rest = fs::metadata(path)?.len().saturating_sub(bytes);
        if rest > 0 {
            self.torn.push((path.to_owned(), rest));
        }
        Ok(())
    }

    /// Counts a game.
    ///
    /// # Errors
    /// When it is illegal.
    pub fn add(&mut self, game: &Game, filter: &Filter) -> Result<()> {
        let result = game.result();
        let mut ply = 0;
        game.replay(|position, mv, score| {
            self.passing += u64::from(filter.passes(ply, position, mv, score));
            if score.unsigned_abs() > PROVEN {
                self.proven += 1;
            } else {
                self.scores.add(i32::from(score));
                let number = position.fullmoves().get();
                self.outcomes.add(number, i32::from(score), result);
            }
            ply += 1;
        })?;
        self.games += 1;
        self.positions += convert::wide(ply);
        self.lengths.add(convert::count_i32(ply));
        self.results[match result {
            GameResult::BlackWins => 0,
            GameResult::Draw => 1,
            GameResult::WhiteWins => 2,
        }] += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        learn::draft::played,
        position,
        types::{Ply, Score},
    };

    fn game(moves: &[(&str, Score)], result: GameResult) -> Game {
        played(position::Game::start(), moves, result)
    }

    #[test]
    fn everything_is_counted_once() {
        let mut census = Census::take(&[], &Filter::default()).unwrap();
        let centipawns = Score::from_centipawns;
        let mates = [
            ("e2e4", centipawns(30)),
            ("d7d5", centipawns(-40)),
            ("e4d5", centipawns(90)),
            ("d8d5", Score::mate_in(Ply::new(1))),
        ];
        census
            .add(&game(&mates, GameResult::WhiteWins), &Filter::default())
            .unwrap();
        census
            .add(&game(&mates[..1], GameResult::Draw), &Filter::default())
            .unwrap();
        assert_eq!((census.games, census.positions), (2, 5));
        assert_eq!(census.results, [0, 1, 1]);
        // The two captures do not pass.
        assert_eq!((census.passing, census.proven), (3, 1));
        assert_eq!((census.lengths.total(), census.scores.total()), (2, 4));
    }

    #[test]
    fn histograms_are_open_at_both_ends() {
        let mut histogram = Histogram::new(-20, 10, 4);
        for number in [-99, -20, -11, -1, 0, 19, 99] {
            histogram.add(number);
        }
        let counts: Vec<_> = histogram.intervals().collect();
        assert_eq!(counts, [(-20, 3), (-10, 1), (0, 1), (10, 2)]);
    }
}
