//! The static evaluation of one position, as people read it: what each piece is worth to
//! the network, what each of its output neurons says, and the value that the search uses.

use std::fmt;

use clap::Args;
use shakmaty::{File, Rank, Square};

use crate::{
    nnue::{Network, anatomy::Anatomy, arch},
    position::{FenError, Game},
    types::{Score, win_rate::normalised},
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
        Ok(Evaluation::of(&game, &Network::embedded()))
    }
}

/// A position and its value without search.
#[derive(Clone, Debug)]
pub struct Evaluation {
    game: Game,
    anatomy: Anatomy,
}

impl Evaluation {
    /// Evaluates the root of `game` with `network`.
    pub fn of(game: &Game, network: &Network) -> Self {
        Self {
            game: game.clone(),
            anatomy: Anatomy::of(network, &game.position()),
        }
    }

    /// The board, under each piece what it adds to White's value.
    fn board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edge = format!("  {}+", "+-------".repeat(8));
        let position = self.game.position();
        writeln!(f, "{edge}")?;
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{} |", rank.char())?;
            for file in File::ALL {
                let piece = position.board().piece_at(Square::from_coords(file, rank));
                write!(f, "   {}   |", piece.map_or(' ', shakmaty::Piece::char))?;
            }
            write!(f, "\n  |")?;
            for file in File::ALL {
                let square = Square::from_coords(file, rank);
                let mut contributions = self.anatomy.contributions.iter();
                match contributions.find(|(other, ..)| *other == square) {
                    Some(&(.., value)) => {
                        write!(f, "{:^+7.2}|", pawns(Score::evaluation(value)))?;
                    }
                    None => write!(f, "{:7}|", "")?,
                }
            }
            writeln!(f, "\n{edge}")?;
        }
        writeln!(
            f,
            "      a       b       c       d       e       f       g       h"
        )
    }

    /// A line for each output neuron.
    fn outputs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Bucket  Pieces  Output")?;
        for (bucket, output) in self.anatomy.outputs.iter().enumerate() {
            let pieces = (2..=32).filter(|&pieces| arch::output_bucket(pieces) == bucket);
            let (least, most) = (pieces.clone().min(), pieces.max());
            let range = format!("{}-{}", least.unwrap_or(0), most.unwrap_or(0));
            let output = pawns(*output);
            write!(f, "{bucket:>6}  {range:>6}  {output:>+6.2}")?;
            let responsible = bucket == self.anatomy.bucket;
            writeln!(
                f,
                "{}",
                if responsible {
                    "  <- this position"
                } else {
                    ""
                }
            )?;
        }
        Ok(())
    }
}

/// In the unit that scores are shown in.
fn pawns(score: Score) -> f64 {
    f64::from(normalised(score)) / 100.0
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.board(f)?;
        writeln!(f, "\nFEN: {}\n", self.game.fen())?;
        self.outputs(f)?;
        if self.game.position().in_check() {
            writeln!(f, "\nIn check: a static evaluation says little here.")?;
        }
        let value = pawns(self.anatomy.value);
        let unit = "White's view; +1.00 wins half of the games";
        write!(f, "\nEvaluation: {value:+.2} ({unit})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(fen: &str) -> String {
        let game = Game::from_fen(fen, false).expect("legal");
        Evaluation::of(&game, &Network::embedded()).to_string()
    }

    #[test]
    fn both_sides_see_the_same_value() {
        let last = |text: String| text.lines().last().map(str::to_owned);
        let white = last(shown("4k3/8/8/8/8/8/4P3/4K3 w - -"));
        assert!(white.is_some_and(|line| line.starts_with("Evaluation: +")));
        let black = last(shown("4k3/4p3/8/8/8/8/8/4K3 b - -"));
        assert!(black.is_some_and(|line| line.starts_with("Evaluation: -")));
    }

    #[test]
    fn every_piece_but_the_kings_and_every_output_has_its_number() {
        let text = shown("4k3/4r3/8/8/8/8/4P3/4K3 w - -");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[1].contains("   k   |") && !lines[2].contains('.'));
        assert!(lines[4].contains("   r   |") && lines[5].contains(" -"));
        assert!(lines[19].contains("   P   |") && lines[20].contains('.'));
        assert!(text.contains("     7   30-32  "), "{text}");
        assert!(text.contains("     0     2-5  ") && text.contains("<- this position"));
    }
}
