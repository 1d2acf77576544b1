//! From nothing to a network, with the commands a newcomer would use: play games, look at
//! them, train on them, play with what came out.

#[path = "common/binary.rs"]
mod binary;
#[path = "common/folder.rs"]
mod folder;

use std::{collections::HashSet, fs, path::Path};

use arborist::{
    learn::games::{Game, Games},
    nnue::Network,
    position,
    types::MoveList,
};
use binary::arborist;
use folder::Folder;
use shakmaty::{Chess, Position};

fn prints(arguments: &[&str]) -> String {
    let output = arborist(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// Plays until `games` games are in `folder`.
fn play(folder: &str, games: &str, more: &[&str]) -> String {
    let start = ["datagen", "--out", folder, "--games", games];
    let small = ["--nodes", "150", "--threads", "2", "--hash", "1"];
    prints(&[&start[..], &small[..], more].concat())
}

/// The line of what `games` prints that begins with `name`.
fn line<'a>(report: &'a str, name: &str) -> &'a str {
    let line = report.lines().find(|line| line.starts_with(name));
    line.unwrap_or_else(|| panic!("no {name} in {report}"))
}

#[test]
fn games_become_a_network_that_plays() {
    let folder = Folder::new("learning");
    let games = folder.file("games");
    let said = play(&games, "20", &["--dfrc", "0.3", "--seed", "5"]);
    assert!(said.contains(": 20 games with "), "{said}");

    let report = prints(&["games", &games]);
    assert!(line(&report, "files").ends_with(" 2"), "{report}");
    assert!(line(&report, "games").contains("20, all legal"), "{report}");

    let network = folder.file("tiny.net");
    let tiny = ["--superbatches", "1", "--batches", "2", "--batch", "128"];
    let data = ["train", "--data", &games, "--out", &network];
    let said = prints(&[&data[..], &tiny[..]].concat());
    assert!(said.contains("step 2, training loss 0."), "{said}");
    Network::load(Path::new(&network)).expect("the network is sound");
    let more = folder.file("more.net");
    let again = [
        "train", "--data", &games, "--out", &more, "--from", &network,
    ];
    prints(&[&again[..], &tiny[..]].concat());
    Network::load(Path::new(&more)).expect("it has learned more");
    let other = arborist(&[&again[..], &["--scale", "99"]].concat());
    assert_eq!(other.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&other.stderr).contains("--scale 140"));

    let load = format!("setoption name EvalFile value {network}");
    let said = prints(&[&load, "position startpos moves e2e4", "go nodes 2000"]);
    assert!(!said.contains("error"), "{said}");
    let answer = said.lines().find_map(|line| line.strip_prefix("bestmove "));
    let mv = answer.and_then(|answer| answer.split(' ').next());
    let mut game = position::Game::start();
    game.play_uci("e2e4").expect("legal");
    let played = game.play_uci(mv.expect("an answer"));
    assert!(played.is_ok(), "{said}");
}

#[test]
fn an_interrupted_run_goes_on_as_if_nothing_had_been() {
    let folder = Folder::new("resumed");
    let (whole, parts) = (folder.file("whole"), folder.file("parts"));
    play(&whole, "7", &[]);
    play(&parts, "3", &[]);
    // As a power failure leaves it: the end of the second game of a thread is missing.
    let torn = Path::new(&parts).join("s1-t0.vf");
    let bytes = fs::read(&torn).expect("it was played");
    fs::write(&torn, &bytes[..bytes.len() - 7]).expect("it was played");
    let report = prints(&["games", &parts]);
    assert!(report.contains("s1-t0.vf ends within a game"), "{report}");
    let said = play(&parts, "7", &[]);
    assert!(said.contains(": 2 games found, 5 games with "), "{said}");
    for name in ["s1-t0.vf", "s1-t1.vf", "s1.txt"] {
        let read = |folder: &str| fs::read(Path::new(folder).join(name)).expect(name);
        assert_eq!(read(&whole), read(&parts), "{name}");
    }
    // Other games do not belong into the same files.
    let other = arborist(&["datagen", "--out", &parts, "--games", "9", "--nodes", "99"]);
    assert_eq!(other.status.code(), Some(1));
    let said = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(said.contains("s1.txt"), "{said}");
}

