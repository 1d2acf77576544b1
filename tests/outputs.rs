//! What the commands write: never over what they read, and whole or not at all.

#[path = "common/binary.rs"]
mod binary;
#[path = "common/folder.rs"]
mod folder;

use std::{fs, path::Path};

use arborist::{
    learn::{draft::Draft, games::GameResult},
    types::Score,
};
use binary::arborist;
use folder::Folder;
use shakmaty::{Chess, Position};

/// A file with two short games.
fn games(path: &str) {
    let game = |answer: &str| {
        let mut position = Chess::new();
        let mut draft = Draft::new(&position);
        for word in ["e2e4", answer] {
            let mv = word.parse::<shakmaty::uci::UciMove>().expect("a move");
            let mv = mv.to_move(&position).expect("legal");
            draft.add(mv, Score::DRAW);
            position.play_unchecked(mv);
        }
        draft.finish(GameResult::Draw)
    };
    let mut bytes = Vec::new();
    for answer in ["e7e5", "c7c5"] {
        game(answer).write(&mut bytes).expect("memory");
    }
    fs::write(path, bytes).expect("a temporary file");
}

/// A file with two games of which the second has an illegal move.
fn broken_games(path: &str) {
    games(path);
    let mut bytes = fs::read(path).expect("it was written");
    let first_move = bytes.len() / 2 + 32;
    // From a8 to a1.
    bytes[first_move..first_move + 2].copy_from_slice(&56_u16.to_le_bytes());
    fs::write(path, bytes).expect("it was written");
}

/// The names and contents of all files of a folder and those in it.
fn content(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a temporary folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            found.extend(content(&path));
        } else {
            let bytes = fs::read(&path).expect("readable");
            found.push((path.display().to_string(), bytes));
        }
    }
    found.sort();
    found
}

/// Runs the command, which must fail with `code`, say all of `words` and change no file.
fn leaves_all_as_it_was(folder: &Folder, arguments: &[&str], code: i32, words: &[&str]) -> String {
    let here = folder.file("");
    let before = content(Path::new(&here));
    let output = arborist(arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    for word in words {
        assert!(said.contains(word), "{arguments:?}: {word}: {said}");
    }
    assert!(before == content(Path::new(&here)), "{arguments:?}: {said}");
    said
}

/// Checks that the command refuses to write to `path`.
fn refuses(folder: &Folder, arguments: &[&str], path: &str) {
    let complaint = format!("will not write {path}: ");
    leaves_all_as_it_was(folder, arguments, 2, &[&complaint]);
}

#[test]
fn games_are_not_converted_into_themselves() {
    let folder = Folder::new("converted");
    let (first, second) = (folder.file("a.vf"), folder.file("b.vf"));
    games(&first);
    games(&second);
    for input in [&first, &folder.file("")] {
        refuses(&folder, &["convert", input, "-o", &first], &first);
    }
    let inside = &folder.file("./b.vf");
    refuses(&folder, &["convert", &first, &second, "-o", inside], inside);
    let (hard, soft) = (folder.file("hard"), folder.file("soft"));
    fs::hard_link(&first, &hard).expect("a link");
    refuses(&folder, &["convert", &first, "-o", &hard], &hard);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&first, &soft).expect("a link");
        refuses(&folder, &["convert", &first, "-o", &soft], &soft);
        refuses(&folder, &["convert", &soft, "-o", &first], &first);
    }
    // Beside its input a file may well be written.
    let text = folder.file("a.txt");
    let done = arborist(&["convert", &first, "-o", &text]);
    assert!(done.status.success(), "{done:?}");
}

