//! Keeps the house in order: reads the sources and names what breaks its rules.
//!
//! The rules are those of `CONTRIBUTING.md`: rooms import downward only, a file opens with
//! `//!` and stays short, and `unsafe`, printing and a few crates have a home. They are
//! checked on the words of the code, after comments and literals have been taken out, so
//! that a text about `unsafe` is not taken for the thing. Each rule is tested on a planted
//! violation below, since a check that finds nothing looks like a clean house.

use std::{fs, path::Path};

/// The rooms from the bottom up. A room may use what is below its floor; rooms on one floor
/// do not know each other.
const FLOORS: [&[&str]; 11] = [
    &["types"],
    &["params"],
    &["position"],
    &[
        "time",
        "nnue",
        "tt",
        "history",
        "tapered",
        "book",
        "tablebase",
    ],
    &["movepick"],
    &["search"],
    &["engine"],
    &["classic", "learn", "analyse"],
    &["tools"],
    &["uci"],
    &["main"],
];

/// The rooms that must not use everything below them, and what they may use: `classic` is
/// there to judge the playing search and so must not contain it.
const SECLUDED: [(&str, &[&str]); 1] = [("classic", &["types", "position", "tapered"])];

/// Words that belong to certain places only (paths within `src` that begin so).
const CONFINED: [(&str, &[&str]); 10] = [
    ("vampirc_uci", &["uci/parse.rs", "uci/print.rs"]),
    ("dashmap", &["tools/perft"]),
    ("shakmaty_syzygy", &["tablebase/"]),
    ("clap", &["main.rs", "tools/"]),
    ("clap_complete", &["main.rs"]),
    ("print!", &PRINTERS),
    ("println!", &PRINTERS),
    ("eprint!", &PRINTERS),
    ("eprintln!", &PRINTERS),
    // An engine that works for us has a standard output of its own.
    ("stdout", &["main.rs", "uci/print.rs", "learn/program.rs"]),
];

const PRINTERS: [&str; 2] = ["main.rs", "uci/print.rs"];

/// Where code may vouch for what the compiler cannot check; a file that maps memory may too.
const UNSAFE_HOMES: [&str; 2] = ["nnue/simd", "tt/"];

const LONGEST_FILE: usize = 400;

/// Length in bytes of the comment that `rest` begins with.
fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if !rest.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (0, 0);
    while let Some(found) = rest[at..].find(['/', '*']) {
        at += found;
        let step = match rest.as_bytes().get(at..at + 2) {
            Some(b"/*") => 1,
            Some(b"*/") => -1,
            _ => 0,
        };
        depth += step;
        at += if step == 0 { 1 } else { 2 };
        if depth == 0 {
            return Some(at);
        }
    }
    Some(rest.len())
}

/// Length in bytes of the string or character that `rest` begins with.
fn literal(rest: &str) -> Option<usize> {
    if let Some(raw) = rest.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let body = raw[hashes..].strip_prefix('"')?;
        let close = format!("\"{}", "#".repeat(hashes));
        let end = body.find(&close).map_or(body.len(), |at| at + close.len());
        return Some(rest.len() - body.len() + end);
    }
    let quote = rest.chars().next().filter(|first| "\"'".contains(*first))?;
    let mut inside = rest.char_indices().skip(1);
    // A quote that does not close after one character opens a lifetime, not a literal.
    if quote == '\'' && !rest.starts_with("'\\") && rest.chars().nth(2) != Some('\'') {
        return None;
    }
    while let Some((at, character)) = inside.next() {
        if character == '\\' {
            inside.next();
        } else if character == quote {
            return Some(at + 1);
        }
    }
    Some(rest.len())
}

/// The words and signs of `text` with the lines they stand on, without comments and
/// literals. The name of a macro includes its `!`.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if let Some(skipped) = comment(rest).or_else(|| literal(rest)) {
            skipped
        } else if is_word(first) {
            let word = rest.find(|character| !is_word(character));
            let word = word.unwrap_or(rest.len());
            let is_macro = rest[word..].starts_with('!') && !rest[word..].starts_with("!=");
            let word = word + usize::from(is_macro);
            found.push((line, &rest[..word]));
            word
        } else {
            if !first.is_whitespace() {
                found.push((line, &rest[..first.len_utf8()]));
            }
            first.len_utf8()
        };
        line += rest[..length].matches('\n').count();
        at += length;
    }
    found
}

/// How many modules below the root of the crate a file is: `uci/mod.rs` 1, `uci/go.rs` 2.
fn depth(path: &str) -> usize {
    path.matches('/').count() + usize::from(!path.ends_with("/mod.rs"))
}

