//! `go mate N`: the shortest mate, proved, or the word that there is none.

use crate::client::{Answer, Client, game};

const MATES: &str = include_str!("../../bench-positions/mate.epd");

/// The positions, each with the length of its shortest mate.
fn mates() -> impl Iterator<Item = (String, i64)> {
    let lines = MATES.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let fields: Vec<_> = line.split(' ').take(4).collect();
        let length = line
            .split("dm ")
            .nth(1)
            .and_then(|rest| rest.split(';').next());
        let length = length.and_then(|length| length.parse().ok());
        let position = format!("position fen {} 0 1", fields.join(" "));
        (position, length.expect("a mate in so many moves"))
    })
}

/// What the answer says of proofs.
fn remark(answer: &Answer) -> &str {
    let mut remarks = answer
        .lines
        .iter()
        .filter(|line| line.starts_with("info string"));
    let last = remarks.next_back().expect("a remark");
    last.trim_start_matches("info string ")
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of nodes: run with --release")]
fn a_longer_mate_than_need_be_is_not_the_answer() {
    let mut client = Client::start();
    for (position, length) in mates() {
        client.say("ucinewgame");
        let answer = client.search(&position, &format!("go mate {}", length + 4));
        assert_eq!(answer.number("mate"), length, "{position}");
        assert_eq!(
            remark(&answer),
            format!("mate in {length} is the shortest: proved")
        );
        // The line shown is the whole of it.
        let line = answer.last_info().split(" pv ").nth(1).expect("a line");
        let plies = i64::try_from(line.split(' ').count()).expect("a short line");
        assert_eq!(plies, 2 * length - 1, "{position}");
    }
    client.quit();
}

#[test]
fn that_there_is_no_mate_is_said() {
    let mut client = Client::start();
    for (position, length) in mates().filter(|&(_, length)| (2..5).contains(&length)) {
        let shorter = length - 1;
        let answer = client.search(&position, &format!("go mate {shorter}"));
        assert_eq!(
            remark(&answer),
            format!("no mate in {shorter}: proved"),
            "{position}"
        );
        assert!(game(&position).parse_uci_move(&answer.best).is_ok());
    }
    let answer = client.search("position startpos", "go mate 3");
    assert_eq!(remark(&answer), "no mate in 3: proved");
    client.quit();
}

#[test]
fn only_the_moves_asked_for_mate() {
    let mut client = Client::start();
    let ladder = "position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1";
    for (moves, said) in [
        ("a2a7", "mate in 2 is the shortest: proved"),
        ("h1g1 h1h2", "mate in 4 is the shortest: proved"),
    ] {
        let answer = client.search(ladder, &format!("go mate 4 searchmoves {moves}"));
        assert_eq!(remark(&answer), said, "{moves}");
        assert!(moves.contains(&answer.best), "{}", answer.best);
    }
    client.quit();
}

#[test]
fn a_mate_beyond_the_fifty_moves_is_none() {
    let mut client = Client::start();
    // The second move of the ladder is the hundredth half move without progress, and mates; with
    // one half move more the game is drawn before.
    for (halfmoves, said) in [
        (97, "mate in 2 is the shortest: proved"),
        (98, "no mate in 3: proved"),
    ] {
        let ladder = format!("position fen 7k/8/8/8/8/8/R7/1R5K w - - {halfmoves} 80");
        let answer = client.search(&ladder, "go mate 3");
        assert_eq!(remark(&answer), said, "{halfmoves}");
    }
    client.quit();
}

#[test]
fn several_lines_do_not_keep_the_proof_away() {
    let mut client = Client::start();
    client.say("setoption name MultiPV value 3");
    let ladder = "position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1";
    let answer = client.search(ladder, "go mate 5");
    assert_eq!(remark(&answer), "mate in 2 is the shortest: proved");
    let answer = client.search("position startpos", "go mate 2");
    assert_eq!(remark(&answer), "no mate in 2: proved");
    for (position, length) in mates().filter(|&(_, length)| length < 5) {
        client.say("ucinewgame");
        let answer = client.search(&position, &format!("go mate {}", length + 4));
        let said = format!("mate in {length} is the shortest: proved");
        assert_eq!(remark(&answer), said, "{position}");
        let mut first = answer.lines.iter().rev();
        let first = first.find(|line| line.contains(" multipv 1 "));
        let first = first.expect("the best line");
        assert!(first.contains(&format!(" score mate {length} ")), "{first}");
    }
    client.quit();
}
