//! The search: iterative deepening (`iterate`) asks for ever deeper searches of the
//! root inside aspiration windows (`aspiration`); each is a principal-variation
//! alpha-beta (`negamax`), whose nodes go through the same steps in order: draws and
//! the table (`cutoffs`), endgame tables (`tablebase`), the static judgement (`assess`),
//! pruning of the whole node (`prune`, `null_move`, `probcut`), the standing of the table's
//! move (`extend`), the moves one by one (`moves`, with `reduce`), and what is learned from
//! them (`learn`). At depth zero captures are played out (`quiesce`).
//!
//! The search never prints and knows no other thread: it reports to a [`Reporter`],
//! shares the table and the [`Signals`], and owns the rest.

mod aspiration;
mod assess;
mod cutoffs;
mod extend;
mod frame;
mod iterate;
mod learn;
mod lone_king;
mod manner;
mod mate;
mod moves;
mod negamax;
mod node;
mod null_move;
mod probcut;
mod prune;
mod pv;
mod quiesce;
mod reduce;
pub mod report;
mod root;
mod tablebase;
mod trial;
mod worker;

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use iterate::Told;
pub use manner::{Effort, Manner};
use mate::Proof;
use node::{Node, NodeType, Stopped};
pub use report::{Choice, Cutoffs, Outcome, Report, Reporter};
use root::{RootMoves, Value};
use trial::Trial;
use worker::Memory;
pub use worker::{Job, Signals, Worker};

use crate::{
    movepick,
    position::{Position, Trail},
    tapered,
    time::Budget,
    tt::{Entry, Table},
    types::{Bound, Depth, MoveList, PackedMove, Ply, Score},
};

/// Nodes between two looks at the stop signal and the clock.
const POLL_INTERVAL: u64 = 512;
/// Root moves are announced only when the search has run so long.
const ANNOUNCE_AFTER: Duration = Duration::from_secs(3);

/// One search of one thread, from the command to the answer.
struct Search<'j> {
    id: usize,
    memory: &'j mut Memory,
    job: &'j Job,
    reporter: &'j dyn Reporter,
    table: &'j Table,
    budget: Budget,
    /// When the clock of a fixed move time began to run.
    move_start: Instant,
    trail: Trail,
    root: RootMoves,
    /// Iteration under way.
    depth: Depth,
    selective_depth: Ply,
    nodes: u64,
    cutoffs: Cutoffs,
    quiet_cutoffs: Cutoffs,
    /// Nodes this thread may visit; the limit over several threads is polled instead.
    node_cap: u64,
    /// No null move is tried above this ply (while a null move is being verified).
    null_moves_from: Ply,
    told: Told,
    /// What is proved about mates, where one was asked for.
    proof: Proof,
    /// Added to every key of the table, so that values of another manner are not found.
    salt: u64,
    /// When the current line is shown next.
    line_due: Duration,
}

impl<'j> Search<'j> {
    fn new(id: usize, memory: &'j mut Memory, job: &'j Job, reporter: &'j dyn Reporter) -> Self {
        let alone = job.signals.nodes.len() <= 1;
        let node_cap = job.limits.nodes.filter(|_| alone).unwrap_or(u64::MAX);
        Self {
            id,
            memory,
            job,
            reporter,
            table: &job.table,
            budget: Budget::new(&job.limits),
            move_start: job.start,
            trail: Trail::new(&job.game),
            root: root_moves(job),
            depth: Depth::ZERO,
            selective_depth: Ply::ROOT,
            nodes: 0,
            cutoffs: Cutoffs::default(),
            quiet_cutoffs: Cutoffs::default(),
            node_cap: node_cap.min(job.manner.most_nodes()),
            null_moves_from: Ply::ROOT,
            told: Told::default(),
            proof: job
                .limits
                .mate
                .map(|_| Proof::new(&job.game))
                .unwrap_or_default(),
            salt: job.manner.salt(),
            line_due: Duration::ZERO,
        }
    }

    const fn is_main(&self) -> bool {
        self.id == 0
    }

    fn is_pondering(&self) -> bool {
        self.job.signals.ponder.load(Ordering::Relaxed)
    }

    fn elapsed(&self) -> Duration {
        self.job.start.elapsed()
    }

    /// Counts the node and stops here if the search is over.
    fn enter<N: NodeType>(&mut self, node: &Node<'_>) -> Result<(), Stopped> {
        if self.count()? {
            self.show_line(node);
        }
        if N::PV {
            self.memory.pv.clear(node.ply);
            self.selective_depth = self.selective_depth.max(node.ply);
        }
        Ok(())
    }

    /// Counts a node, unless the search is over; whether it was time to look around.
    #[inline]
    fn count(&mut self) -> Result<bool, Stopped> {
        if self.nodes >= self.node_cap && self.is_capped() {
            return Err(Stopped);
        }
        self.nodes += 1;
        let due = self.nodes.is_multiple_of(POLL_INTERVAL);
        if due {
            self.poll()?;
        }
        Ok(due)
    }

