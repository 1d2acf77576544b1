//! Start positions for games, in the words of OpenBench: `genfens N seed S book None|FILE`.
//!
//! A farm that has games played asks each of its machines for some, with a seed of its own. What
//! comes after these words is meant for other engines, and skipped.

use std::{fs, path::PathBuf, sync::atomic::AtomicBool};

use anyhow::{Context, Result};

use super::epd;
use crate::{
    learn::datagen::{Openings, starts},
    position::Game,
    types::Quoted,
};

/// Random moves, and how far from even a position may be.
const OPENINGS: Openings = Openings {
    min_plies: 6,
    max_plies: 9,
    dfrc: 0.0,
    max_score: 300,
};

/// How many positions are wanted, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    number: usize,
    seed: u64,
    book: Option<PathBuf>,
}

/// The wish in the words after `genfens`.
///
/// # Errors
/// When a number is missing or is none; the message names it.
pub fn parse_words(words: &[String]) -> Result<Wish, String> {
    let mut words = words.iter().map(String::as_str);
    let number = whole("the number of positions", words.next())?;
    let mut wish = Wish {
        number: usize::try_from(number).unwrap_or(usize::MAX),
        seed: 0,
        book: None,
    };
    while let Some(word) = words.next() {
        match word {
            "seed" => wish.seed = whole("the seed", words.next())?,
            "book" => {
                let file = words.next().filter(|&file| file != "None");
                wish.book = file.map(PathBuf::from);
            }
            _ => {}
        }
    }
    Ok(wish)
}

fn whole(what: &str, word: Option<&str>) -> Result<u64, String> {
    let word = word.ok_or_else(|| format!("{what} is missing"))?;
    let number = word.parse();
    number.map_err(|_| format!("{what}: {} is not a whole number", Quoted(word)))
}

/// Finds what is wished for and tells each position as a FEN, until `stop` is set.
///
/// # Errors
/// When the book cannot be read or holds no positions.
pub fn run(wish: &Wish, stop: &AtomicBool, tell: impl Fn(&str)) -> Result<()> {
    let book = match &wish.book {
        None => Vec::new(),
        Some(path) => {
            let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            positions(&text).with_context(|| path.display().to_string())?
        }
    };
    let extent = (wish.number, wish.seed);
    starts(&OPENINGS, &book, extent, stop, |game| tell(&game.fen()))
}

fn positions(text: &str) -> Result<Vec<Game>> {
    let records = epd::parse(text)?;
    let games = records.iter().map(|record| {
        Game::from_fen(record.fen(), false).with_context(|| format!("line {}", record.line()))
    });
    games.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(text: &str) -> Result<Wish, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        parse_words(&words)
    }

    #[test]
    fn words_of_a_farm_are_read() {
        let plain = Wish {
            number: 3,
            seed: 9,
            book: None,
        };
        assert_eq!(wish("3 seed 9 book None"), Ok(plain.clone()));
        assert_eq!(wish("3 seed 9 book None more words"), Ok(plain.clone()));
        let book = Some(PathBuf::from("Books/x.epd"));
        assert_eq!(
            wish("3 seed 9 book Books/x.epd"),
            Ok(Wish { book, ..plain })
        );
    }

    #[test]
    fn the_culprit_is_named() {
        for (text, culprit) in [
            ("", "the number of positions is missing"),
            ("x seed 9", "'x' is not a whole number"),
            ("3 seed", "the seed is missing"),
            ("3 seed -1", "'-1' is not a whole number"),
        ] {
            let error = wish(text).expect_err("it cannot be understood");
            assert!(error.contains(culprit), "{error}");
        }
    }
}
