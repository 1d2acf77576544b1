//! Static exchange evaluation against an exchange that is really played out.

use arborist::{
    position::{Game, Position, see::VALUES},
    types::{MoveKind, PackedMove},
};
use shakmaty::{Board, Color, Role, Square};

use crate::corpus::{POSITIONS, all};

/// The exchange is played out in one of so many positions.
const EVERY: usize = 10;

#[test]
fn thresholds_agree_with_the_exchange_played_out() {
    let mut exchanges = 0;
    for position in POSITIONS.iter().step_by(EVERY) {
        for mv in all(position) {
            let value = played_out(position, mv);
            exchanges += usize::from(value != 0);
            for (threshold, expected) in [
                (value - 250, true),
                (value, true),
                (value + 1, false),
                (value + 250, false),
            ] {
                let reaches = position.see_reaches(mv, threshold);
                assert_eq!(reaches, expected, "{mv:?} {value} {threshold} {position:?}");
            }
        }
    }
    assert!(exchanges > POSITIONS.len() / EVERY, "{exchanges}");
}

#[test]
fn known_exchanges() {
    for (fen, mv, value) in [
        (
            "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1",
            "e1e5",
            100,
        ),
        (
            "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
            "d3e5",
            -200,
        ),
        // The king may not take what is defended.
        ("4k3/4p3/8/8/8/8/4R3/K3R3 w - - 0 1", "e2e7", 100),
        ("8/4k3/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        ("3r4/2P5/8/8/8/8/k7/4K3 w - - 0 1", "c7d8q", 1300),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 0),
    ] {
        let game = Game::from_fen(fen, false).unwrap();
        let position = game.position();
        let mv = position.pack(game.parse_uci_move(mv).unwrap());
        assert!(position.see_reaches(mv, value), "{fen}");
        assert!(!position.see_reaches(mv, value + 1), "{fen}");
    }
}

/// What the move wins when both sides then take back as long as it pays.
fn played_out(position: &Position, mv: PackedMove) -> i32 {
    if mv.kind() == MoveKind::Castle {
        return 0;
    }
    let (before, next) = (position.board(), position.play(mv));
    let us = position.turn();
    let gain = material(next.board(), us) - material(before, us);
    gain - best_reply(next.board(), !us, mv.to())
}

/// What `side` has more than its opponent.
fn material(board: &Board, side: Color) -> i32 {
    let pieces = board.clone().into_iter();
    pieces
        .map(|(_, piece)| {
            let sign = if piece.color == side { 1 } else { -1 };
            sign * worth(piece.role)
        })
        .sum()
}

/// The most that `side` can win by taking on `square`, or nothing by not taking.
fn best_reply(board: &Board, side: Color, square: Square) -> i32 {
    let attackers = |board: &Board, side| board.attacks_to(square, side, board.occupied());
    let Some(from) = attackers(board, side)
        .into_iter()
        .min_by_key(|from| board.role_at(*from))
    else {
        return 0;
    };
    let mut after = board.clone();
    let mut take_off = |square| after.remove_piece_at(square).expect("it was found there");
    let (victim, taker) = (take_off(square), take_off(from));
    after.set_piece_at(square, taker);
    if taker.role == Role::King && attackers(&after, !side).any() {
        return 0;
    }
    (worth(victim.role) - best_reply(&after, !side, square)).max(0)
}

fn worth(role: Role) -> i32 {
    *VALUES.get(role)
}