/// The rooms that the code of the file at `path` names, with the lines they stand on.
fn rooms_named<'a>(path: &str, tokens: &[(usize, &'a str)]) -> Vec<(usize, &'a str)> {
    let words: Vec<&str> = tokens.iter().map(|&(_, word)| word).collect();
    let mut named = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let start = at;
        let mut supers = 0;
        while words[at..].starts_with(&["super", ":", ":"]) {
            supers += 1;
            at += 3;
        }
        let from_crate = words[at..].starts_with(&["crate", ":", ":"]);
        if from_crate {
            at += 3;
        }
        if from_crate || (supers > 0 && supers >= depth(path)) {
            named.extend(heads(&tokens[at..]));
        }
        at = at.max(start + 1);
    }
    named
}

/// The part of the code that is built for use: all before the unit tests, which may look
/// into any room for something to compare with.
fn shipped<'a>(tokens: &'a [(usize, &'a str)]) -> &'a [(usize, &'a str)] {
    let words: Vec<&str> = tokens.iter().map(|&(_, word)| word).collect();
    let opening = ["cfg", "(", "test", ")", "]", "mod"];
    let tests = words.windows(opening.len()).position(|six| six == opening);
    &tokens[..tests.unwrap_or(tokens.len())]
}

/// The first names of the paths after `crate::`: one, or several in braces.
fn heads<'a>(tokens: &[(usize, &'a str)]) -> Vec<(usize, &'a str)> {
    if tokens.first().is_none_or(|&(_, word)| word != "{") {
        return tokens.first().copied().into_iter().collect();
    }
    let (mut found, mut level, mut fresh) = (Vec::new(), 0, false);
    for &(line, word) in tokens {
        match word {
            "{" => {
                level += 1;
                fresh = level == 1;
            }
            "}" => level -= 1,
            "," => fresh = level == 1,
            name if fresh => {
                found.push((line, name));
                fresh = false;
            }
            _ => {}
        }
        if level == 0 {
            break;
        }
    }
    found
}

fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&room))
}

/// What is wrong with code of `room` that names `other`.
fn trespass(room: &str, other: &str) -> Option<String> {
    let (here, there) = (floor(room), floor(other)?);
    let secluded = SECLUDED.iter().find(|(name, _)| *name == room);
    if room == other || room == "lib" {
        None
    } else if secluded.is_some_and(|(_, allowed)| !allowed.contains(&other)) {
        Some(format!("{room} must not know {other}"))
    } else if here.is_some_and(|here| there >= here) {
        Some(format!("{room} is not above {other}"))
    } else {
        None
    }
}

/// Everything that is wrong with the file at `path` (within `src`).
fn findings(path: &str, text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let room = path.split(['/', '.']).next().unwrap_or(path);
    let at_home = |homes: &[&str]| homes.iter().any(|home| path.starts_with(home));
    let mut found = Vec::new();
    if room != "lib" && floor(room).is_none() {
        found.push(format!("{path}: the room {room} has no floor"));
    }
    if !text.starts_with("//!") {
        found.push(format!("{path}: does not open with `//!`"));
    }
    if text.lines().count() > LONGEST_FILE {
        found.push(format!("{path}: longer than {LONGEST_FILE} lines"));
    }
    for (line, other) in rooms_named(path, shipped(&tokens)) {
        let wrong = trespass(room, other);
        found.extend(wrong.map(|wrong| format!("{path}:{line}: {wrong}")));
    }
    let maps_memory = tokens.iter().any(|&(_, word)| word == "memmap2");
    for &(line, word) in &tokens {
        let home = CONFINED.iter().find(|(confined, _)| *confined == word);
        let stray = home.is_some_and(|(_, homes)| !at_home(homes))
            || (word == "unsafe" && !maps_memory && !at_home(&UNSAFE_HOMES));
        if stray {
            found.push(format!("{path}:{line}: `{word}` has no place here"));
        }
    }
    for (line, content) in (1..).zip(text.lines()) {
        if content.contains("TODO") || content.contains("FIXME") {
            found.push(format!("{path}:{line}: unfinished work"));
        }
    }
    found
}

/// The findings in every Rust file of `folder`, whose path within `src` is `prefix`.
fn findings_in(folder: &Path, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the sources are readable") {
        let entry = entry.expect("the sources are readable");
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        if path.is_dir() {
            found.extend(findings_in(&path, &format!("{prefix}{name}/")));
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("sources are text");
            found.extend(findings(&format!("{prefix}{name}"), &text));
        }
    }
    found.sort();
    found
}

#[test]
fn the_house_is_tidy() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let found = findings_in(&source, "");
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

