//! A game with the engine's remarks, written as PGN.
//!
//! Behind every move stands its value (`[%eval 0.35]`, in pawns for White, or `[%eval #-3]`);
//! behind a bad one its sign, and the better line as a variation. The value behind the first
//! move of that line is the one that was given away. Kept from the game: tags, comments,
//! variations and glyphs, but for values and signs of earlier analysis. Lines are at most 79
//! characters long, as the standard's export format wants (Edwards 1994).

use shakmaty::{Color, Position as _};

use super::{
    Analysis,
    examine::Line,
    judge::{Judgement, Mark},
    notation::{self, Value},
    pgn::{Half, Token},
};
use crate::types::movetext::Movetext;

/// Plies of a better line that are written.
pub const LINE_PLIES: usize = 12;
/// Glyphs that say how good a move is, `!` to `?!`.
const ASSESSMENTS: std::ops::RangeInclusive<u8> = 1..=6;

/// The movetext under construction.
#[derive(Default)]
struct Writer {
    text: Movetext,
    /// A comment or a variation came last: Black's move needs its number again.
    interrupted: bool,
}

impl Writer {
    /// A move with its number where one is needed; `half` counts half moves from 0.
    fn san(&mut self, half: u64, san: &str) {
        let turn = Color::from_white(half.is_multiple_of(2));
        if turn == Color::White || self.interrupted {
            self.text.word(&notation::label(half / 2 + 1, turn));
        }
        self.text.word(san);
        self.interrupted = false;
    }

    /// A comment: the value first, then words.
    fn comment(&mut self, value: Option<Value>, words: &str) {
        if value.is_none() && words.trim().is_empty() {
            return;
        }
        let opening = match value {
            Some(value) => format!("{{ [%eval {}]", value.for_pgn()),
            None => "{".to_owned(),
        };
        if words.trim().is_empty() {
            self.text.word(&(opening + " }"));
        } else {
            self.text.word(&opening);
            words
                .split_whitespace()
                .for_each(|word| self.text.word(word));
            self.text.word("}");
        }
        self.interrupted = true;
    }

    fn open(&mut self) {
        self.text.word("(");
        self.text.glue();
        self.interrupted = true;
    }

    fn close(&mut self) {
        self.text.glue();
        self.text.word(")");
        self.interrupted = true;
    }

    /// Tokens as they were read; the variations among them are other choices for the move
    /// before `half`.
    fn tokens(&mut self, tokens: &[Token], half: u64) {
        let (mut half, mut outer) = (half, Vec::new());
        for token in tokens {
            match token {
                Token::San(san) => {
                    self.san(half, &san.to_string());
                    half += 1;
                }
                Token::Glyph(number) => self.text.word(&format!("${number}")),
                Token::Comment(words) => self.comment(None, words),
                Token::Open => {
                    outer.push(half);
                    half = half.saturating_sub(1);
                    self.open();
                }
                Token::Close => {
                    half = outer.pop().unwrap_or(half);
                    self.close();
                }
            }
        }
    }
}

/// `words` without the values that an earlier analysis left in them.
fn without_values(words: &str) -> String {
    let mut kept = String::new();
    let mut rest = words;
    while let Some((before, after)) = rest.split_once("[%eval ") {
        kept += before;
        rest = after.split_once(']').map_or("", |(_, behind)| behind);
    }
    kept + rest
}

/// The tags, with a word about who has annotated if nobody else did.
fn tags(analysis: &Analysis) -> String {
    let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
    let own = (
        "Annotator".to_owned(),
        concat!("Arborist ", env!("CARGO_PKG_VERSION")).to_owned(),
    );
    let tags = &analysis.sheet.tags;
    let unsigned = !tags.iter().any(|(name, _)| name == "Annotator");
    tags.iter()
        .chain(unsigned.then_some(&own))
        .filter(|(name, _)| is_tag_name(name))
        .map(|(name, value)| ["[", name, " \"", &escaped(value), "\"]\n"].concat())
        .collect()
}

fn is_tag_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_+#=:-".contains(c))
}

impl Analysis {
    /// The whole game as PGN, ending with an empty line.
    pub fn to_pgn(&self) -> String {
        let mut writer = Writer {
            interrupted: true,
            ..Writer::default()
        };
        writer.tokens(&self.sheet.preface, self.half(0));
        for (ply, half) in self.sheet.plies.iter().enumerate() {
            self.write_move(&mut writer, ply, half);
        }
        writer.text.word(&self.sheet.result());
        format!("{}\n{}\n\n", tags(self), writer.text)
    }

    /// The number of half moves before the move at `ply`, counted from the first move of the game.
    fn half(&self, ply: usize) -> u64 {
        let chess = &self.stations[ply].chess;
        let black = u64::from(chess.turn() == Color::Black);
        2 * (u64::from(chess.fullmoves().get()) - 1) + black
    }

    /// One move: its signs, its comment with its value, better lines, and what else was there.
    fn write_move(&self, writer: &mut Writer, ply: usize, half: &Half) {
        let (number, before) = (self.half(ply), &self.stations[ply].chess);
        writer.san(number, &notation::san(before, half.mv));
        let mark = self.judgement(ply).as_ref().and_then(Judgement::mark);
        for glyph in glyphs(mark, &half.notes) {
            writer.text.word(&format!("${glyph}"));
        }
        let open = half.notes.iter().position(|token| *token == Token::Open);
        let (own, variations) = half.notes.split_at(open.unwrap_or(half.notes.len()));
        let words: Vec<String> = (own.iter())
            .filter_map(|token| match token {
                Token::Comment(words) => Some(without_values(words)),
                _ => None,
            })
            .collect();
        let after = &self.stations[ply + 1];
        let value = Value::new(after.verdict.score, after.chess.turn());
        writer.comment(Some(value), &words.join(" "));
        for line in self.better_lines(ply) {
            if !begins_with(variations, &notation::san(before, line.moves[0])) {
                write_line(writer, before, number, line);
            }
        }
        writer.tokens(variations, number + 1);
    }

