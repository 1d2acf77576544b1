//! Another program that works for us and speaks UCI.
//!
//! A thread hears what the program says, in large pieces, so that every wait has an end: a program
//! that dies, is silent for too long or never comes to the point is an error that names it and what
//! it was asked for. Who asks for more than a pipe holds has a second thread speak to it, and is
//! held up by nobody. Invariants: whatever happens, the program does not outlive the value that
//! stands for it; no thread that is waited for reads from or writes to a pipe on which the program
//! could keep it for ever; what the program says and nobody has heard yet is bounded.

use std::{
    io::{self, BufRead, ErrorKind, Read, Write},
    path::Path,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow};

/// How long a program that was told to quit may take.
const FAREWELL: Duration = Duration::from_secs(1);
/// Bytes to be heard at once, as many as a pipe holds.
const GATHERED: usize = 1 << 16;
/// Pieces that may wait to be heard; many more than any engine has to say to what it is asked.
const UNHEARD: usize = 1024;
/// A longer line is heard as several.
const LONGEST: u64 = 1 << 20;

/// A running program.
pub(super) struct Program {
    name: String,
    child: Child,
    input: Input,
    output: Output,
    patience: Duration,
    /// Names of the options it offers.
    offered: Vec<String>,
}

/// How to speak to a program.
enum Input {
    /// At once, which has to wait for room if that is more than a pipe holds.
    Pipe(ChildStdin),
    /// By a thread.
    Thread(Sender<Vec<u8>>),
}

impl Program {
    /// Starts the program at `path` and hears what options it offers. It may take `patience` for
    /// one answer, and gets a `rest` before what it says is heard, so that it and who hears it do
    /// not wake each other for every line.
    ///
    /// # Errors
    /// When it does not start, or is no UCI engine.
    pub(super) fn start(path: &Path, patience: Duration, rest: Duration) -> Result<Self> {
        let name = path.display().to_string();
        let mut child = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        let output = child.stdout.take().context("no way to hear it")?;
        let input = child.stdin.take().context("no way to talk to it")?;
        let (sender, pieces) = sync_channel(UNHEARD);
        thread::spawn(move || listen(output, rest, &sender));
        let mut program = Self {
            name,
            child,
            input: Input::Pipe(input),
            output: Output::new(pieces),
            patience,
            offered: Vec::new(),
        };
        program.send("uci")?;
        let mut offered = Vec::new();
        program.hear("uciok", |line| offered.extend(option_name(line)))?;
        program.offered = offered;
        Ok(program)
    }

    /// What to call it.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it has an option of that name.
    pub(super) fn offers(&self, name: &str) -> bool {
        self.offered
            .iter()
            .any(|offered| offered.eq_ignore_ascii_case(name))
    }

    /// Sets an option.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<()> {
        self.send(&format!("setoption name {name} value {value}"))
    }

    /// Waits until it has followed all orders.
    pub(super) fn synchronise(&mut self) -> Result<()> {
        self.send("isready")?;
        self.hear("readyok", |_| {}).map(|_| ())
    }

    /// Gives an order.
    pub(super) fn send(&mut self, order: &str) -> Result<()> {
        let text = format!("{order}\n").into_bytes();
        self.input.send(text).map_err(|_| self.gone())
    }

    /// A way to give any number of orders without being held up by the program. Once it has ended
    /// there is nobody at the other end.
    pub(super) fn speaker(&mut self) -> Sender<Vec<u8>> {
        let (sender, texts) = channel();
        let before = std::mem::replace(&mut self.input, Input::Thread(sender.clone()));
        thread::spawn(move || speak(before, &texts));
        sender
    }

    /// Waits for the line that begins with the word `end`, and shows `each` line before it.
    pub(super) fn hear(&mut self, end: &str, each: impl FnMut(&str)) -> Result<String> {
        self.output.deadline = Instant::now() + self.patience;
        let heard = hear(&mut self.output, end, each);
        heard.map_err(|error| match error.kind() {
            ErrorKind::TimedOut => {
                let (name, seconds) = (&self.name, self.patience.as_secs_f32());
                anyhow!("{name}: no `{end}` within {seconds} s")
            }
            _ => self.gone(),
        })
    }

    /// What to say of a program that neither hears nor speaks any more.
    fn gone(&mut self) -> anyhow::Error {
        let status = self.end_within(FAREWELL);
        let name = &self.name;
        match status {
            Some(status) => anyhow!("{name} has ended ({status})"),
            None => anyhow!("{name} has closed the conversation"),
        }
    }

    /// Waits for the program to end, but not for long.
    fn end_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            let status = self.child.try_wait().ok().flatten();
            if status.is_some() || Instant::now() >= deadline {
                return status;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Every failure here means that there is nobody left to say good-bye to.
        let _ = self.input.send(b"quit\n".to_vec());
        if self.end_within(FAREWELL).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

impl Input {
    fn send(&mut self, text: Vec<u8>) -> io::Result<()> {
        match self {
            Self::Pipe(pipe) => pipe.write_all(&text),
            Self::Thread(texts) => texts
                .send(text)
                .map_err(|_| io::Error::from(ErrorKind::BrokenPipe)),
        }
    }
}

/// Passes on what there is to say until nobody has more to say or nobody listens.
fn speak(mut input: Input, texts: &Receiver<Vec<u8>>) {
    for text in texts {
        if input.send(text).is_err() {
            return;
        }
    }
}

/// Passes on what a program says until it closes its output or nobody listens, with a rest
/// before each piece.
fn listen(mut output: impl Read, rest: Duration, pieces: &SyncSender<Vec<u8>>) {
    let mut buffer = vec![0; GATHERED];
    loop {
        if !rest.is_zero() {
            thread::sleep(rest);
        }
        let said = match output.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Ok(said @ 1..) => pieces.send(buffer[..said].to_vec()),
            Ok(0) | Err(_) => return,
        };
        if said.is_err() {
            return;
        }
    }
}

