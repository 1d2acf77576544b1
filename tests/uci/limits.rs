//! What ends a search: every limit, alone and together, sensible or not.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use super::client::{Answer, Client, game, number, once_within};

const START: &str = "position startpos";
const MIDDLEGAME: &str =
    "position fen r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10";

#[test]
fn a_clock_of_any_kind_brings_a_move() {
    let mut client = Client::start();
    for go in [
        "go wtime 100",
        "go btime 100",
        "go wtime -50 btime 1000",
        "go wtime 0 btime 0",
        "go wtime 0 btime 0 winc 0 binc 0 movestogo 0",
        "go wtime 1 btime 1 movestogo 1",
        "go wtime 10 btime 10 winc -3 binc -3",
        "go wtime 100 btime 100 movestogo 0",
        "go wtime 100 btime 100 movestogo 1",
        "go wtime 100 btime 100 movestogo 999999",
        "go wtime 99.5 btime 100.25",
        "go winc 50 binc 50",
        "go movestogo 1",
        "go wtime 9223372036854775807 btime 99999999999999999999999 depth 2",
        "go wtime btime 5",
    ] {
        client.search(MIDDLEGAME, go);
    }
    client.quit();
}

#[test]
fn the_clock_is_kept() {
    let mut client = Client::start();
    for go in [
        "go wtime 1000 btime 1000 movestogo 1",
        "go wtime 1000 btime 1000",
        "go wtime 1000 btime 1000 movestogo 2",
        "go wtime 1000 btime 1000 movestogo 0",
    ] {
        let answer = client.search(MIDDLEGAME, go);
        assert!(answer.number("time") < 1000, "{go}");
    }
    client.quit();
}

#[test]
fn the_overhead_of_a_move_is_kept_back() {
    let mut client = Client::start();
    // Nodes stand for time, so that a busy machine changes nothing.
    client.say("setoption name nodestime value 20");
    let mut nodes = |overhead| {
        client.say(&format!(
            "setoption name Move Overhead value {overhead}\nucinewgame"
        ));
        let go = "go wtime 1000 btime 1000 movestogo 1";
        client.search(MIDDLEGAME, go).number("nodes")
    };
    let (without, with) = (nodes(0), nodes(800));
    // Between two looks at the clock a few hundred nodes go by.
    assert!(with < 200 * 20 + 600, "{with}");
    assert!(without > 2 * with, "{without} and {with}");
    client.quit();
}

#[test]
fn the_time_for_a_move_is_kept() {
    let mut client = Client::start();
    let timely = once_within(Duration::from_millis(100), || {
        let start = Instant::now();
        client.search(MIDDLEGAME, "go movetime 100");
        assert!(start.elapsed() > Duration::from_millis(50));
        start.elapsed()
    });
    assert!(timely, "too slow ten times");
    for go in ["go movetime 1", "go movetime 0", "go movetime -5"] {
        client.search(MIDDLEGAME, go);
    }
    client.quit();
}

#[test]
fn nodes_are_counted_exactly() {
    let mut client = Client::start();
    for nodes in [1, 2, 100, 5000] {
        let mut visited = || {
            client.say("ucinewgame");
            let answer = client.search(MIDDLEGAME, &format!("go nodes {nodes}"));
            answer.number("nodes")
        };
        let first = visited();
        assert!(first <= nodes, "{first} of {nodes}");
        assert_eq!(visited(), first);
    }
    client.search(MIDDLEGAME, "go nodes 0");
    client.search(MIDDLEGAME, "go nodes 1000000000000 depth 2");
    client.quit();
}

#[test]
fn depth_is_kept_and_zero_means_one() {
    let mut client = Client::start();
    for (go, depth) in [
        ("go depth 4", 4),
        ("go depth 1", 1),
        ("go depth 0", 1),
        ("go depth -7", 1),
        ("go depth 3 nodes 100000000 movetime 1000000", 3),
        ("go wtime 1000000 btime 1000000 depth 3 foo", 3),
    ] {
        let answer = client.search(START, go);
        assert_eq!(answer.number("depth"), depth, "{go}");
    }
    for depth in [256, 999, 1000, 99_999_999_999_i64] {
        client.search(START, &format!("go depth {depth} movetime 20"));
    }
    client.quit();
}

