//! `EvalFile`: another network judges, on every thread; what is no network is refused.

use std::{fs, path::PathBuf, process};

use arborist::nnue::{arch, weights::Parameters};

use super::client::Client;

/// White is a queen up.
const WON: &str = "position fen 4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1";

/// A file that goes when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let name = format!("arborist {} {name}", process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, bytes).expect("a temporary file can be written");
        Self(path)
    }

    fn option(&self) -> String {
        let path = self.0.to_str().expect("a plain name");
        format!("setoption name EvalFile value {path}")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = fs::remove_file(&self.0);
    }
}

/// A network with so many hidden neurons to which every position is worth nothing.
fn indifferent(width: usize) -> Vec<u8> {
    let network = Parameters {
        buckets: arch::KING_BUCKETS,
        width,
        scale: 100,
        input_weights: vec![0; arch::INPUTS * width],
        bias: vec![0; width],
        output_weights: vec![0; 2 * width * arch::OUTPUTS],
        output_bias: vec![0; arch::OUTPUTS],
    };
    network.to_bytes()
}

/// The values of all lines of thought in the won position.
fn scores(client: &mut Client) -> Vec<String> {
    let answer = client.search(WON, "go depth 4");
    let lines = answer.lines.iter().filter(|line| line.contains(" score "));
    let score = |line: &String| {
        line.split(' ')
            .skip(7)
            .take(3)
            .collect::<Vec<_>>()
            .join(" ")
    };
    lines.map(score).collect()
}

#[test]
fn every_thread_judges_with_the_network_that_was_loaded() {
    let file = Scratch::new("indifferent.nnue", &indifferent(arch::WIDTH));
    let mut client = Client::start();
    client.say("setoption name Threads value 2");
    let built_in = scores(&mut client);
    assert!(!built_in.contains(&"score cp 0".to_owned()), "{built_in:?}");
    assert_eq!(client.say(&file.option()), [""; 0]);
    for _ in 0..2 {
        let loaded = scores(&mut client);
        assert!(
            loaded.iter().all(|score| score == "score cp 0"),
            "{loaded:?}"
        );
    }
    for default in ["", "<empty>", "<internal>"] {
        client.say(&file.option());
        assert!(client.say("eval").join("\n").contains("Evaluation: +0.00"));
        client.say(&format!("setoption name EvalFile value {default}"));
        let shown = client.say("eval").join("\n");
        assert!(!shown.contains("Evaluation: +0.00"), "{default}: {shown}");
    }
    client.quit();
}

#[test]
fn what_is_no_network_is_named_and_the_old_one_stays() {
    let good = indifferent(arch::WIDTH);
    let mut damaged = good.clone();
    damaged[5000] ^= 1;
    let mut newer = good.clone();
    newer[8] = 4;
    let other = indifferent(arch::WIDTH / 2);
    let loaded = Scratch::new("good.nnue", &good);
    let mut client = Client::start();
    client.say(&loaded.option());
    for (name, bytes, culprit) in [
        ("truncated", &good[..good.len() / 2], "truncated"),
        ("stump", &good[..20], "truncated"),
        ("empty", b"", "not a network file"),
        ("text", b"This is no network.", "not a network file"),
        ("damaged", &damaged, "the checksum does not fit"),
        ("newer", &newer, "format version 4"),
        ("other", &other, "architecture 10240"),
    ] {
        let file = Scratch::new(name, bytes);
        client.refused(&file.option(), culprit);
        client.refused(&file.option(), name);
    }
    let folder = std::env::temp_dir();
    for path in [folder.display().to_string(), "no/such/file".to_owned()] {
        client.refused(&format!("setoption name EvalFile value {path}"), &path);
    }
    assert!(client.say("eval").join("\n").contains("Evaluation: +0.00"));
    client.quit();
}

#[test]
fn eval_shows_pieces_outputs_and_value() {
    let mut client = Client::start();
    client.say(WON);
    let shown = client.say("eval");
    let value = |line: &str| line.split('|').nth(4).map(str::trim).map(str::parse::<f64>);
    let queen = shown.iter().position(|line| line.contains("   Q   "));
    let worth = queen.and_then(|line| value(&shown[line + 1]));
    assert!(
        worth.is_some_and(|worth| worth.is_ok_and(|worth| worth > 2.0)),
        "{shown:#?}"
    );
    let outputs = shown.iter().filter(|line| line.contains('-'));
    assert!(outputs.count() >= 8);
    assert!(shown.iter().any(|line| line.ends_with("this position")));
    client.quit();
}
