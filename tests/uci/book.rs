//! The opening book: when its moves are played, and when not.

use std::{fs, path::PathBuf, process, process::Command};

use super::client::Client;

/// A book made of games in which unusual moves won, which goes when the test ends.
struct Made(PathBuf);

impl Made {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir();
        let games = folder.join(format!("arborist {name} {}.pgn", process::id()));
        let book = folder.join(format!("arborist {name} {}.bin", process::id()));
        let game = "1. a3 h5 2. Ra2 1/2-1/2\n\n";
        let rare = "1. h3 a5 1/2-1/2\n\n";
        fs::write(&games, game.repeat(9) + rare).expect("a temporary file");
        let made = Command::new(env!("CARGO_BIN_EXE_arborist"))
            .arg("book")
            .arg(&games)
            .arg("-o")
            .arg(&book)
            .args(["--min-games", "1"])
            .output()
            .expect("the binary was built for this test");
        fs::remove_file(games).expect("it was written");
        let said = String::from_utf8_lossy(&made.stdout);
        assert_eq!(said, "10 games, 5 entries\n");
        Self(book)
    }

    fn option(&self) -> String {
        let path = self.0.to_str().expect("a plain name");
        format!("setoption name BookFile value {path}")
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = fs::remove_file(&self.0);
    }
}

/// Whether the move came from the book: nothing is said about it.
fn from_book(client: &mut Client, position: &str, go: &str) -> Option<String> {
    let answer = client.search(position, go);
    (answer.lines.len() == 1).then_some(answer.best)
}

#[test]
fn book_moves_are_played_where_a_move_is_wanted() {
    let book = Made::new("play");
    let mut client = Client::start();
    assert_eq!(client.say(&book.option()), ["info string 5 moves"]);
    let start = "position startpos";
    assert_eq!(from_book(&mut client, start, "go depth 2"), None);
    client.say("setoption name OwnBook value true\nsetoption name BookVariety value 0");
    let clock = "go wtime 1000 btime 1000";
    let first = from_book(&mut client, start, clock);
    assert_eq!(first.as_deref(), Some("a2a3"));
    let second = from_book(&mut client, "position startpos moves a2a3", clock);
    assert_eq!(second.as_deref(), Some("h7h5"));
    let third = "position startpos moves a2a3 h7h5";
    let reply = from_book(&mut client, third, clock);
    assert_eq!(reply.as_deref(), Some("a1a2"));
    let off = "position startpos moves e2e4";
    assert_eq!(from_book(&mut client, off, "go depth 2"), None);
    let chosen = from_book(&mut client, start, "go searchmoves a2a3 depth 2");
    assert_eq!(chosen, None);
    client.say("setoption name BookDepth value 1");
    assert_eq!(from_book(&mut client, third, "go depth 2"), None);
    client.say("setoption name UCI_AnalyseMode value true");
    assert_eq!(from_book(&mut client, start, "go depth 2"), None);
    client.quit();
}

#[test]
fn variety_plays_the_lighter_moves_too() {
    let book = Made::new("variety");
    let mut client = Client::start();
    client.say(&book.option());
    client.say("setoption name OwnBook value true");
    let mut seen = [false; 2];
    for _ in 0..1000 {
        match from_book(&mut client, "position startpos", "go depth 1").as_deref() {
            Some("a2a3") => seen[0] = true,
            Some("h2h3") => seen[1] = true,
            other => panic!("{other:?} is not in the book"),
        }
        if seen == [true; 2] {
            client.quit();
            return;
        }
    }
    panic!("always the same move");
}

#[test]
fn what_is_no_book_is_refused() {
    let mut client = Client::start();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/LICENSE");
    let folder = env!("CARGO_MANIFEST_DIR");
    for (path, culprit) in [
        (source, "not a book"),
        (folder, "BookFile: "),
        ("no/such/book", "BookFile: 'no/such/book': "),
    ] {
        client.refused(&format!("setoption name BookFile value {path}"), culprit);
    }
    client.quit();
}

#[test]
fn a_damaged_book_is_refused() {
    let book = Made::new("damaged");
    let whole = fs::read(&book.0).expect("it was made");
    let mut shuffled = whole.clone();
    shuffled.rotate_left(16);
    let mut client = Client::start();
    for (bytes, culprit) in [
        (&[][..], "not a book: it is empty"),
        (&whole[..17], "not a book: its 17 bytes"),
        (&shuffled, "not a book: the key of entry 5"),
    ] {
        fs::write(&book.0, bytes).expect("it was made");
        client.refused(&book.option(), culprit);
    }
    fs::write(&book.0, whole).expect("it was made");
    assert_eq!(client.say(&book.option()), ["info string 5 moves"]);
    client.quit();
}
