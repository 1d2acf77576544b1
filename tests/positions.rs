//! The files of `bench-positions` hold what they promise, by shakmaty's rules alone.

use std::{collections::HashSet, fs, path::Path};

use arborist::{
    position::Game,
    tools::{
        epd::{self, Record},
        perft,
    },
};
use shakmaty::{Chess, Move, Position as _, san::SanPlus};

const FILES: [&str; 6] = ["bench", "perft", "mate", "zugzwang", "tactics", "draw"];

/// Leaves beyond which a number of `perft.epd` is left to the command line.
const QUICK_LIMIT: u64 = 200_000;

/// Longest mates that are proved here, in moves: longer ones take a while.
const PROVED_MATE: u32 = 3;

fn text(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench-positions");
    fs::read_to_string(folder.join(file).with_extension("epd")).expect("the file is there")
}

fn records(file: &str) -> Vec<Record> {
    epd::parse(&text(file)).expect("the file is EPD")
}

fn game(record: &Record) -> Game {
    Game::from_fen(record.fen(), false).expect("the position is legal")
}

/// Whether the attacker, to move, mates in at most `moves` moves.
fn mates(position: &Chess, moves: u32) -> bool {
    let mut replies: Vec<Chess> = replies(position);
    replies.sort_by_key(|reply| (!reply.is_check(), reply.legal_moves().len()));
    replies.iter().any(|reply| is_lost(reply, moves - 1))
}

/// Whether the defender, to move, is mated within `moves` more moves of the attacker.
fn is_lost(position: &Chess, moves: u32) -> bool {
    let replies = replies(position);
    if replies.is_empty() {
        return position.is_check();
    }
    moves > 0 && replies.iter().all(|reply| mates(reply, moves))
}

fn replies(position: &Chess) -> Vec<Chess> {
    let play = |mv: Move| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        after
    };
    position.legal_moves().into_iter().map(play).collect()
}

#[test]
fn every_file_says_what_it_is_for_and_names_its_positions() {
    for file in FILES {
        let text = text(file);
        assert!(text.starts_with(&format!("# {file}.epd: ")), "{file}");
        assert!(
            text.contains("# For: ") && text.contains("# Format: "),
            "{file}"
        );
        let mut names = HashSet::new();
        for record in records(file) {
            assert!(record.operands("id").is_some(), "{file}: {}", record.fen());
            assert!(names.insert(record.id()), "{file}: {} twice", record.id());
        }
    }
}

#[test]
fn no_position_is_over() {
    for record in FILES.iter().flat_map(|file| records(file)) {
        let game = game(&record);
        assert!(!game.legal_moves().is_empty(), "{}", record.fen());
        let over = game.chess().is_insufficient_material();
        assert!(
            !over || record.id().starts_with("insufficient"),
            "{}",
            record.fen()
        );
    }
}

#[test]
fn the_benchmark_has_positions_enough() {
    let records = records("bench");
    let fens: HashSet<&str> = records.iter().map(Record::fen).collect();
    assert_eq!(fens.len(), records.len());
    assert!(records.len() >= 50);
}

#[test]
fn counts_are_right() {
    for record in records("perft") {
        let position = game(&record).position();
        let counts = record.node_counts().expect("counts are numbers");
        assert!(counts.len() >= 3, "{}", record.id());
        for (depth, expected) in counts {
            if expected < QUICK_LIMIT {
                let counted = perft::count(&position, depth);
                assert_eq!(counted, expected, "{} at depth {depth}", record.id());
            }
        }
    }
}

#[test]
fn mates_are_as_long_as_told_and_have_one_beginning() {
    for record in ["mate", "zugzwang"].iter().flat_map(|file| records(file)) {
        let length: Option<u32> = record.number("dm").expect("dm is a number");
        let Some(length) = length.filter(|length| (1..=PROVED_MATE).contains(length)) else {
            continue;
        };
        let position = game(&record).chess().clone();
        let name = record.id();
        assert!(
            length == 1 || !mates(&position, length - 1),
            "{name}: shorter"
        );
        let keys: Vec<String> = position
            .legal_moves()
            .into_iter()
            .filter(|&mv| {
                let mut after = position.clone();
                after.play_unchecked(mv);
                is_lost(&after, length - 1)
            })
            .map(|mv| SanPlus::from_move(position.clone(), mv).to_string())
            .collect();
        assert_eq!(Some(keys.as_slice()), record.operands("bm"), "{name}");
    }
}
