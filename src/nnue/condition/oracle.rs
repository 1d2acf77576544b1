//! What [`super::of`] must say, in plain words, sharing no code with it.

use std::cmp::Ordering;

use rand::{Rng, SeedableRng, rngs::SmallRng};
use shakmaty::{Bitboard, Board, Chess, Color, Piece, Position, Role, Square, attacks, fen::Fen};

use crate::nnue::inputs::{Inputs, Man};

/// The condition of `piece` on `square`, attacker by attacker and check by check.
pub(in crate::nnue) fn condition(board: &Board, square: Square, piece: Piece) -> u16 {
    let bits = match piece.role {
        Role::King => checks(board, square, piece.color),
        role => {
            let by = |color| board.attacks_to(square, color, board.occupied());
            let attack = attack(board, by(!piece.color), role);
            let is_passed = role == Role::Pawn && is_passed(board, square, piece.color);
            let is_loose = by(piece.color).is_empty();
            [is_loose, attack & 1 == 1, attack & 2 == 2, is_passed, false]
        }
    };
    let bits = bits.into_iter().enumerate();
    bits.map(|(bit, is_set)| u16::from(is_set) << bit).sum()
}

fn attack(board: &Board, attackers: Bitboard, role: Role) -> u16 {
    let worth = |role| match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 100,
    };
    let attackers = attackers.into_iter();
    let cheapest = attackers
        .map(|from| worth(board.role_at(from).unwrap()))
        .min();
    cheapest.map_or(0, |cheapest| match cheapest.cmp(&worth(role)) {
        Ordering::Greater => 1,
        Ordering::Equal => 2,
        Ordering::Less => 3,
    })
}

fn is_passed(board: &Board, square: Square, color: Color) -> bool {
    let foreign = board.pawns() & board.by_color(!color);
    !foreign.into_iter().any(|pawn| {
        let ranks = i32::from(pawn.rank()) - i32::from(square.rank());
        let files = i32::from(pawn.file()) - i32::from(square.file());
        ranks * color.fold_wb(1, -1) > 0 && files.abs() <= 1
    })
}

/// Whether a knight, a bishop, a rook, a queen can give a safe check to the king on `square`,
/// and whether a queen can go next to it.
fn checks(board: &Board, square: Square, color: Color) -> [bool; 5] {
    let attackers = |to, color| board.attacks_to(to, color, board.occupied());
    let free = |to: Square| board.color_at(to) != Some(!color);
    let can = |role: Role, to: Square| {
        let from = attackers(to, !color) & board.by_role(role);
        let checks = attacks::attacks(to, role.of(!color), board.occupied());
        from.any() && checks.contains(square)
    };
    let safe = |role: Role| {
        let mut squares = Square::ALL.into_iter().filter(|to| free(*to));
        squares.any(|to| can(role, to) && attackers(to, color).is_empty())
    };
    let mut around = attacks::king_attacks(square).into_iter();
    let contact = around.any(|to| {
        let backed = attackers(to, !color) & !(board.queens() | board.kings());
        let foes = attackers(to, color) & !board.kings();
        free(to) && can(Role::Queen, to) && backed.any() && foes.is_empty()
    });
    let [knight, bishop, rook, queen] =
        [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(safe);
    [knight, bishop, rook, queen, contact]
}

/// The conditions that the network is told of: those of the pieces on `board`.
fn told(board: &Board, square: Square) -> u16 {
    let man = Inputs::of(board).man(square);
    u16::try_from(man.condition()).unwrap()
}

#[test]
fn sets_of_squares_say_the_same() {
    let mut rng = SmallRng::seed_from_u64(5);
    for _ in 0..if cfg!(miri) { 1 } else { 60 } {
        let mut position = Chess::default();
        for _ in 0..150 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
            let board = position.board();
            let inputs = Inputs::of(board);
            for (square, piece) in board {
                let expected = Man::new(piece, condition(board, square, piece));
                assert_eq!(inputs.man(square), expected, "{square} of {board:?}");
            }
        }
    }
}

#[test]
fn examples_have_these_conditions() {
    let loose = 1;
    let [by_dearer, by_equal, by_cheaper] = [0b010, 0b100, 0b110];
    let passed = 0b1000;
    let [knight_check, bishop_check, rook_check, queen_check, contact] = [1, 2, 4, 8, 16];
    for (fen, square, expected) in [
        // A pawn that the king defends, and one that nobody does.
        ("4k3/8/8/8/8/8/p3P3/4K3", Square::E2, passed),
        ("4k3/8/8/8/8/8/p3P3/4K3", Square::A2, loose | passed),
        // A pawn next to it, one square ahead, stops it from being passed; one beside it does not.
        ("4k3/8/8/3p4/4P3/8/8/4K3", Square::E4, loose | by_equal),
        ("4k3/8/8/8/3pP3/8/8/4K3", Square::E4, loose | passed),
        // A rook against a pawn, a bishop, a rook, a queen, and a knight against a bishop.
        ("4k3/8/8/4p3/3R4/8/8/4K3", Square::D4, loose | by_cheaper),
        ("4k3/6b1/8/8/3R4/8/8/4K3", Square::D4, loose | by_cheaper),
        ("4k3/8/8/8/3R3r/8/8/4K3", Square::D4, loose | by_equal),
        ("4k3/8/8/8/3R3q/8/3R4/4K3", Square::D4, by_dearer),
        ("4k3/6b1/8/8/3N4/8/8/4K3", Square::D4, loose | by_equal),
        // Checks to the king on g1: by a knight on e2 or h3, which a bishop on f1 takes away.
        ("4k3/8/8/8/5n2/8/8/6K1", Square::G1, knight_check),
        ("4k3/8/8/8/5n2/8/8/5BK1", Square::G1, 0),
        ("4k3/8/8/8/7b/8/8/6K1", Square::G1, 0),
        ("4k3/8/8/4b3/8/8/8/6K1", Square::G1, bishop_check),
        ("3rk3/8/8/8/8/8/8/6K1", Square::G1, rook_check),
        // A queen that checks from afar, and one that is backed by a bishop next to the king.
        ("3qk3/8/8/8/8/8/8/6K1", Square::G1, queen_check),
        ("4k3/8/3b4/8/7q/8/5PPP/6K1", Square::G1, contact),
    ] {
        let position: Fen = format!("{fen} w - -").parse().unwrap();
        let board = &position.as_setup().board;
        assert_eq!(told(board, square), expected, "{fen} {square}");
    }
}
