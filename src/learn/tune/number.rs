//! The numbers to be tuned, as `OpenBench` writes them: name, kind, value, bounds, step, rate.
//!
//! Invariant: a number that was read lies within its bounds, and its step is positive.

use std::{error, fmt};

use serde::{Deserialize, Serialize};

use crate::types::Quoted;

/// Fields of a line.
const FIELDS: usize = 7;

/// One number that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Number {
    /// The UCI option of that name sets it.
    pub name: String,
    /// What it is before tuning.
    pub start: f64,
    /// The least it may become.
    pub min: f64,
    /// The most it may become.
    pub max: f64,
    /// How far it is moved to either side in the last pair of games.
    pub step: f64,
    /// How much of a step it goes in the end for each game that one side wins more than the other.
    pub rate: f64,
}

/// A line that does not say how to tune a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberError {
    /// Number of the line, from 1.
    line: usize,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Fields(usize),
    Kind(String),
    Value(String),
    Bounds(String),
    Step(String),
    Twice(String),
    Nothing,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            Problem::Fields(found) => write!(
                f,
                "{found} fields instead of {FIELDS}: name, int, value, least, most, step, rate"
            ),
            Problem::Kind(kind) => write!(f, "only `int` can be tuned, not {}", Quoted(kind)),
            Problem::Value(text) => write!(f, "{} is not a number", Quoted(text)),
            Problem::Bounds(name) => write!(f, "{name} is not between its bounds"),
            Problem::Step(name) => write!(f, "the step and the rate of {name} must be positive"),
            Problem::Twice(name) => write!(f, "{name} comes twice"),
            Problem::Nothing => write!(f, "no number to tune"),
        }
    }
}

impl error::Error for NumberError {}

/// Reads a line for each number; empty lines and comments that begin with `#` are skipped.
///
/// # Errors
/// The first line that says nothing sensible, or that there is none.
pub fn parse(text: &str) -> Result<Vec<Number>, NumberError> {
    let mut numbers: Vec<Number> = Vec::new();
    let mut last = 1;
    for (line, words) in (1..).zip(text.lines()) {
        last = line;
        let words = words.trim();
        if words.is_empty() || words.starts_with('#') {
            continue;
        }
        let fail = |problem| NumberError { line, problem };
        let number = number(words).map_err(fail)?;
        if numbers.iter().any(|other| other.name == number.name) {
            return Err(fail(Problem::Twice(number.name)));
        }
        numbers.push(number);
    }
    if numbers.is_empty() {
        return Err(NumberError {
            line: last,
            problem: Problem::Nothing,
        });
    }
    Ok(numbers)
}

fn number(line: &str) -> Result<Number, Problem> {
    let fields: Vec<_> = line.split(',').map(str::trim).collect();
    let &[name, kind, value, min, max, step, rate] = fields.as_slice() else {
        return Err(Problem::Fields(fields.len()));
    };
    if kind != "int" {
        return Err(Problem::Kind(kind.to_owned()));
    }
    let number = Number {
        name: name.to_owned(),
        start: real(value)?,
        min: real(min)?,
        max: real(max)?,
        step: real(step)?,
        rate: real(rate)?,
    };
    if !(number.min..=number.max).contains(&number.start) {
        return Err(Problem::Bounds(number.name));
    }
    if number.step <= 0.0 || number.rate <= 0.0 {
        return Err(Problem::Step(number.name));
    }
    Ok(number)
}

fn real(text: &str) -> Result<f64, Problem> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite());
    value.ok_or_else(|| Problem::Value(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params;

    #[test]
    fn the_numbers_of_the_search_can_be_tuned() {
        let numbers = parse(&params::spsa_input()).expect("as a tuner reads them");
        assert_eq!(numbers.len(), params::TABLE.len());
        for (number, parameter) in numbers.iter().zip(params::TABLE) {
            assert_eq!(number.name, parameter.name);
            assert!((number.start - f64::from(parameter.value)).abs() < 1e-9);
        }
    }

    #[test]
    fn comments_are_skipped_and_errors_name_line_and_culprit() {
        let good = "# mine\n\n margin , int, 20, 4, 64, 3.0, 0.002\n";
        assert_eq!(parse(good).map(|numbers| numbers.len()), Ok(1));
        for (text, said) in [
            ("", "line 1: no number"),
            ("# mine\n", "line 1: no number"),
            ("a, int, 1", "3 fields instead of 7"),
            ("a, float, 1, 0, 2, 1, 1", "not 'float'"),
            ("a, int, x, 0, 2, 1, 1", "'x' is not a number"),
            ("a, int, NaN, 0, 2, 1, 1", "'NaN' is not a number"),
            ("\na, int, 3, 0, 2, 1, 1", "line 2: a is not between"),
            ("a, int, 1, 0, 2, 0, 1", "step and the rate of a"),
            (
                "a, int, 1, 0, 2, 1, 1\na, int, 1, 0, 2, 1, 1",
                "line 2: a comes twice",
            ),
        ] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
