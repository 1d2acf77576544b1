//! Iterative deepening: search to depth 1, 2, 3 …, each iteration ordered by the one
//! before, until a limit is reached (Slate & Atkin 1977).

use std::{sync::atomic::Ordering, time::Duration};

use shakmaty::Move;

use super::{
    Outcome, Report, Search, cutoffs,
    manner::played_out,
    root::{RootMove, Value},
};
use crate::{
    position::{Position, Trail},
    time::Course,
    types::{Bound, Depth, PackedMove, Ply, Score, convert},
};

/// Plies by which the helpers, in turn, look ahead of the main thread.
const HELPER_LEADS: [i32; 3] = [3, 2, 1];
/// Where a depth was asked for, helpers head for it at once, though not further ahead than this.
const FIXED_DEPTH_LEAD: i32 = 16;

/// What was last told about the best line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Told {
    best: Option<PackedMove>,
    reply: Option<PackedMove>,
    score: Option<Score>,
}

/// How the best move and its score developed from iteration to iteration.
#[derive(Clone, Copy, Debug, Default)]
struct Development {
    best: Option<PackedMove>,
    stable_iterations: u32,
    score: Option<Score>,
    score_drop: i32,
}

impl Development {
    fn note(&mut self, root: &RootMove) {
        let same = self.best == Some(root.mv);
        self.stable_iterations = if same { self.stable_iterations + 1 } else { 0 };
        self.best = Some(root.mv);
        let drop = self
            .score
            .zip(root.score())
            .map(|(before, score)| before - score);
        self.score_drop = drop.unwrap_or(0);
        self.score = root.score();
    }
}

