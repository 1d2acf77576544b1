//! Which positions are learned from, and in which order.
//!
//! Games, not positions, are dealt out (`deal.rs`), into as many portions as the chosen memory asks
//! for. Each portion is thus a random share of all games of all files. It is shuffled before it
//! is used, but positions that follow each other in a game, or come of one parent, stay together
//! in small families (`family.rs`), since they are learned faster so.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use anyhow::{Result, ensure};
use rand::{SeedableRng, rngs::SmallRng, seq::SliceRandom};
use shakmaty::{Chess, Move, Position};

use super::{
    deal::{Deal, Source, mix},
    family,
    games::{self, Game},
    sample::Sample,
};
use crate::types::convert;

/// What makes a position worth learning from: that its score is a fact about the
/// position, and not about a capture that a search would see anyway.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// Scores beyond this many centipawns are left out; mates lie far beyond.
    pub max_score: i16,
    /// The first plies of a game that are left out.
    pub skip_plies: usize,
}

impl Default for Filter {
    /// Scores up to 30 pawns, from the first ply on.
    fn default() -> Self {
        Self {
            max_score: 3000,
            skip_plies: 0,
        }
    }
}

impl Filter {
    /// Whether a position, the move played in it and its score pass.
    pub fn passes(&self, ply: usize, position: &Chess, mv: Move, score: i16) -> bool {
        ply >= self.skip_plies
            && score.unsigned_abs() <= self.max_score.unsigned_abs()
            && !mv.is_capture()
            && !mv.is_promotion()
            && !position.is_check()
    }
}

/// The files with games and the rules by which positions are drawn from them.
#[derive(Clone, Debug)]
pub struct Sampler {
    files: Vec<PathBuf>,
    filter: Filter,
    seed: u64,
    share: f64,
    portions: u64,
    threads: usize,
}

/// How much of the games is used, and how much of that at a time.
#[derive(Clone, Copy, Debug)]
pub struct Amount {
    /// Share of the games that are trained on, 0 to 1; those held out are always the same.
    pub share: f64,
    /// Mebibytes of positions kept in memory, about.
    pub megabytes: u64,
}

impl Sampler {
    /// A sampler over `paths`, files of games or fans or directories of them.
    ///
    /// # Errors
    /// When a path cannot be read, or no file is found.
    pub fn new(
        paths: &[PathBuf],
        filter: Filter,
        amount: Amount,
        seed: u64,
        threads: usize,
    ) -> Result<Self> {
        let files = games::files(paths, &[games::GAMES, games::FANS])?;
        let plies = files.iter().map(|path| Source::new(path).plies());
        let positions = plies.sum::<Result<f64>>()? * amount.share;
        let needed = positions * convert::real(convert::wide(size_of::<Sample>()));
        let room = convert::real((amount.megabytes << 20).max(1));
        let portions = convert::truncate_i32((needed / room).ceil()).max(1);
        Ok(Self {
            files,
            filter,
            seed,
            share: amount.share,
            portions: u64::try_from(portions)?,
            threads,
        })
    }

    /// How many portions make up one pass over the data.
    pub const fn portions(&self) -> u64 {
        self.portions
    }

    /// The files in use.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Positions of the held-out games.
    ///
    /// # Errors
    /// When a file cannot be read or holds an illegal game.
    pub fn held_out(&self) -> Result<Vec<Sample>> {
        self.load(Deal::HeldOut)
    }

    /// Positions of one portion, in the order of the files; `turn` counts portions from the start of training.
    ///
    /// # Errors
    /// When a file cannot be read or holds an illegal game.
    pub fn portion(&self, turn: u64) -> Result<Vec<Sample>> {
        let deal = Deal::Portion {
            number: turn % self.portions,
            of: self.portions,
            seed: self.seed,
            share: self.share,
        };
        let samples = self.load(deal)?;
        ensure!(!samples.is_empty(), "no position passes the filter");
        Ok(samples)
    }

