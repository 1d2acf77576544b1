//! Options: what is announced, how it may be written, and what happens to bad values.

use super::client::Client;

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
        "option name UCI_Elo type spin default 1500 min 800 max 2800",
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
