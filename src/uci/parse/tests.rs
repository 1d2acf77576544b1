//! Lines as clients and people write them, and what is made of them.

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
        ("go perft 0", Command::Perft(0)),
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
    assert_eq!(error("debug"), "cannot understand 'debug'");
    assert_eq!(error("register"), "cannot understand 'register '");
    assert_eq!(error("perft"), "perft lacks its depth");
    assert_eq!(error("perft x"), "perft: 'x' is not a depth");
    assert_eq!(error("perft -5"), "perft: '-5' is not a depth");
    assert_eq!(error("go perft -5"), "perft: '-5' is not a depth");
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