/// What a program says, from the thread that listens.
struct Output {
    pieces: Receiver<Vec<u8>>,
    piece: Vec<u8>,
    /// Bytes of the piece that were heard.
    heard: usize,
    /// Until when to wait for another piece.
    deadline: Instant,
}

impl Output {
    fn new(pieces: Receiver<Vec<u8>>) -> Self {
        Self {
            pieces,
            piece: Vec::new(),
            heard: 0,
            deadline: Instant::now(),
        }
    }
}

impl BufRead for Output {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.heard == self.piece.len() {
            let left = self.deadline.saturating_duration_since(Instant::now());
            // Who always has something to say could otherwise talk for ever.
            let piece = match left {
                Duration::ZERO => Err(RecvTimeoutError::Timeout),
                left => self.pieces.recv_timeout(left),
            };
            self.heard = 0;
            self.piece = match piece {
                Ok(piece) => piece,
                Err(RecvTimeoutError::Disconnected) => Vec::new(),
                Err(RecvTimeoutError::Timeout) => return Err(ErrorKind::TimedOut.into()),
            };
        }
        Ok(&self.piece[self.heard..])
    }

    fn consume(&mut self, bytes: usize) {
        self.heard += bytes;
    }
}

impl Read for Output {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// Reads up to the line that begins with the word `end`, which is returned, and shows `each` line
/// before it.
pub(super) fn hear(
    output: &mut impl BufRead,
    end: &str,
    mut each: impl FnMut(&str),
) -> io::Result<String> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if output.take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let line = String::from_utf8_lossy(&line);
        if line.split_whitespace().next() == Some(end) {
            return Ok(line.into_owned());
        }
        each(&line);
    }
}

/// The name in an `option` line.
fn option_name(line: &str) -> Option<String> {
    let rest = line.trim().strip_prefix("option name ")?;
    let (name, _) = rest.split_once(" type ")?;
    Some(name.to_owned())
}

/// Shell scripts as engines.
#[cfg(test)]
#[cfg(unix)]
pub(super) mod scripts {
    use std::{
        fs,
        os::unix::fs::PermissionsExt,
        path::Path,
        process::{Command, Stdio},
        sync::{Mutex, PoisonError},
    };

    /// A conversation up to the order to think, to which the answer has to be added.
    pub(in crate::learn) const TALK: &str = "while read line; do case $line in \
        uci) echo option name MultiPV type spin; echo uciok;; isready) echo readyok;; go*) ";

    /// One script at a time: none may be written while another process is being started, which
    /// would for a moment keep it open for writing.
    static STAGE: Mutex<()> = Mutex::new(());

    /// What comes of `play` with the path of a script, which must not run any longer then.
    pub(in crate::learn) fn stage<T>(name: &str, text: &str, play: impl FnOnce(&Path) -> T) -> T {
        let _alone = STAGE.lock().unwrap_or_else(PoisonError::into_inner);
        let file = format!("arborist-{name}-{}.sh", std::process::id());
        let path = std::env::temp_dir().join(file);
        let number = path.with_extension("pid");
        fs::write(&path, format!("#!/bin/sh\necho $$ >${{0%sh}}pid\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let outcome = play(&path);
        // On a busy machine it may have been ended before it could write that.
        let process = fs::read_to_string(&number).unwrap_or_default();
        let mut alive = Command::new("kill");
        let alive = alive.args(["-0", process.trim()]).stderr(Stdio::null());
        assert!(!alive.status().unwrap().success(), "{name} still runs");
        fs::remove_file(path).unwrap();
        let _ = fs::remove_file(number);
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_names_may_have_blanks() {
        let line = "option name Move Overhead type spin default 10 min 0 max 5000";
        assert_eq!(option_name(line).as_deref(), Some("Move Overhead"));
        assert_eq!(option_name("option name"), None);
    }

    /// Pieces end anywhere; the time to listen ends even if there is more to be heard.
    #[test]
    fn lines_are_put_together_until_the_time_is_over() {
        let (sender, pieces) = sync_channel(UNHEARD);
        let mut output = Output::new(pieces);
        for piece in [&b"one\ntw"[..], b"o\xff\r", b"\nthree 3\nfour\n", b"five"] {
            sender.send(piece.to_vec()).unwrap();
        }
        let mut before = String::new();
        output.deadline = Instant::now() + Duration::from_mins(1);
        let end = hear(&mut output, "three", |line| before += line).unwrap();
        assert_eq!(
            (before.as_str(), end.as_str()),
            ("one\ntwo\u{fffd}\r\n", "three 3\n")
        );
        output.deadline = Instant::now();
        let late = hear(&mut output, "five", |_| {}).unwrap_err();
        assert_eq!(late.kind(), ErrorKind::TimedOut);
        output.deadline = Instant::now() + Duration::from_mins(1);
        drop(sender);
        assert_eq!(hear(&mut output, "five", |_| {}).unwrap(), "five");
        let over = hear(&mut output, "five", |_| {}).unwrap_err();
        assert_eq!(over.kind(), ErrorKind::UnexpectedEof);
    }
}
