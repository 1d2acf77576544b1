//! Chess960: what is understood and what is written.

use super::client::Client;

const CLASSIC: &str = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

fn position_is(client: &mut Client, fen: &str) {
    client.send("d");
    let line = client.line("FEN: ");
    assert!(line.starts_with(&format!("FEN: {fen}")), "{line}");
    client.ready();
}

/// The move played when only castling may be considered.
fn castles(client: &mut Client, position: &str, mv: &str) -> String {
    client
        .search(position, &format!("go depth 1 searchmoves {mv}"))
        .best
}

#[test]
fn castling_is_written_as_the_option_says() {
    let mut client = Client::start();
    let position = format!("position {CLASSIC}");
    for mv in ["e1g1", "e1h1"] {
        assert_eq!(castles(&mut client, &position, mv), "e1g1");
    }
    client.say("setoption name UCI_Chess960 value true");
    for mv in ["e1g1", "e1h1"] {
        assert_eq!(castles(&mut client, &position, mv), "e1h1");
    }
    client.say("setoption name UCI_Chess960 value false");
    assert_eq!(castles(&mut client, &position, "e1c1"), "e1c1");
    client.quit();
}

#[test]
fn castling_moves_are_understood_in_both_forms() {
    let mut client = Client::start();
    for chess960 in [false, true] {
        client.say(&format!("setoption name UCI_Chess960 value {chess960}"));
        for moves in ["e1g1", "e1h1"] {
            assert_eq!(
                client.say(&format!("position {CLASSIC} moves {moves}")),
                [""; 0]
            );
            position_is(&mut client, "r3k2r/8/8/8/8/8/8/R4RK1 b");
        }
        client.say("position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1");
        position_is(
            &mut client,
            "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b",
        );
    }
    client.quit();
}

#[test]
fn shredder_and_x_fen_are_understood() {
    let mut client = Client::start();
    let placement = "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1";
    for rights in ["GBgb", "KQkq"] {
        for chess960 in [true, false] {
            client.say(&format!("setoption name UCI_Chess960 value {chess960}"));
            let position = format!("position fen {placement} w {rights} - 0 1");
            for (written, played) in [("c1g1", "c1g1"), ("c1b1", "c1b1")] {
                assert_eq!(castles(&mut client, &position, written), played);
            }
            assert_eq!(client.say(&format!("{position} moves c1g1")), [""; 0]);
            position_is(&mut client, "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 b");
        }
    }
    client.say("setoption name UCI_Chess960 value true");
    let start = "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    assert_eq!(client.say(start), [""; 0]);
    client.send("go perft 2");
    assert_eq!(client.line("Nodes searched"), "Nodes searched: 528");
    client.quit();
}
