//! One search as the outside steers it: stop, `ponderhit`, waiting for the end.
//!
//! Invariant: the answer is given when the main thread has one *and* nobody asked to
//! hold it back (`go infinite`, `go ponder`). Waiting is done on a condition variable;
//! nothing polls. The flags that the search reads are set under the same lock, so that
//! no wake-up is lost.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, atomic::Ordering::Relaxed},
    time::Duration,
};

use crate::{search::Signals, time::Limits};

/// The shared state of one search.
pub(super) struct Run {
    signals: Arc<Signals>,
    state: Mutex<State>,
    changed: Condvar,
}

/// Why the answer is still held back, and whether it has been given.
struct State {
    infinite: bool,
    pondering: bool,
    done: bool,
}

impl Run {
    /// A search that is about to begin.
    pub(super) fn new(limits: &Limits, signals: Arc<Signals>) -> Self {
        let state = State {
            infinite: limits.infinite,
            pondering: limits.ponder,
            done: false,
        };
        Self {
            signals,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// The answer is wanted now.
    pub(super) fn stop(&self) {
        let mut state = self.lock();
        state.infinite = false;
        state.pondering = false;
        self.stop_threads();
        self.changed.notify_all();
    }

    /// From now on the search is on our own time.
    pub(super) fn ponderhit(&self) {
        let mut state = self.lock();
        state.pondering = false;
        self.signals.ponder.store(false, Relaxed);
        self.changed.notify_all();
    }

    /// Makes every thread end; the answer may still be held back.
    pub(super) fn stop_threads(&self) {
        self.signals.stop.store(true, Relaxed);
    }

    /// Waits until the answer may be given.
    pub(super) fn hold(&self) {
        self.wait_while(|state| state.infinite || state.pondering);
    }

    /// Waits until the answer has been given.
    pub(super) fn wait(&self) {
        self.wait_while(|state| !state.done);
    }

    /// Waits until the answer has been given, at most for `patience`; whether it has.
    pub(super) fn wait_for(&self, patience: Duration) -> bool {
        let waited = self
            .changed
            .wait_timeout_while(self.lock(), patience, |state| !state.done);
        waited.unwrap_or_else(PoisonError::into_inner).0.done
    }

    /// The answer has been given.
    pub(super) fn finish(&self) {
        self.lock().done = true;
        self.changed.notify_all();
    }

    /// Whether the answer has been given.
    pub(super) fn is_done(&self) -> bool {
        self.lock().done
    }

    fn wait_while(&self, condition: impl Fn(&State) -> bool) {
        let mut state = self.lock();
        while condition(&state) {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
