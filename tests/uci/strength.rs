//! Playing weaker: `UCI_LimitStrength`, `UCI_Elo`, `Skill Level`, and when they do not hold.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use super::client::{Client, number};

const START: &str = "position startpos";
const MIDDLEGAME: &str =
    "position fen r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10";
/// More nodes than the weakest level visits.
const FEW: i64 = 1000;

fn set(client: &mut Client, option: &str) {
    assert_eq!(client.say(&format!("setoption name {option}")), [""; 0]);
}

/// A client that plays with this rating.
fn rated(rating: i32) -> Client {
    let mut client = Client::start();
    set(&mut client, "UCI_LimitStrength value true");
    set(&mut client, &format!("UCI_Elo value {rating}"));
    client
}

/// Nodes of a search of the middlegame that begins from nothing.
fn nodes(client: &mut Client) -> i64 {
    client.say("ucinewgame");
    client.search(MIDDLEGAME, "go depth 8").number("nodes")
}

#[test]
fn a_weak_player_looks_less_far() {
    let mut weak = rated(800);
    let mut fair = rated(2000);
    let mut full = Client::start();
    let searched = [&mut weak, &mut fair, &mut full].map(nodes);
    assert!(searched[0] < FEW, "{searched:?}");
    assert!(
        searched.is_sorted_by(|less, more| less < more),
        "{searched:?}"
    );
    for client in [weak, fair, full] {
        client.quit();
    }
}

#[test]
fn a_weak_player_does_not_always_play_the_same() {
    let mut client = rated(800);
    let mut played = BTreeSet::new();
    for _ in 0..200 {
        client.say("ucinewgame");
        let answer = client.search(MIDDLEGAME, "go depth 8");
        let line = answer.last_info();
        let best = format!(" pv {}", answer.best);
        assert!(line.contains(&best), "{line} but {}", answer.best);
        played.insert(answer.best);
        if played.len() > 3 {
            break;
        }
    }
    assert!(played.len() > 3, "{played:?}");
    client.quit();
}

#[test]
fn a_queen_for_nothing_is_taken() {
    let mut client = rated(1200);
    let hanging = "position startpos moves e2e4 e7e5 g1f3 d8g5";
    let takes = (0..50)
        .map(|_| client.search(hanging, "go movetime 1000").best)
        .filter(|best| best == "f3g5");
    let takes = takes.count();
    assert!(takes >= 45, "{takes} of 50");
    client.quit();
}

#[test]
fn nothing_is_held_back_unless_it_is_asked_for() {
    let mut client = Client::start();
    let full = nodes(&mut client);
    for options in [
        &["UCI_Elo value 800"][..],
        &["UCI_LimitStrength value true", "UCI_Elo value 3200"],
        &["UCI_Elo value 800", "UCI_AnalyseMode value true"],
    ] {
        for option in options {
            set(&mut client, option);
        }
        assert_eq!(nodes(&mut client), full, "{options:?}");
    }
    set(&mut client, "UCI_AnalyseMode value false");
    assert!(nodes(&mut client) < FEW);
    set(&mut client, "UCI_LimitStrength value false");
    set(&mut client, "Skill Level value 20");
    assert_eq!(nodes(&mut client), full);
    set(&mut client, "Skill Level value 0");
    assert!(nodes(&mut client) < FEW);
    // An analysis is never held back.
    client.send("go infinite");
    while number(&client.line("info depth"), "nodes") <= FEW {}
    client.send("stop");
    client.answer(MIDDLEGAME);
    let mate = "position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1";
    assert_eq!(client.search(mate, "go mate 2").number("mate"), 2);
    client.quit();
}

#[test]
fn the_limits_of_the_search_hold_as_ever() {
    let mut client = rated(2700);
    set(&mut client, "Threads value 2");
    let start = Instant::now();
    client.search(MIDDLEGAME, "go movetime 50");
    assert!(start.elapsed() < Duration::from_secs(10));
    let counted = client.search(MIDDLEGAME, "go nodes 100").number("nodes");
    assert!(counted <= 100, "{counted}");
    assert_eq!(client.search(START, "go depth 2").number("depth"), 2);
    let answer = client.search(START, "go depth 3 searchmoves a2a3 h2h3");
    assert!(["a2a3", "h2h3"].contains(&answer.best.as_str()));
    let mated = client.search("position startpos moves f2f3 e7e5 g2g4 d8h4", "go depth 4");
    assert_eq!(mated.best, "(none)");
    for _ in 0..20 {
        client.send("position startpos\ngo movetime 1000\nstop");
        client.answer(START);
    }
    assert_eq!(client.ready(), [""; 0]);
    client.quit();
}

#[test]
fn the_opponents_time_makes_a_weak_player_no_stronger() {
    let mut client = rated(1000);
    for release in ["ponderhit", "stop"] {
        client.send(MIDDLEGAME);
        client.send("go ponder wtime 60000 btime 60000");
        client.holds_back(Duration::from_millis(150));
        client.send(release);
        let answer = client.answer(MIDDLEGAME);
        assert!(answer.lines.len() < 60, "{:#?}", answer.lines);
    }
    client.send("go ponder wtime 60000 btime 60000");
    client.send("ponderhit");
    assert!(client.answer(MIDDLEGAME).number("nodes") < FEW);
    client.quit();
}

#[test]
fn several_lines_are_shown_as_asked_for() {
    let mut client = rated(1000);
    for lines in [1, 3] {
        set(&mut client, &format!("MultiPV value {lines}"));
        let answer = client.search(MIDDLEGAME, "go depth 1");
        let shown = answer.lines.iter().filter(|line| line.contains(" score "));
        let ranks: BTreeSet<i64> = shown.map(|line| number(line, "multipv")).collect();
        assert_eq!(ranks, (1..=lines).collect());
    }
    client.quit();
}
