//! From a line of text to a [`Command`]: the only place that reads the protocol.
//!
//! `vampirc-uci` parses every command that it parses correctly: `uci`, `debug`,
//! `isready`, `setoption`, `register`, `ucinewgame`, `stop`, `ponderhit` and `quit`. Its
//! grammar loses data or panics on others (version 0.11.1: `go ` at the end of a text
//! panics, as does `depth 256`; `go ponder wtime …` loses `ponder`; Shredder-FEN,
//! four-field FEN and two blanks after `moves` are dropped silently), so `position`, `go`
//! and the commands that are no part of the protocol have a tokenizer of their own here
//! and in [`go`](super::go).
//!
//! Before the crate sees a line it is reduced to the command, with single blanks; what it
//! answers is taken only if it is the expected command; and a panic inside it is caught
//! and becomes an error. Invariant: every input yields a value, in time linear in its length.

use std::{
    cell::Cell,
    fmt,
    panic::{catch_unwind, set_hook, take_hook},
    sync::Once,
};

use vampirc_uci::UciMessage;

use super::{
    command::{Command, PositionRequest},
    go::GoRequest,
};
use crate::types::Quoted;

/// Commands of the protocol; words before one of them are skipped, as the protocol demands.
const STANDARD: [&str; 11] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];

/// Commands of ours, which count only as the first word of a line.
const EXTRA: [&str; 9] = [
    "d",
    "eval",
    "bench",
    "speedtest",
    "perft",
    "flip",
    "genfens",
    "compiler",
    "help",
];

/// Longest line that is given to the grammar; option values are file names at most.
const GRAMMAR_LIMIT: usize = 16 * 1024;

/// Why a line is no command: one sentence, the culprit quoted and shortened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError(String);

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseError {}

/// The command in `line`; `None` for an empty line and for a comment (`# …`).
///
/// # Errors
/// A sentence about what is wrong.
pub fn parse(line: &str) -> Result<Option<Command>, ParseError> {
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let Some((word, rest)) = find_command(line) else {
        return Err(ParseError(format!("unknown command {}", Quoted(line))));
    };
    let mut words = rest.split_whitespace();
    Ok(Some(match word {
        "position" => position(words)?,
        "go" => {
            let request = GoRequest::read(words);
            match request.perft {
                Some(depth) => perft(depth)?,
                None => Command::Go(request),
            }
        }
        "perft" => match words.next().map(|word| (word, word.parse())) {
            Some((_, Ok(depth))) => perft(depth)?,
            Some((word, Err(_))) => {
                return Err(ParseError(format!(
                    "perft: {} is not a depth",
                    Quoted(word)
                )));
            }
            None => return Err(ParseError("perft lacks its depth".to_owned())),
        },
        "bench" => Command::Bench(words.map(str::to_owned).collect()),
        "speedtest" => Command::SpeedTest(words.map(str::to_owned).collect()),
        "genfens" => Command::GenFens(words.map(str::to_owned).collect()),
        "compiler" => Command::Compiler,
        "d" => Command::Display,
        "eval" => Command::Eval,
        "flip" => Command::Flip,
        "help" => Command::Help,
        "setoption" => set_option(rest)?,
        "debug" => grammar(format!("debug {}", words.next().unwrap_or("")).trim_end())?,
        "register" => grammar(&format!("register {}", single_blanks(rest)))?,
        word => grammar(word)?,
    }))
}

/// Whether the first word of `line` is a command; tells a command line from a mistake.
pub fn is_command(line: &str) -> bool {
    next_word(line)
        .is_some_and(|(word, _)| known(word, &STANDARD).or(known(word, &EXTRA)).is_some())
}

/// The first word that is a command, and what follows it.
fn find_command(line: &str) -> Option<(&'static str, &str)> {
    let (first, mut rest) = next_word(line)?;
    if let Some(command) = known(first, &STANDARD).or(known(first, &EXTRA)) {
        return Some((command, rest));
    }
    while let Some((word, tail)) = next_word(rest) {
        if let Some(command) = known(word, &STANDARD) {
            return Some((command, tail));
        }
        rest = tail;
    }
    None
}

