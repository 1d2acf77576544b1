//! Games in PGN, read for people: every move is checked, and what others have written about
//! the game is kept.
//!
//! The grammar is `pgn-reader`'s; what it would pass over in silence is found beforehand and
//! refused. Read besides the standard: games without tags, `0-0`, captures without `x`, and
//! Latin-1, which was the format's own encoding (Edwards 1994).

use std::{error, fmt, ops::ControlFlow};

use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, Move, Outcome, san::San};

use super::{notation, stray};
use crate::{
    position::{FenError, Game},
    types::Quoted,
};

/// Bytes of the longest line with a tag.
const LONGEST_TAG: usize = 8192;

/// What may stand between the moves of a game, or within a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A move of a variation, as it was written; nobody has checked it.
    San(SanPlus),
    /// A numeric annotation glyph.
    Glyph(u8),
    /// A comment, without braces.
    Comment(String),
    /// A variation begins: another choice for the last move.
    Open,
    /// It ends.
    Close,
}

/// A move of the game, with what was written behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Half {
    /// The legal move.
    pub mv: Move,
    /// Glyphs, comments and whole variations.
    pub notes: Vec<Token>,
}

/// A game as it was read. Variations in it are closed.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Names and values, in their order.
    pub tags: Vec<(String, String)>,
    /// Where it begins.
    pub start: Game,
    /// What was written before the first move.
    pub preface: Vec<Token>,
    /// The moves.
    pub plies: Vec<Half>,
    /// How it ended, by its last word; `None` if that is missing.
    pub outcome: Option<Outcome>,
}

impl Sheet {
    /// The value of a tag; `None` if it is missing, empty or a question mark.
    pub fn tag(&self, name: &str) -> Option<&str> {
        find(&self.tags, name).filter(|value| !value.is_empty() && !value.starts_with('?'))
    }

    /// The names of White and Black, as far as they are known.
    pub fn players(&self) -> [&str; 2] {
        [("White", "White"), ("Black", "Black")]
            .map(|(tag, stranger)| self.tag(tag).unwrap_or(stranger))
    }

    /// The result: as the game ends, or as its tag says.
    pub fn result(&self) -> String {
        let said = self.tag("Result").unwrap_or("*");
        self.outcome
            .map_or_else(|| said.to_owned(), |outcome| outcome.to_string())
    }

    /// The start and the position after each move, with their histories.
    pub fn positions(&self) -> Vec<Game> {
        let mut games = vec![self.start.clone()];
        let mut game = self.start.clone();
        for half in &self.plies {
            game.play(half.mv);
            games.push(game.clone());
        }
        games
    }
}

/// Why a file of games cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PgnError {
    /// There is no game in it.
    Empty,
    /// A line holds a word that means nothing there.
    Word(usize, String),
    /// A comment begins in a line and never ends.
    OpenComment(usize),
    /// The file ends in the midst of something, in the reader's words.
    Unreadable(String),
    /// A game is wrong: its number in the file, its players, and what is wrong.
    Game(usize, String, Fault),
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It follows the rules of another variant.
    Variant(String),
    /// Its start is no position.
    Start(FenError),
    /// A move, with its number, is not legal, or there are two of that name.
    Move(String),
    /// A variation is closed that was never opened.
    Unopened,
    /// A variation is opened and never closed.
    Unclosed,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variant(name) => write!(f, "the variant {} is not played here", Quoted(name)),
            Self::Start(error) => write!(f, "the tag FEN: {error}"),
            Self::Move(text) => write!(f, "the move {text} is not legal, or not clear"),
            Self::Unopened => f.write_str("there is a `)` without a `(`"),
            Self::Unclosed => f.write_str("there is a `(` without a `)`"),
        }
    }
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there is no game in the file"),
            Self::Word(line, word) => write!(f, "line {line}: {} is no move", Quoted(word)),
            Self::OpenComment(line) => write!(f, "line {line}: the comment does not end"),
            Self::Unreadable(reason) => f.write_str(reason),
            Self::Game(number, players, fault) => write!(f, "game {number} ({players}): {fault}"),
        }
    }
}

impl error::Error for PgnError {}

/// The games of a file.
///
/// # Errors
/// When there is none, or anything in it is no part of a game of chess; see [`PgnError`].
pub fn read(bytes: &[u8]) -> Result<Vec<Sheet>, PgnError> {
    let text = decoded(bytes);
    stray::check(&text)?;
    let mut reader = Reader::build(text.as_bytes())
        .set_supported_tag_line_length(LONGEST_TAG)
        .finish();
    let mut scribe = Scribe { games: 0 };
    let games: Result<Vec<_>, _> = reader.read_games(&mut scribe).collect();
    let games = games.map_err(|error| PgnError::Unreadable(error.to_string()))?;
    let sheets: Vec<Sheet> = games.into_iter().collect::<Result<_, _>>()?;
    if sheets.is_empty() {
        return Err(PgnError::Empty);
    }
    Ok(sheets)
}

/// UTF-8, or else Latin-1, in which every byte is a character.
fn decoded(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec())
        .unwrap_or_else(|_| bytes.iter().copied().map(char::from).collect())
}

fn find<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let tag = tags.iter().find(|(known, _)| known == name);
    tag.map(|(_, value)| value.as_str())
}