/// Asserts that `code`, planted at `path`, gives findings that contain `expected`, in order.
fn assert_found(path: &str, code: &str, expected: &[&str]) {
    let found = findings(path, &format!("//! A planted file.\n{code}\n"));
    let matches = found.len() == expected.len()
        && (found.iter().zip(expected)).all(|(finding, part)| finding.contains(part));
    assert!(matches, "{path}: {code}: {found:?}");
}

#[test]
fn an_upward_import_is_found() {
    assert_found("tt/table.rs", "use crate::types::Score;", &[]);
    assert_found("tt/table.rs", "use crate::tt::entry::Entry;", &[]);
    assert_found(
        "tt/table.rs",
        "use crate::search::Worker;",
        &["tt/table.rs:2: tt is not above search"],
    );
    assert_found(
        "search/mod.rs",
        "use crate::{\n    types::{Depth, Ply},\n    uci::{self, print},\n    engine,\n};",
        &[":4: search is not above uci", ":5: search is not above eng"],
    );
    assert_found(
        "movepick/mod.rs",
        "fn f() { crate::engine::go(); }",
        &["engine"],
    );
    assert_found("history/mod.rs", "use crate::tt::Table;", &["not above tt"]);
}

#[test]
fn unit_tests_may_look_upward_but_only_they() {
    let test = "#[cfg(test)]\nmod tests { use crate::learn::model::Model; }";
    assert_found("nnue/forward.rs", test, &[]);
    let both = format!("use crate::uci::print; {test}");
    assert_found("nnue/forward.rs", &both, &["not above uci"]);
    let item = "#[cfg(test)]\nuse crate::learn::model::Model;";
    assert_found("nnue/forward.rs", item, &["not above learn"]);
}

#[test]
fn a_way_round_the_root_is_found() {
    assert_found(
        "time.rs",
        "use super::search::Worker;",
        &["not above search"],
    );
    assert_found(
        "tt/entry.rs",
        "use super::super::uci::print;",
        &["above uci"],
    );
    assert_found("search/mod.rs", "use super::super::tools::x;", &["tools"]);
    assert_found("uci/obey.rs", "use super::session::search;", &[]);
}

#[test]
fn classic_lives_apart_and_every_room_has_a_floor() {
    assert_found("classic/pvs.rs", "use crate::position::Position;", &[]);
    assert_found(
        "classic/pvs.rs",
        "use crate::tt::Table;",
        &["must not know"],
    );
    assert_found("cellar/mod.rs", "", &["cellar has no floor"]);
}

#[test]
fn a_file_without_introduction_and_a_long_file_are_found() {
    let bare = findings("time.rs", "fn f() {}\n");
    assert_eq!(bare, ["time.rs: does not open with `//!`"]);
    let long = "\n".repeat(LONGEST_FILE);
    assert_found("time.rs", &long, &["longer than 400"]);
}

#[test]
fn strayed_words_are_found() {
    for (path, code) in [
        ("search/node.rs", "fn f() { unsafe { g() } }"),
        ("engine/pool.rs", "fn f() { println!(\"x\"); }"),
        ("tools/bench.rs", "fn f() { eprint!(\"x\"); }"),
        ("uci/session.rs", "use std::io::stdout;"),
        ("uci/go.rs", "use vampirc_uci::UciMessage;"),
        ("tt/table.rs", "use dashmap::DashMap;"),
        ("uci/mod.rs", "#[derive(clap::Args)] struct X;"),
    ] {
        assert_found(path, code, &["has no place here"]);
    }
    assert_found("nnue/simd/avx2.rs", "fn f() { unsafe { g() } }", &[]);
    assert_found("book.rs", "use memmap2::Mmap; fn f() { unsafe {} }", &[]);
    assert_found("uci/print.rs", "fn f() { println!(); }", &[]);
}

#[test]
fn comments_and_literals_are_not_code() {
    for code in [
        "/// No unsafe code, no println!, unlike crate::uci.",
        "/* unsafe /* println!() */ dashmap */",
        "const X: &str = \"unsafe \\\" println! // \";",
        "const X: &str = r#\"unsafe \" dashmap\"#;",
        "const X: char = '\"'; // unsafe\nconst Y: char = '\\''; // dashmap",
        "fn f<'a>(x: &'a str) -> &'a str { x } // unsafe's",
        "#[expect(unsafe_code, reason = \"x\")] fn f() {}",
    ] {
        assert_found("time.rs", code, &[]);
    }
    assert_found("time.rs", "const X: char = '\"'; unsafe {}", &["unsafe"]);
}

#[test]
fn unfinished_work_is_found() {
    assert_found("time.rs", "// TODO: more", &["time.rs:2: unfinished"]);
    assert_found("time.rs", "// FIXME", &["unfinished"]);
}
