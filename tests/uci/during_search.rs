//! Commands that arrive during a search: answered at once or done after it, in order,
//! and never a deadlock.

use std::time::{Duration, Instant};

use super::client::{Client, once_within};

const START: &str = "position startpos";

#[test]
fn isready_is_answered_at_once() {
    let mut client = Client::start();
    client.say("setoption name Threads value 4");
    client.send("go infinite");
    let timely = once_within(Duration::from_millis(10), || {
        let start = Instant::now();
        client.ready();
        start.elapsed()
    });
    assert!(timely, "too slow ten times");
    client.send("stop");
    client.answer(START);
    client.quit();
}

#[test]
fn stop_is_answered_within_milliseconds() {
    let mut client = Client::start();
    client.say("setoption name Hash value 256");
    for threads in [1, 2] {
        client.say(&format!("setoption name Threads value {threads}"));
        let timely = once_within(Duration::from_millis(10), || {
            client.send("go infinite");
            client.holds_back(Duration::from_millis(50));
            let start = Instant::now();
            client.send("stop");
            client.line("bestmove ");
            start.elapsed()
        });
        assert!(timely, "too slow ten times with {threads} threads");
    }
    client.quit();
}

#[test]
fn a_stop_that_comes_at_once_still_brings_a_move() {
    let mut client = Client::start();
    for _ in 0..50 {
        client.send("go infinite\nstop");
        let answer = client.answer(START);
        assert!(answer.lines.len() > 1, "no line of thought");
    }
    assert_eq!(client.ready(), [""; 0]);
    client.quit();
}

/// Scid takes a move that comes after `readyok` for the answer to its next `go`.
#[test]
fn after_a_stop_the_move_comes_before_readyok() {
    let mut client = Client::start();
    for start in ["go infinite", "go ponder wtime 1000 btime 1000"] {
        for _ in 0..20 {
            client.send(start);
            client.send("stop\nisready\nposition startpos\ngo depth 1");
            let said = client.until("readyok");
            let moves = said.iter().filter(|line| line.starts_with("bestmove"));
            assert_eq!(moves.count(), 1, "{said:#?}");
            // What follows a stop waits for a moment only: that is not worth a word.
            let waits = |line: &String| line.ends_with("waits for the end of the search");
            assert!(!said.iter().any(waits), "{said:#?}");
            client.answer(START);
        }
    }
    client.quit();
}

#[test]
fn what_changes_the_engine_waits_in_order() {
    let mut client = Client::start();
    let said = client.say(
        "go infinite\nsetoption name Hash value 2\nsetoption name MultiPV value 2\nucinewgame\n\
         position startpos moves e2e4\ngo depth 2",
    );
    let notes = said
        .iter()
        .filter(|line| line.ends_with("waits for the end of the search"));
    assert_eq!(notes.count(), 5, "{said:#?}");
    client.holds_back(Duration::from_millis(100));
    client.send("stop");
    client.answer(START);
    let second = client.answer("position startpos moves e2e4");
    assert!(second.lines.iter().any(|line| line.contains(" multipv 2 ")));
    client.quit();
}

#[test]
fn stop_reaches_what_was_sent_before_it() {
    let mut client = Client::start();
    client.send("go infinite\ngo infinite\ngo ponder\nperft 9\nstop");
    for _ in 0..3 {
        client.answer(START);
    }
    client.line("Nodes searched");
    client.send("go infinite");
    client.holds_back(Duration::from_millis(100));
    client.send("stop");
    client.answer(START);
    client.quit();
}

#[test]
fn each_go_gets_exactly_one_move() {
    let mut client = Client::start();
    client.send(&"go depth 2\n".repeat(20));
    for _ in 0..20 {
        client.answer(START);
    }
    client.send("stop\nstop\nponderhit");
    client.holds_back(Duration::from_millis(100));
    client.quit();
}

#[test]
fn questions_are_answered_during_a_search() {
    let mut client = Client::start();
    client.send("position startpos moves e2e4\ngo infinite");
    for (question, answer) in [
        ("uci", "uciok"),
        (
            "d",
            "FEN: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq",
        ),
        ("eval", "Evaluation: "),
        ("help", "and besides:"),
        ("register later", "registration ok"),
        ("nonsense", "info string error: unknown command 'nonsense'"),
    ] {
        client.send(question);
        client.line(answer);
    }
    client.send("debug on");
    client.send("stop");
    client.answer("position startpos moves e2e4");
    client.quit();
}

#[test]
fn perft_listens_too() {
    let mut client = Client::start();
    client.send("go perft 12");
    client.ready();
    client.send("go depth 1\nstop");
    assert!(client.line("Nodes searched").ends_with("(stopped)"));
    client.answer(START);
    client.quit();
}
