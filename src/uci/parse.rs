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
const EXTRA: [&str; 6] = ["d", "eval", "bench", "perft", "flip", "help"];

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
                Some(depth) => perft(depth),
                None => Command::Go(request),
            }
        }
        "perft" => match words.next().map(|word| (word, word.parse())) {
            Some((_, Ok(depth))) => perft(depth),
            Some((word, Err(_))) => {
                return Err(ParseError(format!(
                    "perft: {} is not a depth",
                    Quoted(word)
                )));
            }
            None => return Err(ParseError("perft lacks its depth".to_owned())),
        },
        "bench" => Command::Bench(words.map(str::to_owned).collect()),
        "d" => Command::Display,
        "eval" => Command::Eval,
        "flip" => Command::Flip,
        "help" => Command::Help,
        "setoption" => set_option(rest)?,
        "debug" => grammar(&format!("debug {}", words.next().unwrap_or("")))?,
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

fn perft(depth: i64) -> Command {
    Command::Perft(u32::try_from(depth.max(1)).unwrap_or(u32::MAX))
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
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        parse(line)
            .unwrap_or_else(|error| panic!("{line}: {error}"))
            .unwrap_or_else(|| panic!("{line}: nothing"))
    }

    fn error(line: &str) -> String {
        match parse(line) {
            Err(error) => error.to_string(),
            Ok(command) => panic!("{line} is {command:?}"),
        }
    }

    fn option(name: &str, value: Option<&str>) -> Command {
        Command::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        }
    }

    fn position(fen: Option<&str>, moves: &[&str]) -> Command {
        Command::Position(PositionRequest {
            fen: fen.map(str::to_owned),
            moves: moves.iter().map(|&mv| mv.to_owned()).collect(),
        })
    }

    #[test]
    fn plain_commands_in_every_dress() {
        for (line, expected) in [
            ("uci", Command::Uci),
            ("\u{feff}uci\r\n", Command::Uci),
            ("  ISREADY\t", Command::IsReady),
            ("ucinewgame x", Command::NewGame),
            ("stop now", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("quit\t\t", Command::Quit),
            ("debug on now", Command::Debug(true)),
            ("joho debug on", Command::Debug(true)),
            ("debug   off", Command::Debug(false)),
            ("register later", Command::Register),
            ("register name A  B code 4359874324", Command::Register),
            ("d", Command::Display),
            ("eval", Command::Eval),
            ("flip", Command::Flip),
            ("help", Command::Help),
            ("perft 5", Command::Perft(5)),
            ("go perft 5", Command::Perft(5)),
            ("perft 0", Command::Perft(1)),
            (
                "bench 5 1",
                Command::Bench(vec!["5".to_owned(), "1".to_owned()]),
            ),
        ] {
            assert_eq!(command(line), expected, "{line:?}");
        }
        for nothing in ["", "   ", "\r\n", "# go infinite", "\u{feff}"] {
            assert_eq!(parse(nothing), Ok(None));
        }
    }

    #[test]
    fn what_is_no_command_is_named() {
        assert_eq!(error("isreadyx"), "unknown command 'isreadyx'");
        assert_eq!(error("joho d"), "unknown command 'joho d'");
        assert_eq!(error("bestmove 0000"), "unknown command 'bestmove 0000'");
        assert_eq!(error("debug"), "cannot understand 'debug '");
        assert_eq!(error("register"), "cannot understand 'register '");
        assert_eq!(error("perft"), "perft lacks its depth");
        assert_eq!(error("perft x"), "perft: 'x' is not a depth");
        let long = error(&"garbage\u{0}".repeat(1_300_000));
        assert!(long.len() < 120, "{long}");
    }

    #[test]
    fn options_keep_blanks_in_values_and_lose_them_in_names() {
        for (line, name, value) in [
            ("setoption name Hash value 64 ", "Hash", Some("64")),
            ("setoption  name\tClear   Hash", "Clear Hash", None),
            ("setoption name Clear Hash value", "Clear Hash", Some("")),
            ("setoption name SyzygyPath value ", "SyzygyPath", Some("")),
            (
                "setoption name SyzygyPath value /a  b/c value d",
                "SyzygyPath",
                Some("/a  b/c value d"),
            ),
            ("SetOption Name Hash Value 64", "Hash", Some("64")),
            ("setoption name Hash 64", "Hash 64", None),
            ("setoption name Größe value ♔", "Größe", Some("♔")),
        ] {
            assert_eq!(command(line), option(name, value), "{line:?}");
        }
        for bad in [
            "setoption",
            "setoption name",
            "setoption name value 3",
            "setoption Hash value 64",
            "setoption name ValueScale value 1",
        ] {
            let named = error(bad).starts_with("cannot understand 'setoption");
            assert!(named, "{bad}");
        }
        let endless = format!("setoption name Hash value {}", "9".repeat(10_000_000));
        assert!(error(&endless).starts_with("line too long: "));
    }

    #[test]
    fn positions_keep_every_field_and_move() {
        for (line, expected) in [
            ("position startpos", position(None, &[])),
            ("position startpos moves", position(None, &[])),
            (
                "position startpos moves  e2e4\te7e5 ",
                position(None, &["e2e4", "e7e5"]),
            ),
            (
                "position fen 8/8/8/8/8/8/8/8 w HAha - 0 12345 moves a1a2",
                position(Some("8/8/8/8/8/8/8/8 w HAha - 0 12345"), &["a1a2"]),
            ),
            (
                "position  fen  8/8/8/8 b -  - moves",
                position(Some("8/8/8/8 b - -"), &[]),
            ),
        ] {
            assert_eq!(command(line), expected, "{line:?}");
        }
        assert_eq!(
            error("position startpos e2e4"),
            "position: 'e2e4' where 'moves' was expected"
        );
        assert_eq!(
            error("position fen moves e2e4"),
            "position: the FEN is missing"
        );
        for bad in ["position", "position startposmoves e2e4", "position e2e4"] {
            assert!(
                error(bad).ends_with("'startpos' or 'fen' was expected"),
                "{bad}"
            );
        }
    }

    /// The grammar must never bring the process down, even where we do not use it.
    #[test]
    fn a_panic_in_the_grammar_is_caught() {
        for line in ["go ", "go depth 256", "go movestogo 999", "info depth 300"] {
            assert_eq!(guarded(line), None, "{line:?}");
        }
        assert_eq!(guarded("uci"), Some(UciMessage::Uci));
    }
}
