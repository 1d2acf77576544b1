//! A client that drives the real binary through pipes, and checks whatever it says.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use arborist::{
    position::Game,
    uci::{command::Command as Parsed, parse::parse},
};

/// No answer may take longer, however busy the machine is.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A running engine.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

/// The answer to one `go`.
pub(crate) struct Answer {
    /// All lines, the one with the move last.
    pub(crate) lines: Vec<String>,
    /// The move, or `(none)`.
    pub(crate) best: String,
    /// The reply to ponder on.
    pub(crate) ponder: Option<String>,
}

impl Client {
    /// Starts the engine.
    pub(crate) fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_arborist"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary was built for this test");
        let stdout = child.stdout.take().expect("it is piped");
        let (sender, output) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                assert!(!line.ends_with('\r'), "no carriage return: {line:?}");
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            output,
        }
    }

    /// Sends one or more lines.
    pub(crate) fn send(&mut self, lines: &str) {
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the engine listens");
        input.flush().expect("the engine listens");
    }

    /// Ends the input.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// All lines up to the first that begins with `prefix`.
    pub(crate) fn until(&mut self, prefix: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(line) => {
                    let found = line.starts_with(prefix);
                    lines.push(line);
                    if found {
                        return lines;
                    }
                }
                Err(error) => panic!("no {prefix:?} ({error}) after {lines:#?}"),
            }
        }
    }

    /// The first line that begins with `prefix`.
    pub(crate) fn line(&mut self, prefix: &str) -> String {
        self.until(prefix).pop().expect("the line itself is there")
    }

    /// Sends `isready` and returns what came before the answer.
    pub(crate) fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends `lines` and returns everything that was said about them at once.
    pub(crate) fn say(&mut self, lines: &str) -> Vec<String> {
        self.send(lines);
        self.ready()
    }

    /// Sends a line that must bring exactly one line, an error that contains `culprit`.
    pub(crate) fn refused(&mut self, line: &str, culprit: &str) {
        let shown: String = line.chars().take(100).collect();
        let said = self.say(line);
        assert_eq!(said.len(), 1, "{shown:?} brought {said:#?}");
        assert!(
            said[0].starts_with("info string error: ") && said[0].contains(culprit),
            "{shown:?} brought {said:?}, not {culprit:?}"
        );
        assert!(said[0].len() < 300, "too long: {}", said[0]);
    }

    /// Everything that comes within `time`.
    pub(crate) fn listen(&mut self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Timeout) => return lines,
                Err(RecvTimeoutError::Disconnected) => panic!("the engine died after {lines:#?}"),
            }
        }
    }

    /// Asserts that no move is played within `time`.
    pub(crate) fn holds_back(&mut self, time: Duration) {
        let lines = self.listen(time);
        let early = lines.iter().find(|line| line.starts_with("bestmove"));
        assert_eq!(early, None, "too early, after {lines:#?}");
    }

    /// Sends a position and a `go` that ends by itself, and checks the answer.
    pub(crate) fn search(&mut self, position: &str, go: &str) -> Answer {
        self.send(position);
        self.send(go);
        self.answer(position)
    }

    /// Waits for the answer to a `go` in `position` and checks that all of it is legal.
    pub(crate) fn answer(&mut self, position: &str) -> Answer {
        let lines = self.until("bestmove");
        let game = game(position);
        for line in lines.iter().filter(|line| !is_string(line)) {
            check_line(&game, line);
        }
        let last = lines.last().map_or("", String::as_str);
        let words: Vec<&str> = last.split(' ').collect();
        let (best, ponder) = match words[..] {
            ["bestmove", best] => (best, None),
            ["bestmove", best, "ponder", ponder] => (best, Some(ponder)),
            _ => panic!("strange answer {last:?}"),
        };
        if best == "(none)" {
            assert!(game.legal_moves().is_empty(), "there are moves");
        } else {
            check_moves(&game, best.split(' ').chain(ponder));
        }
        check_last_line(&lines, best, ponder);
        Answer {
            best: best.to_owned(),
            ponder: ponder.map(str::to_owned),
            lines,
        }
    }

    /// The number of the process.
    #[cfg(target_os = "linux")]
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end of the process.
    pub(crate) fn wait(&mut self, patience: Duration) -> ExitStatus {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return status;
            }
            assert!(Instant::now() < deadline, "the engine does not end");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Everything that is still said until the output is closed.
    pub(crate) fn rest(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => return lines,
                Err(RecvTimeoutError::Timeout) => panic!("no end after {lines:#?}"),
            }
        }
    }

    /// Says `quit` and checks that the engine ends well.
    pub(crate) fn quit(mut self) {
        self.send("quit");
        assert!(self.wait(PATIENCE).success());
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Only a failed test leaves the engine running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    /// The last line of thought.
    pub(crate) fn last_info(&self) -> &str {
        self.lines
            .iter()
            .rev()
            .find(|line| line.contains(" score "))
            .expect("at least one line of thought")
    }

    /// The number after `word` in the last line of thought.
    pub(crate) fn number(&self, word: &str) -> i64 {
        number(self.last_info(), word)
    }

    /// The lines that name a fault.
    pub(crate) fn errors(&self) -> Vec<&String> {
        self.lines
            .iter()
            .filter(|line| line.starts_with("info string error"))
            .collect()
    }
}

