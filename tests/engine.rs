//! The engine as a library: threads, held answers, faults, and a reporter of one's own.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

use arborist::{
    engine::Engine,
    search::{Outcome, Report, Reporter},
    time::Limits,
    types::Depth,
};

/// Remembers what it is told; fails on the first line if asked to.
#[derive(Default)]
struct Witness {
    fails: AtomicBool,
    lines: AtomicUsize,
    faults: Mutex<Vec<String>>,
    outcomes: Mutex<Vec<Outcome>>,
}

impl Reporter for Witness {
    fn line(&self, report: &Report<'_>) {
        assert!(!report.pv.is_empty());
        assert!(!self.fails.load(Relaxed), "asked to fail");
        self.lines.fetch_add(1, Relaxed);
    }

    fn fault(&self, message: &str) {
        self.faults
            .lock()
            .expect("not poisoned")
            .push(message.to_owned());
    }

    fn finished(&self, outcome: &Outcome) {
        self.outcomes
            .lock()
            .expect("not poisoned")
            .push(outcome.clone());
    }
}

impl Witness {
    fn answers(&self) -> usize {
        self.outcomes.lock().expect("not poisoned").len()
    }

    fn only_answer(&self) -> Outcome {
        let outcomes = self.outcomes.lock().expect("not poisoned");
        assert_eq!(outcomes.len(), 1, "exactly one answer");
        outcomes[0].clone()
    }
}

fn engine(threads: usize) -> Engine {
    let mut engine = Engine::new();
    engine.set_option("Hash", Some("1")).expect("a mebibyte");
    engine
        .set_option("Threads", Some(&threads.to_string()))
        .expect("some threads");
    engine
}

fn to_depth(plies: i32) -> Limits {
    Limits {
        depth: Some(Depth::new(plies)),
        ..Limits::default()
    }
}

fn infinite() -> Limits {
    Limits {
        infinite: true,
        ..Limits::default()
    }
}

#[test]
fn a_search_answers_once_and_legally() {
    for threads in [1, 3] {
        let mut engine = engine(threads);
        for _ in 0..3 {
            let witness = Arc::new(Witness::default());
            engine.go(to_depth(4), Vec::new(), witness.clone());
            engine.wait();
            assert!(!engine.is_searching());
            let best = witness.only_answer().best.expect("there are moves");
            assert!(engine.game().legal_moves().contains(&best));
            assert!(witness.lines.load(Relaxed) >= 4);
        }
    }
}

#[test]
fn a_failing_thread_costs_neither_the_answer_nor_the_engine() {
    for threads in [1, 2] {
        let mut engine = engine(threads);
        let witness = Arc::new(Witness::default());
        witness.fails.store(true, Relaxed);
        engine.go(infinite(), Vec::new(), witness.clone());
        thread::sleep(Duration::from_millis(100));
        assert_eq!(witness.answers(), 0, "still infinite");
        engine.stop();
        engine.wait();
        let best = witness.only_answer().best.expect("there are moves");
        assert!(engine.game().legal_moves().contains(&best));
        assert!(witness.faults.lock().expect("not poisoned")[0].contains("asked to fail"));
        let witness = Arc::new(Witness::default());
        engine.go(to_depth(3), Vec::new(), witness.clone());
        engine.wait();
        assert!(witness.only_answer().best.is_some());
    }
}

#[test]
fn whatever_changes_the_ground_ends_the_search_first() {
    let mut engine = engine(2);
    for change in 0..5 {
        let witness = Arc::new(Witness::default());
        engine.go(infinite(), Vec::new(), witness.clone());
        let mut set = |name, value| {
            let note = engine.set_option(name, value);
            assert_eq!(note, Ok(None), "{name}");
        };
        match change {
            0 => set("Hash", Some("2")),
            1 => set("Threads", Some("3")),
            2 => set("Clear Hash", None),
            3 => engine.new_game(),
            _ => engine.go(to_depth(1), Vec::new(), Arc::new(Witness::default())),
        }
        assert_eq!(witness.answers(), 1, "change {change}");
    }
}

#[test]
fn dropping_the_engine_ends_the_search() {
    let witness = Arc::new(Witness::default());
    let mut engine = engine(2);
    engine.go(infinite(), Vec::new(), witness.clone());
    let start = Instant::now();
    drop(engine);
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(witness.answers(), 1);
}

#[test]
fn pondering_ends_with_ponderhit() {
    let mut engine = engine(1);
    let witness = Arc::new(Witness::default());
    let limits = Limits {
        ponder: true,
        ..to_depth(1)
    };
    engine.go(limits, Vec::new(), witness.clone());
    thread::sleep(Duration::from_millis(50));
    assert!(engine.is_searching());
    engine.ponderhit();
    engine.wait();
    assert_eq!(witness.answers(), 1);
}
