//! The command line: what it prints and how it ends.

#[path = "common/binary.rs"]
mod binary;

use std::fs;

use binary::arborist;

/// What a successful run prints.
fn prints(arguments: &[&str]) -> String {
    let output = arborist(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// Checks that the arguments are not understood, and that this is explained.
fn refuses(arguments: &[&str], culprit: &str) {
    let output = arborist(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains(culprit), "{arguments:?}: {said}");
    assert!(!said.contains("bestmove"), "{arguments:?}: {said}");
}

fn moves(output: &str) -> usize {
    let is_move = |line: &&str| line.starts_with("bestmove ");
    output.lines().filter(is_move).count()
}

#[test]
fn go_takes_the_words_of_uci() {
    for arguments in [
        &["go", "depth", "4"][..],
        &["go", "movetime", "20"],
        &["go", "nodes", "500"],
        &["go", "wtime", "-50", "btime", "100"],
        &["go", "searchmoves", "a2a3", "depth", "2"],
        &["go", "--threads", "2", "--hash", "1", "depth", "3"],
        &["go", "depth", "3", "--threads", "2"],
        &["go", "--fen", "4k3/8/8/8/8/8/4P3/4K3 w - -", "depth", "3"],
        &["go depth 3"],
    ] {
        let output = prints(arguments);
        assert_eq!(moves(&output), 1, "{arguments:?}");
        assert!(output.contains("info depth 1 "), "{arguments:?}");
    }
    let counted = prints(&["go", "perft", "3"]);
    assert!(counted.ends_with("Nodes searched: 8902\n"));
}

#[test]
fn lines_of_uci_are_obeyed_one_after_the_other() {
    let output = prints(&[
        "position startpos moves e2e4",
        "go depth 4",
        "d",
        "go nodes 100",
    ]);
    assert_eq!(moves(&output), 2);
    assert!(output.contains("FEN: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"));
    let output = prints(&["uci", "isready", "quit", "go depth 3"]);
    assert!(output.ends_with("uciok\nreadyok\n"));
    assert!(prints(&["position", "startpos", "moves", "e2e4"]).is_empty());
    assert!(prints(&["d"]).contains("FEN: "));
    assert_eq!(prints(&["quit"]), "");
    let output = prints(&["isready", "", "# nothing", "go depth 3"]);
    assert!(output.starts_with("readyok\n") && moves(&output) == 1);
}

#[test]
fn work_that_cannot_be_done_ends_with_1() {
    let nowhere = "genfens 1 seed 1 book nowhere.epd";
    for arguments in [&[nowhere, "quit"][..], &[nowhere]] {
        let output = arborist(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
    }
}

#[test]
fn an_epd_file_is_searched_position_by_position() {
    let path = std::env::temp_dir().join(format!("arborist-{}.epd", std::process::id()));
    let text = "# two positions\n4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\";\n\
                6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;\n";
    fs::write(&path, text).expect("a temporary file");
    let shown = path.to_str().expect("a plain name");
    let output = prints(&["go", "--epd", shown, "depth", "3"]);
    assert_eq!(moves(&output), 2);
    assert!(output.contains("bestmove a1a8"));
    fs::write(&path, "# nothing").expect("a temporary file");
    refuses(&["go", "--epd", shown, "depth", "3"], "no position");
    refuses(&["compare", "--epd", shown, "--depth", "3"], "no position");
    fs::remove_file(&path).expect("it was written above");
    let missing = arborist(&["go", "--epd", shown, "depth", "3"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stderr).contains(shown));
}

#[test]
fn what_is_not_understood_ends_with_2() {
    for (arguments, culprit) in [
        (&["nonsense"][..], "nonsense"),
        (&["--nonsense"], "--nonsense"),
        (&["go"], "WORDS"),
        (&["go", "depth"], "depth lacks its number"),
        (&["go", "depth", "x"], "'x' is not a number"),
        (&["go", "depth", "3", "foo"], "'foo' is ignored"),
        (&["go", "searchmoves", "e2e4"], "say when to end"),
        (&["go", "searchmoves", "e2e5", "depth", "1"], "e2e5"),
        (&["go", "--fen", "garbage", "depth", "3"], "position: "),
        (&["go", "--hash", "0", "depth", "3"], "Hash: 0 is outside"),
        (&["go", "--threads", "x", "depth", "3"], "--threads"),
        (&["go", "--fen", "x", "--epd", "y", "depth", "3"], "--epd"),
        (&["position startpos moves e2e5", "go depth 3"], "e2e5"),
        (&["setoption name Nonsense", "go depth 3"], "'Nonsense'"),
        (&["eval", "--fen", "garbage"], "pieces"),
        (&["perft"], "DEPTH"),
        (&["perft", "3", "--fen", "garbage"], "pieces"),
        (&["completions", "nonsense"], "nonsense"),
        (&["go ponder depth 2"], "opponent"),
        (&["position startpos", "qiut"], "unknown command 'qiut'"),
        (&["ucinewgame", "foo", "go depth 3"], "'foo'"),
        (&["speedtest", "--help"], "--help"),
        (&["position", "--fen", "garbage"], "pieces"),
        (&["position", "--threads", "0"], "Threads"),
        (&["position", "--nodes", "0"], "--nodes"),
        (&["compare", "--depth", "1", "--fen", "garbage"], "pieces"),
        (&["perft", "3", "--threads", "0"], "--threads"),
        (&["perft", "3", "--hash", "33554433"], "--hash"),
        (&["perft", "3", "--fen", ""], "empty"),
        (&["go", "perft", "-5"], "'-5' is not a depth"),
        (&["eval", "--fen", ""], "empty"),
        (&["bench", ""], "DEPTH"),
        (&["suite", "nowhere.epd"], "nowhere.epd"),
        (&["suite", "."], ".: "),
        (&["suite", "Cargo.toml", "--nodes", ""], "--nodes"),
        (&["datagen", "--out", "x", "--dfrc", "nan"], "--dfrc"),
        (
            &["train", "--data", "x", "--out", "y", "--wdl", "nan"],
            "--wdl",
        ),
        (
            &["train", "--data", "x", "--out", "y", "--lr", "inf"],
            "--lr",
        ),
    ] {
        refuses(arguments, culprit);
    }
}

#[test]
fn the_tools_print_what_they_should() {
    assert!(prints(&["eval"]).contains("Evaluation: "));
    assert!(prints(&["eval", "--fen", "4k3/8/8/8/8/8/4P3/4K3 w - -"]).contains("Evaluation: +"));
    assert!(prints(&["perft", "3"]).contains("Nodes searched: 8902\n"));
    assert!(prints(&["perft", "3", "--divide"]).contains("e2e4: 600\n"));
    assert!(prints(&["compiler"]).contains("version: "));
    let found = prints(&["genfens 2 seed 1 book None", "quit"]);
    let told: Vec<_> = found.lines().map(|line| line.get(..20)).collect();
    assert_eq!(told, [Some("info string genfens "); 2]);
    assert!(prints(&["options"]).contains("| Hash | number | 16 | 1 to 33554432 |"));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(prints(&["completions", shell]).contains("perft"), "{shell}");
    }
}

#[test]
fn the_benchmark_ends_with_the_line_that_match_farms_read() {
    let nodes = |arguments: &[&str]| {
        let output = prints(arguments);
        let last = output.lines().last().unwrap_or_default().to_owned();
        let words: Vec<&str> = last.split(' ').collect();
        let [nodes, "nodes", speed, "nps"] = words[..] else {
            panic!("{output}")
        };
        assert!(speed.parse::<u64>().is_ok(), "{last}");
        nodes.parse::<u64>().expect("a number without blanks")
    };
    let counted = nodes(&["bench", "3"]);
    assert_eq!(nodes(&["bench", "3", "1", "16"]), counted);
    assert_eq!(nodes(&["uci", "bench 3"]), counted);
    assert_ne!(nodes(&["bench", "4"]), counted);
}

#[test]
fn the_numbers_of_the_search_are_listed_for_tuners() {
    for line in prints(&["spsa-input"]).lines() {
        let fields: Vec<&str> = line.split(", ").collect();
        let [_, "int", value, least, most, _, _] = fields[..] else {
            panic!("{line}")
        };
        let number = |field: &str| field.parse::<i64>().expect("a whole number");
        let range = number(least)..=number(most);
        assert!(range.contains(&number(value)), "{line}");
    }
}

#[test]
fn the_readme_lists_the_options_as_they_are() {
    let readme = include_str!("../README.md");
    assert!(readme.contains(&prints(&["options"])));
}

#[test]
fn help_and_version_are_there() {
    let help = prints(&["--help"]);
    for word in [
        "Examples:",
        "go depth 12",
        "perft",
        "completions",
        "Exit codes",
    ] {
        assert!(help.contains(word), "{word}");
    }
    assert!(prints(&["help", "go"]).contains("movetime"));
    assert!(prints(&["go", "--help"]).contains("--epd"));
    assert!(prints(&["--version"]).starts_with("arborist "));
}

#[test]
fn without_arguments_it_speaks_uci() {
    assert_eq!(prints(&[]), "");
    assert_eq!(prints(&["uci"]), "");
}
