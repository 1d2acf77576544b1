//! What a client can ask, after parsing and before anybody looks at a board.

use super::go::GoRequest;

/// One line of input, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Introduce yourself.
    Uci,
    /// Say more, or less.
    Debug(bool),
    /// Answer when everything before this is done.
    IsReady,
    /// Give an option a value.
    SetOption {
        /// Name as written by the client.
        name: String,
        /// Value as written by the client; `None` when there was no `value`.
        value: Option<String>,
    },
    /// The user registers, which nobody needs to.
    Register,
    /// The next position belongs to another game.
    NewGame,
    /// Set up a position.
    Position(PositionRequest),
    /// Search.
    Go(GoRequest),
    /// Count the positions so many plies from here, move by move.
    Perft(u32),
    /// Answer now.
    Stop,
    /// The expected move was played: the search is now for real.
    PonderHit,
    /// End.
    Quit,
    /// Show the board.
    Display,
    /// Show the evaluation.
    Eval,
    /// Measure speed on a fixed set of positions, with these arguments.
    Bench(Vec<String>),
    /// Measure speed for a while, with these arguments.
    SpeedTest(Vec<String>),
    /// Find start positions for games, with these arguments.
    GenFens(Vec<String>),
    /// Swap the colours.
    Flip,
    /// Tell how the program was built.
    Compiler,
    /// List the commands.
    Help,
}

impl Command {
    /// Whether this is done at once even during a search; anything else waits for its end.
    pub fn is_immediate(&self) -> bool {
        matches!(
            self,
            Self::Uci
                | Self::Debug(_)
                | Self::IsReady
                | Self::Register
                | Self::Stop
                | Self::PonderHit
                | Self::Quit
                | Self::Display
                | Self::Eval
                | Self::Compiler
                | Self::Help
        )
    }

    /// The first word of the command, for messages.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Debug(_) => "debug",
            Self::IsReady => "isready",
            Self::SetOption { .. } => "setoption",
            Self::Register => "register",
            Self::NewGame => "ucinewgame",
            Self::Position(_) => "position",
            Self::Go(_) => "go",
            Self::Perft(_) => "perft",
            Self::Stop => "stop",
            Self::PonderHit => "ponderhit",
            Self::Quit => "quit",
            Self::Display => "d",
            Self::Eval => "eval",
            Self::Bench(_) => "bench",
            Self::SpeedTest(_) => "speedtest",
            Self::GenFens(_) => "genfens",
            Self::Compiler => "compiler",
            Self::Flip => "flip",
            Self::Help => "help",
        }
    }
}

/// A position as it was described; whether it exists is for the board to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionRequest {
    /// The fields of a FEN, or `None` for the start position.
    pub fen: Option<String>,
    /// The moves played from there.
    pub moves: Vec<String>,
}
