//! Games in viriformat: a start position, then a move and a score for each ply.
//!
//! The format is that of the crate `viriformat` (Viridithas): 32 bytes for the start
//! position and the result, 4 bytes a ply, 4 zero bytes at the end. Files are read as
//! a stream. A file that ends within a game is one that is still being written: its
//! last game does not count. Every move is checked for legality by shakmaty, so that
//! a damaged file is reported and never believed. [`draft`](super::draft) writes games.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, ErrorKind, Read, Write},
    num::NonZeroU32,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use shakmaty::{CastlingMode, Chess, Color, Move, Position, Role, Setup, Square};
use viriformat::{
    chess::{
        board::Board as FileBoard,
        chessmove,
        piece::{Colour, PieceType},
        types::Square as FileSquare,
    },
    dataformat,
};

/// The extension of files with games.
pub const GAMES: &str = "vf";
/// The extension of files with fans: games that all begin anew after each move, see
/// [`Game::children`].
pub const FANS: &str = "fan";
/// Bytes of a start position.
const HEADER: usize = 32;
/// Bytes of a ply, and of the mark behind the last one.
const PLY: usize = 4;
/// Piece codes of a header: pawn to king, and a rook that may still castle.
const KING: u8 = 5;
const UNMOVED_ROOK: u8 = 6;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// Black won.
    BlackWins,
    /// Nobody won.
    Draw,
    /// White won.
    WhiteWins,
}

/// One game as it lies in the file.
#[derive(Debug)]
pub struct Game(pub(super) dataformat::Game);

impl Game {
    /// Its result.
    pub fn result(&self) -> GameResult {
        match self.0.outcome() {
            dataformat::WDL::Win => GameResult::WhiteWins,
            dataformat::WDL::Draw => GameResult::Draw,
            dataformat::WDL::Loss => GameResult::BlackWins,
        }
    }

    /// Number of plies.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no move was played.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of bytes it takes in a file.
    pub fn bytes(&self) -> usize {
        HEADER + PLY * (self.len() + 1)
    }

    /// Writes it to `out`.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        self.0.serialise_into(&mut out)
    }

    /// The start position.
    ///
    /// # Errors
    /// When it is illegal.
    pub fn start(&self) -> Result<Chess> {
        let board = self.0.initial_position();
        let start = setup(&board).position(CastlingMode::Chess960);
        start.with_context(|| format!("start position {board}"))
    }

    /// Calls `visit` with every position, the move played in it, and its score in
    /// centipawns for White.
    ///
    /// # Errors
    /// When the start position or a move is illegal.
    pub fn replay(&self, mut visit: impl FnMut(&Chess, Move, i16)) -> Result<()> {
        let mut position = self.start()?;
        for (ply, (mv, score)) in self.0.moves.iter().enumerate() {
            let mv = self.legal(ply, *mv, &position)?;
            visit(&position, mv, score.get());
            position.play_unchecked(mv);
        }
        Ok(())
    }

    /// Reads the record as a fan, whose moves are all played in the start position: calls
    /// `visit` with the position after each, and its score in centipawns for White.
    ///
    /// # Errors
    /// When the start position or a move is illegal.
    pub fn children(&self, mut visit: impl FnMut(&Chess, i16)) -> Result<()> {
        let parent = self.start()?;
        for (number, (mv, score)) in self.0.moves.iter().enumerate() {
            let mut child = parent.clone();
            child.play_unchecked(self.legal(number, *mv, &parent)?);
            visit(&child, score.get());
        }
        Ok(())
    }

    fn legal(&self, ply: usize, mv: chessmove::Move, position: &Chess) -> Result<Move> {
        convert(mv, position)
            .filter(|mv| position.is_legal(*mv))
            .with_context(|| {
                let start = self.0.initial_position();
                format!("illegal move at ply {ply} of the game from {start}")
            })
    }
}

/// The same board in shakmaty's terms. Its text would not do: it names the sides of the board with
/// castling rights only, not the rooks; and to read it takes most of the time of reading a fan.
fn setup(board: &FileBoard) -> Setup {
    let mut setup = Setup::empty();
    for at in FileSquare::all() {
        if let Some(piece) = board.piece_at(at)
            && let Some(role) = role(piece.piece_type())
        {
            let color = Color::from_white(piece.colour() == Colour::White);
            setup.board.set_piece_at(square(at), role.of(color));
        }
    }
    setup.turn = Color::from_white(board.turn() == Colour::White);
    let rights = board.castling_rights();
    let rooks = [rights.wk, rights.wq, rights.bk, rights.bq];
    setup.castling_rights = rooks.into_iter().flatten().map(square).collect();
    setup.ep_square = board.ep_sq().map(square);
    setup.halfmoves = u32::from(board.fifty_move_counter());
    setup.fullmoves = u32::try_from(board.full_move_number())
        .ok()
        .and_then(NonZeroU32::new)
        .unwrap_or(NonZeroU32::MIN);
    setup
}

fn role(role: PieceType) -> Option<Role> {
    Role::ALL.get(usize::from(role.inner())).copied()
}

fn square(square: FileSquare) -> Square {
    Square::new(u32::from(square.inner()))
}