    fn publish_nodes(&self) {
        if let Some(counter) = self.job.signals.nodes.get(self.id) {
            counter.store(self.nodes, Ordering::Relaxed);
        }
    }

    /// Publishes the node count and looks at the signals and, on the main thread, at the limits.
    fn poll(&mut self) -> Result<(), Stopped> {
        self.publish_nodes();
        let stopped = self.job.signals.stop.load(Ordering::Relaxed);
        if stopped || self.is_main() && self.limit_reached() {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    fn limit_reached(&mut self) -> bool {
        if self.is_pondering() {
            self.move_start = Instant::now();
            return false;
        }
        let limits = &self.job.limits;
        let out_of_time = self
            .budget
            .hard()
            .is_some_and(|hard| self.time_used() >= hard);
        let out_of_nodes = limits.nodes.is_some_and(|nodes| self.all_nodes() >= nodes);
        !limits.infinite && (out_of_time || out_of_nodes)
    }

    /// Time that counts against the limit. Where nodes stand for time, it is theirs. A clock runs
    /// from the command on, also while pondering, and so does a fixed move time beside it; a fixed
    /// move time alone runs from the moment it is our move.
    fn time_used(&self) -> Duration {
        if let Some(rate) = self.job.limits.nodes_per_ms {
            return Duration::from_micros(self.all_nodes().saturating_mul(1000) / rate);
        }
        if self.job.limits.clock.is_some() {
            self.elapsed()
        } else {
            self.move_start.elapsed()
        }
    }

    /// What the table knows of `position`.
    fn probe(&self, position: &Position) -> Option<Entry> {
        if self.job.plain {
            return None;
        }
        self.table.probe(self.table_key(position))
    }

    /// The static evaluation of `position`, the last one played to.
    fn evaluate(&mut self, position: &Position) -> Score {
        if self.job.plain {
            return tapered::evaluate(position);
        }
        lone_king::evaluate(position).unwrap_or_else(|| self.memory.evaluator.evaluate(position))
    }

    /// Begins to fetch what the table knows of the position after `mv`. To be called before the
    /// move is judged, though it may be pruned then: memory is slower than the judgement.
    fn prefetch(&self, position: &Position, mv: PackedMove) {
        self.table.prefetch(position.key_after(mv) ^ self.salt);
    }

    /// The position after `mv`, with everything that follows the path brought along.
    fn play(&mut self, node: &Node<'_>, mv: PackedMove) -> Position {
        let position = node.position;
        let key = movepick::continuation_key(position, mv);
        let frame = self.memory.frames.at_mut(node.ply);
        frame.played = Some(key);
        frame.quiet = (!position.is_noisy(mv)).then_some(mv);
        frame.mv = Some(mv);
        self.trail.push(position.key());
        self.memory.evaluator.push();
        position.play(mv)
    }

    /// Takes the last move back, null or not.
    fn unplay(&mut self) {
        self.trail.pop();
        self.memory.evaluator.pop();
    }

    /// The position with the other side to move.
    fn play_null(&mut self, node: &Node<'_>) -> Position {
        let frame = self.memory.frames.at_mut(node.ply);
        frame.played = None;
        frame.quiet = None;
        frame.mv = None;
        self.trail.push_null(node.position.key());
        self.memory.evaluator.push();
        let child = node.position.play_null();
        self.table.prefetch(self.table_key(&child));
        child
    }

    /// Tells which root move is about to be searched, once the search has become long.
    fn announce(&self, node: &Node<'_>, trial: &Trial) {
        if self.is_main() && self.elapsed() >= ANNOUNCE_AFTER {
            let number = usize::try_from(trial.number).unwrap_or_default();
            self.reporter
                .current_move(self.depth, node.position.unpack(trial.mv), number);
        }
    }

    /// Notes what a root move turned out to be worth.
    fn note_root_move(&mut self, node: &Node<'_>, trial: &Trial, score: Score, nodes: u64) {
        let (depth, selective_depth) = (self.depth, self.selective_depth);
        let line = self.memory.pv.line(node.ply);
        let Some(root) = self.root.find_mut(trial.mv) else {
            return;
        };
        root.nodes += nodes;
        if trial.number > 1 && node.window.fails_low(score) {
            root.value = None;
            return;
        }
        let bound = if node.window.fails_high(score) {
            Bound::Lower
        } else if node.window.fails_low(score) {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root.value = Some(Value {
            score,
            bound,
            depth,
        });
        root.selective_depth = selective_depth;
        // A bound comes without a whole line: an older one that begins alike says more.
        if bound == Bound::Exact || root.line.len() < line.len() {
            root.line.clone_from(line);
        }
    }
}

/// The legal moves of the root, in the order of the generator, as far as they are wanted.
fn root_moves(job: &Job) -> RootMoves {
    let position = job.game.position();
    let mut legal = MoveList::new();
    position.generate_all(&mut legal);
    let total = legal.len();
    if !job.search_moves.is_empty() {
        legal.retain(|mv| job.search_moves.contains(mv));
    }
    RootMoves::new(&legal, legal.len() == total, job.ranking.as_ref())
}
