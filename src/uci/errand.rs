//! Long work other than a search (perft, bench), on a thread of its own, so that the
//! loop goes on listening and `stop` ends it.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::Sender,
    },
    thread::Builder,
};

use anyhow::{Result, bail};

use super::{event::Event, print};

/// Work under way.
pub(super) struct Errand {
    flags: Arc<Flags>,
}

/// What the loop and the work tell each other.
#[derive(Default)]
struct Flags {
    stop: AtomicBool,
    failed: AtomicBool,
}

impl Errand {
    /// Starts the `work` called `name`, which must return soon after its flag is set. Whatever
    /// becomes of it, the loop is told when it is over; why it failed is said here.
    ///
    /// # Errors
    /// When the system refuses a thread; the work is then not done.
    pub(super) fn start(
        name: &'static str,
        work: impl FnOnce(&AtomicBool) -> Result<()> + Send + 'static,
        events: Sender<Event>,
    ) -> io::Result<Self> {
        let flags = Arc::new(Flags::default());
        let own = Arc::clone(&flags);
        Builder::new().name("errand".to_owned()).spawn(move || {
            let fault = || bail!("the program is at fault; the work was not finished");
            let outcome = catch_unwind(AssertUnwindSafe(|| work(&own.stop)));
            if let Err(error) = outcome.unwrap_or_else(|_| fault()) {
                print::error(format_args!("{name}: {error:#}"));
                own.failed.store(true, Relaxed);
            }
            // The loop has gone only at the end of the program.
            let _ = events.send(Event::Done);
        })?;
        Ok(Self { flags })
    }

    /// Whether the work, which is over, could not be done.
    pub(super) fn has_failed(&self) -> bool {
        self.flags.failed.load(Relaxed)
    }

    /// Asks the work to end.
    pub(super) fn stop(&self) {
        self.flags.stop.store(true, Relaxed);
    }
}
