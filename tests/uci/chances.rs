//! `UCI_ShowWDL`: chances to win, draw and lose with every score, and not without.

use super::client::Client;

/// The numbers after `wdl` in the last line of thought.
fn chances(client: &mut Client, fen: &str) -> [u32; 3] {
    let position = format!("position fen {fen}");
    let answer = client.search(&position, "go depth 5");
    let words = answer.last_info().split(' ');
    let numbers = words.skip_while(|&word| word != "wdl").skip(1);
    let numbers: Vec<u32> = numbers.map_while(|word| word.parse().ok()).collect();
    let [win, draw, loss] = numbers[..] else {
        panic!("{:?}", answer.last_info())
    };
    assert_eq!(win + draw + loss, 1000);
    for line in answer.lines.iter().filter(|line| line.contains(" score ")) {
        let (before, after) = line.split_once(" wdl ").expect("in every line");
        assert!(before.contains(" score ") && after.contains(" nodes "));
    }
    [win, draw, loss]
}

#[test]
fn chances_are_shown_when_they_are_wanted() {
    let mut client = Client::start();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let answer = client.search("position startpos", "go depth 4");
    assert!(!answer.lines.iter().any(|line| line.contains("wdl")));
    client.say("setoption name UCI_ShowWDL value true");
    let [win, _, loss] = chances(&mut client, start);
    assert!(win.abs_diff(loss) < 300, "{win} {loss}");
    let queen_up = "4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 20";
    assert!(chances(&mut client, queen_up)[0] > 950);
    let queen_down = "3qk3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 20";
    assert!(chances(&mut client, queen_down)[2] > 950);
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    assert_eq!(chances(&mut client, mate), [1000, 0, 0]);
    client.quit();
}

#[test]
fn a_finished_game_has_certain_chances() {
    let mut client = Client::start();
    client.say("setoption name UCI_ShowWDL value true");
    for (fen, said) in [
        (
            "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
            "info depth 0 score mate 0 wdl 0 0 1000",
        ),
        (
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "info depth 0 score cp 0 wdl 0 1000 0",
        ),
    ] {
        let answer = client.search(&format!("position fen {fen}"), "go depth 3");
        assert_eq!(answer.last_info(), said);
    }
    client.quit();
}
