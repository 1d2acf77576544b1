//! The file of one thread: whole games, one after the other.
//!
//! A game goes to the system in one piece as soon as it ends, so that whatever ends the
//! program costs the games under way and nothing else. What is torn all the same, by a
//! power failure say, is cut off when the file is opened again. Invariant: one program
//! writes; the file is locked.

use std::{
    fs::{File, OpenOptions},
    io::{BufReader, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow};

use super::games::{Game, Games};
use crate::types::convert;

/// A file of games, open for writing at its end.
pub(super) struct GameFile {
    file: File,
    path: PathBuf,
    games: u64,
}

impl GameFile {
    /// Opens the file, or makes an empty one, and cuts off an unfinished game.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let shown = path.display();
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options
            .open(path)
            .with_context(|| format!("cannot open {shown}"))?;
        file.try_lock()
            .map_err(|error| anyhow!("{shown} is being written by another run ({error})"))?;
        let (mut games, mut bytes) = (0, 0);
        for game in Games::new(BufReader::new(&file)) {
            bytes += game
                .with_context(|| format!("{shown}, game {games}"))?
                .bytes();
            games += 1;
        }
        file.set_len(convert::wide(bytes))?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self {
            file,
            path: path.to_owned(),
            games,
        })
    }

    /// Games in the file.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Writes a game.
    pub(super) fn append(&mut self, game: &Game) -> Result<()> {
        let mut bytes = Vec::with_capacity(game.bytes());
        game.write(&mut bytes)?;
        self.file
            .write_all(&bytes)
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        self.games += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use shakmaty::Chess;

    use super::*;
    use crate::learn::{draft::Draft, games::GameResult};

    #[test]
    fn a_torn_tail_is_cut_off() {
        let name = format!("arborist-torn-{}.vf", std::process::id());
        let path = std::env::temp_dir().join(name);
        let game = || Draft::new(&Chess::new()).finish(GameResult::Draw);
        let mut file = GameFile::open(&path).unwrap();
        for _ in 0..3 {
            file.append(&game()).unwrap();
        }
        assert!(GameFile::open(&path).is_err(), "two may not write");
        drop(file);
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let mut file = GameFile::open(&path).unwrap();
        assert_eq!(file.games(), 2);
        file.append(&game()).unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), whole);
        fs::remove_file(&path).unwrap();
    }
}