/// The number after `word` in `line`.
pub(crate) fn number(line: &str, word: &str) -> i64 {
    let mut words = line.split(' ').skip_while(|&other| other != word).skip(1);
    let number = words.next().unwrap_or("");
    number
        .parse()
        .unwrap_or_else(|_| panic!("{word} of {line:?} is no number"))
}

/// The game that a `position` command describes.
pub(crate) fn game(position: &str) -> Game {
    let Ok(Some(Parsed::Position(request))) = parse(position) else {
        panic!("{position:?} is no position");
    };
    let mut game = match &request.fen {
        None => Game::start(),
        Some(fen) => Game::from_fen(fen, false).expect("a legal position"),
    };
    for mv in &request.moves {
        game.play_uci(mv).expect("a legal move");
    }
    game
}

/// Whether one of ten attempts takes less than `limit`: what the engine can do shows even
/// on a machine that is busy with other things most of the time.
pub(crate) fn once_within(limit: Duration, mut attempt: impl FnMut() -> Duration) -> bool {
    (0..10).any(|_| attempt() < limit)
}

fn is_string(line: &str) -> bool {
    line.starts_with("info string") || line.starts_with("bestmove")
}

/// A line of thought has all parts, in order, and a legal variation.
fn check_line(game: &Game, line: &str) {
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(words[0], "info", "{line:?}");
    if line.starts_with("info depth 0 score ") {
        return;
    }
    if ["currline", "refutation"].contains(&words[1]) {
        assert!(words.len() > 2, "{line:?}");
        check_moves(game, words.into_iter().skip(2));
        return;
    }
    if words.contains(&"currmove") {
        assert!(words.contains(&"currmovenumber"), "{line:?}");
        let announced = words.into_iter().skip_while(|&word| word != "currmove");
        check_moves(game, announced.skip(1).take(1));
        return;
    }
    let parts = [
        "depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits", "time", "pv",
    ];
    let mut order = words.iter().filter(|word| parts.contains(word));
    assert!(
        parts.iter().all(|part| order.next() == Some(part)),
        "{line:?}"
    );
    for part in [
        "depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time",
    ] {
        assert!(number(line, part) >= 0, "{line:?}");
    }
    let score = words.iter().skip_while(|&&word| word != "score").nth(1);
    let is_mate = score == Some(&"mate");
    assert!(is_mate || score == Some(&"cp"), "{line:?}");
    let pv: Vec<&str> = words
        .into_iter()
        .skip_while(|&word| word != "pv")
        .skip(1)
        .collect();
    assert!(!pv.is_empty(), "{line:?}");
    if is_mate && !line.contains("bound") {
        assert_eq!(pv.len(), plies_to_mate(number(line, "mate")), "{line:?}");
    }
    check_moves(game, pv.into_iter());
}

/// The plies of a mate in so many moves, of the side to move or (below 0) of the other one.
fn plies_to_mate(moves: i64) -> usize {
    let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    usize::try_from(plies).expect("not below zero")
}

/// The last line of thought begins with the move that is played, unless several were asked for;
/// and the last one that does so goes on with the reply, if it goes on.
fn check_last_line(lines: &[String], best: &str, ponder: Option<&str>) {
    let several = lines.iter().any(|line| line.contains(" multipv 2 "));
    let shown = lines
        .iter()
        .rev()
        .filter_map(|line| line.split_once(" pv "));
    let mut shown = shown.map(|(_, moves)| moves.split(' ').collect::<Vec<_>>());
    let begins = |moves: &Vec<&str>| moves.first() == Some(&best);
    let last = if several {
        shown.find(begins)
    } else {
        shown.next()
    };
    if let Some(last) = last {
        assert!(begins(&last), "{best}: {last:?}");
        let reply = last.get(1).copied();
        assert!(reply.is_none() || reply == ponder, "{ponder:?}: {last:?}");
    }
}

fn check_moves<'a>(game: &Game, moves: impl Iterator<Item = &'a str>) {
    let mut game = game.clone();
    for mv in moves {
        assert_eq!(mv, mv.to_lowercase());
        game.play_uci(mv)
            .unwrap_or_else(|error| panic!("{mv} in {}: {error}", game.fen()));
    }
}
