//! The static evaluation of one position, as people read it.

use std::fmt;

use clap::Args;
use shakmaty::Color;

use super::show::Diagram;
use crate::{
    nnue::{Evaluator, Network},
    position::{FenError, Game},
    types::Score,
};

/// Shows the static evaluation of a position.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// The position; the start position if none is given.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
}

impl Arguments {
    /// Evaluates the position that was asked for.
    ///
    /// # Errors
    /// When the FEN is no position.
    pub fn run(&self) -> Result<Evaluation, FenError> {
        let game = match &self.fen {
            None => Game::start(),
            Some(fen) => Game::from_fen(fen, false)?,
        };
        Ok(Evaluation::of(&game))
    }
}

/// A position and its value without search.
#[derive(Clone, Debug)]
pub struct Evaluation {
    game: Game,
    score: Score,
}

impl Evaluation {
    /// Evaluates the root of `game`.
    pub fn of(game: &Game) -> Self {
        let position = game.position();
        Self {
            game: game.clone(),
            score: Evaluator::new(Network::embedded(), &position).evaluate(&position),
        }
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.game.position();
        writeln!(f, "{}\n", Diagram(&self.game))?;
        if position.in_check() {
            writeln!(f, "In check: a static evaluation says little here.")?;
        }
        let white = match position.turn() {
            Color::White => self.score,
            Color::Black => -self.score,
        };
        let pawns = f64::from(white.centipawns()) / 100.0;
        write!(f, "Evaluation: {pawns:+.2} (White's view, in pawns)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_the_same_value() {
        let shown = |fen| Evaluation::of(&Game::from_fen(fen, false).expect("legal")).to_string();
        let last = |text: String| text.lines().last().map(str::to_owned);
        let white = last(shown("4k3/8/8/8/8/8/4P3/4K3 w - -"));
        assert!(white.is_some_and(|line| line.starts_with("Evaluation: +")));
        let black = last(shown("4k3/4p3/8/8/8/8/8/4K3 b - -"));
        assert!(black.is_some_and(|line| line.starts_with("Evaluation: -")));
    }
}
