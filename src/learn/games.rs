//! Games in viriformat: a start position, then a move and a score for each ply.
//!
//! The format is that of the crate `viriformat` (Viridithas): 32 bytes for the start
//! position and the result, 4 bytes a ply, 4 zero bytes at the end. Files are read as
//! a stream. A file that ends within a game is one that is still being written: its
//! last game does not count. Every move is checked for legality by shakmaty, so that
//! a damaged file is reported and never believed.

use std::{
    fs::File,
    io::{BufRead, BufReader, ErrorKind, Read},
    path::Path,
};

use anyhow::{Context, Result, bail, ensure};
use shakmaty::{CastlingMode, Chess, Move, Position, Role, Square, fen::Fen};
use viriformat::{chess::chessmove, dataformat};

/// Bytes of a start position.
const HEADER: usize = 32;
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
pub struct Game(dataformat::Game);

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

    /// Calls `visit` with every position, the move played in it, and its score in
    /// centipawns for White.
    ///
    /// # Errors
    /// When the start position or a move is illegal.
    pub fn replay(&self, mut visit: impl FnMut(&Chess, Move, i16)) -> Result<()> {
        let start = self.0.initial_position().to_string();
        let fen: Fen = start.parse().context("start position")?;
        let mut position: Chess = fen.into_position(CastlingMode::Chess960)?;
        for (ply, (mv, score)) in self.0.moves.iter().enumerate() {
            let mv = convert(*mv, &position)
                .filter(|mv| position.is_legal(*mv))
                .with_context(|| format!("illegal move at ply {ply} of the game from {start}"))?;
            visit(&position, mv, score.get());
            position.play_unchecked(mv);
        }
        Ok(())
    }
}

/// The same move in shakmaty's terms; legality is not yet known.
fn convert(mv: chessmove::Move, position: &Chess) -> Option<Move> {
    let from = Square::new(u32::from(mv.from().inner()));
    let to = Square::new(u32::from(mv.to().inner()));
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
        Some(role) => Some(*Role::ALL.get(usize::from(role.inner()))?),
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
        let mut data = bytes();
        data[8] = 0xff;
        assert!(Games::new(data.as_slice()).next().unwrap().is_err());
    }
}
