//! Games as the engine sees them: what each position is worth, which moves gave something
//! away, and what was better.
//!
//! [`pgn`] reads games, [`mod@examine`] asks the engine, [`judge`] compares what was played with
//! what was best, [`annotated`] puts the result back into the game and [`report`] into a page to
//! step through; [`board`] draws one position. Invariant: nothing that was in the game is
//! lost but older engine marks, and whatever is shown as a line of play is legal.

pub mod annotated;
pub mod board;
pub mod examine;
mod graph;
pub mod judge;
pub mod notation;
pub mod pgn;
mod pieces;
pub mod report;
mod scene;
mod stray;

use shakmaty::{Chess, Color, Position as _};

use crate::{
    engine::Engine,
    time::Limits,
    types::{
        Score,
        win_rate::{Wdl, win_draw_loss},
    },
};
use examine::{Verdict, examine};
use judge::{Judgement, Summary};
use pgn::Sheet;

/// One game with what the engine says about each of its positions.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The game as it was read.
    pub sheet: Sheet,
    /// The start and the position after each move: one more than there are moves.
    pub stations: Vec<Station>,
}

/// One position of a game.
#[derive(Clone, Debug)]
pub struct Station {
    /// The position.
    pub chess: Chess,
    /// What the engine says about it.
    pub verdict: Verdict,
}

impl Station {
    /// Number of the move that is next to be made, 1 for the first.
    pub fn number(&self) -> u32 {
        self.chess.fullmoves().get()
    }

    /// The chances of the side to move. A game that has ended in a draw is certainly drawn.
    pub fn chances(&self) -> Wdl {
        if self.verdict.is_over() && self.verdict.score == Score::DRAW {
            let (win, draw, loss) = (0, 1000, 0);
            return Wdl { win, draw, loss };
        }
        win_draw_loss(self.verdict.score, self.number())
    }

    /// The chances of White.
    pub fn whites_chances(&self) -> Wdl {
        let ours = self.chances();
        self.chess.turn().fold_wb(
            ours,
            Wdl {
                win: ours.loss,
                draw: ours.draw,
                loss: ours.win,
            },
        )
    }
}

impl Analysis {
    /// Has `engine` look at every position of `sheet` within `limits` each, and calls `done`
    /// after each. It goes from the end to the beginning, so that the table already knows
    /// what became of a move when its position is searched.
    pub fn new(engine: &mut Engine, sheet: Sheet, limits: &Limits, mut done: impl FnMut()) -> Self {
        engine.new_game();
        let games = sheet.positions();
        let mut stations: Vec<Station> = (games.into_iter().rev())
            .map(|game| {
                let chess = game.chess().clone();
                let verdict = examine(engine, game, limits);
                done();
                Station { chess, verdict }
            })
            .collect();
        stations.reverse();
        Self { sheet, stations }
    }

    /// What the move at `ply`, 0 for the first, gave away; `None` beyond the last one.
    pub fn judgement(&self, ply: usize) -> Option<Judgement> {
        let played = self.sheet.plies.get(ply)?.mv;
        let before = self.stations.get(ply)?;
        let after = -self.stations.get(ply + 1)?.verdict.score;
        let best = before.verdict.best() == Some(played);
        let after = if best { before.verdict.score } else { after };
        Some(Judgement::new(before.verdict.score, after, before.number()))
    }

    /// How `color` played on the whole.
    pub fn summary(&self, color: Color) -> Summary {
        let plies = 0..self.sheet.plies.len();
        let own = plies.filter(|&ply| self.stations[ply].chess.turn() == color);
        Summary::of(own.filter_map(|ply| self.judgement(ply)))
    }
}
