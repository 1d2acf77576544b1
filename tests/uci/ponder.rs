//! Searches whose answer is held back: `infinite` and `ponder`.

use std::time::{Duration, Instant};

use super::client::{Client, once_within};

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
fn a_hit_saves_the_time_that_was_pondered() {
    let mut client = Client::start();
    // Of this clock a move takes at most 650 ms, and more than 20.
    let timely = once_within(Duration::from_millis(20), || {
        client.send(START);
        client.send("go ponder wtime 4000 btime 4000");
        client.holds_back(Duration::from_millis(700));
        let start = Instant::now();
        client.send("ponderhit");
        client.answer(START);
        start.elapsed()
    });
    assert!(timely, "too slow ten times");
    client.quit();
}

#[test]
fn who_may_ponder_spends_more_of_the_clock() {
    let mut client = Client::start();
    // Nodes stand for time, so that a busy machine changes nothing.
    client.say("setoption name nodestime value 20");
    let mut nodes = |ponder| -> i64 {
        client.say(&format!("setoption name Ponder value {ponder}"));
        let clocks = (1..=10).map(|number| number * 2000);
        let nodes = clocks.map(|time| {
            client.say("ucinewgame");
            let go = format!("go wtime {time} btime {time}");
            client.search(START, &go).number("nodes")
        });
        nodes.sum()
    };
    let (without, with) = (nodes(false), nodes(true));
    assert!(with > without, "{with} and {without}");
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

#[test]
fn the_reply_is_that_of_the_last_line_shown() {
    let mut client = Client::start();
    client.say("setoption name MultiPV value 5");
    // The client compares the two in every answer.
    let pawns = "position fen 8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 0 1";
    for nodes in (100..2000).step_by(3) {
        client.say("ucinewgame");
        client.search(pawns, &format!("go nodes {nodes}"));
    }
    client.quit();
}
