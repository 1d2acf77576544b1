//! The playing search, judged: with its pruning, reductions and extensions switched off it
//! returns the value of minimax.

use std::{
    sync::{Arc, atomic::AtomicU64},
    time::Instant,
};

use arborist::{
    classic::{Algorithm, Log, chess::Chess},
    nnue::Network,
    position::Game,
    search::{Job, Manner, Outcome, Report, Reporter, Signals, Worker},
    time::Limits,
    tools::bench,
    tt::Table,
    types::{Depth, Score},
};
use crossbeam_utils::CachePadded;

/// Hears nothing: the worker returns what it found.
struct Deaf;

impl Reporter for Deaf {
    fn line(&self, _report: &Report<'_>) {}
    fn finished(&self, _outcome: &Outcome) {}
}

/// The value of the playing search in its plain form.
fn plain(game: &Game, depth: u32, table: &Arc<Table>) -> Score {
    let limits = Limits {
        depth: i32::try_from(depth).ok().map(Depth::new),
        ..Limits::default()
    };
    let signals = Signals {
        nodes: vec![CachePadded::new(AtomicU64::new(0))],
        ..Signals::default()
    };
    let job = Job {
        game: game.clone(),
        limits,
        search_moves: Vec::new(),
        lines: 1,
        start: Instant::now(),
        plain: true,
        manner: Manner::default(),
        table: Arc::clone(table),
        network: Network::embedded(),
        adviser: None,
        ranking: None,
        signals: Arc::new(signals),
    };
    Worker::new(0).search(&job, &Deaf).score
}

#[test]
fn without_its_shortcuts_the_playing_search_returns_the_value_of_minimax() {
    let deepest = if cfg!(debug_assertions) { 2 } else { 4 };
    let games = bench::positions().expect("the positions are legal");
    let table = Arc::new(Table::new(1, 1).expect("a mebibyte"));
    for game in games.iter().step_by(3) {
        let root = Chess::new(game.position());
        for depth in 1..=deepest {
            let value = Algorithm::FailSoft.search(&root, depth, &mut Log::new());
            let found = plain(game, depth, &table);
            assert_eq!(found, value, "depth {depth} of {}", game.fen());
        }
    }
}
