//! Strange and broken input: understood where it can be, refused in one line where not,
//! and never harmful. Among it every line on which `vampirc-uci` 0.11.1 panics or
//! silently loses data.

use std::time::Duration;

use super::client::Client;

const START: &str = "position startpos";

/// The first two fields of the present FEN.
fn board(client: &mut Client) -> String {
    client.send("d");
    let line = client.line("FEN: ");
    client.ready();
    line.split(' ')
        .skip(1)
        .take(2)
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn blanks_and_line_ends_do_not_matter() {
    let mut client = Client::start();
    client.send_bytes(b"\xef\xbb\xbfuci\r\n");
    client.line("uciok");
    for line in [
        "isready\r",
        "  isready",
        "\tisready\t",
        "IsReady",
        "isready now",
        "\r\r isready",
    ] {
        client.send(line);
        client.line("readyok");
    }
    assert_eq!(
        client.say("\n\r\n   \n\t\n# a comment\n#go infinite"),
        [""; 0]
    );
    client.say("  position\tstartpos   moves  e2e4\t\te7e5 \r");
    assert_eq!(
        board(&mut client),
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"
    );
    client.quit();
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    let mut client = Client::start();
    assert_eq!(client.say("joho position startpos moves e2e4"), [""; 0]);
    assert!(board(&mut client).ends_with(" b"));
    for line in [
        "isreadyx",
        "ponderhitx",
        "bestmove (none)",
        "bestmove 0000",
        "info depth 300",
        "info seldepth 256",
        "info depth 1 wdl 1 2 3 nodes 5 pv e2e4",
        "joho d",
        "xyzzy",
    ] {
        client.refused(line, "unknown command '");
    }
    client.refused("debug", "cannot understand");
    client.refused("debug maybe", "cannot understand");
    client.refused("register", "cannot understand");
    assert_eq!(client.say("ucinewgame x\ndebug off now"), [""; 0]);
    client.quit();
}

#[test]
fn every_go_that_a_grammar_might_lose_is_answered() {
    let mut client = Client::start();
    for (go, errors) in [
        ("go depth 3 ", 0),
        ("go wtime 1 btime 1 ", 0),
        ("go\tdepth\t3", 0),
        ("GO DEPTH 3", 0),
        ("go movestogo 256 wtime 10 btime 10", 0),
        ("go movestogo 1000 wtime 10 btime 10", 0),
        ("go nodes 1e6", 1),
        ("go wtime 9999999999999 btime 1 depth 2", 0),
        ("go wtime 1.5 btime 2", 0),
        ("go wtime 10 btime 10 movestogo -1", 0),
        ("go depth 3 foo nodes 6", 1),
        ("go movetime 20 wtime 500", 0),
        ("go foo depth 3", 1),
        ("go searchmoves depth 3", 0),
        ("go depth -1", 0),
        ("go depth", 1),
        ("go wtime btime 5", 1),
        ("go searchmoves e2e4 zzzz depth 3", 1),
        ("go searchmoves 0000 depth 3", 1),
        ("go \u{0} \u{fffd} depth 3", 1),
    ] {
        let answer = client.search(START, go);
        assert_eq!(answer.errors().len(), errors, "{go:?}: {:#?}", answer.lines);
    }
    for go in [
        "go ",
        "go infinite ",
        "go\t",
        "go wtime 1 btime 1 infinite",
        "go searchmoves",
    ] {
        client.send(START);
        client.send(go);
        client.holds_back(Duration::from_millis(50));
        client.send("stop");
        client.answer(START);
    }
    client.quit();
}

#[test]
fn positions_that_a_grammar_might_lose_are_set_up() {
    let mut client = Client::start();
    for (line, expected) in [
        (
            "position fen 4k3/8/8/8/8/8/4P3/4K3 w - -",
            "4k3/8/8/8/8/8/4P3/4K3 w",
        ),
        (
            "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 3",
            "4k3/8/8/8/8/8/4P3/4K3 w",
        ),
        (
            "position fen 4k3/8/8/8/8/8/4P3/4K3 b",
            "4k3/8/8/8/8/8/4P3/4K3 b",
        ),
        (
            "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 12345 moves e2e4",
            "4k3/8/8/8/4P3/8/8/4K3 b",
        ),
        (
            "position startpos moves  e2e4",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b",
        ),
        (
            "position startpos moves E2E4",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b",
        ),
        (
            "POSITION STARTPOS MOVES d2d4",
            "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b",
        ),
        (
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KKKK - 99999 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w",
        ),
        (
            "position fen 4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1",
            "4k3/8/8/8/8/8/8/4K3 w",
        ),
    ] {
        assert_eq!(client.say(line), [""; 0], "{line}");
        assert_eq!(board(&mut client), expected, "{line}");
    }
    client.quit();
}

#[test]
fn impossible_positions_are_refused_and_the_old_one_kept() {
    let mut client = Client::start();
    client.say("position startpos moves e2e4");
    let before = board(&mut client);
    for (line, culprit) in [
        ("position", "'startpos' or 'fen'"),
        ("position fen", "FEN is missing"),
        ("position fen moves e2e4", "FEN is missing"),
        ("position startposmoves e2e4", "'startposmoves'"),
        ("position startpos e2e4", "'e2e4' where 'moves'"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "board is empty"),
        (
            "position fen 8/8/8/8/8/8/4P3/8 w - - 0 1",
            "king is missing",
        ),
        (
            "position fen 44444444/8/8/8/8/8/8/8 w - - 0 1",
            "position: ",
        ),
        (
            "position fen 4k3/8/8/8/8/8/8/4KR2 x - - 0 1",
            "side to move",
        ),
        (
            "position fen 4k3/8/8/8/8/8/8/4K2P w - - 0 1",
            "pawn on the first",
        ),
        ("position fen 4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "in check"),
        (
            "position fen kk6/8/8/8/8/8/8/K7 w - - 0 1",
            "more than one king",
        ),
        ("position fen garbage", "position: "),
        (
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; x",
            "position: ",
        ),
        (
            "position startpos moves e2e5",
            "move 1: the move e2e5 is not legal",
        ),
        ("position startpos moves e2e4 xxxx e7e5", "move 2: "),
        ("position startpos moves e2e4 e7e5 0000", "move 3: "),
        ("position startpos moves e2e4 e2e4", "move 2: "),
    ] {
        client.refused(line, culprit);
        assert_eq!(board(&mut client), before, "{line}");
    }
    client.search("position startpos moves e2e4", "go depth 2");
    client.quit();
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let mut client = Client::start();
    client.send_bytes(b"\xff\xfe\x00\x80garbage\xc3\x28\n");
    client.send_bytes(b"setoption name \xff\xff value \xfe\n");
    client.send_bytes(b"position fen \xe2\x28\xa1 w - - 0 1\n");
    client.send_bytes(b"position startpos moves \xff\xff\n");
    client.send_bytes(b"go \xf0\x28\x8c\xbc depth 2\n");
    let errors = client.until("bestmove");
    let is_error = |line: &&String| line.starts_with("info string error: ");
    assert_eq!(errors.iter().filter(is_error).count(), 5, "{errors:#?}");
    assert!(errors.iter().all(|line| line.len() < 300));
    assert_eq!(client.ready(), [""; 0]);
    client.quit();
}

#[test]
fn endless_lines_are_refused_in_one_short_line() {
    const SIZE: usize = 10_000_000;
    let mut client = Client::start();
    client.refused(&"x".repeat(SIZE), "unknown command 'xxx");
    client.refused(&"x ".repeat(SIZE / 2), "unknown command 'x x");
    client.refused(
        &format!("setoption name Hash value {}", "9".repeat(SIZE)),
        "line too long",
    );
    client.refused(
        &format!("setoption name {}", "a ".repeat(SIZE / 2)),
        "line too long",
    );
    client.refused(
        &format!("position fen {}", "8/".repeat(SIZE / 2)),
        "position: ",
    );
    client.refused(
        &format!("position startpos moves {}", "e2e4".repeat(SIZE / 4)),
        "move 1: ",
    );
    client.refused(
        &format!("position startpos moves{}", " e2e4".repeat(SIZE / 5)),
        "move 2: ",
    );
    assert_eq!(client.say(&" ".repeat(SIZE)), [""; 0]);
    client.send(&format!("go depth 2{}", " foo".repeat(SIZE / 4)));
    let answer = client.answer(START);
    assert_eq!(answer.errors().len(), 1);
    assert!(answer.errors()[0].len() < 300);
    client.quit();
}

#[test]
fn a_long_game_is_replayed() {
    let mut client = Client::start();
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(600);
    client.say(&format!("position startpos moves{shuffle} e2e4"));
    assert_eq!(
        board(&mut client),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"
    );
    client.quit();
}
