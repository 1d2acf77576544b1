//! Reading a FEN as clients send it, and saying in words what is wrong with it.
//!
//! Tolerated: missing fields after the first, any amount of white space, castling rights
//! without king or rook in place, an en passant square nobody could have crossed, checks
//! that no move can give, more material than promotions explain, counters of any size.
//! Refused: what cannot be played. With more than sixteen men a side the bounds that the
//! rest of the engine relies on (32 men, 270 moves) would fall.

use std::{error, fmt};

use shakmaty::{
    CastlingMode, Chess, Color, FromSetup, PositionError, PositionErrorKinds, Setup,
    fen::{Fen, ParseFenError},
};

/// Beyond this the clock says nothing more: the game was over after 75 moves a side.
const MAX_HALFMOVES: u32 = 150;
/// Men of one side at the start, and at most ever.
const MAX_MEN: usize = 16;

/// Why a FEN was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// A field cannot be read.
    Field(&'static str),
    /// The position it describes cannot be played.
    Position(PositionErrorKinds),
    /// One side has more men than a game starts with.
    TooManyMen(Color, usize),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(reason) => f.write_str(reason),
            Self::Position(kinds) => f.write_str(reason(*kinds)),
            Self::TooManyMen(color, men) => {
                write!(f, "{color} has {men} men, the most is {MAX_MEN}")
            }
        }
    }
}

impl error::Error for FenError {}

/// The gravest of the reasons in `kinds`, in words.
fn reason(kinds: PositionErrorKinds) -> &'static str {
    const REASONS: [(PositionErrorKinds, &str); 5] = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (
            PositionErrorKinds::TOO_MANY_KINGS,
            "one side has more than one king",
        ),
        (
            PositionErrorKinds::PAWNS_ON_BACKRANK,
            "there is a pawn on the first or last rank",
        ),
        (
            PositionErrorKinds::OPPOSITE_CHECK,
            "the side not to move is in check",
        ),
    ];
    REASONS
        .into_iter()
        .find(|(kind, _)| kinds.contains(*kind))
        .map_or("the position is illegal", |(_, words)| words)
}

/// Which field is at fault.
fn field(error: &ParseFenError) -> FenError {
    FenError::Field(match error {
        ParseFenError::InvalidFen => "the FEN is empty or has too many fields",
        ParseFenError::InvalidBoard => "the pieces do not fill eight ranks of eight squares",
        ParseFenError::InvalidPocket | ParseFenError::InvalidRemainingChecks => NOT_CHESS,
        ParseFenError::InvalidTurn => "the side to move is neither w nor b",
        ParseFenError::InvalidCastling => "the castling rights cannot be read",
        ParseFenError::InvalidEpSquare => "the en passant field is neither - nor a square",
        ParseFenError::InvalidHalfmoveClock => "the halfmove clock is not a number",
        ParseFenError::InvalidFullmoves => "the move number is not a number",
    })
}

const NOT_CHESS: &str = "pieces in hand and counted checks belong to other games";

/// The position that `fen` describes and the castling notation that suits it: Chess960 if
/// asked for, or if the castling rights need it.
pub(super) fn parse(fen: &str, chess960: bool) -> Result<(Chess, CastlingMode), FenError> {
    let fields = fen.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut setup = Fen::from_ascii(fields.as_bytes())
        .map_err(|error| field(&error))?
        .into_setup();
    if setup.pockets.is_some() || setup.remaining_checks.is_some() {
        return Err(FenError::Field(NOT_CHESS));
    }
    setup.halfmoves = setup.halfmoves.min(MAX_HALFMOVES);
    let mode = if chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::detect(&setup)
    };
    Ok((set_up(setup, mode)?, mode))
}

/// The position of `setup`, as tolerantly as the engine can bear.
pub(super) fn set_up(setup: Setup, mode: CastlingMode) -> Result<Chess, FenError> {
    for color in Color::ALL {
        let men = setup.board.by_color(color).count();
        if men > MAX_MEN {
            return Err(FenError::TooManyMen(color, men));
        }
    }
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(|error| FenError::Position(error.kinds()))
}
