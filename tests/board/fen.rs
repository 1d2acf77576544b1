//! Reading positions that clients and people send, good and bad.

use arborist::position::{Game, Position};
use rand::{Rng, SeedableRng, rngs::SmallRng};
use shakmaty::{CastlingMode, Position as _};

use crate::corpus::{FENS, all, sorted};

const NOT_EIGHT: &str = "the pieces do not fill eight ranks of eight squares";
const TOO_MANY_FIELDS: &str = "the FEN is empty or has too many fields";
const OTHER_GAMES: &str = "pieces in hand and counted checks belong to other games";

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn small_faults_are_mended() {
    for (fen, mended) in [
        // Fields left out, or spread out.
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            START,
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0",
            START,
        ),
        (
            "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w KQkq -\t0 1 \r\n",
            START,
        ),
        ("4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        // Castling by the rooks' files.
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
            START,
        ),
        // Castling rights with nothing to castle.
        (
            "4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        ),
        // En passant: nobody takes, nobody pushed, wrong rank, taking is illegal.
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ),
        (
            "4k3/8/8/8/4P3/8/8/4K3 b - e4 0 1",
            "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1",
        ),
        (
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1",
        ),
        // Counters out of bounds.
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 99999999999 0",
            "4k3/8/8/8/8/8/8/4K3 w - - 150 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 7 12345",
            "4k3/8/8/8/8/8/8/4K3 w - - 7 12345",
        ),
    ] {
        let game = Game::from_fen(fen, false).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(game.fen(), mended);
    }
}

#[test]
fn unreadable_fields_are_named() {
    for (fen, words) in [
        ("", TOO_MANY_FIELDS),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ; comment", TOO_MANY_FIELDS),
        ("banana", NOT_EIGHT),
        ("44444444/8/8/8/8/8/8/8 w - - 0 1", NOT_EIGHT),
        ("8/8/8 w - - 0 1", NOT_EIGHT),
        (
            "4k3/8/8/8/8/8/8/4K3 W",
            "the side to move is neither w nor b",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w xyz",
            "the castling rights cannot be read",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w KKKK z9",
            "the en passant field is neither - nor a square",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - bm Ke2",
            "the halfmove clock is not a number",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
            "the halfmove clock is not a number",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 x",
            "the move number is not a number",
        ),
        ("4k3/8/8/8/8/8/8/4K3[Qq] w - - 0 1", OTHER_GAMES),
        ("4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1", OTHER_GAMES),
    ] {
        assert_eq!(refusal(fen), words, "{fen}");
    }
}

#[test]
fn what_cannot_be_played_is_refused_in_words() {
    for (board, words) in [
        ("8/8/8/8/8/8/8/8", "the board is empty"),
        ("8/8/8/8/8/8/8/4K3", "a king is missing"),
        ("4k3/8/8/8/8/8/8/3KK3", "one side has more than one king"),
        (
            "4k2P/8/8/8/8/8/8/4K3",
            "there is a pawn on the first or last rank",
        ),
        ("4k3/8/8/8/8/8/4R3/4K3", "the side not to move is in check"),
        (
            "4k3/8/8/QQQQQQQQ/QQQQQQQQ/8/8/4K3",
            "white has 17 men, the most is 16",
        ),
        (
            "4k3/8/qqqqqqqq/qqqqqqqq/8/8/8/4K3",
            "black has 17 men, the most is 16",
        ),
    ] {
        assert_eq!(refusal(board), words, "{board}");
    }
}

fn refusal(fen: &str) -> String {
    Game::from_fen(fen, false).expect_err(fen).to_string()
}

#[test]
fn chess960_is_recognised() {
    let shuffled = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let game = Game::from_fen(shuffled, false).unwrap();
    assert_eq!(game.mode(), CastlingMode::Chess960);
    assert_eq!(game.chess().castles().castling_rights().count(), 4);
    assert_eq!(
        Game::from_fen(START, false).unwrap().mode(),
        CastlingMode::Standard
    );
    assert_eq!(
        Game::from_fen(START, true).unwrap().mode(),
        CastlingMode::Chess960
    );
}

#[test]
fn flipping_twice_changes_nothing() {
    for fen in FENS {
        let game = Game::from_fen(fen, false).unwrap();
        let flipped = game.flipped().unwrap();
        assert_eq!(flipped.chess().turn(), !game.chess().turn());
        assert_eq!(flipped.legal_moves().len(), game.legal_moves().len());
        assert_eq!(flipped.flipped().unwrap().fen(), game.fen());
    }
}

/// Whatever is accepted can be played, and as `shakmaty` would play it.
#[test]
fn mutated_fens_are_refused_or_played() {
    const CHARACTERS: &[u8] = b"/12345678kKqQrRbBnNpPw-KQkqahAH 09e36_ ~[+x\xc3\xa9";
    let mut rng = SmallRng::seed_from_u64(9);
    let mut accepted = 0;
    for round in 0..30_000 {
        let mut fen = FENS[round % FENS.len()].as_bytes().to_vec();
        for _ in 0..rng.random_range(1..5) {
            let (at, other) = (
                rng.random_range(0..fen.len()),
                rng.random_range(0..fen.len()),
            );
            let character = CHARACTERS[rng.random_range(0..CHARACTERS.len())];
            match rng.random_range(0..4) {
                0 => fen.insert(at, character),
                1 if fen.len() > 1 => drop(fen.remove(at)),
                2 => fen.swap(at, other),
                _ => fen[at] = character,
            }
        }
        let Ok(game) = Game::from_fen(&String::from_utf8_lossy(&fen), round % 2 == 0) else {
            continue;
        };
        accepted += 1;
        let position = game.position();
        let moves = position.chess().legal_moves();
        let expected = sorted(moves.into_iter().map(|mv| position.pack(mv)));
        assert_eq!(sorted(all(&position)), expected, "{}", game.fen());
        for mv in all(&position) {
            let next = position.play(mv);
            assert_eq!(next.key(), Position::new(next.chess().clone()).key());
            assert_eq!(
                position.gives_check(mv),
                next.in_check(),
                "{mv:?} {}",
                game.fen()
            );
        }
    }
    assert!(accepted > 1000, "{accepted}");
}