#[test]
fn a_mate_ends_a_search_for_it() {
    let mut client = Client::start();
    for (position, mate) in [
        ("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
        ("position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2),
        ("position fen k7/8/1K6/8/8/8/8/7R b - - 0 1", -1),
    ] {
        let answer = client.search(position, &format!("go mate {}", i32::abs(mate)));
        assert_eq!(answer.number("mate"), i64::from(mate), "{position}");
    }
    client.search(START, "go mate 300 depth 2");
    client.search(START, "go mate 0 depth 2");
    client.quit();
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut client = Client::start();
    for go in [
        "go searchmoves a2a3 depth 3",
        "go depth 3 searchmoves a2a3",
        "go searchmoves a2a3 a2a3 zzzz 0000 e2e5 depth 3",
        "go movetime 50 searchmoves A2A3 wtime 10 btime 10",
    ] {
        let answer = client.search(START, go);
        assert_eq!(answer.best, "a2a3", "{go}");
        assert_eq!(answer.errors().len(), usize::from(go.contains("zzzz")));
    }
    let answer = client.search(START, "go searchmoves a2a3 h2h3 depth 3");
    assert!(["a2a3", "h2h3"].contains(&answer.best.as_str()));
    for go in ["go searchmoves depth 2", "go searchmoves 0000 depth 2"] {
        client.search(START, go);
    }
    client.quit();
}

#[test]
fn without_a_legal_move_there_is_still_an_answer() {
    let mut client = Client::start();
    for (position, score) in [
        ("position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "mate 0"),
        ("position startpos moves f2f3 e7e5 g2g4 d8h4", "mate 0"),
        ("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
    ] {
        for go in [
            "go depth 5",
            "go movetime 10",
            "go wtime 100 btime 100",
            "go nodes 1",
        ] {
            let answer = client.search(position, go);
            let expected = [
                format!("info depth 0 score {score}"),
                "bestmove (none)".to_owned(),
            ];
            assert_eq!(answer.lines, expected, "{position}");
        }
    }
    client.quit();
}

#[test]
fn the_same_search_twice_is_the_same() {
    let mut client = Client::start();
    let mut nodes = || {
        client.say("ucinewgame");
        client.search(MIDDLEGAME, "go depth 6").number("nodes")
    };
    assert_eq!(nodes(), nodes());
}

/// The lines of thought, one group for each iteration.
fn iterations(answer: &Answer) -> Vec<Vec<&String>> {
    let lines = answer.lines.iter().filter(|line| line.contains(" pv "));
    let lines: Vec<_> = lines.collect();
    let rank = |line: &str| number(line, "multipv");
    let groups = lines.chunk_by(|line, next| rank(line) < rank(next));
    groups.map(<[_]>::to_vec).collect()
}

/// What a line is worth: a mate more than any centipawns, and the more the sooner.
fn worth(line: &str) -> i64 {
    if line.contains(" mate ") {
        let moves = number(line, "mate");
        moves.signum() * 1_000_000 - moves
    } else {
        number(line, "cp")
    }
}

/// Asserts that every iteration shows so many exact lines, the best one first, each with
/// another first move.
fn check_lines(answer: &Answer, number_of_lines: usize) {
    for lines in iterations(answer) {
        check_order(&lines, number_of_lines);
        assert!(lines.iter().all(|line| !line.contains("bound")));
    }
}

/// Each line has a first move of its own, and none is worth more than the one before.
fn check_order(lines: &[&String], number_of_lines: usize) {
    assert_eq!(lines.len(), number_of_lines, "{lines:#?}");
    assert!(lines.is_sorted_by_key(|line| -worth(line)), "{lines:#?}");
    let first_moves: BTreeSet<_> = lines
        .iter()
        .filter_map(|line| line.split(" pv ").nth(1)?.split(' ').next())
        .collect();
    assert_eq!(first_moves.len(), number_of_lines, "{lines:#?}");
    for (line, rank) in lines.iter().zip(1..) {
        assert_eq!(number(line, "multipv"), rank, "{line}");
    }
}

#[test]
fn several_lines_come_in_order_and_are_exact() {
    let mut client = Client::start();
    let legal = game(MIDDLEGAME).legal_moves().len();
    for (wanted, go, shown) in [
        (4, "go depth 5", 4),
        (256, "go depth 2", legal),
        (3, "go depth 4 searchmoves a2a3 h2h3", 2),
    ] {
        client.say(&format!("setoption name MultiPV value {wanted}"));
        let answer = client.search(MIDDLEGAME, go);
        check_lines(&answer, shown);
        let last = iterations(&answer).pop().expect("one for each depth");
        assert!(last[0].contains(&format!(" pv {}", answer.best)));
    }
    let mate = "position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1";
    let answer = client.search(mate, "go mate 2");
    check_lines(&answer, 3);
    let last = iterations(&answer).pop().expect("one for each depth");
    assert_eq!(number(last[0], "mate"), 2);
    client.quit();
}

#[test]
fn several_lines_stay_in_order_when_they_are_cut_short() {
    let mut client = Client::start();
    client.say("setoption name MultiPV value 4");
    for nodes in (1..40).map(|step| step * 997) {
        client.say("ucinewgame");
        let answer = client.search(MIDDLEGAME, &format!("go nodes {nodes}"));
        let last = iterations(&answer).pop().expect("at least one");
        check_order(&last, 4);
        assert!(last[0].contains(&format!(" pv {}", answer.best)));
    }
    client.quit();
}

#[test]
fn several_threads_play_whole_games() {
    let mut client = Client::start();
    client.say("setoption name Threads value 3");
    let mut position = "position startpos moves".to_owned();
    for _ in 0..30 {
        let answer = client.search(&position, "go movetime 10");
        if answer.best == "(none)" {
            break;
        }
        position.push(' ');
        position.push_str(&answer.best);
    }
    client.quit();
}
