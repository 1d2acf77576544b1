//! Annotated games, the page about them, and the drawing of a position, from outside.

#[path = "common/binary.rs"]
mod binary;
#[path = "common/folder.rs"]
mod folder;

use std::{fs, ops::ControlFlow};

use binary::arborist;
use folder::Folder;
use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

fn read(folder: &Folder, file: &str) -> String {
    fs::read_to_string(folder.file(file)).expect("the file was written")
}

/// What another program reads of a game: moves, and what is written behind each.
#[derive(Debug, Default)]
struct Game {
    tags: Vec<(String, String)>,
    moves: Vec<Move>,
    variations: usize,
}

#[derive(Debug)]
struct Move {
    san: String,
    glyphs: Vec<u8>,
    comment: String,
    /// The first move of the first variation.
    better: Option<String>,
}

impl Move {
    fn value(&self) -> &str {
        let value = self.comment.split_once("[%eval ");
        let value = value.and_then(|(_, rest)| rest.split_once(']'));
        value.unwrap_or_else(|| panic!("no value: {self:?}")).0
    }
}

/// Reads with the crate that reads games for many programs.
#[derive(Default)]
struct Listener {
    depth: usize,
}

impl Visitor for Listener {
    type Tags = Game;
    type Movetext = Game;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        let name = String::from_utf8_lossy(name).into_owned();
        game.tags
            .push((name, value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Game> {
        if self.depth == 0 {
            game.moves.push(Move {
                san: san.to_string(),
                glyphs: Vec::new(),
                comment: String::new(),
                better: None,
            });
        } else if let Some(last) = game.moves.last_mut() {
            last.better.get_or_insert(san.to_string());
        }
        ControlFlow::Continue(())
    }

    fn nag(&mut self, game: &mut Game, nag: Nag) -> ControlFlow<Game> {
        if let Some(last) = game.moves.last_mut().filter(|_| self.depth == 0) {
            last.glyphs.push(nag.0);
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut Game, comment: RawComment<'_>) -> ControlFlow<Game> {
        if let Some(last) = game.moves.last_mut().filter(|_| self.depth == 0) {
            last.comment += &String::from_utf8_lossy(comment.as_bytes());
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, game: &mut Game) -> ControlFlow<Game, Skip> {
        self.depth += 1;
        game.variations += 1;
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, _game: &mut Game) -> ControlFlow<Game> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}

fn games(text: &str) -> Vec<Game> {
    let mut reader = Reader::new(text.as_bytes());
    let games: Result<Vec<_>, _> = reader.read_games(&mut Listener::default()).collect();
    games.expect("the games can be read")
}

/// The games of `text`, annotated.
fn annotated(name: &str, text: &str, more: &[&str]) -> (Folder, Vec<Game>) {
    let folder = Folder::new(name);
    fs::write(folder.file("in.pgn"), text).expect("a temporary file");
    let (games_in, out, html) = (
        folder.file("in.pgn"),
        folder.file("out.pgn"),
        folder.file("report.html"),
    );
    let arguments = [
        "analyse", &games_in, "-o", &out, "--html", &html, "--depth", "6",
    ];
    let output = arborist(&[&arguments[..], more].concat());
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).expect("text");
    for word in ["accuracy", "loss", "??", &out, &html] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let games = games(&read(&folder, "out.pgn"));
    (folder, games)
}

/// Legal's mate: Black takes a queen that he should have left.
const LEGAL: &str = "[Event \"Café\"]\n[Site \"https://example.org/1\"]\n[White \"Legal\"]\n\
    [Black \"Saint Brie\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Bc4 d6 3. Nf3 Bg4 {pins} 4. Nc3 g6 5. Nxe5 Bxd1 (5... dxe5 {is better})\n\
    6. Bxf7+ Ke7 7. Nd5# 1-0\n";

#[test]
fn every_move_has_its_value_and_the_blunder_its_sign() {
    let (_folder, games) = annotated("legal", LEGAL, &[]);
    let [game] = &games[..] else {
        panic!("{games:?}")
    };
    let sans: Vec<&str> = game.moves.iter().map(|mv| mv.san.as_str()).collect();
    assert_eq!(
        sans,
        [
            "e4", "e5", "Bc4", "d6", "Nf3", "Bg4", "Nc3", "g6", "Nxe5", "Bxd1", "Bxf7+", "Ke7",
            "Nd5#"
        ]
    );
    for mv in &game.moves {
        let value = mv.value();
        let number = value.strip_prefix('#').unwrap_or(value);
        assert!(number.parse::<f64>().is_ok(), "{mv:?}");
    }
    let blunder = &game.moves[9];
    assert_eq!(
        (blunder.glyphs.as_slice(), blunder.value()),
        (&[4][..], "#2"),
        "{blunder:?}"
    );
    // Both give up no more than a pawn.
    let better = blunder.better.as_deref();
    assert!(matches!(better, Some("dxe5" | "Be6")), "{blunder:?}");
    let end: Vec<&str> = game.moves[10..].iter().map(Move::value).collect();
    assert_eq!(end, ["#1", "#1", "#0"]);
    assert!(game.moves[10..].iter().all(|mv| mv.glyphs.is_empty()));
    assert!(game.moves[5].comment.contains("pins"));
    assert!(
        game.tags
            .contains(&("White".to_owned(), "Legal".to_owned()))
    );
}

#[test]
fn the_page_is_whole_and_asks_nothing_of_the_network() {
    let (folder, _) = annotated("page", LEGAL, &["--multipv", "2"]);
    let html = read(&folder, "report.html");
    assert_eq!(html.matches("data-ply=").count(), 13);
    for resource in [
        "src=",
        "url(",
        "@import",
        "<link rel=\"style",
        "fetch(",
        "href=\"http",
        "href='http",
    ] {
        assert!(!html.contains(resource), "{resource}");
    }
    // The only address is the one that the game itself names, and it is text.
    let addresses = html.matches("http:").count() + html.matches("https:").count();
    assert_eq!(addresses, 1);
    assert!(html.contains("default-src 'none'"));
    assert!(html.contains("Legal \u{2013} Saint Brie"));
    let data = html
        .split_once("id=\"data\">")
        .and_then(|(_, rest)| rest.split_once("</script>"));
    let data: serde_json::Value = serde_json::from_str(data.expect("data").0).expect("JSON");
    let scenes = data[0].as_array().expect("positions");
    assert_eq!(scenes.len(), 14);
    assert_eq!(scenes[0]["lines"].as_array().map(Vec::len), Some(2));
    assert_eq!(scenes[10]["mark"], "blunder");
    assert_eq!(scenes[13]["over"], "checkmate");
    assert_eq!(scenes[13]["check"], "e7");
}

#[test]
fn several_games_odd_starts_and_other_peoples_words() {
    let text = "[White \"A\"]\n\n1. f3 e5 2. g4 {oh} Qh4# 0-1\n\n\
        [FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n[SetUp \"1\"]\n\n40... Kd7 41. e4 *\n\n\
        [Variant \"Chess960\"]\n\
        [FEN \"nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/PPP1PPPP/1RK1BR1B w FBfb - 2 10\"]\n\n\
        10. O-O-O Kc7 1/2-1/2\n\n[Event \"no moves\"]\n\n*\n";
    let (folder, games) = annotated("several", text, &[]);
    let plies: Vec<usize> = games.iter().map(|game| game.moves.len()).collect();
    assert_eq!(plies, [4, 2, 2, 0]);
    let foolish: Vec<&str> = games[0].moves[2..].iter().map(Move::value).collect();
    assert_eq!(foolish, ["#-1", "#0"]);
    assert!(games[0].moves[2].glyphs.contains(&4) && games[0].moves[2].better.is_some());
    assert_eq!(games[2].moves[0].san, "O-O-O");
    assert_eq!(read(&folder, "report.html").matches("<article").count(), 4);
    let text = read(&folder, "out.pgn");
    assert!(text.contains("\n40... Kd7 { [%eval"), "{text}");
    assert!(
        text.contains("Kc7 { [%eval") && text.contains(" } 1/2-1/2\n"),
        "{text}"
    );
}

#[test]
fn without_files_the_game_is_printed() {
    let folder = Folder::new("printed");
    fs::write(folder.file("in.pgn"), "1. d4 d5 *").expect("a temporary file");
    let output = arborist(&["analyse", &folder.file("in.pgn"), "--nodes", "500"]);
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    let printed = String::from_utf8(output.stdout).expect("text");
    let games = games(&printed);
    assert_eq!(games[0].moves.len(), 2);
    let again = arborist(&["analyse", &folder.file("in.pgn"), "--nodes", "500"]);
    assert_eq!(String::from_utf8_lossy(&again.stdout), printed);
}

#[test]
fn what_is_no_game_is_refused_with_2_and_nothing_is_written() {
    let folder = Folder::new("refused");
    let (file, out) = (folder.file("in.pgn"), folder.file("out.pgn"));
    for (text, culprit) in [
        ("", "no game"),
        ("1. e4 e5 2. Ke3 *", "2. Ke3"),
        ("1. e4 e5 2. Nf3 Nxx *", "'Nxx'"),
        ("1. e4 {open", "comment"),
        ("1. e4 (1. d4", "`(`"),
        ("[FEN \"nonsense\"]\n\n1. e4 *", "FEN"),
        ("[Variant \"Crazyhouse\"]\n\n1. e4 *", "Crazyhouse"),
        ("PK\u{3}\u{4}\u{0}\u{0}", "line 1"),
    ] {
        fs::write(&file, text).expect("a temporary file");
        let output = arborist(&["analyse", &file, "-o", &out, "--depth", "1"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}: {said}");
        assert!(
            said.contains(culprit) && said.contains("in.pgn"),
            "{text}: {said}"
        );
        assert!(!fs::exists(&out).expect("a temporary folder"));
    }
    let missing = arborist(&["analyse", &folder.file("missing.pgn")]);
    assert_eq!(missing.status.code(), Some(1));
    fs::write(&file, "1. e4 *").expect("a temporary file");
    let nowhere = arborist(&["analyse", &file, "-o", &folder.file("no/such/folder.pgn")]);
    assert_eq!(nowhere.status.code(), Some(1));
}

#[test]
fn a_position_is_drawn_with_its_best_move() {
    let folder = Folder::new("position");
    let svg = folder.file("board.svg");
    let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let output = arborist(&["position", "--fen", fen, "--svg", &svg, "--depth", "3"]);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("#1  1. Ra8#"), "{said}");
    let drawing = read(&folder, "board.svg");
    assert_eq!(drawing.matches("<use ").count(), 6);
    assert_eq!(drawing.matches("<polygon ").count(), 1);
    well_formed(&drawing);
    let three = [
        "position",
        "--svg",
        &svg,
        "--nodes",
        "300",
        "--multipv",
        "3",
        "--flip",
    ];
    assert!(arborist(&three).status.success());
    assert_eq!(read(&folder, "board.svg").matches("<polygon ").count(), 3);
    let over = arborist(&["position", "--fen", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"]);
    assert!(String::from_utf8_lossy(&over.stdout).contains("checkmate"));
    assert_eq!(
        arborist(&["position", "--fen", "nonsense"]).status.code(),
        Some(2)
    );
}

/// Checks that every element is closed in its turn and every attribute is quoted.
fn well_formed(xml: &str) {
    let mut open = Vec::new();
    for piece in xml.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').expect("a tag ends");
        assert_eq!(tag.matches('\'').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().expect("a name"));
        }
    }
    assert!(open.is_empty(), "{open:?}");
}
