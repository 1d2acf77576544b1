//! What is read of games, and what is refused.

use shakmaty::Position as _;

use super::*;

fn only(text: &str) -> Sheet {
    let mut sheets = read(text.as_bytes()).unwrap();
    assert_eq!(sheets.len(), 1);
    sheets.remove(0)
}

fn refusal(text: &str) -> String {
    read(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn moves_tags_comments_and_variations_are_kept() {
    let sheet = only(
        "[White \"A \\\"B\\\"\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n\
         {before} 1. e4! $36 {[%clk 0:01] good} e5 (1... c5 {Sicilian} 2. Nf3 (2. c3)) 2. Nf3 1-0",
    );
    assert_eq!(sheet.players(), ["A \"B\"", "Black"]);
    assert_eq!((sheet.plies.len(), sheet.result()), (3, "1-0".to_owned()));
    assert_eq!(sheet.preface, [Token::Comment("before".to_owned())]);
    let glyphs = &sheet.plies[0].notes[..2];
    assert_eq!(glyphs, [Token::Glyph(1), Token::Glyph(36)]);
    let opened = |token: &&Token| **token == Token::Open;
    assert_eq!(sheet.plies[1].notes.iter().filter(opened).count(), 2);
    assert!(sheet.plies[2].notes.is_empty());
    assert_eq!(sheet.positions().len(), 4);
}

#[test]
fn several_games_and_their_starts_are_read() {
    let text = "[Event \"1\"]\n\n1. d4 *\n\n\
        [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e3 Kd7\n\n\
        [Variant \"Fischerandom\"]\n\
        [FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1\"]\n\n1. f4 f5 1/2-1/2\n";
    let sheets = read(text.as_bytes()).unwrap();
    let plies: Vec<usize> = sheets.iter().map(|sheet| sheet.plies.len()).collect();
    assert_eq!(plies, [1, 2, 2]);
    assert_eq!(sheets[1].start.chess().board().occupied().count(), 3);
    assert_eq!(sheets[2].start.mode(), CastlingMode::Chess960);
    let results: Vec<String> = sheets.iter().map(Sheet::result).collect();
    assert_eq!(results, ["*", "*", "1/2-1/2"]);
}

#[test]
fn other_ways_of_writing_are_understood() {
    let text = "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.0-0 Nf6 5.d4 ed4 6.Nxd4! Nxd4 -+ *";
    assert!(refusal(text).contains("'-+'"));
    assert_eq!(only(&text.replace("-+ ", "")).plies.len(), 12);
    // A long comment, a byte order mark, Latin-1.
    let long = "x".repeat(5000);
    let sheet = only(&format!("\u{feff}1. e4 {{{long}}} *"));
    assert_eq!(sheet.plies[0].notes, [Token::Comment(long)]);
    let latin = read(b"[White \"G\xf6ring\"]\n\n1. e4 *").unwrap();
    assert_eq!(latin[0].players()[0], "G\u{f6}ring");
    // Nothing but tags is a game, too.
    assert!(only("[Event \"none\"]\n\n*").plies.is_empty());
}

#[test]
fn what_is_wrong_is_named() {
    for (text, culprit) in [
        ("", "no game"),
        ("\n\n  \n", "no game"),
        (
            "1. e4 e5 2. Ke3 *",
            "game 1 (? \u{2013} ?): the move 2. Ke3",
        ),
        ("1. e4 *\n\n1. e4 Qh4 *", "game 2"),
        ("1. e4 e5\n2. Zf9 *", "line 2: 'Zf9'"),
        ("1. e4 (1. d4 e5", "`(` without"),
        ("1. e4 ) e5", "`)` without"),
        ("1. e4\n{ for ever", "line 2: the comment"),
        ("[Variant \"Atomic\"]\n\n1. e4 *", "'Atomic'"),
        ("[FEN \"rubbish\"]\n\n1. e4 *", "FEN"),
        ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*", "empty"),
        ("1. e4 -- 2. d4 *", "1... --"),
        ("not a game at all", "line 1: 'not'"),
    ] {
        let said = refusal(text);
        assert!(said.contains(culprit), "{text}: {said}");
    }
}
