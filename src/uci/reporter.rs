//! How a search speaks to the client.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::Sender,
    },
};

use shakmaty::Move;

use super::{
    event::Event,
    print::{self, Style},
};
use crate::{
    search::{Outcome, Report, Reporter},
    types::Depth,
};

/// Prints what one search has to say, and tells the loop when it is over.
pub(super) struct Announcer {
    style: Style,
    events: Sender<Event>,
    answered: AtomicBool,
    /// The last line of each rank, held back until the answer.
    held: Mutex<BTreeMap<usize, String>>,
}

impl Announcer {
    /// For a search whose lines are written in this style.
    pub(super) fn new(style: Style, events: Sender<Event>) -> Self {
        Self {
            style,
            events,
            answered: AtomicBool::new(false),
            held: Mutex::default(),
        }
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<usize, String>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the client may already have seen the answer.
    pub(super) fn has_answered(&self) -> bool {
        self.answered.load(Relaxed)
    }
}

impl Reporter for Announcer {
    fn line(&self, report: &Report<'_>) {
        let line = print::info(report, &self.style);
        if self.style.minimal {
            self.held().insert(report.line, line.to_string());
        } else {
            print::text(line);
        }
    }

    fn current_move(&self, depth: Depth, mv: Move, number: usize) {
        if !self.style.minimal {
            print::current_move(depth, mv, number, &self.style);
        }
    }

    fn current_line(&self, line: &[Move]) {
        if !self.style.minimal {
            print::current_line(line, &self.style);
        }
    }

    fn refutation(&self, line: &[Move]) {
        if !self.style.minimal {
            print::refutation(line, &self.style);
        }
    }

    fn remark(&self, words: &str) {
        if !self.style.minimal {
            print::note(words);
        }
    }

    fn fault(&self, message: &str) {
        print::error(message);
    }

    fn finished(&self, outcome: &Outcome) {
        self.answered.store(true, Relaxed);
        self.held().values().for_each(print::text);
        print::best_move(outcome, &self.style);
        // The loop has gone only at the end of the program.
        let _ = self.events.send(Event::Done);
    }
}
