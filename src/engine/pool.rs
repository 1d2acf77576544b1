//! The threads that search: started once, parked on a channel, each with its own
//! [`Worker`].
//!
//! Lazy SMP: every thread searches the same position, and they help each other only
//! through the table. Thread 0 leads: when its search returns it stops the others, holds
//! the answer back as long as it must, collects the outcomes, has them
//! [vote](super::vote) and reports the end, exactly once.
//!
//! Invariant: an answer always comes. A search that panics is a fault of the program, but
//! it costs its thread's opinion only: the panic is caught, reported, and the worker is
//! replaced by a new one; if no opinion is left, some legal move is played.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
    thread::{Builder, JoinHandle},
    time::Duration,
};

use super::{run::Run, strength::Handicap, vote};
use crate::{
    search::{Job, Outcome, Report, Reporter, Worker},
    types::Ply,
};

/// Room for a recursion to the deepest ply with generous frames, in debug builds too.
const STACK_BYTES: usize = 32 << 20;

/// What a thread is told.
enum Message {
    /// Search and lead the others, whose outcomes come through the receiver.
    Lead(Arc<Run>, Task, Receiver<Outcome>),
    /// Search and send the outcome.
    Help(Task, Sender<Outcome>),
    /// Forget everything learned.
    Clear,
}

/// A search and whom to tell about it.
#[derive(Clone)]
struct Task {
    job: Job,
    /// How the answer is weakened.
    handicap: Option<Handicap>,
    reporter: Arc<dyn Reporter>,
}

/// One parked thread. It ends when its inbox is closed.
struct Thread {
    inbox: Sender<Message>,
    handle: JoinHandle<()>,
}

/// All threads that search; at least one.
pub(super) struct Pool {
    threads: Vec<Thread>,
    run: Option<Arc<Run>>,
}

impl Pool {
    /// Starts `threads` threads, at least one.
    ///
    /// # Errors
    /// When the system refuses one of them; those already started end.
    pub(super) fn new(threads: usize) -> io::Result<Self> {
        let mut pool = Self {
            threads: Vec::new(),
            run: None,
        };
        for id in 0..threads.max(1) {
            pool.threads.push(Thread::start(id)?);
        }
        Ok(pool)
    }

    /// Number of threads.
    pub(super) fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Has every thread forget what it learned, before the next search.
    pub(super) fn clear(&self) {
        for thread in &self.threads {
            thread.tell(Message::Clear);
        }
    }

    /// Begins a search and returns at once, on as many threads as the job has node counters.
    /// No other search may be running.
    pub(super) fn start(
        &mut self,
        job: Job,
        handicap: Option<Handicap>,
        reporter: Arc<dyn Reporter>,
    ) {
        let run = Arc::new(Run::new(&job.limits, Arc::clone(&job.signals)));
        self.run = Some(Arc::clone(&run));
        let (sender, outcomes) = channel();
        let wanted = job.signals.nodes.len().saturating_sub(1);
        let task = Task {
            job,
            handicap,
            reporter,
        };
        if let Some((leader, helpers)) = self.threads.split_first() {
            for helper in helpers.iter().take(wanted) {
                helper.tell(Message::Help(task.clone(), sender.clone()));
            }
            leader.tell(Message::Lead(run, task, outcomes));
        }
    }

    /// Ends the search, if there is one; its answer follows.
    pub(super) fn stop(&self) {
        self.run.iter().for_each(|run| run.stop());
    }

    /// Lets a search on the opponent's time go on as one on our own.
    pub(super) fn ponderhit(&self) {
        self.run.iter().for_each(|run| run.ponderhit());
    }

    /// Whether an answer is still to come.
    pub(super) fn is_searching(&self) -> bool {
        self.run.as_ref().is_some_and(|run| !run.is_done())
    }

    /// Waits until the answer has been given, at most for `patience`; whether it has.
    pub(super) fn wait_for(&self, patience: Duration) -> bool {
        self.run.as_ref().is_none_or(|run| run.wait_for(patience))
    }

    /// Waits until the answer has been given.
    pub(super) fn wait(&self) {
        self.run.iter().for_each(|run| run.wait());
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.stop();
        let handles: Vec<_> = self.threads.drain(..).map(|thread| thread.handle).collect();
        for handle in handles {
            // A thread that panicked outside its search has nothing left to give.
            let _ = handle.join();
        }
    }
}

