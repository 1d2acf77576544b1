//! One thread's search: what it is asked, what it owns, and what survives a search.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering},
    },
    time::Instant,
};

use crossbeam_utils::CachePadded;

use super::{
    Manner, Outcome, Reporter, Search, frame::Frames, pv::PvTable, reduce::ReductionTable,
};
use crate::{
    history::Histories,
    nnue::{Evaluator, Network},
    position::Game,
    tablebase::{Adviser, rank::Ranking},
    time::Limits,
    tt::Table,
    types::PackedMove,
};

/// What the threads of one search share besides the table.
#[derive(Debug, Default)]
pub struct Signals {
    /// Every thread ends as soon as it sees this.
    pub stop: AtomicBool,
    /// Whether the opponent is still to move; cleared by `ponderhit`.
    pub ponder: AtomicBool,
    /// Depth of the main thread's iteration; helpers look ahead of it.
    pub depth: AtomicI32,
    /// Nodes visited, one counter for each thread that searches, written in batches by its
    /// owner only.
    pub nodes: Vec<CachePadded<AtomicU64>>,
    /// Positions that the endgame tables answered for.
    pub tablebase_hits: AtomicU64,
}

impl Signals {
    /// Nodes visited by all threads, as far as they are published.
    pub fn total_nodes(&self) -> u64 {
        let counts = self.nodes.iter();
        counts.map(|count| count.load(Ordering::Relaxed)).sum()
    }

    /// Positions that the endgame tables answered for, in all threads.
    pub fn total_tablebase_hits(&self) -> u64 {
        self.tablebase_hits.load(Ordering::Relaxed)
    }
}

/// One search, as every thread of the pool receives it.
#[derive(Clone)]
pub struct Job {
    /// The root and the positions before it.
    pub game: Game,
    /// What ends the search.
    pub limits: Limits,
    /// Root moves to consider; empty means all.
    pub search_moves: Vec<PackedMove>,
    /// Number of principal variations (`MultiPV`), at least 1.
    pub lines: usize,
    /// When the command arrived.
    pub start: Instant,
    /// Nothing but principal-variation alpha-beta with quiescence: no pruning, reductions or
    /// extensions, no use of the table, and the tapered evaluation. It must then return the
    /// value of minimax, which is how the search is tested; it plays no games so.
    pub plain: bool,
    /// What the user wishes besides a good move.
    pub manner: Manner,
    /// The table, shared by all threads.
    pub table: Arc<Table>,
    /// The network to evaluate with.
    pub network: Arc<Network>,
    /// Endgame tables to look positions up in.
    pub adviser: Option<Adviser>,
    /// What endgame tables say about the moves of the root.
    pub ranking: Option<Ranking>,
    /// The signals, shared by all threads.
    pub signals: Arc<Signals>,
}

/// Everything a thread keeps from one search to the next.
pub(super) struct Memory {
    pub(super) histories: Histories,
    pub(super) frames: Frames,
    pub(super) pv: PvTable,
    pub(super) reductions: ReductionTable,
    pub(super) evaluator: Evaluator,
}

/// A searching thread's own state; survives from one search to the next.
pub struct Worker {
    id: usize,
    memory: Memory,
}

impl Worker {
    /// The worker of thread `id`; 0 is the main thread, the only one that watches the limits.
    pub fn new(id: usize) -> Self {
        let memory = Memory {
            histories: Histories::default(),
            frames: Frames::new(),
            pv: PvTable::new(),
            reductions: ReductionTable::new(),
            evaluator: Evaluator::new(Network::embedded()),
        };
        Self { id, memory }
    }

    /// Forgets everything learned: the next search is as the first.
    pub fn clear(&mut self) {
        self.memory.histories = Histories::default();
    }

    /// Searches until a limit is reached or `job.signals.stop` is set. Only worker 0
    /// reports lines and checks limits; it does *not* call [`Reporter::finished`], and
    /// it returns at its limit even if the search is infinite or pondering (the pool
    /// then holds the answer back).
    pub fn search(&mut self, job: &Job, reporter: &dyn Reporter) -> Outcome {
        self.memory.frames.clear();
        if cfg!(feature = "tune") {
            self.memory.reductions = ReductionTable::new();
        }
        self.memory.evaluator.begin(&job.network);
        Search::new(self.id, &mut self.memory, job, reporter).run()
    }
}