impl Search<'_> {
    /// Runs the search to its end and returns what it found.
    pub(super) fn run(mut self) -> Outcome {
        let position = self.job.game.position();
        if self.root.len() == 0 {
            return Outcome::without_search(&position, None, self.elapsed());
        }
        let depth = self.deepen(&position);
        self.publish_nodes();
        if self.is_main() {
            self.report_if_changed(&position);
        }
        self.outcome(&position, depth)
    }

    /// The iterations; returns the last one completed.
    fn deepen(&mut self, position: &Position) -> Depth {
        let last = self.job.limits.depth.unwrap_or(Depth::MAX).min(Depth::MAX);
        let mut development = Development::default();
        let mut completed = Depth::ZERO;
        while completed < last {
            let depth = self.next_depth(completed).min(last);
            if self.iterate(position, depth).is_err() {
                self.root.sort_lines();
                break;
            }
            completed = depth;
            self.finish_for_all(depth);
            if self.is_main() {
                self.report_lines(position);
                self.report_refutations(position);
                if let Some(best) = self.root.best() {
                    development.note(best);
                }
                if self.may_finish(position, &development) {
                    break;
                }
            }
        }
        completed
    }

    /// The main thread goes ply by ply. A helper that did the same would mostly repeat its
    /// work; it looks some plies further instead, and what it finds waits in the table
    /// when the main thread comes there.
    fn next_depth(&self, completed: Depth) -> Depth {
        let signal = &self.job.signals.depth;
        let next = completed + 1;
        if self.is_main() {
            signal.store(next.plies(), Ordering::Relaxed);
            return next;
        }
        let lead = match self.job.limits.depth {
            Some(_) => FIXED_DEPTH_LEAD,
            None => HELPER_LEADS[self.id % HELPER_LEADS.len()],
        };
        next.max(Depth::new(signal.load(Ordering::Relaxed) + lead))
    }

    /// The first thread to complete the depth that was asked for has the answer: nobody
    /// else need go on. Several lines are the main thread's own work.
    fn finish_for_all(&self, completed: Depth) {
        let limits = &self.job.limits;
        let complete = limits.depth.is_some_and(|depth| completed >= depth);
        if complete && self.job.lines == 1 && !limits.infinite && !self.is_pondering() {
            self.job.signals.stop.store(true, Ordering::Relaxed);
        }
    }

    /// One iteration over all lines asked for.
    fn iterate(&mut self, position: &Position, depth: Depth) -> Result<(), super::node::Stopped> {
        self.root.begin_iteration();
        self.selective_depth = Ply::ROOT;
        self.depth = depth;
        for line in 0..self.lines().min(self.root.len()) {
            self.root.begin_line(line);
            self.aspirate(position, depth)?;
            self.root.settle();
            self.root.sort_lines();
        }
        self.root.forget_unsettled();
        Ok(())
    }

    /// Whether the time is spent or the mate that was asked for is settled.
    fn may_finish(&mut self, position: &Position, development: &Development) -> bool {
        let Some(score) = development.score.filter(|_| !self.is_pondering()) else {
            return false;
        };
        // A proof that was stopped stops the search.
        if self.mate_is_settled(position).unwrap_or(true) {
            return true;
        }
        let course = Course {
            stable_iterations: development.stable_iterations,
            score_drop: development.score_drop,
            best_move_share: self.best_move_share(),
            forced: self.root.is_forced(),
            score,
        };
        !self.job.limits.infinite && self.budget.is_spent(self.time_used(), &course)
    }

    fn best_move_share(&self) -> f64 {
        let spent = self.root.best().map_or(0, |root| root.nodes);
        convert::real(spent) / convert::real(self.nodes.max(1))
    }

    /// Tells the lines as they stand; some of an iteration that was cut short may be as the one
    /// before left them.
    pub(super) fn report_lines(&mut self, position: &Position) {
        for (number, root) in (1..).zip(&self.root.standing(self.job.lines)) {
            self.report(position, number, root);
        }
        self.told = self.now();
    }

    /// The line that failed high or low, in long searches only: it will take a while.
    pub(super) fn report_failure(&self, high: bool) {
        let patience = Duration::from_secs(3);
        if self.is_main() && self.lines() == 1 && self.elapsed() > patience {
            let bound = if high { Bound::Lower } else { Bound::Upper };
            if let Some(root) = self.root.best() {
                let value = root.value.map(|value| Value { bound, ..value });
                let root = RootMove {
                    value,
                    ..root.clone()
                };
                self.report(&self.job.game.position(), 1, &root);
            }
        }
    }

    /// The lines once more, if the best move, its score or the reply changed after the last report or none was made.
    fn report_if_changed(&mut self, position: &Position) {
        if self.now() == self.told {
            return;
        }
        let Some(root) = self.root.best().cloned() else {
            return;
        };
        if root.value.is_some() {
            self.report_lines(position);
            return;
        }
        // Stopped before the first move was searched: its evaluation is all there is.
        self.memory.evaluator.reset();
        let value = Some(Value {
            score: self.evaluate(position),
            bound: Bound::Exact,
            depth: Depth::ONE,
        });
        self.report(position, 1, &RootMove { value, ..root });
    }

    fn now(&self) -> Told {
        let best = self.root.best();
        Told {
            best: best.map(|root| root.mv),
            reply: best.and_then(|root| root.line.get(1).copied()),
            score: best.and_then(RootMove::score),
        }
    }

    fn report(&self, position: &Position, line: usize, root: &RootMove) {
        let Some(value) = root.told() else {
            return;
        };
        let pv = unpacked(position, root);
        self.reporter.line(&Report {
            depth: value.depth,
            selective_depth: root.selective_depth,
            line,
            score: value.score,
            bound: value.bound,
            nodes: self.all_nodes(),
            time: self.elapsed(),
            hashfull: self.table.hashfull(),
            tablebase_hits: self.job.signals.total_tablebase_hits(),
            pv: &pv,
        });
    }

    fn outcome(&self, position: &Position, depth: Depth) -> Outcome {
        let best = self.root.best();
        let line = best
            .map(|root| unpacked(position, root))
            .unwrap_or_default();
        let value = best.and_then(RootMove::told);
        Outcome {
            best: line.first().copied(),
            ponder: self.reply_in(position, &line),
            pv: line,
            score: value.map_or(-Score::INFINITE, |value| value.score),
            bound: value.map_or(Bound::Exact, |value| value.bound),
            depth,
            nodes: self.all_nodes(),
            time: self.elapsed(),
            cutoffs: self.cutoffs,
            quiet_cutoffs: self.quiet_cutoffs,
            choices: self.choices(position),
        }
    }

    /// The answer to the first move of `line`: the second one, or what the table knows.
    pub(super) fn reply_in(&self, position: &Position, line: &[Move]) -> Option<Move> {
        let known = line.get(1).copied();
        known.or_else(|| self.expected_reply(position, *line.first()?))
    }

    /// The table's move after `played`, when the line itself ends there.
    fn expected_reply(&self, position: &Position, played: Move) -> Option<Move> {
        let after = position.play(position.pack(played));
        let mut trail = Trail::new(&self.job.game);
        trail.push(position.key());
        if cutoffs::is_draw(&trail, &after, Ply::ROOT.next()) {
            return None;
        }
        self.known_move(&after).map(|reply| after.unpack(reply))
    }

    /// Nodes visited by all threads, those of the others as far as they are published.
    pub(super) fn all_nodes(&self) -> u64 {
        self.publish_nodes();
        self.job.signals.total_nodes()
    }
}

/// The line of a root move as full moves.
pub(super) fn unpacked(position: &Position, root: &RootMove) -> Vec<Move> {
    played_out(position, root.line.iter().copied())
}
