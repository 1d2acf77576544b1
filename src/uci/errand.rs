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

use super::{event::Event, print};

/// Work under way.
pub(super) struct Errand {
    stop: Arc<AtomicBool>,
}

impl Errand {
    /// Starts `work`, which must return soon after its flag is set. Whatever becomes of it,
    /// the loop is told when it is over.
    ///
    /// # Errors
    /// When the system refuses a thread; the work is then not done.
    pub(super) fn start(
        work: impl FnOnce(&AtomicBool) + Send + 'static,
        events: Sender<Event>,
    ) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        Builder::new().name("errand".to_owned()).spawn(move || {
            if catch_unwind(AssertUnwindSafe(|| work(&flag))).is_err() {
                print::error("the program is at fault; the work was not finished");
            }
            // The loop has gone only at the end of the program.
            let _ = events.send(Event::Done);
        })?;
        Ok(Self { stop })
    }

    /// Asks the work to end.
    pub(super) fn stop(&self) {
        self.stop.store(true, Relaxed);
    }
}