/// The position that the tags begin with.
fn start(tags: &[(String, String)]) -> Result<Game, Fault> {
    let chess960 = is_chess960(find(tags, "Variant").unwrap_or_default())?;
    let mut game = match find(tags, "FEN") {
        Some(fen) => Game::from_fen(fen, chess960).map_err(Fault::Start)?,
        None => Game::start(),
    };
    if chess960 {
        game.set_mode(CastlingMode::Chess960);
    }
    Ok(game)
}

/// Whether a variant is Chess960 rather than plain chess, by any of their names.
fn is_chess960(variant: &str) -> Result<bool, Fault> {
    let letters = variant.chars().filter(|letter| letter.is_alphanumeric());
    match letters.collect::<String>().to_ascii_lowercase().as_str() {
        "" | "standard" | "chess" | "normal" | "fromposition" => Ok(false),
        "chess960" | "960" | "fischerandom" | "fischerrandom" | "frc" | "dfrc" | "freestyle"
        | "freestylechess" => Ok(true),
        _ => Err(Fault::Variant(variant.to_owned())),
    }
}

/// The legal move that `san` means; a capture may be written without its sign.
fn legal(san: San, chess: &Chess) -> Option<Move> {
    san.to_move(chess).ok().or_else(|| match san {
        San::Normal {
            role,
            file,
            rank,
            capture: false,
            to,
            promotion,
        } => {
            let capture = San::Normal {
                role,
                file,
                rank,
                capture: true,
                to,
                promotion,
            };
            capture.to_move(chess).ok()
        }
        _ => None,
    })
}

/// Writes down what the reader reads.
struct Scribe {
    games: usize,
}

/// A game as far as it is read.
struct Draft {
    sheet: Sheet,
    game: Game,
    /// Variations that are open.
    depth: usize,
    /// A long comment as far as it is read.
    comment: String,
}

impl Draft {
    fn note(&mut self, token: Token) {
        let notes = match self.sheet.plies.last_mut() {
            Some(half) => &mut half.notes,
            None => &mut self.sheet.preface,
        };
        notes.push(token);
    }
}

impl Scribe {
    /// What is wrong with the present game.
    fn error(&self, tags: &[(String, String)], fault: Fault) -> PgnError {
        let player = |tag| find(tags, tag).unwrap_or("?");
        let players = format!("{} \u{2013} {}", player("White"), player("Black"));
        let players = players.chars().filter(|c| !c.is_control()).collect();
        PgnError::Game(self.games, players, fault)
    }

    fn wrong<T>(&self, tags: &[(String, String)], fault: Fault) -> ControlFlow<Read, T> {
        ControlFlow::Break(Err(self.error(tags, fault)))
    }
}

type Read = Result<Sheet, PgnError>;

impl Visitor for Scribe {
    type Tags = Vec<(String, String)>;
    type Movetext = Draft;
    type Output = Read;

    fn begin_tags(&mut self) -> ControlFlow<Read, Self::Tags> {
        self.games += 1;
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Read> {
        let name = String::from_utf8_lossy(name).trim().to_owned();
        tags.push((name, value.decode_utf8_lossy().trim().to_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Read, Draft> {
        let start = match start(&tags) {
            Ok(start) => start,
            Err(fault) => return self.wrong(&tags, fault),
        };
        ControlFlow::Continue(Draft {
            game: start.clone(),
            sheet: Sheet {
                tags,
                start,
                preface: Vec::new(),
                plies: Vec::new(),
                outcome: None,
            },
            depth: 0,
            comment: String::new(),
        })
    }

    fn san(&mut self, draft: &mut Draft, san: SanPlus) -> ControlFlow<Read> {
        if draft.depth > 0 {
            draft.note(Token::San(san));
            return ControlFlow::Continue(());
        }
        let chess = draft.game.chess();
        let Some(mv) = legal(san.san, chess) else {
            let text = format!("{} {san}", notation::label_of(chess));
            return self.wrong(&draft.sheet.tags, Fault::Move(text));
        };
        draft.game.play(mv);
        let notes = Vec::new();
        draft.sheet.plies.push(Half { mv, notes });
        ControlFlow::Continue(())
    }

    fn nag(&mut self, draft: &mut Draft, nag: Nag) -> ControlFlow<Read> {
        draft.note(Token::Glyph(nag.0));
        ControlFlow::Continue(())
    }

    fn partial_comment(&mut self, draft: &mut Draft, part: RawComment<'_>) -> ControlFlow<Read> {
        draft.comment += &String::from_utf8_lossy(part.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, draft: &mut Draft, rest: RawComment<'_>) -> ControlFlow<Read> {
        let mut comment = std::mem::take(&mut draft.comment);
        comment += &String::from_utf8_lossy(rest.as_bytes());
        draft.note(Token::Comment(comment));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, draft: &mut Draft) -> ControlFlow<Read, Skip> {
        draft.depth += 1;
        draft.note(Token::Open);
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, draft: &mut Draft) -> ControlFlow<Read> {
        let Some(depth) = draft.depth.checked_sub(1) else {
            return self.wrong(&draft.sheet.tags, Fault::Unopened);
        };
        draft.depth = depth;
        draft.note(Token::Close);
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, draft: &mut Draft, outcome: Outcome) -> ControlFlow<Read> {
        if draft.depth == 0 {
            draft.sheet.outcome = Some(outcome);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, draft: Draft) -> Read {
        if draft.depth > 0 {
            return Err(self.error(&draft.sheet.tags, Fault::Unclosed));
        }
        Ok(draft.sheet)
    }
}

#[cfg(test)]
mod tests;
