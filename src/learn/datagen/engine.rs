//! Another program as a player, spoken to by UCI.
//!
//! Invariant: what it is asked never waits for room, since the questions that may be under way at
//! once fit into a pipe. That every wait has an end and that the program does not outlive its
//! player is the business of [`Program`].

use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::players::{Answer, External, Line, Player};
use crate::{
    learn::program::Program,
    types::{MAX_PLY, Ply, Score},
};

/// With several games at a time: how long to let answers gather, for each game beyond the first,
/// so that the engine and who hears it do not wake each other for every line. It is less than the
/// fastest engine needs for an answer.
const REST: Duration = Duration::from_micros(50);
const CHESS960: &str = "UCI_Chess960";

/// A running program.
pub(in crate::learn) struct Engine {
    program: Program,
    /// Games under way at once.
    boards: usize,
    chess960: bool,
}

impl Engine {
    /// Starts the program and sets its options.
    pub(in crate::learn) fn start(external: &External, hash: usize) -> Result<Self> {
        let rest = REST * u32::from(external.boards.saturating_sub(1));
        let mut program = Program::start(&external.path, external.patience, rest)?;
        prepare(&mut program, external, hash)?;
        Ok(Self {
            program,
            boards: usize::from(external.boards),
            chess960: false,
        })
    }

    /// Sets an option for the games to come.
    ///
    /// # Errors
    /// When the program has none of that name, or has ended.
    pub(in crate::learn) fn set(&mut self, name: &str, value: &str) -> Result<()> {
        set(&mut self.program, name, value)
    }
}

/// Sets the options that the program has to know.
fn prepare(program: &mut Program, external: &External, hash: usize) -> Result<()> {
    if external.chess960 {
        ensure!(
            program.offers(CHESS960),
            "{} does not play Chess960, as shuffled games need, or games of both kinds at a time",
            program.name()
        );
    }
    let own = [("Hash", hash.to_string()), ("Threads", "1".to_owned())];
    for (name, value) in own {
        if program.offers(name) {
            program.set(name, &value)?;
        }
    }
    for (name, value) in &external.options {
        set(program, name, value)?;
    }
    program.synchronise()
}

/// Sets an option that the program must have.
fn set(program: &mut Program, name: &str, value: &str) -> Result<()> {
    let knows = program.offers(name);
    ensure!(knows, "{} has no option {name}", program.name());
    program.set(name, value)
}

impl Player for Engine {
    fn new_game(&mut self, chess960: bool) -> Result<()> {
        let program = &mut self.program;
        if self.chess960 != chess960 {
            ensure!(
                program.offers(CHESS960),
                "{} does not play Chess960",
                program.name()
            );
            program.set(CHESS960, &chess960.to_string())?;
            self.chess960 = chess960;
        }
        if self.boards > 1 {
            // It would forget the other games, too.
            return Ok(());
        }
        program.send("ucinewgame")?;
        program.synchronise()
    }

    fn boards(&self) -> usize {
        self.boards
    }

    fn ask(&mut self, line: &Line, nodes: u64) -> Result<()> {
        let order = format!("{}\ngo nodes {nodes}", line.command());
        self.program.send(&order)
    }

    fn answer(&mut self, line: &Line) -> Result<Answer> {
        let program = &mut self.program;
        let mut last = None;
        let answer = program.hear("bestmove", |info| last = score(info).or(last))?;
        let word = answer.split_whitespace().nth(1).unwrap_or_default();
        let mv = line.game().parse_uci_move(word);
        let mv = mv.with_context(|| format!("{} after `{}`", program.name(), line.command()))?;
        Ok(Answer { mv, score: last })
    }
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
    #[cfg(unix)]
    use std::path::Path;

    use super::*;
    #[cfg(unix)]
    use crate::{
        learn::program::scripts::{TALK, stage},
        position::Game,
    };

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

    /// A shell script as the engine.
    #[cfg(unix)]
    fn external(path: &Path, patience: Duration) -> External {
        External {
            path: path.to_owned(),
            options: Vec::new(),
            patience,
            chess960: false,
            boards: 1,
        }
    }

    /// What goes wrong when the script is started and asked for a move.
    #[cfg(unix)]
    fn complaint(name: &str, text: &str, patience: Duration) -> String {
        let asked = stage(name, text, |path| {
            let mut engine = Engine::start(&external(path, patience), 1)?;
            engine.new_game(false)?;
            engine.think(&Line::new(Game::start()), 100)
        });
        format!("{:#}", asked.map(|answer| answer.mv).unwrap_err())
    }

    #[cfg(unix)]
    #[test]
    fn engines_that_fail_are_named_and_do_not_hang() {
        let (long, short) = (Duration::from_mins(1), Duration::from_millis(500));
        let said = complaint("dead", "exit 3", long);
        assert!(
            said.contains("dead") && said.contains("exit status: 3"),
            "{said}"
        );
        for (name, text) in [("silent", "exec sleep 60"), ("babbling", "exec yes")] {
            let said = complaint(name, text, short);
            let named = said.contains(name) && said.contains("no `uciok` within 0.5 s");
            assert!(named, "{said}");
        }
        let answering = |name: &str, answer: &str, patience: Duration| {
            complaint(name, &format!("{TALK} {answer};; esac; done"), patience)
        };
        let said = answering("illegal", "echo bestmove e2e5", long);
        assert!(said.contains("e2e5"), "{said}");
        let said = answering("none", "echo 'bestmove (none)'", long);
        assert!(said.contains("(none)"), "{said}");
        let said = answering("lost", "exit 0", long);
        assert!(said.contains("lost"), "{said}");
        let said = answering("mute", "exec sleep 60", short);
        assert!(said.contains("no `bestmove` within 0.5 s"), "{said}");
    }

    #[cfg(unix)]
    #[test]
    fn options_are_set_only_if_offered() {
        let talk = "while read line; do case $line in quit) exit;; \
            uci) echo option name Skill type spin; echo uciok;; isready) echo readyok;; esac; done";
        let option = |name: &str| vec![(name.to_owned(), "3".to_owned())];
        stage("options", talk, |path| {
            let mut external = external(path, Duration::from_mins(1));
            external.options = option("skill");
            assert!(Engine::start(&external, 1).is_ok());
            external.options = option("Haxx");
            let error = Engine::start(&external, 1).err().unwrap().to_string();
            assert!(error.contains("no option Haxx"), "{error}");
            external.options.clear();
            external.chess960 = true;
            let error = Engine::start(&external, 1).err().unwrap().to_string();
            assert!(error.contains("Chess960"), "{error}");
        });
    }
}
