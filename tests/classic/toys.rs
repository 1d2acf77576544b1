//! Explicit trees: values known by hand, and properties on random trees.

use arborist::{
    classic::{
        Algorithm, Log, State, alpha_beta,
        anatomy::{Kind, uniform_minimum},
        aspiration::{self, Widening},
        memory::Memory,
        minimal, mtdf, negamax,
        null_move::{self, Passing, Reduction},
        pvs,
        toy::{Branch, Toy, Tree},
    },
    types::{Score, Window},
};
use proptest::prelude::*;

/// The value by `algorithm`, and what it cost.
fn solve(algorithm: Algorithm, root: &Toy<'_>, depth: u32) -> (Score, Log<usize>) {
    let mut log = Log::new();
    let value = algorithm.search(root, depth, &mut log);
    (value, log)
}

/// The value by negamax.
fn truth(root: &Toy<'_>, depth: u32) -> Score {
    negamax::search(root, depth, &mut Log::new())
}

#[test]
fn the_textbook_trees_have_their_values() {
    for (branch, nodes, value, pruned) in [
        (Branch::thirteen(), 13, 7, 9),
        (Branch::two_by_two(), 7, 5, 6),
    ] {
        let tree = Tree::new(&branch);
        assert_eq!(tree.len(), nodes);
        for algorithm in Algorithm::ALL {
            let (found, log) = solve(algorithm, &tree.root(), 2);
            assert_eq!(found, Score::new(value), "{}", algorithm.name());
            assert_eq!(log.best_move(), Some(1), "{}", algorithm.name());
        }
        let visited = |algorithm| solve(algorithm, &tree.root(), 2).1.nodes;
        assert_eq!(visited(Algorithm::Minimax), nodes as u64);
        assert_eq!(visited(Algorithm::FailSoft), pruned);
    }
}

#[test]
fn the_thirteen_nodes_are_of_the_types_of_the_minimal_tree() {
    let tree = Tree::new(&Branch::thirteen());
    let (_, log) = solve(Algorithm::FailSoft, &tree.root(), 2);
    // C and D are cut by their first answer. The answers to B come worst first, so that F
    // and G are of the principal variation too, against expectation.
    assert_eq!(log.census.count(Kind::Cut, Kind::Cut), 2);
    assert_eq!(log.census.count(Kind::All, Kind::All), 2);
    assert_eq!(log.census.count(Kind::Cut, Kind::Pv), 2);
    assert_eq!(log.census.as_expected(), Some(7.0 / 9.0));
    assert_eq!(log.ordering.first_move_cuts(), Some(1.0));
    assert_eq!(log.leaves, uniform_minimum(3, 2));
}

#[test]
fn minimal_trees_of_uniform_trees() {
    for (branching, depth, leaves) in [(1, 5, 1), (3, 2, 5), (30, 4, 1799), (2, 3, 5), (7, 0, 1)] {
        assert_eq!(uniform_minimum(branching, depth), leaves);
    }
    assert_eq!(uniform_minimum(u64::MAX, 9), u64::MAX - 1);
}

#[test]
fn a_pass_in_a_game_without_passing_changes_nothing() {
    let tree = Tree::new(&Branch::uniform(3, 4, &mut (0..81).map(|n| n * 37 % 81)));
    for reduction in [
        Reduction::Fixed(1),
        Reduction::Fixed(4),
        Reduction::Adaptive,
    ] {
        let rules = Passing {
            reduction,
            guarded: false,
            ..Passing::VERIFIED
        };
        let found = null_move::search(&tree.root(), 4, Window::FULL, rules, &mut Log::new());
        assert_eq!(found, truth(&tree.root(), 4));
    }
}

/// Random trees of up to five plies and four moves, with few different values so that ties
/// are common.
fn branches() -> BoxedStrategy<Branch> {
    let leaf = (-9..=9).prop_map(Branch::Leaf).boxed();
    fork(leaf.prop_recursive(4, 300, 4, fork).boxed())
}

fn fork(inner: BoxedStrategy<Branch>) -> BoxedStrategy<Branch> {
    prop::collection::vec(inner, 1..5)
        .prop_map(Branch::Fork)
        .boxed()
}

/// Random uniform trees: branching, depth and shape.
fn uniform_branches() -> impl Strategy<Value = (usize, u32, Branch)> {
    (1_usize..5, 0_u32..6, prop::collection::vec(-50..50, 1024)).prop_map(
        |(branching, depth, values)| {
            let branch = Branch::uniform(branching, depth, &mut values.into_iter());
            (branching, depth, branch)
        },
    )
}

