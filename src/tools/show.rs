//! The board as text: what `d` shows.

use std::fmt;

use shakmaty::{CastlingMode, Color, File, Rank, Square};

use crate::position::Game;

/// Shows the root of a game: board, FEN, key and checkers.
#[derive(Clone, Copy, Debug)]
pub struct Diagram<'a>(pub &'a Game);

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.0.position();
        let edge = "  +---+---+---+---+---+---+---+---+";
        writeln!(f, "{edge}")?;
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{} |", rank.char())?;
            for file in File::ALL {
                let piece = position.board().piece_at(Square::from_coords(file, rank));
                write!(f, " {} |", piece.map_or(' ', shakmaty::Piece::char))?;
            }
            writeln!(f, "\n{edge}")?;
        }
        writeln!(f, "    a   b   c   d   e   f   g   h\n")?;
        writeln!(f, "FEN: {}", self.0.fen())?;
        writeln!(f, "Key: {:016x}", position.key())?;
        let turn = match position.turn() {
            Color::White => "White",
            Color::Black => "Black",
        };
        let moves = self.0.legal_moves().len();
        writeln!(f, "{turn} to move, {moves} legal moves")?;
        write!(f, "Checkers:")?;
        for square in position.checkers() {
            write!(f, " {square}")?;
        }
        if self.0.mode() == CastlingMode::Chess960 {
            write!(f, "\nChess960: castling is written as king takes rook")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_shown_from_whites_side() {
        let game = Game::from_fen("4k3/8/8/8/8/8/4R3/4K3 b - - 3 9", false)
            .expect("this position is legal");
        let shown = Diagram(&game).to_string();
        assert!(shown.contains("8 |   |   |   |   | k |"), "{shown}");
        assert!(shown.contains("FEN: 4k3/8/8/8/8/8/4R3/4K3 b - - 3 9"));
        assert!(shown.contains("Black to move, 4 legal moves\nCheckers: e2"));
    }
}
