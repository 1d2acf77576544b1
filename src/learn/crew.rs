//! Threads that work side by side until all are done, one has failed, or time is up.
//!
//! Invariant: everybody is waited for, and the first failure, in the order of the threads,
//! is what is told; it names the thread.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow};

/// Room for the search's recursion, in debug builds too.
const STACK_BYTES: usize = 32 << 20;

/// When no new work is begun any more, if ever.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// So much later than now; never without a `time`, or after one beyond all clocks.
    pub(crate) fn after(time: Option<Duration>) -> Self {
        Self(time.and_then(|time| Instant::now().checked_add(time)))
    }

    /// Whether there is no time left.
    pub(crate) fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

/// Has `threads` threads do `work`, each with its number; the flag that they also get tells
/// that another one has failed and that it is time to stop.
///
/// # Errors
/// When a thread cannot be started, fails or panics.
pub(crate) fn run(
    threads: usize,
    work: impl Fn(usize, &AtomicBool) -> Result<()> + Sync,
) -> Result<()> {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let (stop, work) = (&stop, &work);
        let start = |number| {
            let work = move || {
                let outcome = catch_unwind(AssertUnwindSafe(|| work(number, stop)));
                // One failure ends all, or it would go unseen for hours.
                stop.fetch_or(!matches!(outcome, Ok(Ok(()))), Relaxed);
                let outcome = outcome.unwrap_or_else(|panic| resume_unwind(panic));
                outcome.with_context(|| format!("thread {number}"))
            };
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            let started = thread.spawn_scoped(scope, work);
            stop.fetch_or(started.is_err(), Relaxed);
            started
        };
        let workers: Vec<_> = (0..threads).map(start).collect();
        let outcomes = workers.into_iter().map(|worker| {
            let outcome = worker?.join();
            outcome.unwrap_or_else(|_| Err(anyhow!("a thread failed")))
        });
        // Everybody is waited for, before the first failure is told.
        let outcomes: Vec<_> = outcomes.collect();
        outcomes.into_iter().collect()
    })
}
