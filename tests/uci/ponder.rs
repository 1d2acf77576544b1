//! Searches whose answer is held back: `infinite` and `ponder`.

use std::time::{Duration, Instant};

use super::client::Client;

const START: &str = "position startpos";
const A_WHILE: Duration = Duration::from_millis(150);

/// Positions in which a search has nothing left to do.
const SOON_DONE: [&str; 5] = [
    "position fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1",
    "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
    "position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "position fen 7k/8/8/8/8/8/r7/1K6 w - - 0 1",
];

#[test]
fn infinite_waits_for_stop_even_when_nothing_is_left_to_do() {
    let mut client = Client::start();
    for position in SOON_DONE {
        for go in [
            "go infinite",
            "go infinite depth 1",
            "go infinite nodes 1",
            "go",
        ] {
            client.send(position);
            client.send(go);
            client.holds_back(Duration::from_millis(60));
            client.send("stop");
            client.answer(position);
        }
    }
    client.quit();
}

#[test]
fn ponder_waits_for_ponderhit_or_stop() {
    let mut client = Client::start();
    for go in [
        "go ponder wtime 100 btime 100 winc 10 binc 10",
        "go ponder movetime 20",
        "go wtime 100 btime 100 ponder",
        "go ponder depth 1",
        "go ponder",
    ] {
        for release in ["ponderhit", "stop"] {
            client.send(START);
            client.send(go);
            client.holds_back(A_WHILE);
            client.send(release);
            client.answer(START);
        }
    }
    for position in SOON_DONE {
        client.send(position);
        client.send("go ponder wtime 50 btime 50");
        client.holds_back(Duration::from_millis(60));
        client.send("ponderhit");
        client.answer(position);
    }
    client.quit();
}

#[test]
fn after_ponderhit_the_limits_hold() {
    let mut client = Client::start();
    client.send("go ponder movetime 300");
    client.send("ponderhit");
    let start = Instant::now();
    client.answer(START);
    assert!(start.elapsed() < Duration::from_secs(5));
    client.send("go ponder infinite");
    client.send("ponderhit");
    client.holds_back(A_WHILE);
    client.send("stop");
    client.answer(START);
    client.quit();
}

#[test]
fn ponderhit_reaches_a_ponder_that_waits() {
    let mut client = Client::start();
    client.send("go infinite\ngo ponder depth 2\nponderhit");
    client.holds_back(A_WHILE);
    client.send("stop");
    client.answer(START);
    client.answer(START);
    client.quit();
}

#[test]
fn a_move_to_ponder_on_is_offered() {
    let mut client = Client::start();
    let answer = client.search(START, "go depth 5");
    assert!(answer.ponder.is_some());
    client.quit();
}
