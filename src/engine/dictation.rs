//! Evaluations that the user dictates: the value of `UCI_SetPositionValue`.
//!
//! The protocol knows three forms: a value in centipawns from White's point of view and the
//! position it is for, `clear` and a position, and `clearall`. The plus sign that the protocol
//! writes between the two parts may be there or not.

use std::{collections::BTreeMap, sync::Arc};

use super::kinds::{EMPTY, Kind, Shape};
use crate::{
    position::Game,
    types::{Quoted, Score, win_rate::from_normalised},
};

/// The largest value that can be dictated, in centipawns.
const LARGEST: i32 = 10_000;

/// What is to be done about dictated evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dictation {
    /// The position with this key is worth so much to White.
    Set {
        /// The key.
        key: u64,
        /// The value.
        score: Score,
    },
    /// The position with this key is evaluated as others are.
    Clear {
        /// The key.
        key: u64,
    },
    /// Every position is.
    ClearAll,
}

impl Dictation {
    fn read(text: &str) -> Result<Self, String> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let fen = rest.trim_start().trim_start_matches('+').trim_start();
        if word.eq_ignore_ascii_case("clearall") {
            return Ok(Self::ClearAll);
        }
        if word.eq_ignore_ascii_case("clear") {
            return Ok(Self::Clear { key: key(fen)? });
        }
        let value: i64 = word.parse().map_err(|_| {
            let word = Quoted(word);
            format!("{word} is neither a number nor 'clear' nor 'clearall'")
        })?;
        let near = i32::try_from(value).ok();
        let value = near.filter(|value| (-LARGEST..=LARGEST).contains(value));
        let value = value.ok_or_else(|| format!("{word} is outside -{LARGEST}..={LARGEST}"))?;
        Ok(Self::Set {
            key: key(fen)?,
            score: from_normalised(value),
        })
    }

    /// Does it to `evaluations`.
    pub fn apply(self, evaluations: &mut Arc<BTreeMap<u64, Score>>) {
        let evaluations = Arc::make_mut(evaluations);
        match self {
            Self::Set { key, score } => {
                evaluations.insert(key, score);
            }
            Self::Clear { key } => {
                evaluations.remove(&key);
            }
            Self::ClearAll => evaluations.clear(),
        }
    }
}

fn key(fen: &str) -> Result<u64, String> {
    if fen.is_empty() {
        return Err("the position is missing".to_owned());
    }
    let game = Game::from_fen(fen, false).map_err(|error| error.to_string())?;
    Ok(game.position().key())
}

/// The kind of the option: one dictation, or nothing.
#[derive(Clone, Copy, Debug)]
pub struct Dictate {}

impl Kind for Dictate {
    type Value = Option<Dictation>;

    fn initial(&self) -> Option<Dictation> {
        None
    }

    fn read(&self, text: Option<&str>) -> Result<Option<Dictation>, String> {
        match text.map_or("", str::trim) {
            "" | EMPTY => Ok(None),
            text => Dictation::read(text).map(Some),
        }
    }

    fn shape(&self) -> Shape {
        Shape::Text { default: EMPTY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

    fn read(text: &str) -> Result<Option<Dictation>, String> {
        Dictate {}.read(Some(text))
    }

    #[test]
    fn every_form_is_read_with_and_without_a_plus() {
        let key = key(FEN).expect("a legal position");
        let score = from_normalised(-150);
        for text in [format!("-150 {FEN}"), format!("-150 + {FEN}")] {
            assert_eq!(read(&text), Ok(Some(Dictation::Set { key, score })));
        }
        let clear = Ok(Some(Dictation::Clear { key }));
        assert_eq!(read(&format!("clear {FEN}")), clear);
        assert_eq!(read(&format!("Clear + {FEN}")), clear);
        assert_eq!(read("clearall"), Ok(Some(Dictation::ClearAll)));
        assert_eq!(read("<empty>"), Ok(None));
        for (bad, culprit) in [
            ("much 8/8 w", "'much' is neither"),
            ("50", "the position is missing"),
            ("clear", "the position is missing"),
            ("99999 8/8", "99999 is outside"),
            ("-2147483648 8/8", "-2147483648 is"),
            ("50 8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty"),
        ] {
            let refused = read(bad).expect_err(bad);
            assert!(refused.contains(culprit), "{bad}: {refused}");
        }
    }

    #[test]
    fn what_is_dictated_can_be_taken_back() {
        let score = Score::new(7);
        let mut evaluations = Arc::default();
        Dictation::Set { key: 1, score }.apply(&mut evaluations);
        Dictation::Set { key: 2, score }.apply(&mut evaluations);
        assert_eq!(evaluations.len(), 2);
        Dictation::Clear { key: 1 }.apply(&mut evaluations);
        assert!(evaluations.keys().eq([&2]));
        Dictation::ClearAll.apply(&mut evaluations);
        assert!(evaluations.is_empty());
    }
}
