//! The built-in search as a player: one thread, a small table, nothing kept between games.
//!
//! Scores are in centipawns as the network learned them, not in those shown to users, so
//! that the next network can be trained on them and the win-rate model be fitted to them.

use std::{
    sync::{Arc, Mutex, PoisonError, atomic::AtomicU64},
    time::Instant,
};

use anyhow::{Context, Result};
use crossbeam_utils::CachePadded;

use super::players::{Answer, Line, Player};
use crate::{
    nnue::Network,
    search::{Job, Manner, Outcome, Report, Reporter, Signals, Worker},
    time::Limits,
    tt::Table,
    types::Score,
};

/// A worker of the search with its own table.
pub(super) struct Own {
    worker: Worker,
    table: Arc<Table>,
    network: Arc<Network>,
    /// Nodes of thought that the question allows.
    nodes: u64,
}

impl Own {
    /// A player with a table of `hash` MiB.
    pub(super) fn new(network: Arc<Network>, hash: usize) -> Result<Self> {
        let table = Table::new(hash, 1).context("no memory for the table")?;
        Ok(Self {
            worker: Worker::new(0),
            table: Arc::new(table),
            network,
            nodes: 0,
        })
    }
}

/// The score of the last line told; it is there even if the search was stopped before it
/// had finished its first move.
#[derive(Default)]
struct LastScore(Mutex<Option<Score>>);

impl Reporter for LastScore {
    fn line(&self, report: &Report<'_>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(report.score);
    }

    fn finished(&self, _outcome: &Outcome) {}
}

impl Player for Own {
    fn new_game(&mut self, _chess960: bool) -> Result<()> {
        self.worker.clear();
        self.table.clear(1);
        Ok(())
    }

    fn ask(&mut self, _line: &Line, nodes: u64) -> Result<()> {
        self.nodes = nodes;
        Ok(())
    }

    fn answer(&mut self, line: &Line) -> Result<Answer> {
        self.table.new_search();
        let signals = Signals {
            nodes: vec![CachePadded::new(AtomicU64::new(0))],
            ..Signals::default()
        };
        let job = Job {
            game: line.game().clone(),
            limits: Limits {
                nodes: Some(self.nodes),
                ..Limits::default()
            },
            search_moves: Vec::new(),
            lines: 1,
            plain: false,
            manner: Manner::default(),
            start: Instant::now(),
            table: Arc::clone(&self.table),
            network: Arc::clone(&self.network),
            adviser: None,
            ranking: None,
            signals: Arc::new(signals),
        };
        let last = LastScore::default();
        let outcome = self.worker.search(&job, &last);
        let mv = outcome.best.with_context(|| {
            let fen = line.game().fen();
            format!("the search found no move in {fen}")
        })?;
        let score = last.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Answer { mv, score })
    }
}
