//! The number of move sequences, against published counts.
//!
//! With `ARBORIST_PERFT_SUITES` set to a directory, every file in it is checked too, at
//! all depths with fewer than [`LIMIT`] leaves: run that with optimisation.

use std::{
    env, fs,
    io::{self, Write},
    path::Path,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
};

use arborist::{
    position::Game,
    tools::{
        epd::{self, Record},
        perft::{self, Perft},
    },
};

/// Leaves beyond which a line of a suite is not counted.
const LIMIT: u64 = 100_000_000;

/// Leaves beyond which a position is not counted in an ordinary run of the tests.
const QUICK_LIMIT: u64 = 300_000;

/// The initial position and five others that the chessprogramming wiki made customary,
/// then Chess960 setups.
const POSITIONS: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D1 20 ;D2 400 ;D3 8902 ;D4 197281
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - ;D1 48 ;D2 2039 ;D3 97862
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - ;D1 14 ;D2 191 ;D3 2812 ;D4 43238
r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - ;D1 6 ;D2 264 ;D3 9467
rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - ;D1 44 ;D2 1486 ;D3 62379
r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - ;D1 46 ;D2 2079 ;D3 89890
bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - ;D1 21 ;D2 528 ;D3 12189
2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - ;D1 21 ;D2 807 ;D3 18002
b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - ;D1 20 ;D2 479 ;D3 10471 ;D4 273318
";

fn game(record: &Record) -> Game {
    Game::from_fen(record.fen(), false).expect("suites hold legal positions")
}

/// Compares all counts of `record` up to `limit`; returns the number of leaves.
fn check(record: &Record, limit: u64) -> u64 {
    let position = game(record).position();
    let mut nodes = 0;
    for (depth, expected) in record.node_counts().expect("counts are numbers") {
        if expected < limit {
            let counted = perft::count(&position, depth);
            assert_eq!(counted, expected, "{} at depth {depth}", record.fen());
            nodes += counted;
        }
    }
    nodes
}

#[test]
fn published_counts_are_met() {
    for record in epd::parse(POSITIONS).unwrap() {
        assert!(check(&record, QUICK_LIMIT) > 0);
    }
}

#[test]
fn threads_and_memory_change_no_count() {
    for record in epd::parse(POSITIONS).unwrap() {
        let game = game(&record);
        let plain = Perft::new(&game, 3, 1, 0);
        for (threads, hash) in [(1, 1), (3, 0), (3, 1)] {
            assert_eq!(Perft::new(&game, 3, threads, hash).moves, plain.moves);
        }
    }
}

/// Checks the lines of one file by all processors at once.
fn check_file(path: &Path) -> io::Result<u64> {
    let records = epd::parse(&fs::read_to_string(path)?).map_err(io::Error::other)?;
    let next = AtomicUsize::new(0);
    let work = || {
        let mut nodes = 0;
        while let Some(record) = records.get(next.fetch_add(1, Relaxed)) {
            nodes += check(record, LIMIT);
        }
        nodes
    };
    let threads = thread::available_parallelism()?.get();
    Ok(thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let counts = workers.into_iter().map(thread::ScopedJoinHandle::join);
        counts.map(|nodes| nodes.expect("all counts match")).sum()
    }))
}

/// Tells the person who runs the tests, whose output the test harness would swallow.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

#[test]
fn suites_are_met() {
    let Some(directory) = env::var_os("ARBORIST_PERFT_SUITES") else {
        say("SKIPPED: ARBORIST_PERFT_SUITES names no directory of suites");
        return;
    };
    let mut files = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let nodes = check_file(&path).unwrap();
        say(&format!("{}: {nodes} leaves", path.display()));
        files += 1;
    }
    assert!(files > 0, "the directory is empty");
}