#[test]
fn games_are_not_judged_into_themselves() {
    let folder = Folder::new("judged");
    let data = folder.file("data");
    let other = folder.file("other");
    for path in [&data, &other] {
        fs::create_dir(path).expect("a temporary folder");
    }
    let judged = folder.file("data/r-t0.vf");
    games(&judged);
    let small = ["--threads", "1", "--nodes", "10", "--hash", "1"];
    let relabel = |from: &str, to: &str, refused: &str| {
        let start = ["relabel", "--data", from, "--out", to];
        refuses(&folder, &[&start[..], &small[..]].concat(), refused);
    };
    relabel(&data, &data, &judged);
    relabel(&judged, &data, &judged);
    // What would be written would be read when the run goes on.
    games(&folder.file("other/games.vf"));
    relabel(&other, &other, &other);

    let fan = folder.file("data/d1-t0.fan");
    games(&fan);
    let engine = ["--engine", env!("CARGO_BIN_EXE_arborist"), "--threads", "1"];
    let start = ["distil", "--data", &fan, "--out", &data];
    refuses(&folder, &[&start[..], &engine[..]].concat(), &fan);
}

#[test]
fn a_training_run_does_not_write_over_its_data() {
    let folder = Folder::new("trained");
    let (data, log) = (folder.file("x.vf"), folder.file("x.log"));
    games(&data);
    games(&log);
    let tiny = ["--superbatches", "1", "--batches", "1", "--batch", "2"];
    let train = |arguments: &[&str], refused: &str| {
        refuses(&folder, &[&["train"], arguments, &tiny].concat(), refused);
    };
    train(&["--data", &data, "--out", &data], &data);
    train(
        &["--data", &data, &log, "--out", &folder.file("x.net")],
        &log,
    );
    let out = folder.file("y.ckpt");
    train(&["--data", &data, "--out", &out], &out);
    let from = ["--data", &data, "--from", &log, "--out"];
    train(&[&from[..], &[&folder.file("x.net")]].concat(), &log);
}

#[test]
fn books_pages_and_pictures_do_not_replace_what_they_are_made_of() {
    let folder = Folder::new("made");
    let (pgn, new) = (folder.file("g.pgn"), folder.file("new"));
    fs::write(&pgn, "1. e4 e5 1-0\n").expect("a temporary file");
    let book = ["book", &pgn, "--min-games", "1", "-o", &pgn];
    refuses(&folder, &book, &pgn);
    let fast = ["analyse", &pgn, "--depth", "1"];
    for (outputs, refused) in [
        (&["-o", &pgn][..], &pgn),
        (&["--html", &pgn], &pgn),
        (&["-o", &new, "--html", &pgn], &pgn),
        (&["-o", &new, "--html", &new], &new),
    ] {
        refuses(&folder, &[&fast[..], outputs].concat(), refused);
    }
    let epd = folder.file("x.epd");
    fs::write(&epd, "4k3/8/8/8/8/8/4P3/4K3 w - -\n").expect("a temporary file");
    let compare = ["compare", "--epd", &epd, "--depth", "1", "--plot", &epd];
    refuses(&folder, &compare, &epd);
}

#[test]
fn what_fails_leaves_nothing_behind() {
    let folder = Folder::new("failed");
    let (data, out) = (folder.file("broken.vf"), folder.file("out.txt"));
    broken_games(&data);
    let convert = ["convert", &data, "-o", &out];
    // Games are counted from 0, as by the other commands.
    let culprit = "broken.vf, game 1: illegal move at ply 0";
    leaves_all_as_it_was(&folder, &convert, 1, &[culprit]);
    leaves_all_as_it_was(&folder, &["games", &data], 1, &["broken.vf, game 1"]);
    fs::write(&out, "precious").expect("a temporary file");
    leaves_all_as_it_was(&folder, &convert, 1, &[culprit]);
    let nowhere = folder.file("no/such/folder");
    games(&data);
    let convert = ["convert", &data, "-o", &nowhere];
    leaves_all_as_it_was(&folder, &convert, 1, &["cannot write", &nowhere]);
    let (pgn, new) = (folder.file("g.pgn"), folder.file("new.pgn"));
    fs::write(&pgn, "1. e4 e5 1-0\n").expect("a temporary file");
    let analyse = ["analyse", &pgn, "-o", &new, "--html", &nowhere];
    leaves_all_as_it_was(&folder, &analyse, 1, &["cannot write", &nowhere]);
}