    /// Where the families of `samples` begin, in the random order of their use in turn `turn`. The
    /// order does not depend on the turns before.
    pub fn deal(&self, samples: &[Sample], turn: u64) -> Vec<u32> {
        let mut begins = family::begins(samples);
        let mut rng = SmallRng::seed_from_u64(mix(self.seed, turn, 1));
        begins.shuffle(&mut rng);
        begins
    }

    /// Threads take one file after the other, so that none waits for the others for long.
    fn load(&self, deal: Deal) -> Result<Vec<Sample>> {
        let next = AtomicUsize::new(0);
        let load = || {
            let mut loaded = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(path) = self.files.get(number) else {
                    return Ok(loaded);
                };
                loaded.push((number, self.load_file(path, deal)?));
            }
        };
        let loaded = thread::scope(|scope| {
            let loaders: Vec<_> = (0..self.threads.max(1))
                .map(|_| scope.spawn(load))
                .collect();
            let joined = loaders
                .into_iter()
                .map(|loader| loader.join().expect("a loader does not panic"));
            joined.collect::<Result<Vec<_>>>()
        })?;
        let mut loaded: Vec<_> = loaded.into_iter().flatten().collect();
        loaded.sort_by_key(|(number, _)| *number);
        let all = loaded.iter().map(|(_, samples)| samples.len()).sum();
        let mut samples = Vec::with_capacity(all);
        for (_, part) in loaded {
            samples.extend(part);
        }
        Ok(samples)
    }

    fn load_file(&self, path: &Path, deal: Deal) -> Result<Vec<Sample>> {
        let mut samples = Vec::new();
        let source = Source::new(path);
        if source.is_fan && matches!(deal, Deal::HeldOut) {
            return Ok(samples);
        }
        source.visit(|number, game| {
            if !deal.takes(&source, number) {
                Ok(())
            } else if source.is_fan {
                self.extract_fan(game, &mut samples)
            } else {
                self.extract(game, &mut samples)
            }
        })?;
        Ok(samples)
    }

    fn extract(&self, game: &Game, samples: &mut Vec<Sample>) -> Result<()> {
        let result = game.result();
        let (mut ply, first) = (0, samples.len());
        game.replay(|position, mv, score| {
            if self.filter.passes(ply, position, mv, score) {
                family::add(samples, first, Sample::new(position, score, Some(result)));
            }
            ply += 1;
        })
    }

    /// The positions of a fan; quiet they are by the way they were found.
    fn extract_fan(&self, fan: &Game, samples: &mut Vec<Sample>) -> Result<()> {
        let first = samples.len();
        fan.children(|position, score| {
            if score.unsigned_abs() <= self.filter.max_score.unsigned_abs() {
                family::add(samples, first, Sample::new(position, score, None));
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;
    use crate::{
        learn::{draft::Draft, games::GameResult},
        types::Score,
    };

    #[test]
    fn memory_is_shared_out_by_plies_and_not_by_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let start = Chess::new();
        let fan = |moves: usize| {
            let mut fan = Draft::new(&start);
            for mv in start.legal_moves().into_iter().take(moves) {
                fan.add(mv, Score::from_centipawns(0));
            }
            fan.finish(GameResult::Draw)
        };
        let portions = |name: &str, moves: usize, games: usize| {
            let path = folder.path().join(name);
            let mut file = File::create(&path).unwrap();
            let fan = fan(moves);
            for _ in 0..games {
                fan.write(&mut file).unwrap();
            }
            let amount = Amount {
                share: 1.0,
                megabytes: 1,
            };
            let sampler = Sampler::new(&[path], Filter::default(), amount, 1, 1).unwrap();
            sampler.portions()
        };
        // 50,000 positions of 32 bytes in both.
        assert_eq!(portions("narrow.fan", 1, 50_000), 2);
        assert_eq!(portions("wide.fan", 20, 2_500), 2);
    }
}
