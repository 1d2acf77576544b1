//! What the commands answer.

use super::client::Client;

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
