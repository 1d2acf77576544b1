//! Chess: the algorithms on the positions of the benchmark.

use arborist::{
    classic::{Algorithm, Log, State, chess::Chess, minimal},
    position::Game,
    tools::bench,
    types::{PackedMove, Ply, Score},
};

fn root(fen: &str) -> Chess {
    Chess::new(Game::from_fen(fen, false).expect("legal").position())
}

fn solve(algorithm: Algorithm, root: &Chess, depth: u32) -> (Score, Log<PackedMove>) {
    let mut log = Log::new();
    let value = algorithm.search(root, depth, &mut log);
    (value, log)
}

/// Where a test builds without optimisation, what takes seconds otherwise takes minutes.
fn depth(optimised: u32) -> u32 {
    optimised - u32::from(cfg!(debug_assertions))
}

#[test]
fn the_exact_algorithms_agree_on_the_benchmark() {
    let games = bench::positions().expect("the positions are legal");
    for game in games.iter().step_by(7) {
        let root = Chess::new(game.position());
        let depth = depth(3);
        let (value, _) = solve(Algorithm::Minimax, &root, depth);
        for algorithm in Algorithm::ALL.into_iter().filter(|one| one.is_exact()) {
            let (found, log) = solve(algorithm, &root, depth);
            assert_eq!(found, value, "{} at {}", algorithm.name(), game.fen());
            let best = log.best_move().expect("there are moves");
            let (after, _) = solve(Algorithm::FailSoft, &root.make(best), depth - 1);
            assert!(after == -value, "{} at {}", algorithm.name(), game.fen());
        }
    }
}

#[test]
fn no_tree_is_smaller_than_the_minimal_one() {
    let games = bench::positions().expect("the positions are legal");
    for game in games.iter().step_by(9) {
        let root = Chess::new(game.position());
        let depth = depth(3);
        let (value, log) = solve(Algorithm::FailSoft, &root, depth);
        let least = minimal::leaves(&root, depth, value).expect("the value is right");
        assert!(
            log.leaves >= least,
            "{}: {} < {least}",
            game.fen(),
            log.leaves
        );
        let wrong = minimal::leaves(&root, depth, value + 1);
        assert_eq!(wrong, None, "{}", game.fen());
    }
}

#[test]
fn mates_stalemates_and_dead_positions_are_known_at_every_depth() {
    let mate_in_one = root("6k1/5ppp/8/8/8/8/8/R5K1 w - -");
    let mated = root("R5k1/5ppp/8/8/8/8/8/6K1 b - -");
    let stalemate = root("7k/5Q2/6K1/8/8/8/8/8 b - -");
    let dead = root("8/8/4k3/8/8/3NK3/8/8 w - -");
    for algorithm in Algorithm::ALL {
        for depth in 1..=depth(4) {
            let value = |root| solve(algorithm, root, depth).0;
            assert_eq!(value(&mate_in_one), Score::mate_in(Ply::new(1)));
            assert_eq!(value(&mated), Score::mated_in(Ply::ROOT));
            assert_eq!(value(&stalemate), Score::DRAW);
            assert_eq!(value(&dead), Score::DRAW);
        }
    }
}

#[test]
fn captures_are_played_out_before_a_leaf_is_judged() {
    // A pawn takes the queen, whatever the depth: no depth-0 search says that Black is up.
    let hanging = root("4k3/8/8/3q4/4P3/8/8/4K3 w - -");
    let (value, log) = solve(Algorithm::FailSoft, &hanging, 0);
    assert!(value > Score::DRAW, "{value}");
    assert_eq!((log.nodes, log.leaves), (1, 1));
    assert!(log.quiescence > 0);
    // A defended pawn is no gain for a queen: standing pat holds.
    let defended = root("4k3/8/2p5/3p4/8/3Q4/8/4K3 w - -");
    let (value, _) = solve(Algorithm::FailSoft, &defended, 0);
    assert_eq!(value, defended.evaluate());
}

#[test]
fn captures_come_first_the_best_victim_by_the_least_attacker() {
    let root = root("4k3/8/8/3q1r2/4P3/8/8/3RK3 w - -");
    let names: Vec<String> = root
        .moves()
        .iter()
        .map(|&mv| root.make(mv).name())
        .collect();
    assert_eq!(names[..3], ["e4d5", "d1d5", "e4f5"]);
    assert_eq!(names.len(), root.moves().len());
}
