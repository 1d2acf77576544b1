//! Positions for the other tests: random games, the same ones on every run.

use std::sync::LazyLock;

use arborist::{
    position::{Game, Position},
    types::{MoveList, PackedMove},
};
use rand::{Rng, SeedableRng, rngs::SmallRng};
use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup, Setup};

/// Unoptimised builds look at fewer games.
const THINNING: usize = if cfg!(debug_assertions) { 12 } else { 1 };
const STANDARD_GAMES: usize = 400;
const DOUBLE_CHESS960_GAMES: usize = 960;
const GAMES_FROM_EACH_FEN: usize = 12;
const LONGEST_GAME: usize = 150;
const LONGEST_CHESS960_GAME: usize = 40;

/// Positions rich in what random games seldom reach.
pub(crate) const FENS: [&str; 16] = [
    // Every kind of move at once.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    // En passant that would uncover the king along the rank.
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    // En passant with a diagonal pin, and as the answer to a check.
    "8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1",
    "8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    // Promotions, capturing and not.
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    // Many queens, many checks, and more material than a game allows.
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
    // A check by three pieces, which no move can give.
    "4k3/8/3N1N2/8/8/8/4R3/4K3 b - - 0 1",
    // Castling in Chess960: king and rook change places, the rook shields or uncovers.
    "2rkr3/5PP1/8/5Q2/5q2/8/5pp1/2RKR3 w ECec - 0 1",
    "rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1",
    "qrk5/8/8/8/8/8/8/QRK4r w B - 0 1",
    "1r1k2r1/8/8/8/8/8/8/1R1K2R1 b GBgb - 0 1",
];

/// Over a hundred thousand positions (in optimised builds), each reached by playing.
pub(crate) static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let mut rng = SmallRng::seed_from_u64(0x0a7b_0815);
    let mut positions = Vec::new();
    for _ in 0..STANDARD_GAMES / THINNING {
        play_out(Chess::new(), LONGEST_GAME, &mut rng, &mut positions);
    }
    for number in (0..960).step_by(THINNING) {
        let chess = chess960(number, number);
        play_out(chess, LONGEST_CHESS960_GAME, &mut rng, &mut positions);
    }
    for _ in 0..DOUBLE_CHESS960_GAMES / THINNING {
        let chess = chess960(rng.random_range(0..960), rng.random_range(0..960));
        play_out(chess, LONGEST_CHESS960_GAME, &mut rng, &mut positions);
    }
    for fen in FENS {
        let game = Game::from_fen(fen, false).expect("the positions above are playable");
        for _ in 0..GAMES_FROM_EACH_FEN {
            play_out(game.chess().clone(), LONGEST_GAME, &mut rng, &mut positions);
        }
    }
    positions
});

#[test]
fn the_corpus_is_large() {
    assert!(POSITIONS.len() >= 100_000 / THINNING, "{}", POSITIONS.len());
}

/// The start of a game in which the sides stand as numbers `white` and `black` say.
pub(crate) fn chess960(white: u32, black: u32) -> Chess {
    let mut board = Board::empty();
    for (number, color) in [(white, Color::White), (black, Color::Black)] {
        for (square, piece) in Board::chess960(number) {
            if piece.color == color {
                board.set_piece_at(square, piece);
            }
        }
    }
    let setup = Setup {
        castling_rights: board.rooks(),
        board,
        ..Setup::empty()
    };
    Chess::from_setup(setup, CastlingMode::Chess960).expect("every start is legal")
}

/// A random game from `chess`, all its positions appended to `positions`.
fn play_out(chess: Chess, plies: usize, rng: &mut SmallRng, positions: &mut Vec<Position>) {
    let mut position = Position::new(chess);
    for _ in 0..plies {
        positions.push(position.clone());
        let moves = all(&position);
        if moves.is_empty() {
            return;
        }
        position = position.play(moves[rng.random_range(0..moves.len())]);
    }
}

/// The legal moves of `position`.
pub(crate) fn all(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    position.generate_all(&mut list);
    list
}

/// Moves in an order that does not depend on who generated them.
pub(crate) fn sorted(moves: impl IntoIterator<Item = PackedMove>) -> Vec<u16> {
    let mut bits: Vec<u16> = moves.into_iter().map(PackedMove::bits).collect();
    bits.sort_unstable();
    bits
}
