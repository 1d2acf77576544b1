//! Random mutations of sensible conversations, fed to one process.
//!
//! A few thousand lines run with the other tests. For the long proof:
//! `ARBORIST_FUZZ_LINES=1000000 cargo test --release --test uci fuzz -- --nocapture`,
//! with `ARBORIST_FUZZ_SEED` for another sequence.

use std::{env, thread};

use arborist::uci::{command::Command, parse::parse};
use rand::{Rng, SeedableRng, rngs::SmallRng, seq::IndexedRandom};

use super::client::Client;

/// Lines between two `isready`.
const BATCH: u64 = 50;

/// What sensible clients say, and some of what they should not.
const LINES: [&str; 46] = [
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "debug off",
    "joho debug on",
    "stop",
    "ponderhit",
    "register later",
    "d",
    "eval",
    "flip",
    "help",
    "perft 2",
    "go perft 7",
    "setoption name Hash value 2",
    "setoption name Threads value 2",
    "setoption name Threads value 1",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name Move Overhead value 10",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name Clear Hash",
    "setoption name UCI_LimitStrength value true",
    "setoption name Skill Level value 3",
    "setoption name Contempt value 30",
    "setoption name UCI_ShowCurrLine value true",
    "setoption name UCI_ShowRefutations value true",
    "setoption name UCI_SetPositionValue value 50 + 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
    "setoption name Ponder value true",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1",
    "position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
    "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
    "go infinite",
    "go depth 4",
    "go nodes 1000",
    "go movetime 5",
    "go wtime 100 btime 100 winc 10 binc 10 movestogo 3",
    "go ponder wtime 300 btime 300",
    "go mate 2",
    "go searchmoves e2e4 d2d4 depth 3",
    "bestmove e2e4 ponder e7e5",
];

/// The mutations, from harmless to wild.
fn mutate(rng: &mut SmallRng, line: &str) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..rng.random_range(0..4) {
        let at = rng.random_range(0..=bytes.len());
        let end = rng.random_range(at..=bytes.len());
        match rng.random_range(0..9) {
            0 => drop(bytes.drain(at..end.min(at + 3))),
            1 => bytes.insert(at, rng.random()),
            2 => bytes.insert(at, *b" \t0123456789-kqKQ/".choose(rng).unwrap_or(&b' ')),
            3 => bytes.truncate(at),
            4 => bytes[at..end].make_ascii_uppercase(),
            5 => bytes.extend_from_within(at..end),
            6 => bytes[at..end].rotate_left((end - at) / 2),
            7 => {
                let other = LINES.choose(rng).unwrap_or(&"");
                bytes.splice(at..at, other.bytes());
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << rng.random_range(0..8);
                }
            }
        }
    }
    bytes.retain(|&byte| byte != b'\n');
    bytes
}

/// Whether the line may be sent: it must not end the process or eat up the machine.
fn is_bearable(command: Option<&Command>) -> bool {
    match command {
        Some(Command::Quit | Command::Bench(_)) => false,
        Some(Command::SetOption { name, value }) => {
            let limit = match name.to_ascii_lowercase().as_str() {
                "hash" => 64,
                "threads" => 4,
                _ => i64::MAX,
            };
            let value = value.as_deref().unwrap_or("").trim();
            value
                .parse()
                .map_or(true, |value: i64| value <= limit || value > 1 << 40)
        }
        _ => true,
    }
}

fn setting(name: &str, default: u64) -> u64 {
    let value = env::var(name).ok();
    value.map_or(default, |value| value.parse().expect("a number"))
}

/// The lines since the last `isready`; shown if the test fails.
struct Batch(Vec<String>);

impl Drop for Batch {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("the last lines were {:#?}", self.0);
        }
    }
}

#[test]
fn random_lines_neither_kill_nor_hang_the_engine() {
    let lines = setting("ARBORIST_FUZZ_LINES", 2000);
    let seed = setting("ARBORIST_FUZZ_SEED", 2026);
    eprintln!("{lines} random lines, seed {seed}");
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut client = Client::start();
    client.say("setoption name Hash value 1");
    let (mut searches, mut moves) = (0, 0);
    let mut batch = Batch(Vec::new());
    for number in 1..=lines {
        let line = LINES.choose(&mut rng).unwrap_or(&"");
        let line = mutate(&mut rng, line);
        let text = String::from_utf8_lossy(&line).into_owned();
        let command = parse(&text).ok().flatten();
        if !is_bearable(command.as_ref()) {
            continue;
        }
        searches += u64::from(matches!(command, Some(Command::Go(_))));
        batch.0.push(text);
        client.send_bytes(&line);
        client.send_bytes(b"\nstop\n");
        if number % BATCH == 0 {
            moves += played(&client.ready());
            batch.0.clear();
        }
    }
    client.send("setoption name MultiPV value 1\nposition startpos\ngo depth 2\nisready");
    searches += 1;
    while moves < searches {
        moves += played(&client.until("bestmove"));
    }
    assert_eq!(played(&client.ready()), 0, "more moves than searches");
    client.search("position startpos moves e2e4", "go depth 3");
    client.quit();
}

fn played(lines: &[String]) -> u64 {
    lines
        .iter()
        .map(|line| u64::from(line.starts_with("bestmove ")))
        .sum()
}
