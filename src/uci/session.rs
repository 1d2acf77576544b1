//! The loop: one conversation with a client, or with a command line.
//!
//! The loop sleeps until something happens: a line of input, its end, or the end of a
//! search. During a search some commands are done at once; the others wait in a queue,
//! in order, and follow when the answer has been given, so nothing can deadlock. `stop`
//! and `ponderhit` are meant for everything that was sent before them: they act on the
//! running search and are remembered for what waits, so that every `go` gets its one
//! `bestmove` however early the `stop` came. At the end of input everything that waits
//! is done in the same way, stopped at once; `quit` drops it.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
};

use super::{
    command::Command,
    errand::Errand,
    event::{Event, listen},
    journal,
    parse::parse,
    print,
    reporter::Announcer,
};
use crate::engine::Engine;

/// The state of one conversation.
pub struct Session {
    pub(super) engine: Engine,
    pub(super) activity: Activity,
    pub(super) debug: bool,
    /// On a command line, what is not understood ends the run instead of being skipped.
    pub(super) strict: bool,
    waiting: VecDeque<Command>,
    /// What runs was told to stop: what waits will be done in a moment.
    ending: bool,
    /// How many of those that wait, from the front, a `stop` has already come for.
    stopped: usize,
    /// How many of those that wait, from the front, a `ponderhit` has already come for.
    hit: usize,
    events: Receiver<Event>,
    pub(super) sender: Sender<Event>,
}

/// How the lines of a command line came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All was done.
    Done,
    /// Something was understood, but could not be done.
    Failed,
    /// Something was not understood.
    Misunderstood,
}

/// What runs beside the loop.
pub(super) enum Activity {
    Nothing,
    Search(Arc<Announcer>),
    Errand(Errand),
}

/// Whether the conversation goes on.
#[derive(PartialEq, Eq)]
enum Flow {
    Continue,
    Quit,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// A conversation about to begin.
    pub fn new() -> Self {
        let (sender, events) = channel();
        Self {
            engine: Engine::new(),
            activity: Activity::Nothing,
            debug: false,
            strict: false,
            waiting: VecDeque::new(),
            ending: false,
            stopped: 0,
            hit: 0,
            events,
            sender,
        }
    }

    /// Speaks UCI on standard input and output until `quit` or the end of the input.
    ///
    /// # Errors
    /// When the system refuses a thread to listen with.
    pub fn serve(mut self) -> std::io::Result<()> {
        listen(self.sender.clone())?;
        while let Ok(event) = self.events.recv() {
            match event {
                Event::Line(line) => {
                    if self.hear(&line) == Flow::Quit {
                        break;
                    }
                }
                Event::Overlong => print::error("line too long"),
                Event::EndOfInput => {
                    self.stop();
                    break;
                }
                Event::Done => self.resume(),
            }
        }
        self.finish();
        Ok(())
    }

    /// Obeys the lines of a command line one after the other, each search to its end. The first
    /// one that is not understood, or whose work fails, ends the run.
    pub fn run<S: AsRef<str>>(&mut self, lines: &[S]) -> Ending {
        self.strict = true;
        for line in lines {
            journal::heard(line.as_ref());
            let obeyed = match parse(line.as_ref()) {
                Err(error) => Err(error.to_string()),
                Ok(None) => Ok(()),
                Ok(Some(Command::Quit)) => break,
                Ok(Some(command)) => self.obey(command),
            };
            if let Err(reason) = obeyed {
                print::error(reason);
                return Ending::Misunderstood;
            }
            if !self.finish() {
                return Ending::Failed;
            }
        }
        Ending::Done
    }

    fn hear(&mut self, line: &str) -> Flow {
        journal::heard(line);
        match parse(line) {
            Err(error) => print::error(error),
            Ok(None) => {}
            Ok(Some(Command::Quit)) => {
                self.waiting.clear();
                self.stop();
                return Flow::Quit;
            }
            Ok(Some(command)) => self.attend(command),
        }
        Flow::Continue
    }

    /// Obeys at once, or puts the command in the queue.
    fn attend(&mut self, command: Command) {
        if self.debug {
            print::note(format_args!("understood {command:?}"));
        }
        if self.is_idle() || self.may_begin(&command) {
            self.obey_or_complain(command);
            return;
        }
        if !self.is_ending() && !command.is_immediate() {
            let word = command.word();
            print::note(format_args!("{word} waits for the end of the search"));
        }
        self.waiting.push_back(command);
    }

    /// Whether the command need not wait for the end of what runs. `readyok` says that all
    /// before it is done, so it comes after the answer of a search that was stopped, for which
    /// some programs wait like this. Behind a search that goes on it does not wait.
    fn may_begin(&self, command: &Command) -> bool {
        let due_later = matches!(command, Command::IsReady) && self.is_ending();
        command.is_immediate() && !due_later
    }

    /// Whether what runs will be over in a moment.
    fn is_ending(&self) -> bool {
        self.ending || self.has_answered()
    }

    /// Whether the client may already have seen the answer of what runs.
    fn has_answered(&self) -> bool {
        match &self.activity {
            Activity::Search(announcer) => announcer.has_answered(),
            Activity::Nothing | Activity::Errand(_) => false,
        }
    }

    fn obey_or_complain(&mut self, command: Command) {
        if let Err(reason) = self.obey(command) {
            print::error(reason);
        }
    }

    /// The search has given its answer: goes on with what waits, until the next search.
    fn resume(&mut self) {
        self.activity = Activity::Nothing;
        self.ending = false;
        while self.is_idle()
            || self
                .waiting
                .front()
                .is_some_and(|next| self.may_begin(next))
        {
            let Some(command) = self.waiting.pop_front() else {
                break;
            };
            self.obey_or_complain(command);
            if count_down(&mut self.hit) {
                self.engine.ponderhit();
            }
            if count_down(&mut self.stopped) {
                self.end_activity();
            }
        }
    }

    /// Does what waits and waits for what runs; no more input is heard. Returns whether all of it
    /// could be done.
    fn finish(&mut self) -> bool {
        let mut done = true;
        while !self.is_idle() {
            match self.events.recv() {
                Ok(Event::Done) => {
                    done &=
                        !matches!(&self.activity, Activity::Errand(errand) if errand.has_failed());
                    self.resume();
                }
                Ok(_) => {}
                Err(_) => break,
            }
        }
        done
    }

    pub(super) fn is_idle(&self) -> bool {
        matches!(self.activity, Activity::Nothing)
    }

    /// Ends what runs, and what waits as soon as it begins.
    pub(super) fn stop(&mut self) {
        self.end_activity();
        self.stopped = self.waiting.len();
    }

    fn end_activity(&mut self) {
        self.ending = !self.is_idle();
        match &self.activity {
            Activity::Nothing => {}
            Activity::Search(_) => self.engine.stop(),
            Activity::Errand(errand) => errand.stop(),
        }
    }

    /// Tells what runs, and what waits, that the expected move was played.
    pub(super) fn ponderhit(&mut self) {
        self.engine.ponderhit();
        self.hit = self.waiting.len();
    }
}

/// Takes one from `count`; whether there was one.
fn count_down(count: &mut usize) -> bool {
    let any = *count > 0;
    *count = count.saturating_sub(1);
    any
}