/// The same move in shakmaty's terms; legality is not yet known.
fn convert(mv: chessmove::Move, position: &Chess) -> Option<Move> {
    let (from, to) = (square(mv.from()), square(mv.to()));
    if mv.is_castle() {
        return Some(Move::Castle {
            king: from,
            rook: to,
        });
    }
    if mv.is_ep() {
        return Some(Move::EnPassant { from, to });
    }
    let promotion = match mv.promotion_type() {
        None => None,
        Some(kind) => Some(role(kind)?),
    };
    Some(Move::Normal {
        role: position.board().role_at(from)?,
        from,
        capture: position.board().role_at(to),
        to,
        promotion,
    })
}

/// The games of one file, in order.
pub struct Games<R> {
    reader: R,
    done: bool,
}

impl Games<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        Ok(Self::new(BufReader::with_capacity(1 << 20, file)))
    }
}

impl<R: BufRead> Games<R> {
    /// The games in `reader`.
    pub fn new(reader: R) -> Self {
        let done = false;
        Self { reader, done }
    }

    fn read(&mut self) -> Result<Option<Game>> {
        let mut header = [0; HEADER];
        match self.reader.read_exact(&mut header) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            other => other?,
        }
        check(&header)?;
        let mut whole = header.as_slice().chain(&mut self.reader);
        match dataformat::Game::deserialise_from(&mut whole, Vec::new()) {
            Ok(game) => Ok(Some(Game(game))),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<Game>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let game = self.read().transpose();
        self.done = !matches!(game, Some(Ok(_)));
        game
    }
}

/// The files among `paths`: themselves, and the files with one of `extensions` in
/// directories; in order.
///
/// # Errors
/// When a path cannot be read, or no file is found.
pub fn files(paths: &[PathBuf], extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let complain = || format!("cannot read {}", path.display());
        if !fs::metadata(path).with_context(complain)?.is_dir() {
            files.push(path.clone());
            continue;
        }
        for entry in fs::read_dir(path).with_context(complain)? {
            let entry = entry?.path();
            let extension = entry.extension().unwrap_or_default();
            if extensions.iter().any(|wanted| extension == *wanted) {
                files.push(entry);
            }
        }
    }
    files.sort();
    files.dedup();
    let wanted = extensions.join(" or .");
    ensure!(!files.is_empty(), "no .{wanted} file among the given paths");
    Ok(files)
}

/// Bytes in all of `files`.
///
/// # Errors
/// When one cannot be read.
pub fn bytes(files: &[PathBuf]) -> Result<u64> {
    let lengths = files.iter().map(|file| Ok(fs::metadata(file)?.len()));
    lengths.sum()
}

/// Refuses headers on which the crate's decoder would panic.
fn check(header: &[u8; HEADER]) -> Result<()> {
    let (occupied, rest) = header.split_at(8);
    let pieces: u32 = occupied.iter().map(|byte| byte.count_ones()).sum();
    ensure!(pieces <= 32, "start position with {pieces} pieces");
    let mut kings = [0, 0];
    for index in 0..pieces as usize {
        let code = rest[index / 2] >> (4 * (index % 2));
        match code & 7 {
            KING => kings[usize::from(code >> 3 & 1)] += 1,
            0..=UNMOVED_ROOK => {}
            other => bail!("unknown piece code {other}"),
        }
    }
    ensure!(kings == [1, 1], "start position without two kings");
    let (halfmoves, fullmoves) = (header[25], [header[26], header[27]]);
    ensure!(
        halfmoves <= 100,
        "start position with {halfmoves} halfmoves"
    );
    ensure!(fullmoves != [0, 0], "start position at move 0");
    let result = header[30];
    ensure!(result <= 2, "unknown game result {result}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use viriformat::chess::{board::Board, types::Square as ViriSquare};

    use super::*;

    fn bytes() -> Vec<u8> {
        let mut game = dataformat::Game::new(&Board::default());
        let e4 = chessmove::Move::new(ViriSquare::E2, ViriSquare::E4);
        let e5 = chessmove::Move::new(ViriSquare::E7, ViriSquare::E5);
        game.add_move(e4, 30);
        game.add_move(e5, 25);
        let mut bytes = Vec::new();
        game.serialise_into(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn a_truncated_last_game_does_not_count() {
        let mut data = bytes();
        data.extend(bytes());
        let whole = Games::new(data.as_slice()).count();
        data.truncate(data.len() - 6);
        let games: Vec<_> = Games::new(data.as_slice()).collect();
        assert_eq!((whole, games.len()), (2, 1));
        let game = games[0].as_ref().unwrap();
        let mut scores = Vec::new();
        game.replay(|_, mv, score| scores.push((mv.to(), score)))
            .unwrap();
        assert_eq!(scores, [(Square::E4, 30), (Square::E5, 25)]);
    }

    #[test]
    fn damage_is_an_error() {
        let data = bytes();
        for (at, value) in [(8, 0xff), (25, 101), (26, 0), (30, 3)] {
            let mut data = data.clone();
            data[at] = value;
            assert!(Games::new(data.as_slice()).next().unwrap().is_err(), "{at}");
        }
    }
}
