//! What the commands answer.

use super::client::{Client, game};

const START: &str = "position startpos";

#[test]
fn nothing_is_said_before_it_is_asked() {
    let mut client = Client::start();
    assert_eq!(client.ready(), [""; 0]);
    client.send("uci");
    let lines = client.until("uciok");
    assert!(lines[0].starts_with("id name Arborist "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    client.quit();
}

#[test]
fn the_board_and_its_evaluation_are_shown() {
    let mut client = Client::start();
    client.say("position fen 4k3/8/8/8/8/8/4R3/4K3 b - - 3 9");
    let shown = client.say("d");
    assert!(shown.contains(&"FEN: 4k3/8/8/8/8/8/4R3/4K3 b - - 3 9".to_owned()));
    assert!(shown.contains(&"Checkers: e2".to_owned()));
    let shown = client.say("eval");
    assert!(shown.iter().any(|line| line.starts_with("Evaluation: +")));
    client.quit();
}

#[test]
fn perft_counts_move_by_move() {
    let mut client = Client::start();
    for command in ["perft 3", "go perft 3"] {
        client.send(command);
        let lines = client.until("Nodes searched");
        assert_eq!(
            lines.last().map(String::as_str),
            Some("Nodes searched: 8902")
        );
        assert!(lines.contains(&"e2e4: 600".to_owned()), "{lines:?}");
    }
    client.quit();
}

#[test]
fn flip_exchanges_the_colours() {
    let mut client = Client::start();
    client.say("position fen 4k3/8/8/8/8/8/4R3/4K3 b - - 3 9\nflip");
    client.send("d");
    assert!(
        client
            .line("FEN")
            .starts_with("FEN: 4k3/4r3/8/8/8/8/8/4K3 w")
    );
    client.quit();
}

#[test]
fn debug_says_more() {
    let mut client = Client::start();
    client.send("joho debug on\nposition startpos");
    client.line("info string understood Position");
    client.send("debug off");
    client.ready();
    assert_eq!(client.say("position startpos"), [""; 0]);
    client.quit();
}

#[test]
fn start_positions_are_found_for_others() {
    let mut client = Client::start();
    client.refused("genfens", "genfens: the number of positions is missing");
    let mut positions = |words: &str| {
        client.send(&format!("genfens 3 seed {words}\nperft 1"));
        let mut lines = client.until("Nodes searched");
        lines.retain(|line| line.starts_with("info string genfens ") && !line.contains("waits"));
        lines
    };
    let found = positions("7 book None");
    assert_eq!(found.len(), 3);
    for line in &found {
        let fen = line.trim_start_matches("info string genfens ");
        assert_eq!(fen.split(' ').count(), 6);
        game(&format!("position fen {fen}"));
    }
    assert_eq!(positions("7 book None extra"), found);
    assert_ne!(positions("8 book None"), found);
    assert_eq!(positions("8 book no/such/book"), [""; 0]);
    client.quit();
}

#[test]
fn the_build_and_its_speed_are_told() {
    let mut client = Client::start();
    let told = client.say("compiler").join("\n");
    assert!(told.contains(env!("CARGO_PKG_VERSION")) && told.contains("scalar"));
    client.refused("speedtest 0", "speedtest: ");
    client.send("speedtest 2 1 1");
    assert_eq!(client.line("threads: "), "threads: 2");
    assert!(
        client
            .line("table: ")
            .starts_with("table: 1 MiB, hashfull ")
    );
    assert!(client.line("time: ").ends_with(" s"));
    assert!(client.ready()[0].ends_with(" nps"));
    client.quit();
}

#[test]
fn registering_is_accepted() {
    let mut client = Client::start();
    for line in ["register later", "register name Stefan MK code 4359874324"] {
        assert_eq!(client.say(line), ["registration ok"]);
    }
    client.quit();
}

#[test]
fn help_lists_the_commands() {
    let mut client = Client::start();
    let help = client.say("help").join("\n");
    for command in [
        "setoption",
        "searchmoves",
        "ponderhit",
        "perft",
        "flip",
        "bench",
        "speedtest",
        "genfens",
        "compiler",
    ] {
        assert!(help.contains(command), "{command}");
    }
    client.quit();
}

#[test]
fn a_new_game_starts_from_nothing() {
    let mut client = Client::start();
    let mut nodes = Vec::new();
    for _ in 0..2 {
        client.say("ucinewgame");
        client.search(START, "go depth 5");
        nodes.push(
            client
                .search("position startpos moves e2e4", "go depth 5")
                .number("nodes"),
        );
    }
    assert_eq!(nodes[0], nodes[1]);
    client.quit();
}
