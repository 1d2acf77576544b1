//! Which positions are learned from, and in which order.
//!
//! Games, not positions, are dealt out, by a hash of their file's name and their
//! number: some are held out for validation and never trained on, the others fall
//! into as many portions as the chosen memory asks for. Each portion is thus a random
//! share of all games of all files. It is shuffled before it is used, but positions that
//! follow each other in a game, or come of one parent, stay together in small families
//! (`family.rs`), since they are learned faster so. Files of fans, judged positions without a
//! game, are dealt out the same way, but never held out: validation means games.

use std::{
    hash::{Hash, Hasher},
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use anyhow::{Context, Result, ensure};
use rand::{SeedableRng, rngs::SmallRng, seq::SliceRandom};
use shakmaty::{Chess, Move, Position};

use super::{
    family,
    games::{self, Game, Games},
    sample::Sample,
};
use crate::types::convert;

/// Bytes a ply takes on disk; a quarter more or less decides nothing here.
const BYTES_PER_PLY: u64 = 4;
/// One game in so many is held out.
const HELD_OUT: u64 = 100;

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

/// Which games of a file are wanted.
#[derive(Clone, Copy, Debug)]
enum Deal {
    HeldOut,
    Portion {
        number: u64,
        of: u64,
        seed: u64,
        share: f64,
    },
}

impl Deal {
    fn takes(self, source: &Source, game: u64) -> bool {
        let held_out = source.is_held_out(game);
        match self {
            Self::HeldOut => held_out,
            Self::Portion {
                number,
                of,
                seed,
                share,
            } => {
                !held_out
                    && source.is_within(share, game)
                    && mix(source.hash, game, seed | 1) % of == number
            }
        }
    }
}

/// A file that positions come from.
pub(super) struct Source<'a> {
    path: &'a Path,
    /// Of its name, so that the deal survives moving the directory.
    pub(super) hash: u64,
    /// Whether it holds fans, and not games.
    is_fan: bool,
}

impl<'a> Source<'a> {
    /// The file at `path`; its extension tells what is in it.
    pub(super) fn new(path: &'a Path) -> Self {
        Self {
            path,
            hash: name_hash(path),
            is_fan: path
                .extension()
                .is_some_and(|extension| extension == games::FANS),
        }
    }

    /// Calls `visit` with the number of every game, or fan, and the game.
    ///
    /// # Errors
    /// When the file cannot be read, or those of `visit`, with the place added.
    pub(super) fn visit(&self, mut visit: impl FnMut(u64, &Game) -> Result<()>) -> Result<()> {
        for (number, game) in (0..).zip(Games::open(self.path)?) {
            game.and_then(|game| visit(number, &game))
                .with_context(|| format!("{}, game {number}", self.path.display()))?;
        }
        Ok(())
    }

    /// Whether a game is kept for validation.
    pub(super) fn is_held_out(&self, game: u64) -> bool {
        !self.is_fan && mix(self.hash, game, 0).is_multiple_of(HELD_OUT)
    }

    /// Whether a game belongs to a random `share` of all; a larger share contains a smaller.
    fn is_within(&self, share: f64, game: u64) -> bool {
        convert::real(mix(self.hash, game, 2)) < share * convert::real(u64::MAX)
    }
}

/// A hash that stays the same from one build to the next (`SplitMix64`, Steele 2014).
pub(super) fn mix(file: u64, game: u64, seed: u64) -> u64 {
    let mut z = file ^ game.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed.rotate_left(32);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The same for a file's name.
fn name_hash(path: &Path) -> u64 {
    struct Fnv(u64);
    impl Hasher for Fnv {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    path.file_name().hash(&mut hasher);
    hasher.finish()
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
        let needed = games::bytes(&files)? / BYTES_PER_PLY * size_of::<Sample>() as u64;
        let needed = convert::real(needed) * amount.share;
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
    use super::*;

    fn times_dealt(source: &Source<'_>, game: u64, share: f64) -> usize {
        (0..7)
            .map(|number| Deal::Portion {
                number,
                of: 7,
                seed: 5,
                share,
            })
            .filter(|deal| deal.takes(source, game))
            .count()
    }

    #[test]
    fn every_game_is_dealt_once() {
        let source = Source::new(Path::new("some/s1-t0.vf"));
        let held_out = (0..1000).filter(|game| Deal::HeldOut.takes(&source, *game));
        assert!((1..50).contains(&held_out.count()));
        for game in 0..1000 {
            let held_out = usize::from(Deal::HeldOut.takes(&source, game));
            assert_eq!(times_dealt(&source, game, 1.0) + held_out, 1);
        }
    }

    #[test]
    fn a_larger_share_contains_a_smaller_one_and_none_a_held_out_game() {
        let source = Source::new(Path::new("some/s1-t0.vf"));
        let dealt = |share| -> Vec<u64> {
            let takes = |game: &u64| times_dealt(&source, *game, share) == 1;
            (0..4000).filter(takes).collect()
        };
        let (quarter, half, all) = (dealt(0.25), dealt(0.5), dealt(1.0));
        assert!((850..1150).contains(&quarter.len()), "{}", quarter.len());
        assert!((1800..2200).contains(&half.len()), "{}", half.len());
        assert!(quarter.iter().all(|game| half.contains(game)));
        assert!(half.iter().all(|game| all.contains(game)));
        assert!(dealt(0.0).is_empty());
        assert!(all.iter().all(|game| !Deal::HeldOut.takes(&source, *game)));
    }

    #[test]
    fn fans_are_never_held_out() {
        let source = Source::new(Path::new("some/d1-t0.fan"));
        for fan in 0..1000 {
            assert!(!Deal::HeldOut.takes(&source, fan));
            assert_eq!(times_dealt(&source, fan, 1.0), 1);
        }
    }
}
