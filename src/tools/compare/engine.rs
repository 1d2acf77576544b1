//! The playing search as a contestant.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use anyhow::Result;
use shakmaty::san::SanPlus;

use super::{Contestant, Run};
use crate::{
    classic::anatomy::Ordering,
    engine::Engine,
    position::Game,
    search::{Outcome, Report, Reporter},
    time::Limits,
    tools,
    types::{Bound, Depth},
};

/// An engine with one thread and a small table.
pub(super) struct Playing(Engine);

/// One completed iteration.
struct Iteration {
    depth: u32,
    run: Run,
}

/// What was heard of one search.
struct Listener {
    game: Game,
    iterations: Mutex<Vec<Iteration>>,
}

impl Reporter for Listener {
    fn line(&self, report: &Report<'_>) {
        let depth = u32::try_from(report.depth.plies()).unwrap_or_default();
        if report.line > 1 || report.bound != Bound::Exact {
            return;
        }
        let cost = (report.nodes, report.time);
        let best = report.pv.first();
        let run = Run {
            best: best.map(|&mv| SanPlus::from_move(self.game.chess().clone(), mv).to_string()),
            ..Run::new(
                Contestant::Engine,
                depth,
                report.score,
                cost,
                Ordering::default(),
            )
        };
        self.lock().push(Iteration { depth, run });
    }

    /// The last iteration knows how well the moves were ordered.
    fn finished(&self, outcome: &Outcome) {
        let mut iterations = self.lock();
        if let Some(Iteration { run, .. }) = iterations.last_mut() {
            run.ordering = Ordering::of_cuts(outcome.cutoffs.all, outcome.cutoffs.first);
            run.first_move_cuts = run.ordering.first_move_cuts();
        }
    }
}

impl Listener {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Iteration>> {
        self.iterations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Playing {
    /// A fresh engine.
    pub(super) fn new() -> Result<Self> {
        Ok(Self(tools::engine(1, 16)?))
    }

    /// The iterations of one search of `game`, up to `depth` plies, within `patience`.
    pub(super) fn deepen(&mut self, game: &Game, depth: u32, patience: Duration) -> Vec<Run> {
        let listener = Arc::new(Listener {
            game: game.clone(),
            iterations: Mutex::default(),
        });
        let limits = Limits {
            depth: i32::try_from(depth).ok().map(Depth::new),
            move_time: Some(patience),
            ..Limits::default()
        };
        self.0.new_game();
        self.0.set_game(game.clone());
        self.0.go(limits, Vec::new(), listener.clone());
        self.0.wait();
        let mut iterations = std::mem::take(&mut *listener.lock());
        // Where a depth was told of twice the later word counts.
        iterations.reverse();
        iterations.sort_by_key(|iteration| iteration.depth);
        iterations.dedup_by_key(|iteration| iteration.depth);
        iterations
            .into_iter()
            .map(|iteration| iteration.run)
            .collect()
    }
}
