//! Which games of a file are learned from, and when.
//!
//! Games, not positions, are dealt out, by a hash of their file's name and their
//! number: some are held out for validation and never trained on, the others fall into
//! portions. Files of fans, judged positions without a game, are dealt out the same way, but
//! never held out: validation means games.

use std::{
    fs,
    hash::{Hash, Hasher},
    path::Path,
};

use anyhow::{Context, Result};

use super::games::{self, Game, Games};
use crate::types::convert;

/// One game in so many is held out.
const HELD_OUT: u64 = 100;
/// Games at the beginning of a file that tell how many plies it holds.
const PROBED: usize = 256;

/// Which games of a file are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deal {
    /// Those for validation.
    HeldOut,
    /// One of so many portions of a share of the others, as `seed` has it.
    Portion {
        number: u64,
        of: u64,
        seed: u64,
        share: f64,
    },
}

impl Deal {
    /// Whether number `game` of `source` is wanted.
    pub(super) fn takes(self, source: &Source, game: u64) -> bool {
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
    pub(super) is_fan: bool,
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
                .with_context(|| self.place(number))?;
        }
        Ok(())
    }

    /// Names a game of it.
    fn place(&self, game: u64) -> String {
        format!("{}, game {game}", self.path.display())
    }

    /// About how many plies it holds, to judge by the length of its first games; a quarter more or
    /// less decides nothing here, but a fan may take a tenth of the room of a game.
    ///
    /// # Errors
    /// When the file cannot be read, with the place added.
    pub(super) fn plies(&self) -> Result<f64> {
        let (mut plies, mut bytes) = (0, 0);
        for (number, game) in (0..).zip(Games::open(self.path)?.take(PROBED)) {
            let game = game.with_context(|| self.place(number))?;
            plies += convert::wide(game.len());
            bytes += convert::wide(game.bytes());
        }
        let all = convert::real(fs::metadata(self.path)?.len());
        Ok(all * convert::real(plies) / convert::real(bytes.max(1)))
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
