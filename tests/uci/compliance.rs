//! The forty steps by which the match manager fastchess tests an engine, in its order.

use std::time::{Duration, Instant};

use super::client::{Client, PATIENCE};

/// Checks the last line of thought as fastchess reads it.
fn check_info(lines: &[String]) {
    let scored = |line: &&String| {
        !line.starts_with("info string")
            && line.contains(" score ")
            && (!line.contains(" multipv ") || line.contains(" multipv 1 "))
    };
    let bound = |line: &&String| line.contains("lowerbound") || line.contains("upperbound");
    let line = lines
        .iter()
        .rfind(|line| scored(line) && !bound(line))
        .or_else(|| lines.iter().rfind(scored))
        .expect("a line of thought with a score");
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(words[0], "info");
    for (word, next) in words.iter().zip(&words[1..]) {
        if ["time", "nps", "score"].contains(word) {
            assert!(!next.is_empty() && !next.contains('.'), "{line}");
        }
    }
}

/// Waits for the move, which must be the last line.
fn check_answer(client: &mut Client) {
    let lines = client.until("bestmove");
    check_info(&lines);
    let best = lines.last().map_or("", |line| &line["bestmove".len()..]);
    assert!(best.trim().len() >= 4, "{best:?}");
    assert_eq!(client.listen(Duration::from_millis(20)), [""; 0]);
}

#[test]
fn all_forty_steps() {
    let start = Instant::now();
    let mut client = Client::start();
    client.send("uci");
    let lines = client.until("uciok");
    assert!(start.elapsed() < PATIENCE);
    client.ready();
    assert!(lines.iter().any(|line| line.starts_with("id name ")));
    assert!(lines.iter().any(|line| line.starts_with("id author ")));
    client.say("ucinewgame");
    client.say("position startpos");
    client.say("position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27");
    client.send("go wtime 100");
    check_answer(&mut client);
    client.send("position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    for go in [
        "go btime 100",
        "go wtime 100 winc 100 btime 100 binc 100",
        "go btime 100 binc 100 wtime 100 winc 100",
    ] {
        client.send(go);
        check_answer(&mut client);
    }
    client.send("ucinewgame");
    for position in ["position startpos", "position startpos moves e2e4 e7e5"] {
        client.send(position);
        client.send("go wtime 100 btime 100");
        check_answer(&mut client);
    }
    client.quit();
}
