//! What the search must find, whatever its evaluation: mates, zugzwang, draws, tactics;
//! and that it does the same twice.
//!
//! The positions are those of `bench-positions`. Each gets a small number of nodes first
//! and, if it is not solved, a generous one: what must be found is found, how fast is not
//! tested.

use std::{
    env, fs,
    path::Path,
    sync::{Arc, Mutex, atomic::AtomicBool},
};

use arborist::{
    engine::Engine,
    position::Game,
    search::{Outcome, Report, Reporter},
    time::Limits,
    tools::{
        bench::{self, BenchArgs},
        suite::{self, Problem},
    },
    types::{Depth, win_rate::normalised},
};

const SMALL: u64 = 100_000;
const GENEROUS: u64 = 10_000_000;

fn problems(file: &str) -> Vec<Problem> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench-positions");
    let text = fs::read_to_string(folder.join(file)).expect("the file is there");
    suite::read(&text).expect("the file is right")
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// Fails with a table of what is not solved with many nodes either.
fn must_solve(file: &str) {
    let mut engine = Engine::new();
    let first = suite::solve(&mut engine, &problems(file), &nodes(SMALL), |_, _| ());
    let rest: Vec<Problem> = first.misses.into_iter().map(|miss| miss.problem).collect();
    let second = suite::solve(&mut engine, &rest, &nodes(GENEROUS), |_, _| ());
    assert!(second.misses.is_empty(), "{file}\n{second}");
}

/// Keeps the answer.
#[derive(Default)]
struct Listener(Mutex<Option<Outcome>>);

impl Reporter for Listener {
    fn line(&self, _report: &Report<'_>) {}

    fn finished(&self, outcome: &Outcome) {
        *self.0.lock().expect("not poisoned") = Some(outcome.clone());
    }
}

fn search(game: &Game, limits: Limits) -> Outcome {
    let mut engine = Engine::new();
    let listener = Arc::new(Listener::default());
    engine.set_game(game.clone());
    engine.go(limits, Vec::new(), listener.clone());
    engine.wait();
    let outcome = listener.0.lock().expect("not poisoned").take();
    outcome.expect("a search answers")
}

/// The position `fen` after `moves`.
fn after(fen: &str, moves: &str) -> Game {
    let mut game = Game::from_fen(fen, false).expect("a legal position");
    for mv in moves.split_whitespace() {
        game.play_uci(mv).expect("a legal move");
    }
    game
}

fn uci(game: &Game, outcome: &Outcome) -> String {
    let best = outcome.best.expect("there are moves");
    best.to_uci(game.mode()).to_string()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of nodes: run with --release")]
fn mates_in_one_to_five_are_found_and_counted() {
    must_solve("mate.epd");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of nodes: run with --release")]
fn zugzwang_is_seen_with_null_moves_on() {
    must_solve("zugzwang.epd");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of nodes: run with --release")]
fn draws_by_the_rules_are_known() {
    must_solve("draw.epd");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of nodes: run with --release")]
fn tactics_are_found() {
    must_solve("tactics.epd");
}

const PERPETUAL: &str = "6k1/6p1/8/4Q3/8/8/qr6/7K w - - 0 1";
const ROUND: &str = "e5e8 g8h7 e8h5 h7g8";

#[test]
fn the_losing_side_repeats_what_was_on_the_board() {
    let back = "h5e8 g8h7 e8h5 h7g8";
    let game = after(PERPETUAL, &format!("{ROUND} {back}"));
    let limits = Limits {
        depth: Some(Depth::new(2)),
        ..Limits::default()
    };
    let outcome = search(&game, limits);
    assert_eq!(uci(&game, &outcome), "h5e8");
    assert_eq!(outcome.score.centipawns(), 0, "{}", outcome.score);
}

#[test]
fn the_winning_side_does_not_repeat() {
    let queen = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";
    let round = "b1b5 d5d4 b5b1 d4d5";
    let game = after(queen, &format!("{round} {round}"));
    let outcome = search(&game, nodes(SMALL));
    assert_ne!(uci(&game, &outcome), "b1b5", "the third time is a draw");
    assert!(normalised(outcome.score) > 300, "{}", outcome.score);
}

#[test]
fn a_limit_in_nodes_is_kept() {
    let game = Game::start();
    for limit in [1, 100, 5000, 60_000] {
        let outcome = search(&game, nodes(limit));
        assert!(outcome.best.is_some());
        let counted = outcome.nodes;
        assert!(counted <= limit, "{counted} of {limit} nodes");
    }
}

#[test]
fn the_same_search_gives_the_same_answer() {
    let game = after(PERPETUAL, "");
    for limits in [nodes(30_000), nodes(70_000)] {
        let first = search(&game, limits.clone());
        let second = search(&game, limits);
        assert_eq!(first.nodes, second.nodes);
        assert_eq!(first.pv, second.pv);
        assert_eq!(first.score, second.score);
    }
}

#[test]
fn the_benchmark_counts_the_same_nodes_twice() {
    let args = BenchArgs {
        depth: 6,
        threads: 1,
        hash: 16,
        stats: false,
    };
    let run = || {
        let report = bench::run(args, &AtomicBool::new(false), |_, _| ());
        report.expect("the benchmark runs").nodes
    };
    let first = run();
    assert!(first.len() >= 50);
    assert_eq!(first, run());
}
