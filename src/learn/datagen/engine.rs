//! Another program as a player, spoken to by UCI.
//!
//! A thread reads what the program says, so that every wait has an end: a program that
//! dies, is silent for too long or talks nonsense is an error that names it. Invariants:
//! whatever happens, the program does not outlive its player; what it says never waits to be
//! heard, and what it is asked never waits for room.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::players::{Answer, External, Line, Player};
use crate::types::{MAX_PLY, Ply, Score};

/// How long a program that was told to quit may take.
const FAREWELL: Duration = Duration::from_secs(1);
/// With several games at a time: how long to let answers gather, for each game beyond the first,
/// so that the engine and who hears it do not wake each other for every line. It is less than the
/// fastest engine needs for an answer.
const REST: Duration = Duration::from_micros(50);
/// Bytes of answers to be read at once, as many as a pipe holds.
const GATHERED: usize = 1 << 16;
const CHESS960: &str = "UCI_Chess960";

/// A running program.
pub(super) struct Engine {
    name: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    patience: Duration,
    /// Games under way at once.
    boards: usize,
    /// Names of the options it offers.
    offered: Vec<String>,
    chess960: bool,
}

impl Engine {
    /// Starts the program and sets its options.
    pub(super) fn start(external: &External, hash: usize) -> Result<Self> {
        let name = external.path.display().to_string();
        let mut child = Command::new(&external.path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        let (sender, lines) = channel();
        let output = child.stdout.take().context("no way to hear it")?;
        let input = child.stdin.take().context("no way to talk to it")?;
        let rest = REST * u32::from(external.boards.saturating_sub(1));
        thread::spawn(move || listen(Unhurried { output, rest }, &sender));
        let mut engine = Self {
            name,
            child,
            input,
            lines,
            patience: external.patience,
            boards: usize::from(external.boards),
            offered: Vec::new(),
            chess960: false,
        };
        engine.greet(external, hash)?;
        Ok(engine)
    }

    fn greet(&mut self, external: &External, hash: usize) -> Result<()> {
        self.send("uci")?;
        let mut offered = Vec::new();
        self.hear("uciok", |line| offered.extend(option_name(line)))?;
        self.offered = offered;
        if external.chess960 {
            let knows = self.offers(CHESS960);
            ensure!(
                knows,
                "{} does not play Chess960, as shuffled games need, or games of both kinds at a time",
                self.name
            );
        }
        let own = [("Hash", hash.to_string()), ("Threads", "1".to_owned())];
        for (name, value) in own {
            if self.offers(name) {
                self.set(name, &value)?;
            }
        }
        for (name, value) in &external.options {
            let knows = self.offers(name);
            ensure!(knows, "{} has no option {name}", self.name);
            self.set(name, value)?;
        }
        self.synchronise()
    }

    fn offers(&self, name: &str) -> bool {
        self.offered
            .iter()
            .any(|offered| offered.eq_ignore_ascii_case(name))
    }

    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        self.send(&format!("setoption name {name} value {value}"))
    }

    fn synchronise(&mut self) -> Result<()> {
        self.send("isready")?;
        self.hear("readyok", |_| {}).map(|_| ())
    }

    fn send(&mut self, command: &str) -> Result<()> {
        let line = format!("{command}\n");
        let sent = self.input.write_all(line.as_bytes());
        sent.map_err(|_| self.gone())
    }

    /// Waits for the line that begins with the word `end`, and shows `each` line before it.
    fn hear(&mut self, end: &str, mut each: impl FnMut(&str)) -> Result<String> {
        let deadline = Instant::now() + self.patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) if line.split_whitespace().next() == Some(end) => return Ok(line),
                Ok(line) => each(&line),
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = self.patience.as_secs_f32();
                    bail!("{}: no `{end}` within {seconds} s", self.name)
                }
            }
        }
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

impl Player for Engine {
    fn new_game(&mut self, chess960: bool) -> Result<()> {
        if self.chess960 != chess960 {
            ensure!(
                self.offers(CHESS960),
                "{} does not play Chess960",
                self.name
            );
            self.set(CHESS960, &chess960.to_string())?;
            self.chess960 = chess960;
        }
        if self.boards > 1 {
            // It would forget the other games, too.
            return Ok(());
        }
        self.send("ucinewgame")?;
        self.synchronise()
    }

    fn boards(&self) -> usize {
        self.boards
    }

    fn ask(&mut self, line: &Line, nodes: u64) -> Result<()> {
        self.send(&format!("{}\ngo nodes {nodes}", line.command()))
    }

    fn answer(&mut self, line: &Line) -> Result<Answer> {
        let mut last = None;
        let answer = self.hear("bestmove", |info| last = score(info).or(last))?;
        let word = answer.split_whitespace().nth(1).unwrap_or_default();
        let mv = line.game().parse_uci_move(word);
        let mv = mv.with_context(|| format!("{} after `{}`", self.name, line.command()))?;
        Ok(Answer { mv, score: last })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Every failure here means that there is nobody left to say good-bye to.
        let _ = self.input.write_all(b"quit\n");
        if self.end_within(FAREWELL).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Reads in large pieces, with a rest before each.
struct Unhurried<R> {
    output: R,
    rest: Duration,
}

impl<R: Read> Read for Unhurried<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.rest.is_zero() {
            thread::sleep(self.rest);
        }
        self.output.read(buffer)
    }
}

/// Passes on what the program says until it closes its output or nobody listens.
fn listen(output: impl Read, lines: &Sender<String>) {
    let output = BufReader::with_capacity(GATHERED, output);
    for line in output.split(b'\n').map_while(Result::ok) {
        if lines
            .send(String::from_utf8_lossy(&line).into_owned())
            .is_err()
        {
            return;
        }
    }
}