impl Thread {
    fn start(id: usize) -> io::Result<Self> {
        let (inbox, messages) = channel();
        let handle = Builder::new()
            .name(format!("search {id}"))
            .stack_size(STACK_BYTES)
            .spawn(move || serve(id, messages))?;
        Ok(Self { inbox, handle })
    }

    fn tell(&self, message: Message) {
        self.inbox
            .send(message)
            .expect("a thread serves as long as its inbox is open");
    }
}

/// The life of a thread.
fn serve(id: usize, messages: Receiver<Message>) {
    let mut worker = Worker::new(id);
    for message in messages {
        match message {
            Message::Lead(run, task, outcomes) => lead(&mut worker, &run, task, &outcomes),
            Message::Help(task, sender) => {
                let outcome = search(&mut worker, id, &task);
                drop(task);
                if let Some(outcome) = outcome {
                    // Nobody listens once the leader has gone, which is at the end of the program.
                    let _ = sender.send(outcome);
                }
            }
            Message::Clear => worker.clear(),
        }
    }
}

fn lead(worker: &mut Worker, run: &Run, task: Task, outcomes: &Receiver<Outcome>) {
    let own = if task.job.game.position().has_legal_move() {
        search(worker, 0, &task)
    } else {
        None
    };
    run.stop_threads();
    run.hold();
    let outcome = guarded(|| conclude(&task, own, outcomes));
    let outcome = outcome.unwrap_or_else(|_| without_search(&task.job));
    let Task { job, reporter, .. } = task;
    drop(job);
    // A reporter that fails is on its own; whoever waits must not wait for ever.
    let _ = guarded(|| reporter.finished(&outcome));
    run.finish();
}

/// One thread's opinion; `None` if its search failed.
fn search(worker: &mut Worker, id: usize, task: &Task) -> Option<Outcome> {
    match guarded(|| worker.search(&task.job, task.reporter.as_ref())) {
        Ok(outcome) => Some(outcome),
        Err(reason) => {
            *worker = Worker::new(id);
            let message = format!("thread {id} failed: {reason}");
            let _ = guarded(|| task.reporter.fault(&message));
            None
        }
    }
}

/// The value of `work`, or what it said when it panicked.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let words = panic.downcast_ref::<&str>().map(ToString::to_string);
        words
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no reason given".to_owned())
    })
}

/// The answer of all threads. Several lines are the main thread's alone; where a depth was
/// asked for, those that completed it have the say.
fn conclude(task: &Task, own: Option<Outcome>, helpers: &Receiver<Outcome>) -> Outcome {
    let several_lines = own.is_some() && task.job.lines > 1;
    let led = own.is_some();
    let mut outcomes: Vec<Outcome> = own.into_iter().chain(helpers.iter()).collect();
    if several_lines {
        outcomes.truncate(1);
    }
    let complete = |outcome: &&Outcome| {
        let wanted = task.job.limits.depth;
        wanted.is_some_and(|depth| outcome.depth >= depth)
    };
    let chosen = outcomes
        .iter()
        .find(complete)
        .or_else(|| vote::choose(&outcomes));
    let Some(chosen) = chosen else {
        return without_search(&task.job);
    };
    let mut answer = chosen.clone();
    let handicap = task.handicap.as_ref();
    let weakened = handicap.is_some_and(|handicap| handicap.weaken(&mut answer));
    // Who sees several lines has seen the one that is played.
    let unseen = weakened && task.job.lines == 1;
    if unseen || !led || !std::ptr::eq(chosen, &raw const outcomes[0]) {
        report_change(task, &answer);
    }
    answer
}

/// Shows the line of a move that is not the main thread's first choice, so that the last line
/// shown agrees with the move.
fn report_change(task: &Task, outcome: &Outcome) {
    task.reporter.line(&Report {
        depth: outcome.depth,
        selective_depth: Ply::new(u16::try_from(outcome.pv.len()).unwrap_or(0)),
        line: 1,
        score: outcome.score,
        bound: outcome.bound,
        nodes: task.job.signals.total_nodes(),
        time: task.job.start.elapsed(),
        hashfull: task.job.table.hashfull(),
        tablebase_hits: task.job.signals.total_tablebase_hits(),
        pv: &outcome.pv,
    });
}

/// The answer when nobody has one: no legal move at all, or every search failed.
fn without_search(job: &Job) -> Outcome {
    let position = job.game.position();
    let asked = job.search_moves.first().map(|&mv| position.unpack(mv));
    let best = asked.or_else(|| job.game.legal_moves().first().copied());
    Outcome::without_search(&position, best, job.start.elapsed())
}
