//! One position: the best move, what it is worth, and a drawing of it.

use std::{fmt, path::PathBuf};

use anyhow::Result;
use clap::Args;
use shakmaty::{Color, Move, Position as _};

use super::limit::LimitArgs;
use crate::{
    analyse::{
        board::Drawing,
        examine::{Verdict, examine},
        notation::{self, Value},
    },
    learn::output,
    position::{FenError, Game},
};

/// Looks for the best move of a position, and draws the board with it as an arrow.
#[derive(Args, Clone, Debug)]
pub struct PositionArgs {
    /// The position; the start position if none is given
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// The file for the drawing
    #[arg(long, value_name = "BOARD.svg")]
    svg: Option<PathBuf>,
    /// Draws the board from Black's side
    #[arg(long)]
    flip: bool,
    #[command(flatten)]
    limit: LimitArgs,
    /// Lines to find; the drawing shows an arrow for each
    #[arg(long, value_name = "K", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Searching threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u32,
    /// Transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: u32,
}

/// A position and what the engine says about it.
#[derive(Clone, Debug)]
pub struct Advice {
    game: Game,
    verdict: Verdict,
}

impl PositionArgs {
    fn game(&self) -> Result<Game, FenError> {
        match &self.fen {
            None => Ok(Game::start()),
            Some(fen) => Game::from_fen(fen, false),
        }
    }

    /// Searches the position and writes the drawing, if one is wanted.
    ///
    /// # Errors
    /// When the FEN is no position, the engine refuses an option or the file cannot be written.
    pub fn run(&self) -> Result<Advice> {
        let game = self.game()?;
        let mut engine = super::engine(self.threads, self.hash)?;
        engine.set_option("MultiPV", Some(&self.multipv.to_string()))?;
        let verdict = examine(&mut engine, game.clone(), &self.limit.limits());
        let advice = Advice { game, verdict };
        if let Some(path) = &self.svg {
            let below = if self.flip {
                Color::Black
            } else {
                Color::White
            };
            output::write(path, advice.drawing(below).as_bytes())?;
        }
        Ok(advice)
    }
}

impl Advice {
    fn drawing(&self, below: Color) -> String {
        let lines = self.verdict.lines.iter();
        let moves: Vec<Move> = lines
            .filter_map(|line| line.moves.first().copied())
            .collect();
        let drawing = Drawing {
            chess: self.game.chess(),
            moves: &moves,
            below,
            title: self.title(),
        };
        drawing.svg()
    }

    /// The position and its best move in a line.
    fn title(&self) -> String {
        let chess = self.game.chess();
        let (fen, value) = (
            self.game.fen(),
            Value::new(self.verdict.score, chess.turn()),
        );
        match self.verdict.best() {
            Some(best) => format!("{fen}: {} ({value})", notation::line(chess, &[best])),
            None => format!("{fen}: {}", self.ending()),
        }
    }

    fn ending(&self) -> &'static str {
        if self.game.chess().checkers().any() {
            "checkmate"
        } else {
            "stalemate"
        }
    }
}

/// The position, then the lines with their values, the best one first.
impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chess = self.game.chess();
        writeln!(f, "{}", self.game.fen())?;
        if self.verdict.is_over() {
            return writeln!(f, "{}", self.ending());
        }
        for line in &self.verdict.lines {
            let value = Value::new(line.score, chess.turn()).to_string();
            writeln!(f, "{value:>7}  {}", notation::line(chess, &line.moves))?;
        }
        let (depth, nodes) = (self.verdict.depth.plies(), self.verdict.nodes);
        write!(f, "depth {depth}, {nodes} nodes; values are White's")
    }
}
