//! Manners at a terminal: a word of welcome, and colours where they are wanted.
//!
//! The terminal is made by `script` of util-linux; where that is missing the tests say so and
//! are skipped.

use std::{
    io::Write,
    process::{Command, Stdio},
};

/// What appears at a terminal where `lines` are typed at the engine, started with `arguments`.
fn at_a_terminal(arguments: &str, lines: &str, no_color: bool) -> Option<String> {
    let engine = env!("CARGO_BIN_EXE_arborist");
    let mut command = Command::new("script");
    command
        .args(["-qec", &format!("'{engine}' {arguments}"), "/dev/null"])
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    if no_color {
        command.env("NO_COLOR", "1");
    }
    let Ok(mut terminal) = command.spawn() else {
        eprintln!("skipped: there is no `script`");
        return None;
    };
    let mut input = terminal.stdin.take().expect("it is piped");
    input.write_all(lines.as_bytes()).expect("it listens");
    drop(input);
    let output = terminal.wait_with_output().expect("it ends");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What is printed where neither side is a terminal.
fn through_pipes(lines: &str) -> String {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_arborist"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary was built for this test");
    let mut input = engine.stdin.take().expect("it is piped");
    input.write_all(lines.as_bytes()).expect("it listens");
    drop(input);
    let output = engine.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn who_asks_for_nothing_is_told_what_to_type() {
    let Some(shown) = at_a_terminal("", "quit\n", false) else {
        return;
    };
    assert!(shown.contains("Type `help` for a list"), "{shown:?}");
    let asked = at_a_terminal("uci", "quit\n", false).expect("as before");
    assert!(!asked.contains("Type"), "{asked:?}");
    assert_eq!(through_pipes("quit\n"), "");
}

#[test]
fn the_board_is_coloured_at_a_terminal_unless_unwanted() {
    const ESCAPE: char = '\u{1b}';
    let lines = "position fen 4k3/8/8/8/8/8/4R3/4K3 b - - 3 9\nd\nquit\n";
    assert!(!through_pipes(lines).contains(ESCAPE));
    let Some(shown) = at_a_terminal("", lines, false) else {
        return;
    };
    assert!(shown.contains(ESCAPE), "{shown:?}");
    let plain = at_a_terminal("", lines, true).expect("as before");
    assert!(!plain.contains(ESCAPE), "{plain:?}");
    assert!(plain.contains("8 |   |   |   |   | k |"), "{plain:?}");
    assert!(plain.contains("Checkers: e2"), "{plain:?}");
}
