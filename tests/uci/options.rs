//! Options: what is announced, how it may be written, and what happens to bad values.

#[cfg(target_os = "linux")]
use std::{
    fs,
    time::{Duration, Instant},
};

use super::client::Client;
#[cfg(target_os = "linux")]
use super::client::PATIENCE;

const START: &str = "position startpos";

#[test]
fn everything_a_client_needs_is_announced() {
    let mut client = Client::start();
    client.send("uci");
    let lines = client.until("uciok");
    for expected in [
        "option name Hash type spin default 16 min 1 max 33554432",
        "option name Threads type spin default 1 min 1 max 1024",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Move Overhead type spin default 10 min 0 max 5000",
        "option name UCI_Chess960 type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name SyzygyPath type string default <empty>",
        "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
        "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
        "option name Syzygy50MoveRule type check default true",
        "option name nodestime type spin default 0 min 0 max 10000",
        "option name Minimal type check default false",
        "option name UCI_Opponent type string default <empty>",
        "option name Debug Log File type string default <empty>",
        "option name OwnBook type check default false",
        "option name BookFile type string default <empty>",
        "option name BookDepth type spin default 255 min 1 max 255",
        "option name BookVariety type spin default 100 min 0 max 100",
        "option name UCI_AnalyseMode type check default false",
        "option name EvalFile type string default <internal>",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default 1500 min 800 max 3200",
        "option name Skill Level type spin default 20 min 0 max 20",
        "option name Contempt type spin default 0 min -300 max 300",
        "option name UCI_ShowCurrLine type check default false",
        "option name UCI_ShowRefutations type check default false",
        "option name UCI_SetPositionValue type string default <empty>",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected}");
    }
    client.quit();
}

#[test]
fn names_and_values_may_be_written_in_many_ways() {
    let mut client = Client::start();
    for line in [
        "setoption name Hash value 2",
        "setoption name hash value 2 ",
        "SETOPTION NAME HASH VALUE 2",
        "\tsetoption  name\tHash   value   2\r",
        "setoption name Clear Hash",
        "setoption name Clear  Hash",
        "setoption name clear hash value",
        "setoption name Ponder value true",
        "setoption name Ponder value False",
        "setoption name move overhead value 0",
        "setoption name MultiPV value 1",
        "setoption name UCI_Chess960 value false",
        "setoption name Threads value 2",
        "setoption name Threads value 1",
    ] {
        assert_eq!(client.say(line), [""; 0], "{line:?}");
    }
    client.search(START, "go depth 3");
    client.quit();
}

#[test]
fn bad_values_change_nothing_and_are_named() {
    let mut client = Client::start();
    client.say("setoption name MultiPV value 2");
    for (line, culprit) in [
        (
            "setoption name Hash value abc",
            "Hash: 'abc' is not a whole number",
        ),
        (
            "setoption name Hash value 0",
            "Hash: 0 is outside 1..=33554432",
        ),
        ("setoption name Hash value -1", "Hash: -1 is outside"),
        (
            "setoption name Hash value 9999999999",
            "Hash: 9999999999 is outside",
        ),
        (
            "setoption name Hash value 99999999999999999999999",
            "Hash: ",
        ),
        ("setoption name Hash value", "Hash: a value is needed"),
        ("setoption name Hash", "Hash: a value is needed"),
        ("setoption name Hash 64", "no option 'Hash 64'"),
        ("setoption name Threads value abc", "Threads: 'abc'"),
        (
            "setoption name Threads value 999999999999",
            "Threads: 999999999999",
        ),
        ("setoption name Threads value -5", "Threads: -5"),
        (
            "setoption name MultiPV value 0",
            "MultiPV: 0 is outside 1..=256",
        ),
        (
            "setoption name MultiPV value 257",
            "MultiPV: 257 is outside",
        ),
        ("setoption name Ponder value perhaps", "Ponder: 'perhaps'"),
        (
            "setoption name Move Overhead value 1e3",
            "Move Overhead: '1e3'",
        ),
        ("setoption name Nonsense value 1", "no option 'Nonsense'"),
        ("setoption name ValueScale value 1", "cannot understand"),
        ("setoption Hash value 64", "cannot understand"),
        ("setoption name", "cannot understand"),
        ("setoption", "cannot understand"),
    ] {
        client.refused(line, culprit);
    }
    let answer = client.search(START, "go depth 2");
    assert!(answer.lines.iter().any(|line| line.contains(" multipv 2 ")));
    client.quit();
}

#[test]
fn memory_that_is_not_there_leaves_the_table_as_it_is() {
    let mut client = Client::start();
    client.refused(
        "setoption name Hash value 33554432",
        "the table keeps its 16 MiB",
    );
    client.search(START, "go depth 4");
    client.quit();
}

#[test]
fn the_table_can_be_cleared_and_resized() {
    let mut client = Client::start();
    for hash in [1, 33, 7, 1] {
        assert_eq!(
            client.say(&format!("setoption name Hash value {hash}")),
            [""; 0]
        );
        client.search(START, "go depth 4");
        client.say("setoption name Clear Hash");
        client.search(START, "go depth 4");
    }
    client.quit();
}

#[test]
fn a_larger_table_is_filled_less() {
    let mut client = Client::start();
    let mut filled = |mebibytes| {
        client.say(&format!(
            "setoption name Hash value {mebibytes}\nucinewgame"
        ));
        client.search(START, "go nodes 30000").number("hashfull")
    };
    let (small, large) = (filled(1), filled(32));
    assert!(small > 8 * large, "{small} and {large}");
    client.quit();
}

#[test]
fn clearing_the_table_forgets_what_it_knew() {
    let mut client = Client::start();
    client.search(START, "go depth 6");
    // The line of a search to depth 1 has one move: only the table knows a reply to it.
    assert!(client.search(START, "go depth 1").ponder.is_some());
    client.say("setoption name Clear Hash");
    assert_eq!(client.search(START, "go depth 1").ponder, None);
    client.quit();
}

/// Number of threads that have searched for a while, by what the system knows of them.
#[cfg(target_os = "linux")]
fn searching_threads(client: &Client) -> usize {
    let folder = format!("/proc/{}/task", client.process());
    let tasks = fs::read_dir(folder).expect("the engine runs");
    let has_searched = |stat: &String| {
        let (name, fields) = stat.rsplit_once(')').expect("the name is in brackets");
        // The twelfth field after the name: ticks of the clock spent in the program.
        let ticks = fields.split_whitespace().nth(11);
        name.contains("(search ") && ticks.is_some_and(|ticks| ticks != "0")
    };
    tasks
        .filter_map(|task| fs::read_to_string(task.ok()?.path().join("stat")).ok())
        .filter(has_searched)
        .count()
}

#[test]
#[cfg(target_os = "linux")]
fn as_many_threads_search_as_are_asked_for() {
    let mut client = Client::start();
    for threads in [1, 3, 2] {
        client.say(&format!("setoption name Threads value {threads}"));
        client.send("go infinite");
        let deadline = Instant::now() + PATIENCE;
        while searching_threads(&client) < threads {
            assert!(Instant::now() < deadline, "{threads} threads do not search");
            client.holds_back(Duration::from_millis(20));
        }
        client.send("stop");
        client.answer(START);
        assert_eq!(searching_threads(&client), threads);
    }
    client.quit();
}
