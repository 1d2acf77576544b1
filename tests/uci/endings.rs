//! How a conversation ends: `quit` and the end of the input, in every state.

use std::time::Duration;

use super::client::{Client, PATIENCE};

const SOON: Duration = Duration::from_secs(5);

/// Counts the moves played.
fn moves(lines: &[String]) -> usize {
    let is_move = |line: &&String| line.starts_with("bestmove ");
    lines.iter().filter(is_move).count()
}

#[test]
fn the_end_of_the_input_ends_an_idle_engine() {
    let mut client = Client::start();
    client.ready();
    client.hang_up();
    assert!(client.wait(SOON).success());
    let mut silent = Client::start();
    silent.hang_up();
    assert!(silent.wait(SOON).success());
    assert_eq!(silent.rest(), [""; 0]);
}

#[test]
fn the_end_of_the_input_ends_a_search_with_a_move() {
    for go in [
        "go infinite",
        "go ponder wtime 1000 btime 1000",
        "go depth 200",
    ] {
        let mut client = Client::start();
        client.send("position startpos moves e2e4");
        client.send(go);
        client.ready();
        client.hang_up();
        assert!(client.wait(SOON).success());
        assert_eq!(moves(&client.rest()), 1, "{go}");
    }
}

#[test]
fn what_waits_at_the_end_of_the_input_is_still_done() {
    let mut client = Client::start();
    client.send("go infinite\nposition startpos moves e2e4\ngo infinite\ngo ponder\nperft 9\nd");
    client.hang_up();
    assert!(client.wait(PATIENCE).success());
    let lines = client.rest();
    assert_eq!(moves(&lines), 3, "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("Nodes searched:")));
}

#[test]
fn a_last_line_without_a_line_break_counts() {
    let mut client = Client::start();
    client.send_bytes(b"isready");
    client.hang_up();
    assert_eq!(client.rest(), ["readyok"]);
    assert!(client.wait(SOON).success());
}

#[test]
fn quit_ends_any_state() {
    for lines in [
        "",
        "go infinite",
        "go ponder",
        "perft 9",
        "go infinite\ngo infinite",
    ] {
        let mut client = Client::start();
        client.say(lines);
        client.send("quit");
        assert!(client.wait(SOON).success(), "{lines}");
        let expected = usize::from(lines.contains("go"));
        assert_eq!(moves(&client.rest()), expected, "{lines}");
    }
}

#[test]
fn nobody_reading_is_no_reason_to_panic() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_arborist"))
        .args(["go", "depth", "60"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built for this test");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it is our child");
    assert!(output.status.success());
    assert!(output.stderr.is_empty(), "{output:?}");
}
