//! Generation and legality of moves.

use arborist::{
    position::{Game, Position},
    types::{MoveList, PackedMove},
};
use rand::{Rng, SeedableRng, rngs::SmallRng};
use shakmaty::{Position as _, Role};

use crate::corpus::{FENS, POSITIONS, all, chess960, sorted};

#[test]
fn both_stages_give_every_legal_move_once() {
    for position in POSITIONS.iter() {
        let expected = sorted(reference(position));
        let (mut noisy, mut quiets) = (MoveList::new(), MoveList::new());
        position.generate_noisy(&mut noisy);
        position.generate_quiets(&mut quiets);
        assert!(noisy.iter().all(|mv| position.is_noisy(*mv)));
        assert!(!quiets.iter().any(|mv| position.is_noisy(*mv)));
        let staged = sorted(noisy.into_iter().chain(quiets));
        assert_eq!(staged, expected, "{position:?}");
        assert_eq!(sorted(all(position)), expected);
        assert_eq!(position.has_legal_move(), !expected.is_empty());
    }
}

#[test]
fn packed_moves_mean_what_shakmaty_says() {
    for position in POSITIONS.iter() {
        for full in position.chess().legal_moves() {
            let mv = position.pack(full);
            assert_eq!(position.unpack(mv), full);
            assert_eq!(position.moved_role(mv), full.role());
            assert_eq!(position.captured_role(mv), full.capture());
            assert_eq!(position.is_capture(mv), full.is_capture());
            let queen = full.promotion() == Some(Role::Queen);
            let underpromotes = full.is_promotion() && !queen;
            let noisy = (full.is_capture() || queen) && !underpromotes;
            assert_eq!(position.is_noisy(mv), noisy);
            let end = full
                .castling_side()
                .map_or(full.to(), |side| side.king_to(position.turn()));
            assert_eq!(position.destination(mv), end);
        }
    }
}

#[test]
fn exactly_the_generated_moves_are_legal() {
    let mut rng = SmallRng::seed_from_u64(5);
    for (number, position) in POSITIONS.iter().enumerate() {
        let legal = sorted(reference(position));
        let judge = |bits: u16| {
            let expected = legal.binary_search(&bits).is_ok();
            let judged = PackedMove::from_bits(bits).is_some_and(|mv| position.is_legal(mv));
            assert_eq!(judged, expected, "{bits:#06x} in {position:?}");
        };
        legal.iter().copied().for_each(judge);
        // Legal moves of a neighbouring position are likelier to deceive than noise.
        if let Some(other) = POSITIONS.get(number + 2) {
            all(other).into_iter().map(PackedMove::bits).for_each(judge);
        }
        if number % 200 == 0 {
            (0..=u16::MAX).for_each(judge);
        } else {
            (0..50).for_each(|_| judge(rng.random()));
        }
    }
}

#[test]
fn the_trees_have_the_same_size() {
    let mut roots: Vec<_> = FENS
        .iter()
        .map(|fen| Game::from_fen(fen, false).unwrap().chess().clone())
        .collect();
    roots.push(shakmaty::Chess::new());
    roots.extend([(0, 959), (518, 17), (703, 703)].map(|(white, black)| chess960(white, black)));
    let depth = if cfg!(debug_assertions) { 2 } else { 4 };
    for chess in roots {
        let many = chess.legal_moves().len() > 60;
        let depth = if many { depth - 1 } else { depth };
        let expected = shakmaty::perft(&chess, depth);
        assert_eq!(
            perft(&Position::new(chess.clone()), depth),
            expected,
            "{chess:?}"
        );
    }
}

fn perft(position: &Position, depth: u32) -> u64 {
    let moves = all(position);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|mv| perft(&position.play(mv), depth - 1))
        .sum()
}

fn reference(position: &Position) -> impl Iterator<Item = PackedMove> {
    let moves = position.chess().legal_moves();
    moves.into_iter().map(|mv| position.pack(mv))
}