    /// What would have been better than the move at `ply`, if that deserves a mark.
    pub fn better_lines(&self, ply: usize) -> Vec<&Line> {
        let mark = self.judgement(ply).as_ref().and_then(Judgement::mark);
        let (Some(half), Some(_)) = (self.sheet.plies.get(ply), mark) else {
            return Vec::new();
        };
        let reached = -self.stations[ply + 1].verdict.score;
        let lines = self.stations[ply].verdict.lines.iter();
        lines
            .filter(|line| line.score > reached && line.moves.first() != Some(&half.mv))
            .collect()
    }
}

/// The engine's mark, else what others thought of the move; their other glyphs besides.
fn glyphs(mark: Option<Mark>, notes: &[Token]) -> Vec<u8> {
    let own = notes.iter().take_while(|token| **token != Token::Open);
    let theirs = own.filter_map(|token| match token {
        Token::Glyph(glyph) => Some(*glyph),
        _ => None,
    });
    let stays = |glyph: &u8| {
        let engines = Mark::ALL.iter().any(|mark| mark.glyph() == *glyph);
        !engines && (mark.is_none() || !ASSESSMENTS.contains(glyph))
    };
    let mark = mark.map(Mark::glyph);
    mark.into_iter().chain(theirs.filter(stays)).collect()
}

/// Whether one of the variations begins with the move `san`, which then need not be told again.
fn begins_with(variations: &[Token], san: &str) -> bool {
    let mut last_opened = false;
    variations.iter().any(|token| {
        let first = std::mem::replace(&mut last_opened, *token == Token::Open);
        matches!(token, Token::San(known) if first && known.to_string() == san)
    })
}

/// A better line as a variation, with its value behind the first move.
fn write_line(writer: &mut Writer, before: &shakmaty::Chess, number: u64, line: &Line) {
    let mut chess = before.clone();
    writer.open();
    for (half, &mv) in (number..).zip(line.moves.iter().take(LINE_PLIES)) {
        writer.san(half, &notation::san(&chess, mv));
        if half == number {
            let value = Value::new(line.score, chess.turn()).after_best();
            writer.comment(Some(value), "");
        }
        chess.play_unchecked(mv);
    }
    writer.close();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{analyse::pgn, engine::Engine, time::Limits, types::Depth};

    fn annotated(text: &str) -> String {
        let sheet = pgn::read(text.as_bytes()).unwrap().remove(0);
        let limits = Limits {
            depth: Some(Depth::new(4)),
            ..Limits::default()
        };
        Analysis::new(&mut Engine::new(), sheet, &limits, || ()).to_pgn()
    }

    /// The words of a game as one line.
    fn words(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_move_has_a_value_and_a_blunder_its_sign_and_the_better_line() {
        let text = words(&annotated("[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1"));
        assert!(
            text.starts_with("[White \"A\"] [Annotator \"Arborist "),
            "{text}"
        );
        assert!(text.contains("2. g4 $4 { [%eval #-1] } (2. "), "{text}");
        assert!(text.ends_with("2... Qh4# { [%eval #0] } 0-1"), "{text}");
        assert_eq!(
            text.matches("[%eval ").count() - text.matches('(').count(),
            4
        );
    }

    #[test]
    fn what_others_wrote_is_kept_and_written_once() {
        let text = "1. e4 $1 $36 {[%eval 0.3] [%clk 0:01] king's pawn} \
            e5 (1... c5 2. Nf3 $1 (2. c3 {Alapin} 2... d5)) 2. Nf3 *";
        let once = annotated(text);
        let shown = words(&once);
        assert!(shown.contains("1. e4 $1 $36 { [%eval "), "{shown}");
        assert!(
            shown.contains("] [%clk 0:01] king's pawn } 1... e5 { [%eval"),
            "{shown}"
        );
        assert!(
            shown.contains("} (1... c5 2. Nf3 $1 (2. c3 { Alapin } 2... d5)) 2. Nf3 { "),
            "{shown}"
        );
        assert_eq!(annotated(&once), once);
    }

    #[test]
    fn lines_are_short_and_values_stay_whole() {
        let comment = "word ".repeat(60);
        let text = annotated(&format!("1. e4 {{{comment}}} e5 2. Ke2 Nf6 3. Kd3 d5 *"));
        assert!(
            text.lines()
                .all(|line| line.chars().count() <= Movetext::WIDTH),
            "{text}"
        );
        assert!(text.lines().all(|line| !line.ends_with("[%eval")), "{text}");
        assert!(text.ends_with(" *\n\n"), "{text}");
    }

    #[test]
    fn a_game_may_begin_with_blacks_move() {
        // White has one legal move, and every move of Black wins: no sign comes between.
        let text = "[FEN \"4k3/8/8/8/8/8/r7/7K b - - 0 40\"]\n\n{start} 40... Kd7 41. Kg1 Ke6 *";
        let shown = words(&annotated(text));
        assert!(shown.contains("{ start } 40... Kd7 { [%eval"), "{shown}");
        assert!(shown.contains("} 41. Kg1 { [%eval"), "{shown}");
    }
}
