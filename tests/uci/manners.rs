//! Options about how the engine speaks and what it is told about the game.

use std::{
    fs, process,
    time::{Duration, Instant},
};

use super::client::Client;

const START: &str = "position startpos";

#[test]
fn minimal_shows_the_last_line_only() {
    let mut client = Client::start();
    let infos = |client: &mut Client| {
        let answer = client.search(START, "go depth 5");
        let lines = answer.lines.iter();
        lines.filter(|line| line.starts_with("info")).count()
    };
    assert!(infos(&mut client) >= 5);
    client.say("setoption name Minimal value true");
    assert_eq!(infos(&mut client), 1);
    client.say("setoption name MultiPV value 3");
    let answer = client.search(START, "go depth 5");
    let lines = answer.lines.iter().filter(|line| line.contains(" score "));
    let numbers: Vec<_> = lines.map(|line| line.contains("depth 5 ")).collect();
    assert_eq!(numbers, [true; 3]);
    for (line, number) in answer.lines.iter().zip(1..=3) {
        assert!(line.contains(&format!(" multipv {number} ")), "{line}");
    }
    client.quit();
}

#[test]
fn root_moves_are_announced_in_long_searches_only() {
    let mut client = Client::start();
    let start = Instant::now();
    client.send("go infinite");
    while !client.line("info depth").contains(" currmove ") {}
    assert!(start.elapsed() >= Duration::from_secs(3));
    client.send("stop");
    client.answer(START);
    client.quit();
}

#[test]
fn the_log_holds_what_was_heard_and_said() {
    let path = std::env::temp_dir().join(format!("arborist log {}.txt", process::id()));
    let shown = path.to_str().expect("a plain name").to_owned();
    let mut client = Client::start();
    client.say(&format!("setoption name Debug Log File value {shown}"));
    client.search(START, "go depth 2");
    client.say("setoption name Debug Log File value <empty>");
    client.say("flip");
    let log = fs::read_to_string(&path).expect("it was written");
    fs::remove_file(&path).expect("it was written");
    for part in [
        ">> position startpos\n",
        ">> go depth 2\n",
        "<< bestmove ",
        ">> setoption name Debug Log File value <empty>\n",
    ] {
        assert!(log.contains(part), "{part}: {log}");
    }
    assert!(!log.contains("flip"), "{log}");
    client.refused(
        "setoption name Debug Log File value /no such/folder/log",
        "Debug Log File: '/no such/folder/log': ",
    );
    client.quit();
}

#[test]
fn the_opponent_is_understood() {
    let mut client = Client::start();
    assert_eq!(
        client.say("setoption name UCI_Opponent value GM 2800 human Gary Kasparov"),
        ["info string the opponent is GM Gary Kasparov, a person rated 2800"]
    );
    assert_eq!(
        client.say("setoption name UCI_Opponent value none none computer Shredder"),
        ["info string the opponent is Shredder, a program"]
    );
    client.refused(
        "setoption name UCI_Opponent value somebody",
        "UCI_Opponent: 'somebody' is not title, rating",
    );
    client.quit();
}

#[test]
fn the_engine_tells_about_itself_and_cannot_be_talked_out_of_it() {
    let mut client = Client::start();
    client.send("uci");
    let lines = client.until("uciok");
    let about = lines
        .iter()
        .find_map(|line| line.strip_prefix("option name UCI_EngineAbout type string default "));
    let about = about.expect("the option is there");
    assert!(about.contains("Arborist") && about.contains("GPL"));
    assert_eq!(
        client.say(&format!("setoption name UCI_EngineAbout value {about}")),
        [""; 0]
    );
    client.refused(
        "setoption name UCI_EngineAbout value Another",
        "UCI_EngineAbout: 'Another' cannot be set",
    );
    client.quit();
}

#[test]
fn with_nodestime_the_clock_counts_nodes() {
    let mut client = Client::start();
    client.say("setoption name nodestime value 20");
    let mut nodes = |go| {
        client.say("ucinewgame");
        client.search(START, go).number("nodes")
    };
    let fixed = nodes("go movetime 100");
    // The last line of thought may come long before the end.
    assert!((1000..=2560).contains(&fixed), "{fixed}");
    assert_eq!(nodes("go movetime 100"), fixed);
    let clock = "go wtime 1000 btime 1000";
    let short = nodes(clock);
    assert_eq!(nodes(clock), short);
    assert!(nodes("go wtime 10000 btime 10000") > 2 * short);
    client.quit();
}
