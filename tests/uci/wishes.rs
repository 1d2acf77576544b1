//! What a user may wish besides a good move: contempt, evaluations of one's own, the current
//! line and refutations.

use super::client::Client;

const START: &str = "position startpos";

fn centipawns(client: &mut Client, position: &str, go: &str) -> i64 {
    client.search(position, go).number("cp")
}

#[test]
fn contempt_says_what_a_draw_is_worth() {
    let mut client = Client::start();
    for side in ["w", "b"] {
        let bare = format!("position fen 8/8/4k3/8/8/3K4/8/8 {side} - - 0 1");
        for contempt in [50, -50, 300, 0] {
            client.say(&format!("setoption name Contempt value {contempt}"));
            let draw = centipawns(&mut client, &bare, "go depth 4");
            assert!((draw + contempt).abs() <= 1, "{draw} for {contempt}");
        }
    }
    client.say("setoption name Contempt value 300\nsetoption name UCI_AnalyseMode value true");
    let bare = "position fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1";
    assert_eq!(centipawns(&mut client, bare, "go depth 4"), 0);
    client.quit();
}

#[test]
fn contempt_decides_whether_to_repeat() {
    let mut client = Client::start();
    let again = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
    let position = format!("position startpos moves {again}");
    // The same table serves both: its values must not be mixed up.
    for _ in 0..2 {
        client.say("setoption name Contempt value -300");
        assert_eq!(client.search(&position, "go depth 6").best, "f6g8");
        client.say("setoption name Contempt value 300");
        assert_ne!(client.search(&position, "go depth 6").best, "f6g8");
    }
    client.quit();
}

#[test]
fn without_contempt_the_search_is_the_same() {
    let mut client = Client::start();
    let mut nodes = |contempt| {
        client.say(&format!(
            "setoption name Contempt value {contempt}\nucinewgame"
        ));
        let rooks = "position fen 8/5k2/8/8/8/2K5/3R2r1/8 w - - 0 1";
        client.search(rooks, "go depth 8").number("nodes")
    };
    let plain = nodes(0);
    nodes(100);
    assert_eq!(nodes(0), plain);
}

#[test]
fn an_evaluation_can_be_dictated() {
    let mut client = Client::start();
    let after = |placement: &str| format!("rnbqkbnr/pppppppp/8/8/{placement} b KQkq - 0 1");
    let king_pawn = after("4P3/8/PPPP1PPP/RNBQKBNR");
    let rook_pawn = after("8/P7/1PPPPPPP/RNBQKBNR");
    let mut dictate = |value: &str, number: usize| {
        let said = client.say(&format!(
            "setoption name UCI_SetPositionValue value {value}"
        ));
        let expected = format!("info string positions with a value of their own: {number}");
        assert_eq!(said, [expected], "{value}");
        let only = |mv| format!("go depth 1 searchmoves {mv}");
        ["e2e4", "a2a3"].map(|mv| centipawns(&mut client, START, &only(mv)))
    };
    let near = |value: i64, expected: i64| (value - expected).abs() <= 1;
    let [king, rook] = dictate(&format!("900 + {king_pawn}"), 1);
    assert!(near(king, 900) && rook.abs() < 300, "{king} {rook}");
    let [king, rook] = dictate(&format!("-700 {rook_pawn}"), 2);
    assert!(near(king, 900) && near(rook, -700), "{king} {rook}");
    let [king, rook] = dictate(&format!("clear {king_pawn}"), 1);
    assert!(king.abs() < 300 && near(rook, -700), "{king} {rook}");
    let [king, rook] = dictate("clearall", 0);
    assert!(king.abs() < 300 && rook.abs() < 300, "{king} {rook}");
    for (value, culprit) in [
        ("much + 8/8", "UCI_SetPositionValue: 'much' is neither"),
        ("100", "the position is missing"),
        ("20000 startpos", "20000 is outside"),
        ("clear 8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty"),
    ] {
        client.refused(
            &format!("setoption name UCI_SetPositionValue value {value}"),
            culprit,
        );
    }
    client.quit();
}

#[test]
fn the_current_line_is_shown_to_who_wants_it() {
    let mut client = Client::start();
    let shown = |lines: &[String]| {
        let lines = lines.iter();
        lines
            .filter(|line| line.starts_with("info currline "))
            .count()
    };
    let unwanted = client.search(START, "go movetime 700");
    assert_eq!(shown(&unwanted.lines), 0);
    client.say("setoption name UCI_ShowCurrLine value true");
    client.send("go infinite");
    let mut lines = client.until("info currline ");
    lines.extend(client.until("info currline "));
    client.send("stop");
    client.answer(START);
    assert_eq!(shown(&lines), 2);
    client.say("setoption name Minimal value true");
    assert_eq!(shown(&client.search(START, "go movetime 700").lines), 0);
    client.quit();
}

#[test]
fn refutations_are_shown_to_who_wants_them() {
    let mut client = Client::start();
    let hanging = "position fen 4k3/8/6p1/8/8/8/8/3QK3 w - - 0 1";
    let refutations = |client: &mut Client, position: &str| {
        let mut lines = client.search(position, "go depth 5").lines;
        lines.retain(|line| line.starts_with("info refutation "));
        lines
    };
    assert_eq!(refutations(&mut client, hanging), [""; 0]);
    client.say("setoption name UCI_ShowRefutations value true");
    let lines = refutations(&mut client, hanging);
    let taken = "info refutation d1h5 g6h5";
    assert!(
        lines.iter().any(|line| line.starts_with(taken)),
        "{lines:#?}"
    );
    // One for each of the other moves in each iteration.
    let lines = refutations(&mut client, START);
    assert_eq!(lines.len(), 5 * 19, "{lines:#?}");
    client.say("setoption name MultiPV value 4");
    assert_eq!(refutations(&mut client, START).len(), 5 * 16);
    client.say("setoption name Minimal value true");
    assert_eq!(refutations(&mut client, START), [""; 0]);
    client.quit();
}
