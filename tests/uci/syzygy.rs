//! Endgame tables: options, what is wrong with files, and what the tables change.
//!
//! `ARBORIST_SYZYGY=DIR` names a folder with all tables of up to four pieces; what needs
//! them says so and is skipped without.

use std::{env, fs, path::PathBuf, process};

use super::client::{Client, number};

/// The folder of the tables, if there is one.
pub(crate) fn folder() -> Option<String> {
    let folder = env::var("ARBORIST_SYZYGY").ok();
    if folder.is_none() {
        eprintln!("skipped: ARBORIST_SYZYGY names no folder of endgame tables");
    }
    folder
}

/// A client that has the tables.
pub(crate) fn informed(folder: &str) -> Client {
    let mut client = Client::start();
    let said = client.say(&format!("setoption name SyzygyPath value {folder}"));
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].ends_with("tables, up to 4 pieces"), "{said:?}");
    client
}

/// A folder with one file that is no table, which goes when the test ends.
struct Damaged(PathBuf);

impl Damaged {
    fn new() -> Self {
        let folder = env::temp_dir().join(format!("arborist tables {}", process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        fs::write(folder.join("KQvK.rtbw"), [7; 80]).expect("a temporary file");
        Self(folder)
    }
}

impl Drop for Damaged {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn folders_without_tables_are_refused() {
    let mut client = Client::start();
    client.refused(
        "setoption name SyzygyPath value /no such/folder",
        "SyzygyPath: '/no such/folder': ",
    );
    let empty = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    client.refused(
        &format!("setoption name SyzygyPath value {empty}"),
        "SyzygyPath: no tables in ",
    );
    for nothing in ["", "<empty>"] {
        let option = format!("setoption name SyzygyPath value {nothing}");
        assert_eq!(client.say(&option), [""; 0]);
    }
    client.quit();
}

#[test]
fn a_damaged_table_is_reported_once_and_survived() {
    let folder = Damaged::new();
    let mut client = Client::start();
    let path = folder.0.to_str().expect("a plain name");
    let said = client.say(&format!("setoption name SyzygyPath value {path}"));
    let expected = "info string 1 WDL and 0 DTZ tables, up to 3 pieces";
    assert_eq!(said, [expected]);
    let won = "position fen 8/8/8/4k3/8/8/8/K6Q w - - 0 1";
    let errors: Vec<usize> = (0..3)
        .map(|_| client.search(won, "go depth 6").errors().len())
        .collect();
    assert_eq!(errors, [1, 0, 0]);
    client.quit();
}

#[test]
fn the_search_finds_wins_by_capturing_into_the_tables() {
    let Some(folder) = folder() else { return };
    let mut client = informed(&folder);
    // White takes the rook and keeps a won pawn ending.
    let five = "position fen 8/8/1k6/8/3r4/2K5/1P5P/8 w - - 0 1";
    let answer = client.search(five, "go depth 8");
    assert!(answer.number("tbhits") > 0);
    assert!((19_000..20_000).contains(&answer.number("cp")));
    for restriction in [
        "setoption name SyzygyProbeLimit value 3",
        "setoption name SyzygyProbeLimit value 4\nsetoption name SyzygyProbeDepth value 100",
        "setoption name SyzygyPath value <empty>",
    ] {
        client.say("ucinewgame");
        client.say(restriction);
        let answer = client.search(five, "go depth 3");
        assert_eq!(answer.number("tbhits"), 0, "{restriction}");
        assert!(answer.number("cp") < 19_000, "{restriction}");
    }
    client.quit();
}

#[test]
fn the_root_is_ranked_and_mates_are_told_apart() {
    let Some(folder) = folder() else { return };
    let mut client = informed(&folder);
    let bishop_and_knight = "position fen 8/8/8/4k3/8/8/8/KBN5 w - - 0 1";
    let answer = client.search(bishop_and_knight, "go depth 5");
    assert_eq!(answer.number("cp"), 20_000);
    assert_eq!(answer.number("tbhits"), 13, "one for each move");
    let mate = "position fen 7k/8/6K1/8/8/8/8/3Q4 w - - 0 1";
    let answer = client.search(mate, "go depth 5");
    assert!(answer.last_info().contains("score mate 1"));
    // Two moves win, to either side of the pawn; the others come after them.
    client.say("setoption name MultiPV value 3");
    let opposition = "position fen 4k3/8/4K3/4P3/8/8/8/8 w - - 0 1";
    let answer = client.search(opposition, "go depth 6");
    let last = |line: &str| {
        let part = format!(" multipv {line} ");
        let mut lines = answer.lines.iter().filter(|line| line.contains(&part));
        number(lines.next_back().expect("three lines"), "cp")
    };
    assert_eq!(["1", "2", "3"].map(last), [20_000, 20_000, 0]);
    client.say("setoption name MultiPV value 1");
    let rooks = "position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1";
    assert_eq!(client.search(rooks, "go mate 2").number("mate"), 2);
    let moves = "a2a3 a2b2 h1h2";
    let answer = client.search(rooks, &format!("go depth 3 searchmoves {moves}"));
    assert!(moves.contains(&answer.best) && answer.number("cp") == 20_000);
    let shown = client.say(&format!("{bishop_and_knight}\nd"));
    let result = shown.iter().find(|line| line.starts_with("Tablebase: "));
    assert!(result.is_some_and(|line| line.contains("won for the side to move, DTZ ")));
    client.quit();
}

#[test]
fn a_win_that_comes_too_late_is_a_draw_unless_told_otherwise() {
    let Some(folder) = folder() else { return };
    let mut client = informed(&folder);
    let late = "position fen 8/8/8/4k3/8/8/8/KBN5 w - - 70 90";
    let draw = client.search(late, "go depth 4").number("cp");
    assert!((0..10).contains(&draw), "{draw}");
    client.say("setoption name Syzygy50MoveRule value false");
    assert_eq!(client.search(late, "go depth 4").number("cp"), 20_000);
    client.quit();
}
