//! Small endings played to their end: perfectly with endgame tables, and well enough without.
//!
//! As in `syzygy`, what needs the tables is skipped where there are none.

use arborist::{
    position::Game,
    tablebase::{Tables, Wdl},
};
use shakmaty::{Chess, Color, Move, Position as _};

use super::{
    client::Client,
    syzygy::{folder, informed},
};

/// The best that the tables know for the side to move, as a defence or as an attempt: the
/// best result, and the longest way to a loss.
fn stubborn(tables: &Tables, game: &Game) -> Move {
    let moves = game.legal_moves();
    let worth = |mv: &Move| {
        let mut after = game.clone();
        after.play(*mv);
        let after = after.position();
        let wdl = tables.wdl(&after).expect("all tables are there");
        let dtz = tables.dtz(&after).expect("all tables are there");
        (-i32::from(wdl), dtz)
    };
    let best = moves.iter().max_by_key(|mv| worth(mv));
    *best.expect("the game is not over")
}

/// The engine's move.
fn best(client: &mut Client, game: &Game, position: &str, go: &str) -> Move {
    let answer = client.search(position, go);
    assert_eq!(answer.errors(), [""; 0]);
    game.parse_uci_move(&answer.best).expect("a legal move")
}

fn result(tables: &Tables, fen: &str) -> Option<Wdl> {
    let game = Game::from_fen(fen, false).expect("a legal position");
    tables.wdl(&game.position())
}

/// Whether nobody can win any more, or fifty moves have gone by without progress.
fn is_over(game: &Game) -> bool {
    let chess = game.chess();
    game.legal_moves().is_empty() || chess.halfmoves() >= 100 || chess.is_insufficient_material()
}

/// Plays from `fen` to the end, which it returns; `choose` finds a move in the game that it is
/// given, also as a `position` command.
fn play(fen: &str, mut choose: impl FnMut(&Game, &str) -> Move) -> Chess {
    let mut game = Game::from_fen(fen, false).expect("a legal position");
    let mut position = format!("position fen {fen} moves");
    while !is_over(&game) {
        let mv = choose(&game, &position);
        position.push(' ');
        position.push_str(&mv.to_uci(game.mode()).to_string());
        game.play(mv);
    }
    game.chess().clone()
}

fn is_white_to_move(game: &Game) -> bool {
    game.chess().turn() == Color::White
}

#[test]
fn small_endings_are_won_and_drawn_perfectly() {
    let Some(folder) = folder() else { return };
    let tables = Tables::open(&folder).expect("tables are there");
    let mut client = informed(&folder);
    for won in [
        "8/8/8/4k3/8/8/8/KR6 w - - 0 1",
        "8/8/3k4/8/8/8/1R6/7K w - - 0 1",
        "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
        "7Q/8/8/3k4/8/8/8/K7 w - - 0 1",
        "8/8/8/4k3/8/8/8/KBN5 w - - 0 1",
        "7k/5K2/8/8/8/8/8/5BN1 w - - 0 1",
        "8/8/2N5/8/4k3/8/1B6/K7 w - - 0 1",
        "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
        "8/8/8/8/6k1/8/P7/1K6 w - - 0 1",
        "8/8/1K6/8/1P6/8/1k6/8 w - - 0 1",
    ] {
        assert_eq!(result(&tables, won), Some(Wdl::Win), "{won}");
        let end = play(won, |game, position| {
            if is_white_to_move(game) {
                best(&mut client, game, position, "go nodes 300")
            } else {
                stubborn(&tables, game)
            }
        });
        assert!(end.is_checkmate() && end.turn() == Color::Black, "{won}");
    }
    for drawn in [
        "4k3/8/8/4K3/4P3/8/8/8 b - - 0 1",
        "8/8/8/8/3k4/8/3PK3/8 b - - 0 1",
        "k7/8/8/8/8/8/P7/K7 b - - 0 1",
    ] {
        assert_eq!(result(&tables, drawn), Some(Wdl::Draw), "{drawn}");
        let end = play(drawn, |game, position| {
            if is_white_to_move(game) {
                stubborn(&tables, game)
            } else {
                best(&mut client, game, position, "go nodes 300")
            }
        });
        assert!(!end.is_checkmate(), "{drawn}");
    }
    client.quit();
}

/// The weaker side plays what the tables say, or, where there are none, what the engine does.
#[test]
#[cfg_attr(debug_assertions, ignore = "millions of nodes: run with --release")]
fn the_basic_mates_need_no_tables() {
    let tables = folder().map(|folder| Tables::open(&folder).expect("tables are there"));
    let mut client = Client::start();
    for won in [
        "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
        "8/8/8/4k3/8/8/8/KR6 w - - 0 1",
        "8/8/8/4k3/8/8/8/KBB5 w - - 0 1",
    ] {
        client.say("ucinewgame");
        let end = play(won, |game, position| match &tables {
            Some(tables) if !is_white_to_move(game) => stubborn(tables, game),
            _ => best(&mut client, game, position, "go nodes 20000"),
        });
        assert!(end.is_checkmate() && end.turn() == Color::Black, "{won}");
        assert!(end.fullmoves().get() <= 50, "{won}");
    }
    client.quit();
}