#[test]
fn another_engine_plays_and_judges() {
    let folder = Folder::new("engine");
    let data = folder.file("games");
    let engine = ["--engine", env!("CARGO_BIN_EXE_arborist")];
    let more = ["--option", "Move Overhead=0", "--dfrc", "0.5"];
    let said = play(&data, "6", &[&engine[..], &more[..]].concat());
    assert!(said.contains(": 6 games with "), "{said}");
    assert!(prints(&["games", &data]).contains("6, all legal"));
    // Several at a time, in both kinds of chess.
    let (many, again) = (folder.file("many"), folder.file("again"));
    let together = ["--boards", "3", "--dfrc", "0.5"];
    let said = play(&many, "12", &[&engine[..], &together[..]].concat());
    assert!(said.contains(": 12 games with "), "{said}");
    let judge = ["relabel", "--data", &many, "--out", &again, "--nodes", "90"];
    prints(&[&judge[..], &engine[..], &together[..2]].concat());
    let (played, judged) = (content(&many), content(&again));
    assert_eq!((played.len(), judged.len()), (12, 12));
    for (old, new) in played.iter().zip(&judged) {
        assert_eq!((&old.0, &old.1), (&new.0, &new.1));
    }
    assert_ne!(played, judged, "the scores are new");
    assert!(prints(&["games", &many]).contains("12, all legal"));
    let missing = folder.file("nobody");
    let output = arborist(&[
        "datagen", "--out", &data, "--seed", "2", "--engine", &missing,
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nobody"));
}

/// The moves, scores and results of all games of `folder`, in the order of their start and moves.
fn content(folder: &str) -> Vec<(String, String, Vec<i16>)> {
    let mut games = Vec::new();
    for entry in fs::read_dir(folder).expect("it was written") {
        let path = entry.expect("readable").path();
        if path.extension().is_none_or(|extension| extension != "vf") {
            continue;
        }
        for game in Games::open(&path).expect("readable") {
            let game = game.expect("whole");
            let (mut moves, mut scores) = (format!("{:?} ", game.start().expect("legal")), vec![]);
            let note = |_: &Chess, mv: shakmaty::Move, score| {
                moves += &mv.to_string();
                scores.push(score);
            };
            game.replay(note).expect("all moves are legal");
            games.push((moves, format!("{:?}", game.result()), scores));
        }
    }
    games.sort();
    games
}

#[test]
fn games_are_judged_again() {
    let folder = Folder::new("relabel");
    let (games, again) = (folder.file("games"), folder.file("again"));
    play(&games, "6", &["--dfrc", "0.5"]);
    let start = ["relabel", "--data", &games, "--threads", "2"];
    let judge = |out: &str, more: &[&str]| prints(&[&start[..], &["--out", out], more].concat());
    let said = judge(&again, &["--nodes", "300", "--hash", "1"]);
    assert!(said.contains(": 6 games with "), "{said}");
    let (old, new) = (content(&games), content(&again));
    assert_eq!(old.len(), 6);
    for (old, new) in old.iter().zip(&new) {
        assert_eq!((&old.0, &old.1), (&new.0, &new.1));
        assert_ne!(old.2, new.2);
    }
    // The same again has nothing left to do, and other labels do not belong here.
    let said = judge(&again, &["--nodes", "300", "--hash", "1"]);
    assert!(said.contains(": 6 games found, 0 games with "), "{said}");
    let other = arborist(&[&start[..], &["--out", &again, "--nodes", "5"]].concat());
    assert_eq!(other.status.code(), Some(1));
    // Another engine judges as well; here it is the same one, and says the same.
    let external = folder.file("external");
    let engine = ["--engine", env!("CARGO_BIN_EXE_arborist")];
    let said = judge(&external, &[&engine[..], &["--nodes", "100"]].concat());
    assert!(said.contains(": 6 games with "), "{said}");
}

#[test]
fn games_are_written_for_others() {
    let folder = Folder::new("convert");
    let games = folder.file("games");
    play(&games, "4", &["--dfrc", "0.5"]);
    let report = prints(&["games", &games]);
    let (text, pgn) = (folder.file("positions.txt"), folder.file("games.pgn"));

    let said = prints(&["convert", &games, "-o", &text]);
    let lines = fs::read_to_string(&text).expect("it was written");
    assert!(said.contains(" positions of 4 games"), "{said}");
    let passing = format!("filtered   {},", lines.lines().count());
    assert!(report.contains(&passing), "{passing} {report}");
    for line in lines.lines() {
        let fields: Vec<_> = line.split(" | ").collect();
        assert!(position::Game::from_fen(fields[0], false).is_ok(), "{line}");
        assert!(fields[1].parse::<i16>().is_ok(), "{line}");
        assert!(["1.0", "0.5", "0.0"].contains(&fields[2]), "{line}");
    }

    prints(&["convert", &games, "--format", "pgn", "-o", &pgn]);
    let bytes = fs::read(&pgn).expect("it was written");
    let sheets = arborist::analyse::pgn::read(&bytes).expect("games as others write them");
    let plies: usize = sheets.iter().map(|sheet| sheet.positions().len() - 1).sum();
    let played: usize = content(&games).iter().map(|game| game.2.len()).sum();
    assert_eq!((sheets.len(), plies), (4, played));
    let other = ["convert", &games, "--format", "xml", "-o", &pgn];
    assert_eq!(arborist(&other).status.code(), Some(2));
}

/// The games, or fans, in the two files that two threads wrote to `folder`.
fn read(folder: &str, names: [&str; 2]) -> Vec<Game> {
    let open = |name| Games::open(&Path::new(folder).join(name)).expect(name);
    let games = names.into_iter().flat_map(open);
    games.map(|game| game.expect("whole")).collect()
}

/// Judges with this engine what could have happened in the games of `data`.
fn distil(data: &str, out: &str, more: &[&str]) -> String {
    let engine = ["--engine", env!("CARGO_BIN_EXE_arborist")];
    let start = ["distil", "--data", data, "--out", out, "--threads", "2"];
    prints(&[&start[..], &engine[..], more].concat())
}

#[test]
fn a_teacher_judges_what_could_have_happened() {
    let folder = Folder::new("distil");
    let (games, fans) = (folder.file("games"), folder.file("fans"));
    play(&games, "4", &["--dfrc", "0.5"]);
    let said = distil(&games, &fans, &["--share", "0.25"]);
    assert!(said.contains(" positions after "), "{said}");

    let mut quiet = 0;
    for fan in read(&fans, ["d1-t0.fan", "d1-t1.fan"]) {
        let check = |child: &Chess, score: i16| {
            quiet += 1;
            assert!(
                !child.is_check() && score.abs() < 32_000,
                "{child:?} {score}"
            );
        };
        fan.children(check).expect("all moves are legal");
    }
    let count = format!("{quiet} positions after ");
    assert!(quiet > 300 && said.contains(&count), "{quiet}: {said}");

    let network = folder.file("tiny.net");
    let data = ["train", "--data", &games, &fans, "--out", &network];
    let tiny = ["--superbatches", "1", "--batches", "1", "--batch", "300"];
    let said = prints(&[&data[..], &tiny[..]].concat());
    assert!(said.contains("step 1, training loss 0."), "{said}");
}

#[test]
fn a_teacher_judges_some_moves_after_random_ones() {
    let folder = Folder::new("stray");
    let (games, fans) = (folder.file("games"), folder.file("fans"));
    play(&games, "4", &[]);
    distil(&games, &fans, &["--stray", "2", "--moves", "3"]);
    let mut met = HashSet::new();
    for game in read(&games, ["s1-t0.vf", "s1-t1.vf"]) {
        let note = |position: &Chess, _, _| {
            met.insert(position.board().clone());
        };
        game.replay(note).expect("all moves are legal");
    }
    let fans = read(&fans, ["d1-t0.fan", "d1-t1.fan"]);
    assert!(fans.iter().all(|fan| fan.len() <= 3));
    let is_known = |fan: &&Game| met.contains(fan.start().expect("legal").board());
    let known = fans.iter().filter(is_known).count();
    let strange = fans.len() - known;
    assert!(known > 5 && strange > 20, "{known} {strange}");
}

#[test]
fn a_teacher_searches_after_each_move() {
    let folder = Folder::new("searched");
    let (games, fans) = (folder.file("games"), folder.file("fans"));
    play(&games, "4", &[]);
    distil(
        &games,
        &fans,
        &["--depth", "3", "--moves", "4", "--share", "0.5"],
    );
    let mut kept = 0;
    for fan in read(&fans, ["d1-t0.fan", "d1-t1.fan"]) {
        let check = |child: &Chess, score: i16| {
            kept += 1;
            assert!(!child.is_check() && score.abs() < 32_000);
            let position = position::Position::new(child.clone());
            let mut noisy = MoveList::new();
            position.generate_noisy(&mut noisy);
            assert!(!noisy.iter().any(|&mv| position.see_reaches(mv, 1)));
        };
        fan.children(check).expect("all moves are legal");
    }
    assert!(kept > 100, "{kept}");
}

#[test]
fn an_interrupted_teacher_goes_on_as_if_nothing_had_been() {
    let folder = Folder::new("fans");
    let (games, whole) = (folder.file("games"), folder.file("whole"));
    play(&games, "4", &[]);
    distil(&games, &whole, &["--share", "0.1"]);
    let parts = folder.file("parts");
    fs::create_dir_all(&parts).expect("a directory");
    let file = |folder: &str| Path::new(folder).join("d1-t1.fan");
    // Only the positions: a teacher may remember what it was asked before.
    let parents = |folder: &str| -> Vec<_> {
        let fans = Games::open(&file(folder)).expect("written");
        let start = |fan: anyhow::Result<Game>| fan.and_then(|fan| fan.start());
        fans.map(|fan| start(fan).expect("legal")).collect()
    };
    let bytes = fs::read(file(&whole)).expect("written");
    fs::write(file(&parts), &bytes[..bytes.len() / 2]).expect("writable");
    let cut = parents(&parts).len();
    distil(&games, &parts, &["--share", "0.1"]);
    let all = parents(&whole);
    assert!(0 < cut && cut < all.len());
    assert_eq!(parents(&parts), all);
}

/// What repeats every order is no engine.
#[cfg(unix)]
#[test]
fn a_teacher_that_does_not_answer_is_named() {
    let folder = Folder::new("mute");
    let (games, fans) = (folder.file("games"), folder.file("fans"));
    play(&games, "2", &[]);
    let output = arborist(&[
        "distil",
        "--data",
        &games,
        "--out",
        &fans,
        "--engine",
        "cat",
        "--patience",
        "1",
    ]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("cat: no `uciok` within 1 s"), "{said}");
}

#[test]
fn an_illegal_game_is_named() {
    let folder = Folder::new("illegal");
    let data = folder.file("games");
    play(&data, "2", &["--dfrc", "0"]);
    let file = Path::new(&data).join("s1-t1.vf");
    let mut bytes = fs::read(&file).expect("it was played");
    // The first move of the game becomes one from a8 to a1.
    bytes[32..34].copy_from_slice(&56_u16.to_le_bytes());
    fs::write(&file, bytes).expect("it was played");
    let output = arborist(&["games", &data]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("s1-t1.vf, game 0"), "{said}");
}
