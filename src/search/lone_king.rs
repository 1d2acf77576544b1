//! A lone king against enough to mate it.
//!
//! What leads to mate lies beyond the horizon, and no game that is adjudicated shows it to a
//! network. So the value is what the textbooks say: drive the king to the edge, with bishop
//! and knight into a corner of the bishop's colour, and bring the own king near (Stockfish
//! had it so until 2023). Invariant: symmetric for the colours.

use shakmaty::{Bitboard, Color, Square};

use crate::{
    position::Position,
    types::{Score, convert},
};

/// A won game, in units of [`Score`], with room for the rest below a tablebase's win.
const WON: i32 = 3000;
/// For each step of the lone king away from the centre.
const DRIVEN: i32 = 60;
/// For each step that the kings are nearer to each other than can be.
const NEAR: i32 = 40;
/// For each step that the lone king is nearer to the right corner, with bishop and knight.
const CORNERED: i32 = 120;

/// The value for the side to move, if one side has nothing but its king and the other side
/// can force mate without the help of pawns.
pub(super) fn evaluate(position: &Position) -> Option<Score> {
    let board = position.board();
    let lone = |color| !board.by_color(color).more_than_one();
    let weak = Color::ALL.into_iter().find(|&color| lone(color))?;
    let (ours, theirs) = (board.king_of(!weak)?, board.king_of(weak)?);
    let pieces = board.by_color(!weak);
    let heavy = pieces & board.rooks_and_queens();
    let (bishops, knights) = (pieces & board.bishops(), pieces & board.knights());
    let dark = (bishops & Bitboard::DARK_SQUARES).any();
    let light = (bishops & Bitboard::LIGHT_SQUARES).any();
    let place = if heavy.any() || dark && light {
        DRIVEN * steps_from_centre(theirs)
    } else if bishops.any() && knights.any() {
        CORNERED * (7 - steps_to_corner(theirs, dark))
    } else {
        return None;
    };
    let material = convert::count_i32(pieces.count()) + 8 * convert::count_i32(heavy.count());
    let value = Score::new(WON + 10 * material + place + NEAR * (7 - steps(ours, theirs)));
    Some(if position.turn() == weak {
        -value
    } else {
        value
    })
}

/// King's moves from one square to the other.
fn steps(from: Square, to: Square) -> i32 {
    i32::try_from(from.distance(to)).unwrap_or_default()
}

/// Files and ranks between a square and the four in the middle, 0 to 6.
fn steps_from_centre(square: Square) -> i32 {
    let off = |line: u32| i32::try_from(line.max(7 - line)).unwrap_or_default() - 4;
    off(square.file().to_u32()) + off(square.rank().to_u32())
}

/// King's moves to the nearer one of the dark, or light, corners.
fn steps_to_corner(square: Square, dark: bool) -> i32 {
    let corners = if dark {
        [Square::A1, Square::H8]
    } else {
        [Square::A8, Square::H1]
    };
    let [one, other] = corners.map(|corner| steps(square, corner));
    one.min(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Game;

    fn value(fen: &str) -> Option<i32> {
        let game = Game::from_fen(fen, false).expect("legal");
        evaluate(&game.position()).map(Score::units)
    }

    #[test]
    fn the_king_is_driven_where_it_can_be_mated() {
        let middle = value("8/8/8/4k3/8/8/8/KR6 b - -").expect("a rook mates");
        let edge = value("4k3/8/8/8/8/8/8/KR6 b - -").expect("a rook mates");
        assert!(edge < middle && middle < 0, "{edge} {middle}");
        // The bishop goes on light squares: a8 is the corner, not h8.
        let right = value("k7/8/8/3K4/8/8/8/1BN5 w - -").expect("the two mate");
        let wrong = value("7k/8/8/4K3/8/8/8/1BN5 w - -").expect("the two mate");
        assert!(right > wrong, "{right} {wrong}");
    }

    #[test]
    fn colours_are_symmetric_and_too_little_is_left_to_the_network() {
        let white = value("8/8/8/4k3/8/8/8/KBB5 w - -");
        assert!(white.is_some_and(|value| value > WON));
        assert_eq!(white, value("kbb5/8/8/8/4K3/8/8/8 b - -"));
        for fen in [
            "8/8/8/4k3/8/8/8/KNN5 w - -",
            "8/8/8/4k3/8/8/P7/KB6 w - -",
            "8/8/8/4k3/4p3/8/8/KQ6 w - -",
            "8/8/8/2B1k3/8/B7/8/K7 w - -",
        ] {
            assert_eq!(value(fen), None, "{fen}");
        }
    }
}