/// The name in an `option` line.
fn option_name(line: &str) -> Option<String> {
    let rest = line.trim().strip_prefix("option name ")?;
    let (name, _) = rest.split_once(" type ")?;
    Some(name.to_owned())
}

/// The score in an `info` line of the first variation, if it has one.
fn score(line: &str) -> Option<Score> {
    let words: Vec<_> = line.split_whitespace().collect();
    let after = |name: &str| words.iter().position(|word| *word == name);
    if words.first() != Some(&"info") || words.get(1) == Some(&"string") {
        return None;
    }
    let at = after("score")?;
    if after("multipv").is_some_and(|at| words.get(at + 1) != Some(&"1")) {
        return None;
    }
    let value: i32 = words.get(at + 2)?.parse().ok()?;
    match *words.get(at + 1)? {
        "cp" => Some(Score::from_centipawns(value)),
        "mate" => Some(mate(value)),
        _ => None,
    }
}

/// A mate in so many moves, of the other side if negative or 0.
fn mate(moves: i32) -> Score {
    let furthest = u16::try_from(MAX_PLY).unwrap_or(u16::MAX);
    let plies = u16::try_from(moves.unsigned_abs().saturating_mul(2)).unwrap_or(furthest);
    let plies = plies.min(furthest);
    if moves > 0 {
        Score::mate_in(Ply::new(plies - 1))
    } else {
        Score::mated_in(Ply::new(plies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Game;

    #[test]
    fn scores_are_read_from_info_lines() {
        let line = "info depth 8 seldepth 12 multipv 1 score cp -31 upperbound nodes 400 pv e2e4";
        assert_eq!(score(line), Some(Score::from_centipawns(-31)));
        for moves in [-20, -1, 1, 7, 100] {
            let line = format!("info depth 9 score mate {moves} pv a1a8");
            assert_eq!(score(&line).and_then(Score::moves_to_mate), Some(moves));
        }
        assert_eq!(
            score("info score cp 99999999").map(Score::is_decisive),
            Some(false)
        );
        assert!(score("info score mate -2147483648").is_some_and(Score::is_loss));
        for line in [
            "info multipv 2 score cp 7",
            "info string score cp 7",
            "info depth 3 currmove e2e4",
            "info score cp",
            "score cp 7",
            "",
        ] {
            assert_eq!(score(line), None, "{line}");
        }
    }

    #[test]
    fn option_names_may_have_blanks() {
        let line = "option name Move Overhead type spin default 10 min 0 max 5000";
        assert_eq!(option_name(line).as_deref(), Some("Move Overhead"));
        assert_eq!(option_name("option name"), None);
    }

    /// A shell script as the engine.
    #[cfg(unix)]
    fn script(name: &str, text: &str) -> External {
        use std::{fs, os::unix::fs::PermissionsExt};
        let file = format!("arborist-{name}-{}.sh", std::process::id());
        let path = std::env::temp_dir().join(file);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        External {
            path,
            options: Vec::new(),
            patience: Duration::from_mins(1),
            chess960: false,
            boards: 1,
        }
    }

    /// What goes wrong when the script is started and asked for a move.
    #[cfg(unix)]
    fn complaint(name: &str, text: &str) -> String {
        let mut external = script(name, text);
        if text.contains("sleep") {
            external.patience = Duration::from_millis(500);
        }
        let asked = Engine::start(&external, 1).and_then(|mut engine| {
            engine.new_game(false)?;
            engine.think(&Line::new(Game::start()), 100)
        });
        std::fs::remove_file(&external.path).unwrap();
        format!("{:#}", asked.map(|answer| answer.mv).unwrap_err())
    }

    #[cfg(unix)]
    #[test]
    fn engines_that_fail_are_named_and_do_not_hang() {
        const TALK: &str = "while read line; do case $line in uci) echo uciok;; \
            isready) echo readyok;; go*) ";
        let said = complaint("dead", "exit 3");
        assert!(
            said.contains("dead") && said.contains("exit status: 3"),
            "{said}"
        );
        let said = complaint("silent", "exec sleep 60");
        assert!(said.contains("no `uciok` within 0.5 s"), "{said}");
        let said = complaint(
            "illegal",
            &format!("{TALK} echo bestmove e2e5;; esac; done"),
        );
        assert!(said.contains("e2e5"), "{said}");
        let said = complaint(
            "none",
            &format!("{TALK} echo 'bestmove (none)';; esac; done"),
        );
        assert!(said.contains("(none)"), "{said}");
        let said = complaint("lost", &format!("{TALK} exit 0;; esac; done"));
        assert!(said.contains("lost"), "{said}");
        let said = complaint("mute", &format!("{TALK} exec sleep 60;; esac; done"));
        assert!(said.contains("within 0.5 s"), "{said}");
        options_are_set_only_if_offered();
    }

    // No test of its own: while one process is being started no script may be written.
    #[cfg(unix)]
    fn options_are_set_only_if_offered() {
        let talk = "while read line; do case $line in \
            uci) echo option name Skill type spin; echo uciok;; isready) echo readyok;; esac; done";
        let mut external = script("options", talk);
        external.options = vec![("skill".to_owned(), "3".to_owned())];
        assert!(Engine::start(&external, 1).is_ok());
        external.options = vec![("Haxx".to_owned(), "3".to_owned())];
        let error = Engine::start(&external, 1).err().unwrap().to_string();
        assert!(error.contains("no option Haxx"), "{error}");
        external.options.clear();
        external.chess960 = true;
        let error = Engine::start(&external, 1).err().unwrap().to_string();
        assert!(error.contains("Chess960"), "{error}");
        std::fs::remove_file(&external.path).unwrap();
    }
}
