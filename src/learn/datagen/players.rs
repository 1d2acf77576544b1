//! Who plays: the built-in search, or any UCI engine.

use std::{fmt, path::PathBuf, sync::Arc, time::Duration};

use anyhow::Result;
use shakmaty::{CastlingMode, Color, Move, Position as _};

use super::{engine::Engine, own::Own};
use crate::{nnue::Network, position::Game, types::Score};

/// One who can be asked for moves.
pub(in crate::learn) trait Player {
    /// A game begins that has nothing to do with the one before.
    fn new_game(&mut self, chess960: bool) -> Result<()>;

    /// Questions that may be under way at once.
    fn boards(&self) -> usize {
        1
    }

    /// Asks for the move to play at the end of `line` after `nodes` nodes of thought. There is
    /// one.
    fn ask(&mut self, line: &Line, nodes: u64) -> Result<()>;

    /// The answer to the oldest question without one, which was about `line`.
    fn answer(&mut self, line: &Line) -> Result<Answer>;

    /// Asks and waits for the answer.
    fn think(&mut self, line: &Line, nodes: u64) -> Result<Answer> {
        self.ask(line, nodes)?;
        self.answer(line)
    }
}

/// A move and what it is worth.
#[derive(Clone, Copy, Debug)]
pub(in crate::learn) struct Answer {
    pub(in crate::learn) mv: Move,
    /// For the side to move; `None` if the player kept it to himself.
    pub(super) score: Option<Score>,
}

impl Answer {
    /// The score for White at the end of `line`. Who plays a forced move without thinking
    /// holds the position for what it was, `before`.
    pub(in crate::learn) fn for_white(&self, line: &Line, before: Score) -> Score {
        let white = line.game.chess().turn() == Color::White;
        let for_white = |score: Score| if white { score } else { -score };
        self.score.map_or(before, for_white)
    }
}

/// Who plays and judges.
#[derive(Clone, Debug)]
pub enum PlayerKind {
    /// The search of this program.
    BuiltIn {
        /// The network that it evaluates with.
        network: Arc<Network>,
        /// What the network is called beside the games.
        name: String,
    },
    /// Another program.
    External(External),
}

/// Most games that an engine may play at the same time. So many of the longest questions, of
/// some 600 bytes, fit into the 64 KiB of a pipe, so that asking never has to wait.
pub const MAX_BOARDS: u8 = 64;

/// Another program that speaks UCI.
#[derive(Clone, Debug)]
pub struct External {
    /// The program.
    pub path: PathBuf,
    /// UCI options to set, by name.
    pub options: Vec<(String, String)>,
    /// How long it may take for one answer.
    pub patience: Duration,
    /// Whether it will be asked to play Chess960.
    pub chess960: bool,
    /// Games that it plays at the same time, 1 to [`MAX_BOARDS`]. More than one are for engines
    /// that keep orders until they are free to follow them.
    pub boards: u8,
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn { name, .. } => write!(f, "built in, network {name}"),
            Self::External(engine) => {
                write!(f, "{}", engine.path.display())?;
                let mut options = engine.options.iter();
                options.try_for_each(|(name, value)| write!(f, ", {name} = {value}"))?;
                match engine.boards {
                    1 => Ok(()),
                    boards => write!(f, ", {boards} games at a time"),
                }
            }
        }
    }
}

impl PlayerKind {
    /// Whether castling has to be written as king takes rook in all games, shuffled or not:
    /// while an engine plays several at a time it cannot be told to change its ways.
    pub(super) fn is_always_chess960(&self) -> bool {
        matches!(self, Self::External(engine) if engine.boards > 1 && engine.chess960)
    }

    /// A player with a transposition table of `hash` MiB.
    pub(super) fn start(&self, hash: usize) -> Result<Box<dyn Player>> {
        Ok(match self {
            Self::BuiltIn { network, .. } => Box::new(Own::new(Arc::clone(network), hash)?),
            Self::External(external) => Box::new(Engine::start(external, hash)?),
        })
    }
}

/// A game under way, also in the words of UCI.
pub(in crate::learn) struct Line {
    game: Game,
    command: String,
}

impl Line {
    /// A game whose present position is its start.
    pub(in crate::learn) fn new(game: Game) -> Self {
        let fresh = Game::from_fen(&game.fen(), game.mode().is_chess960());
        // The way to the start is not in the file, so it must not count for repetitions.
        let game = fresh.unwrap_or(game);
        Self {
            command: command(&game),
            game,
        }
    }

    /// The same game with castling written as king takes rook.
    pub(super) fn in_chess960(mut self) -> Self {
        self.game.set_mode(CastlingMode::Chess960);
        self
    }

    /// The game.
    pub(in crate::learn) fn game(&self) -> &Game {
        &self.game
    }

    /// Whether castling is written as king takes rook.
    pub(in crate::learn) fn is_chess960(&self) -> bool {
        self.game.mode().is_chess960()
    }

    /// The command that tells an engine the position and all that can still be repeated.
    pub(super) fn command(&self) -> &str {
        &self.command
    }

    /// Plays a legal move.
    pub(in crate::learn) fn play(&mut self, mv: Move) {
        let before = if self.command.contains(" moves ") {
            " "
        } else {
            " moves "
        };
        self.game.play(mv);
        if self.game.chess().halfmoves() == 0 {
            self.command = command(&self.game);
        } else {
            self.command += before;
            self.command += &mv.to_uci(self.game.mode()).to_string();
        }
    }
}

/// The command that tells an engine the present position alone.
fn command(game: &Game) -> String {
    format!("position fen {}", game.fen())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_told_what_can_be_repeated() {
        let fen = "r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 0 1";
        let line = || Line::new(Game::from_fen(fen, false).unwrap());
        let told = |mut line: Line, moves: &[&str]| {
            for mv in moves {
                line.play(line.game().parse_uci_move(mv).unwrap());
            }
            line.command().to_owned()
        };
        let moves = ["e1g1", "a8b8", "a2a3", "e8d7"];
        assert_eq!(told(line(), &[]), format!("position fen {fen}"));
        let begun = format!("position fen {fen} moves e1g1 a8b8");
        assert_eq!(told(line(), &moves[..2]), begun);
        let shuffled = format!("position fen {fen} moves e1h1 a8b8");
        assert_eq!(told(line().in_chess960(), &moves[..2]), shuffled);
        // What was before a pawn's move never comes back.
        let pushed = "position fen 1r2k2r/8/8/8/8/P7/8/R4RK1 b k - 0 2 moves e8d7";
        assert_eq!(told(line(), &moves), pushed);
    }
}
