//! Null-move pruning where it errs: positions of `zugzwang.epd` that go wrong without a
//! precaution and right with it, and a threat that a shallow search after a pass misses.

use arborist::{
    classic::{Algorithm, Log, State, chess::Chess},
    position::Game,
    tools::epd,
    types::{Ply, Score},
};

const FILE: &str = include_str!("../../bench-positions/zugzwang.epd");

const WHO_COMES_FIRST: &str = "trébuchet, who comes first loses";
const ROOK_AND_KNIGHT: &str = "rook against knight, in the middle";

fn root(id: &str) -> Chess {
    let records = epd::parse(FILE).expect("the file is EPD");
    let record = records.iter().find(|record| record.id() == id);
    let fen = record.expect("the position is there").fen();
    Chess::new(Game::from_fen(fen, false).expect("legal").position())
}

/// The value and the best move.
fn solve(algorithm: Algorithm, root: &Chess, depth: u32) -> (Score, String) {
    let mut log = Log::new();
    let value = algorithm.search(root, depth, &mut log);
    let best = log.best_move().map(|mv| root.make(mv).name());
    (value, best.unwrap_or_default())
}

/// Asserts that, `depth` plies deep, `best` is the best move, that the algorithms of `right`
/// know it and its value, and that those of `wrong` know neither.
fn assert_divided(id: &str, depth: u32, best: &str, wrong: &[Algorithm], right: &[Algorithm]) {
    let root = root(id);
    let (value, found) = solve(Algorithm::FailSoft, &root, depth);
    assert_eq!(found, best, "{id}");
    for &algorithm in right {
        let found = solve(algorithm, &root, depth);
        assert_eq!(
            found,
            (value, best.to_owned()),
            "{} in {id}",
            algorithm.name()
        );
    }
    for &algorithm in wrong {
        let (other, found) = solve(algorithm, &root, depth);
        assert_ne!(found, best, "{} in {id}", algorithm.name());
        assert_ne!(other, value, "{} in {id}", algorithm.name());
    }
}

#[test]
fn with_pawns_only_the_guard_and_the_verification_help() {
    let wrong = [Algorithm::UnguardedNullMove];
    let right = [
        Algorithm::NullMove,
        Algorithm::AdaptiveNullMove,
        Algorithm::VerifiedNullMove,
    ];
    assert_divided(WHO_COMES_FIRST, 4, "c6d6", &wrong, &right);
}

#[test]
fn two_passes_in_a_row_see_zugzwang_where_they_are_deep_enough() {
    let wrong = [Algorithm::UnguardedNullMove];
    assert_divided(
        WHO_COMES_FIRST,
        8,
        "c6d6",
        &wrong,
        &[Algorithm::DoubleNullMove],
    );
}

#[test]
fn with_pieces_the_guard_does_not_help_but_the_verification_does() {
    let wrong = [Algorithm::UnguardedNullMove, Algorithm::NullMove];
    let right = [Algorithm::VerifiedNullMove];
    assert_divided(ROOK_AND_KNIGHT, 5, "e7e5", &wrong, &right);
}

/// Black mates by Qh3 and Qg2. If White passes in between, three plies are not enough to see
/// it, and taking the knight looks better.
#[test]
fn a_threat_beyond_the_reduced_horizon_is_missed() {
    let fen = "6k1/N2q1ppp/8/8/8/PP3pP1/5P1P/R5K1 b - -";
    let root = Chess::new(Game::from_fen(fen, false).expect("legal").position());
    let (value, best) = solve(Algorithm::FailSoft, &root, 3);
    assert_eq!(
        (value, best.as_str()),
        (Score::mate_in(Ply::new(3)), "d7h3")
    );
    for algorithm in [Algorithm::NullMove, Algorithm::VerifiedNullMove] {
        let (_, best) = solve(algorithm, &root, 3);
        assert_eq!(best, "d7a7", "{}", algorithm.name());
    }
}
