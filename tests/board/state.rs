//! What a position keeps beside the board, and how moves change it.

use arborist::{
    position::{Position, Threats},
    types::{MoveKind, PackedMove},
};
use shakmaty::{
    Bitboard, Board, Color, EnPassantMode, Position as _, Square,
    zobrist::{Zobrist64, ZobristValue},
};

use crate::corpus::{POSITIONS, all};

#[test]
fn what_is_kept_equals_what_is_computed() {
    for position in POSITIONS.iter() {
        agree(position, &Position::new(position.chess().clone()));
        let (chess, board) = (position.chess(), position.board());
        assert_eq!(
            position.key(),
            chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
        );
        let key = |bitboard| pieces_key(board, bitboard);
        assert_eq!(position.pawn_key(), key(board.pawns()));
        let minor = board.knights() | board.bishops() | board.kings();
        assert_eq!(position.minor_key(), key(minor));
        for color in Color::ALL {
            let pieces = board.by_color(color) & !board.pawns();
            assert_eq!(position.non_pawn_key(color), key(pieces));
            assert_eq!(position.has_pieces(color), pieces.count() > 1);
        }
        assert_eq!(Some(position.king()), board.king_of(position.turn()));
        assert_eq!(position.checkers(), chess.checkers());
        assert_eq!(position.in_check(), chess.is_check());
        assert_eq!(position.pinned(), pinned(position), "{position:?}");
        assert_eq!(position.threats(), threats(position));
    }
}

#[test]
fn every_move_keeps_it_so() {
    for position in POSITIONS.iter() {
        let checks_from = position.check_squares();
        for mv in all(position) {
            let next = position.play(mv);
            agree(&next, &Position::new(next.chess().clone()));
            let checks = position.gives_check(mv);
            assert_eq!(checks, next.in_check(), "{mv:?} in {position:?}");
            if mv.kind() == MoveKind::Normal {
                let direct = checks_from.contains(position.moved_role(mv), mv.to());
                let checkers = next.checkers();
                assert_eq!(direct, checkers.contains(mv.to()), "{mv:?} in {position:?}");
            }
            if is_ordinary(position, mv, &next) {
                assert_eq!(position.key_after(mv), next.key());
            }
        }
    }
}

#[test]
fn passing_is_what_shakmaty_says() {
    let mut compared = 0;
    for position in POSITIONS.iter().filter(|position| !position.in_check()) {
        let next = position.play_null();
        agree(&next, &Position::new(next.chess().clone()));
        assert_eq!(next.turn(), !position.turn());
        assert_eq!(next.board(), position.board());
        assert_eq!(next.halfmoves(), position.halfmoves() + 1);
        // Refused where the material is impossible, hence the detour.
        if let Ok(swapped) = position.chess().clone().swap_turn() {
            compared += 1;
            assert_eq!(next.chess(), &swapped);
            assert_eq!(next.key(), Position::new(swapped).key());
        }
    }
    assert!(compared > POSITIONS.len() / 2);
}

/// Whether everything visible is the same.
fn agree(a: &Position, b: &Position) {
    assert_eq!(a.key(), b.key(), "{a:?}");
    assert_eq!(a.pawn_key(), b.pawn_key());
    assert_eq!(a.minor_key(), b.minor_key());
    for color in Color::ALL {
        assert_eq!(a.non_pawn_key(color), b.non_pawn_key(color));
    }
    assert_eq!(a.king(), b.king());
    assert_eq!(a.checkers(), b.checkers(), "{a:?}");
    assert_eq!(a.pinned(), b.pinned(), "{a:?}");
}

fn pieces_key(board: &Board, squares: Bitboard) -> u64 {
    squares.into_iter().fold(0, |key, square| {
        let piece = board.piece_at(square).expect("only occupied squares");
        key ^ Zobrist64::zobrist_for_piece(square, piece).0
    })
}

/// The pieces without which the king would be attacked by a slider that now is not.
fn pinned(position: &Position) -> Bitboard {
    let (board, us) = (position.board(), position.turn());
    let alone = |square: &Square| {
        let mut board = board.clone();
        board.discard_piece_at(*square);
        let attackers = board.attacks_to(position.king(), !us, board.occupied());
        (attackers & !position.checkers()).any()
    };
    let men = board.by_color(us) & !board.kings();
    men.into_iter().filter(alone).collect()
}

fn threats(position: &Position) -> Bitboard {
    let board = position.board();
    Square::ALL
        .into_iter()
        .filter(|square| {
            let attackers = board.attacks_to(*square, !position.turn(), board.occupied());
            attackers.any()
        })
        .collect()
}

/// Whether the prediction of the key promises to be exact.
fn is_ordinary(position: &Position, mv: PackedMove, next: &Position) -> bool {
    let rights = |position: &Position| position.chess().castles().castling_rights();
    !matches!(
        mv.kind(),
        MoveKind::Castle | MoveKind::EnPassant | MoveKind::DoublePush
    ) && rights(position) == rights(next)
}

#[test]
fn threats_are_those_of_each_square() {
    for position in POSITIONS.iter() {
        for color in Color::ALL {
            assert_threats(position.board(), color);
        }
    }
}

/// Asks square by square who attacks it.
fn assert_threats(board: &Board, color: Color) {
    let threats = Threats::of(board, color);
    for square in Square::ALL {
        let attackers = board.attacks_to(square, color, board.occupied());
        let sets = [
            (threats.pawns, board.pawns()),
            (threats.knights, board.knights()),
            (threats.bishops, board.bishops()),
            (threats.rooks, board.rooks()),
            (threats.queens, board.queens()),
            (threats.king, board.kings()),
            (
                threats.below_rook(),
                board.pawns() | board.knights() | board.bishops(),
            ),
            (threats.but_king(), !board.kings()),
            (threats.below_queen(), !(board.queens() | board.kings())),
            (threats.all(), Bitboard::FULL),
        ];
        for (set, pieces) in sets {
            assert_eq!(set.contains(square), (attackers & pieces).any(), "{board}");
        }
    }
}
