//! Games in formats that other programs read.
//!
//! Invariant: nothing is lost that the format can say; what is written as a position has
//! passed the filter of the training.

use std::io::{self, Write};

use anyhow::Result;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen, san::SanPlus};

use super::{
    draft,
    games::{Game, GameResult},
    sampler::Filter,
};
use crate::types::movetext::{self, Movetext};

/// A format to write games in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line a position, `FEN | score | result`, both for White: centipawns, and 1.0, 0.5 or
    /// 0.0. The text that other trainers, such as bullet, read.
    Positions,
    /// Games in PGN, each move with its score as a comment, `[%eval 0.31]`.
    Pgn,
}

impl Format {
    /// Writes a game to `out`, of which positions must pass `filter`; `number` is its round.
    /// Returns how many positions were written.
    ///
    /// # Errors
    /// When a move is illegal, or those of `out`.
    pub fn write(
        self,
        game: &Game,
        number: u64,
        filter: &Filter,
        out: &mut impl Write,
    ) -> Result<u64> {
        let mut plies = Vec::with_capacity(game.len());
        game.replay(|position, mv, score| plies.push((position.clone(), mv, score)))?;
        Ok(match self {
            Self::Positions => write_positions(game, &plies, filter, out)?,
            Self::Pgn => write_pgn(game, number, &plies, out)?,
        })
    }
}

/// A position, the move played in it, and its score in centipawns for White.
type Played = (Chess, Move, i16);

fn write_positions(
    game: &Game,
    plies: &[Played],
    filter: &Filter,
    out: &mut impl Write,
) -> io::Result<u64> {
    let result = match game.result() {
        GameResult::WhiteWins => "1.0",
        GameResult::Draw => "0.5",
        GameResult::BlackWins => "0.0",
    };
    let mut written = 0;
    for (number, (position, mv, score)) in plies.iter().enumerate() {
        if filter.passes(number, position, *mv, *score) {
            writeln!(out, "{} | {score} | {result}", fen(position))?;
            written += 1;
        }
    }
    Ok(written)
}

fn write_pgn(game: &Game, number: u64, plies: &[Played], out: &mut impl Write) -> Result<u64> {
    let result = match game.result() {
        GameResult::WhiteWins => "1-0",
        GameResult::Draw => "1/2-1/2",
        GameResult::BlackWins => "0-1",
    };
    let start = game.start()?;
    for (tag, value) in [
        ("Event", "Training game"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", &number.to_string()),
        ("White", "?"),
        ("Black", "?"),
        ("Result", result),
    ] {
        writeln!(out, "[{tag} \"{value}\"]")?;
    }
    if is_chess960(&start) {
        writeln!(out, "[Variant \"Chess960\"]")?;
    }
    if start != Chess::new() {
        writeln!(out, "[SetUp \"1\"]\n[FEN \"{}\"]", fen(&start))?;
    }
    writeln!(out)?;
    let mut text = Movetext::default();
    for (index, (position, mv, score)) in plies.iter().enumerate() {
        let move_number = position.fullmoves();
        if position.turn().is_white() {
            text.word(&format!("{move_number}."));
        } else if index == 0 {
            text.word(&format!("{move_number}..."));
        }
        text.word(&SanPlus::from_move(position.clone(), *mv).to_string());
        text.word(&format!("{{[%eval {}]}}", evaluation(*score)));
    }
    text.word(result);
    writeln!(out, "{text}\n")?;
    Ok(plies.len() as u64)
}

/// A score of a file as lichess writes it.
fn evaluation(score: i16) -> String {
    movetext::evaluation(draft::moves_to_mate(score), i32::from(score))
}

fn fen(position: &Chess) -> Fen {
    Fen::from_position(position, EnPassantMode::Legal)
}

/// Whether its castling rights are none of ordinary chess.
fn is_chess960(start: &Chess) -> bool {
    start.castles().castling_rights().any()
        && CastlingMode::detect(fen(start).as_setup()).is_chess960()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        learn::draft::played,
        position,
        types::{Ply, Score},
    };

    fn written(format: Format, game: &Game) -> (u64, String) {
        let mut out = Vec::new();
        let positions = format.write(game, 7, &Filter::default(), &mut out).unwrap();
        (positions, String::from_utf8(out).unwrap())
    }

    const SCHOLAR: [&str; 7] = ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"];

    /// The scholar's mate, which is seen with its last move only.
    fn scholar() -> Game {
        let mut moves = SCHOLAR.map(|mv| (mv, Score::from_centipawns(-31)));
        moves[6].1 = Score::mate_in(Ply::new(1));
        played(position::Game::start(), &moves, GameResult::WhiteWins)
    }

    #[test]
    fn positions_are_lines_of_three_fields() {
        let game = scholar();
        let (count, text) = written(Format::Positions, &game);
        // The capture that mates is not worth learning.
        assert_eq!((count, text.lines().count()), (6, 6));
        let first = text.lines().next().unwrap();
        assert_eq!(
            first,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | -31 | 1.0"
        );
    }

    #[test]
    fn a_game_in_pgn_has_its_scores() {
        let game = scholar();
        let (count, text) = written(Format::Pgn, &game);
        assert_eq!(count, 7);
        assert!(
            text.contains("[Round \"7\"]") && !text.contains("[FEN "),
            "{text}"
        );
        let moves = text.split("\n\n").nth(1).unwrap();
        assert!(moves.starts_with("1. e4 {[%eval -0.31]} e5 "), "{moves}");
        assert!(
            moves.replace('\n', " ").contains("Qxf7# {[%eval #1]} 1-0"),
            "{moves}"
        );
        assert!(
            text.lines().all(|line| line.len() <= Movetext::WIDTH),
            "{text}"
        );
    }

    #[test]
    fn a_game_from_elsewhere_says_where() {
        let fen = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN b GEge - 0 3";
        let start = position::Game::from_fen(fen, true).unwrap();
        let moves = [("e7e5", Score::DRAW)];
        let (_, text) = written(Format::Pgn, &played(start, &moves, GameResult::Draw));
        assert!(
            text.contains("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bqnb"),
            "{text}"
        );
        assert!(text.contains("3... e5 "), "{text}");
    }
}