fn known(word: &str, commands: &[&'static str]) -> Option<&'static str> {
    let mut commands = commands.iter().copied();
    commands.find(|command| command.eq_ignore_ascii_case(word))
}

fn next_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn single_blanks(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ")
}

fn perft(depth: i64) -> Result<Command, ParseError> {
    if depth < 0 {
        return Err(ParseError(format!("perft: '{depth}' is not a depth")));
    }
    Ok(Command::Perft(u32::try_from(depth).unwrap_or(u32::MAX)))
}

fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command, ParseError> {
    let kind = words.next().unwrap_or("").to_ascii_lowercase();
    let mut before_moves = Vec::new();
    for word in words.by_ref() {
        if word.eq_ignore_ascii_case("moves") {
            break;
        }
        before_moves.push(word);
    }
    let fen = match (kind.as_str(), before_moves.first()) {
        ("startpos", None) => None,
        ("startpos", Some(word)) => {
            return Err(ParseError(format!(
                "position: {} where 'moves' was expected",
                Quoted(word)
            )));
        }
        ("fen", Some(_)) => Some(before_moves.join(" ")),
        ("fen", None) => return Err(ParseError("position: the FEN is missing".to_owned())),
        _ => {
            return Err(ParseError(format!(
                "position: {} where 'startpos' or 'fen' was expected",
                Quoted(&kind)
            )));
        }
    };
    let moves = words.map(str::to_owned).collect();
    Ok(Command::Position(PositionRequest { fen, moves }))
}

/// `setoption name … [value …]`: blanks within the value are kept, and a value that was
/// announced but is empty stays apart from one that was not announced.
fn set_option(rest: &str) -> Result<Command, ParseError> {
    let mut head = String::from("setoption");
    let mut value = None;
    let mut text = rest;
    while let Some((word, tail)) = next_word(text) {
        if word.eq_ignore_ascii_case("value") {
            value = Some(tail.trim());
            break;
        }
        head.push(' ');
        head.push_str(word);
        text = tail;
    }
    match value {
        None => grammar(&head),
        Some("") => grammar(&head).map(|command| match command {
            Command::SetOption { name, .. } => Command::SetOption {
                name,
                value: Some(String::new()),
            },
            other => other,
        }),
        Some(value) => grammar(&format!("{head} value {value}")),
    }
}

/// What `vampirc-uci` makes of a line that has been put in order.
fn grammar(line: &str) -> Result<Command, ParseError> {
    if line.len() > GRAMMAR_LIMIT {
        return Err(ParseError(format!("line too long: {}", Quoted(line))));
    }
    Ok(match guarded(line) {
        Some(UciMessage::Uci) => Command::Uci,
        Some(UciMessage::Debug(on)) => Command::Debug(on),
        Some(UciMessage::IsReady) => Command::IsReady,
        Some(UciMessage::SetOption { name, value }) => Command::SetOption { name, value },
        Some(UciMessage::Register { .. }) => Command::Register,
        Some(UciMessage::UciNewGame) => Command::NewGame,
        Some(UciMessage::Stop) => Command::Stop,
        Some(UciMessage::PonderHit) => Command::PonderHit,
        Some(UciMessage::Quit) => Command::Quit,
        _ => return Err(ParseError(format!("cannot understand {}", Quoted(line)))),
    })
}

thread_local! {
    /// Whether this thread is inside the grammar, so that a panic there is not printed.
    static IN_GRAMMAR: Cell<bool> = const { Cell::new(false) };
}

fn guarded(line: &str) -> Option<UciMessage> {
    static QUIET_HOOK: Once = Once::new();
    QUIET_HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !IN_GRAMMAR.get() {
                usual(panic);
            }
        }));
    });
    IN_GRAMMAR.set(true);
    let message = catch_unwind(|| vampirc_uci::parse_one(line));
    IN_GRAMMAR.set(false);
    message.ok()
}

#[cfg(test)]
mod tests;