fn windows() -> impl Strategy<Value = Window> {
    (-11..=10, 1..=12)
        .prop_map(|(alpha, width)| Window::new(Score::new(alpha), Score::new(alpha + width)))
}

/// Whether `found` says the truth about `value` as a fail-soft search should.
fn is_sound(window: Window, found: Score, value: Score) -> bool {
    if window.fails_high(found) {
        value >= found
    } else if window.fails_low(found) {
        value <= found
    } else {
        value == found
    }
}

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn all_exact_algorithms_agree(branch in branches(), cut in 0_u32..2) {
        let tree = Tree::new(&branch);
        // The horizon may come before the leaves: inner nodes are then worth 0.
        let depth = branch.depth() - cut.min(branch.depth());
        let value = truth(&tree.root(), depth);
        for algorithm in Algorithm::ALL {
            let (found, log) = solve(algorithm, &tree.root(), depth);
            prop_assert_eq!(found, value, "{}", algorithm.name());
            // The move said to be best is worth what the tree is.
            if let Some(mv) = log.best_move() {
                let after = truth(&tree.root().make(mv), depth - 1);
                prop_assert_eq!(-after, value, "{}", algorithm.name());
            } else {
                prop_assert_eq!(depth, 0);
            }
        }
    }

    #[test]
    fn steps_and_bad_guesses_lead_to_the_same_value(branch in branches(), guess in -20..=20) {
        let tree = Tree::new(&branch);
        let depth = branch.depth();
        let value = truth(&tree.root(), depth);
        let mut log = Log::new();
        let stepwise = aspiration::search(&tree.root(), depth, Widening::Stepwise, &mut log);
        prop_assert_eq!(stepwise, value);
        let guess = Score::new(guess);
        let guessed = mtdf::search(&tree.root(), depth, guess, &mut Memory::new(), &mut log);
        prop_assert_eq!(guessed, value);
    }

    #[test]
    fn fail_hard_clamps_and_fail_soft_bounds(branch in branches(), window in windows()) {
        let tree = Tree::new(&branch);
        let (root, depth) = (tree.root(), branch.depth());
        let value = truth(&root, depth);
        let hard = alpha_beta::fail_hard(&root, depth, window, &mut Log::new());
        prop_assert_eq!(hard, value.clamp(window.alpha(), window.beta()));
        let soft = alpha_beta::fail_soft(&root, depth, window, &mut Log::new());
        prop_assert!(is_sound(window, soft, value), "{soft:?} for {value:?}");
        prop_assert_eq!(soft.clamp(window.alpha(), window.beta()), hard);
        let principal = pvs::search(&root, depth, window, &mut Log::new());
        prop_assert!(is_sound(window, principal, value), "{principal:?} for {value:?}");
    }

    #[test]
    fn nobody_visits_less_than_the_minimal_tree(branch in branches()) {
        let tree = Tree::new(&branch);
        let (root, depth) = (tree.root(), branch.depth());
        let value = truth(&root, depth);
        let least = minimal::leaves(&root, depth, value);
        prop_assert!(least.is_some());
        prop_assert_eq!(minimal::leaves(&root, depth, value + 1), None);
        for algorithm in Algorithm::ALL {
            let (_, log) = solve(algorithm, &root, depth);
            prop_assert!(Some(log.leaves) >= least, "{}: {}", algorithm.name(), log.leaves);
        }
    }

    #[test]
    fn perfect_order_reaches_the_minimum((branching, depth, branch) in uniform_branches()) {
        let least = uniform_minimum(branching as u64, depth);
        let (value, ordered) = branch.clone().perfectly_ordered(true);
        let (tree, shuffled) = (Tree::new(&ordered), Tree::new(&branch));
        prop_assert_eq!(truth(&shuffled.root(), depth), Score::new(value));
        prop_assert_eq!(minimal::leaves(&shuffled.root(), depth, Score::new(value)), Some(least));
        for algorithm in [Algorithm::FailHard, Algorithm::FailSoft, Algorithm::Pvs] {
            let (found, log) = solve(algorithm, &tree.root(), depth);
            prop_assert_eq!(found, Score::new(value));
            let (_, disordered) = solve(algorithm, &shuffled.root(), depth);
            prop_assert!(disordered.leaves >= least);
            if algorithm != Algorithm::Pvs {
                prop_assert_eq!(log.leaves, least, "{}", algorithm.name());
                prop_assert_eq!(log.census.as_expected(), Some(1.0));
                prop_assert!(log.ordering.first_move_cuts().is_none_or(|share| share > 0.999));
            }
        }
    }
}
