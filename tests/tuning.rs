//! `arborist tune` with the program itself as the engine: numbers that every build has as options,
//! in games so short that they say nothing.

#[path = "common/binary.rs"]
mod binary;
#[path = "common/folder.rs"]
mod folder;

use std::fs;

use binary::arborist;
use folder::Folder;

const NUMBERS: &str = "\
# How it plays, not how well.
Contempt, int, 0, -100, 100, 20, 0.01
Move Overhead, int, 10, 0, 5000, 5.5, 0.01
";

/// The arguments of a short run with the numbers in `numbers`.
fn command<'a>(numbers: &'a str, out: &'a str, games: &'a str) -> Vec<&'a str> {
    let run = ["tune", "--numbers", numbers, "--out", out, "--games", games];
    let short = ["--nodes", "60", "--hash", "1", "--threads", "1"];
    [&run[..], &short[..]].concat()
}

fn prints(arguments: &[&str]) -> String {
    let output = arborist(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// What is said of a failure, which ends with the exit code `code`.
fn complains(arguments: &[&str], code: i32) -> String {
    let output = arborist(arguments);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_interrupted_walk_goes_on_as_if_nothing_had_been() {
    let folder = Folder::new("tuning");
    let numbers = folder.file("numbers.txt");
    fs::write(&numbers, NUMBERS).expect("a temporary file");
    let [whole, parts] = ["whole.json", "parts.json"].map(|name| folder.file(name));
    let said = prints(&command(&numbers, &whole, "7"));
    assert!(said.starts_with("8 of 8 games, W "), "{said}");
    for name in ["Contempt", "Move Overhead"] {
        assert!(said.contains(name), "{said}");
    }
    let picture = fs::read_to_string(folder.file("whole.svg")).expect("a picture");
    assert!(picture.contains("Contempt"), "the curves are named");

    let begun = [&command(&numbers, &parts, "7")[..], &["--seconds", "0"]].concat();
    let said = prints(&begun);
    assert!(said.starts_with("0 of 8 games, "), "{said}");
    prints(&command(&numbers, &parts, "7"));
    let read = |path: &str| fs::read_to_string(path).expect("it was written");
    assert_eq!(read(&whole), read(&parts));
    // Nothing is left to do, and nothing changes.
    prints(&command(&numbers, &whole, "7"));
    assert_eq!(read(&whole), read(&parts));

    let said = complains(&command(&numbers, &whole, "9"), 1);
    assert!(said.contains("whole.json is of another run"), "{said}");
    fs::write(&parts, "{}").expect("a temporary file");
    let said = complains(&command(&numbers, &parts, "7"), 1);
    assert!(said.contains("parts.json is no file of a walk"), "{said}");
    assert_eq!(read(&parts), "{}", "what is not ours is left alone");
}

#[test]
fn what_cannot_be_tuned_is_named() {
    let folder = Folder::new("untunable");
    let (numbers, out) = (folder.file("numbers.txt"), folder.file("walk.json"));
    let complaint = |text: &str, code| {
        fs::write(&numbers, text).expect("a temporary file");
        complains(&command(&numbers, &out, "2"), code)
    };
    let said = complaint("Contempt, int, 500, -100, 100, 20, 0.01", 2);
    assert!(said.contains("numbers.txt: line 1: Contempt"), "{said}");
    let said = complaint("Talent, int, 5, 0, 100, 20, 0.01", 1);
    assert!(said.contains("no option Talent"), "{said}");
    let said = complains(&command(&numbers, &numbers, "2"), 2);
    assert!(said.contains("it is also an input"), "{said}");
    let said = complains(&command(&folder.file("none"), &out, "2"), 1);
    assert!(said.contains("cannot read"), "{said}");
}