#[test]
fn the_first_round_is_the_first() {
    let folder = Folder::new("rounds");
    let (data, out) = (folder.file("x.vf"), folder.file("x.pgn"));
    games(&data);
    fs::write(&out, "what was there before, and was longer\n".repeat(99)).expect("writable");
    let done = arborist(&["convert", &data, "--format", "pgn", "-o", &out]);
    assert!(done.status.success(), "{done:?}");
    let text = fs::read_to_string(&out).expect("it was written");
    assert!(text.starts_with("[Event "), "{text}");
    for round in ["[Round \"1\"]", "[Round \"2\"]"] {
        assert!(text.contains(round), "{text}");
    }
    assert!(!text.contains("before"), "{text}");
}

#[cfg(unix)]
#[test]
fn permissions_stay() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new("permitted");
    let (data, out, fresh) = (folder.file("x.vf"), folder.file("x"), folder.file("y"));
    games(&data);
    let mode = |path: &str| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    let convert = |path: &str| arborist(&["convert", &data, "-o", path]).status.success();
    assert!(convert(&fresh));
    assert_eq!(mode(&fresh), mode(&data), "as any new file");
    fs::write(&out, "old").expect("a temporary file");
    fs::set_permissions(&out, fs::Permissions::from_mode(0o640)).expect("it is ours");
    assert!(convert(&out));
    assert_eq!(mode(&out), 0o640);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_pipes_and_links_are_written_as_they_are() {
    let folder = Folder::new("devices");
    let (data, real, link) = (
        folder.file("x.vf"),
        folder.file("real"),
        folder.file("link"),
    );
    games(&data);
    std::os::unix::fs::symlink(&real, &link).expect("a link");
    let convert = |path: &str| arborist(&["convert", &data, "--format", "pgn", "-o", path]);
    assert!(convert(&link).status.success());
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    let text = fs::read_to_string(&real).expect("it was written through the link");
    let printed = convert("/dev/stdout");
    assert!(printed.status.success(), "{printed:?}");
    assert!(String::from_utf8_lossy(&printed.stdout).starts_with(&text));

    let full = ["convert", &data, "-o", "/dev/full"];
    let said = leaves_all_as_it_was(&folder, &full, 1, &["cannot write /dev/full"]);
    assert!(!said.contains("x.vf"), "{said}");

    // Nothing is lost in a device, and the games come out of a pipe once.
    let pgn = folder.file("g.pgn");
    fs::write(&pgn, "1. e4 e5 1-0\n\n1. d4 d5 0-1\n").expect("a temporary file");
    let fast = ["analyse", &pgn, "--depth", "1"];
    let nothing = ["-o", "/dev/null", "--html", "/dev/null"];
    let done = arborist(&[&fast[..], &nothing].concat());
    assert!(done.status.success(), "{done:?}");
    let done = arborist(&[&fast[..], &["-o", "/dev/stdout"]].concat());
    let printed = String::from_utf8_lossy(&done.stdout);
    assert_eq!(printed.matches("1. e4 ").count(), 1, "{printed}");
}

/// The file system there can hold files without a name, on every Linux.
#[cfg(target_os = "linux")]
#[test]
fn who_is_killed_leaves_nothing_behind() {
    use std::process::{Command, Stdio};

    if !Path::new("/dev/shm").is_dir() {
        eprintln!("skipped: there is no /dev/shm");
        return;
    }
    let folder = Folder::new("killed");
    let pipe = folder.file("endless.vf");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo is everywhere").success());
    let place = tempfile::tempdir_in("/dev/shm").expect("room in memory");
    let out = place.path().join("games.txt");
    let mut running = Command::new(env!("CARGO_BIN_EXE_arborist"))
        .args(["convert", &pipe, "-o"])
        .arg(&out)
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary was built for this test");
    // This waits for the reader, which has begun to write by then.
    let writer = fs::File::options().write(true).open(&pipe);
    running.kill().expect("it waits for games");
    running.wait().expect("it was killed");
    drop(writer);
    assert_eq!(content(place.path()), []);
}
