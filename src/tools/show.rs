//! The board as text: what `d` shows.

use std::fmt;

use anstyle::{AnsiColor, Style};
use shakmaty::{CastlingMode, Color, File, Piece, Rank, Square};

use crate::position::Game;

/// The squares and their names, which are not what one looks at.
const FRAME: Style = Style::new().dimmed();
const WHITE: Style = Style::new().bold();
const BLACK: Style = AnsiColor::Cyan.on_default().bold();
/// The square of a piece that gives check.
const ALARM: Style = AnsiColor::Red.on_default().bold();

/// Shows the root of a game: board, FEN, key and checkers.
#[derive(Clone, Copy, Debug)]
pub struct Diagram<'a> {
    /// The game.
    pub game: &'a Game,
    /// Whether the terminal understands colours and wants them.
    pub coloured: bool,
}

/// Something in a style, or without any.
struct Painted<T>(Option<Style>, T);

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(style) => write!(f, "{style}{}{style:#}", self.1),
            None => write!(f, "{}", self.1),
        }
    }
}

impl Diagram<'_> {
    fn paint<T>(&self, style: Style, shown: T) -> Painted<T> {
        Painted(self.coloured.then_some(style), shown)
    }

    fn board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.game.position();
        let edge = self.paint(FRAME, "  +---+---+---+---+---+---+---+---+");
        let bar = self.paint(FRAME, "|");
        writeln!(f, "{edge}")?;
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{} {bar}", self.paint(FRAME, rank.char()))?;
            for file in File::ALL {
                let square = Square::from_coords(file, rank);
                match position.board().piece_at(square) {
                    None => write!(f, "   {bar}")?,
                    Some(piece) => {
                        let alarming = position.checkers().contains(square);
                        let style = if alarming { ALARM } else { style(piece) };
                        write!(f, " {} {bar}", self.paint(style, piece.char()))?;
                    }
                }
            }
            writeln!(f, "\n{edge}")?;
        }
        let files = "    a   b   c   d   e   f   g   h";
        writeln!(f, "{}\n", self.paint(FRAME, files))
    }
}

fn style(piece: Piece) -> Style {
    match piece.color {
        Color::White => WHITE,
        Color::Black => BLACK,
    }
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.game.position();
        self.board(f)?;
        writeln!(f, "FEN: {}", self.game.fen())?;
        writeln!(f, "Key: {:016x}", position.key())?;
        let turn = match position.turn() {
            Color::White => "White",
            Color::Black => "Black",
        };
        let moves = self.game.legal_moves().len();
        writeln!(f, "{turn} to move, {moves} legal moves")?;
        write!(f, "Checkers:")?;
        for square in position.checkers() {
            write!(f, " {}", self.paint(ALARM, square))?;
        }
        if self.game.mode() == CastlingMode::Chess960 {
            write!(f, "\nChess960: castling is written as king takes rook")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(coloured: bool) -> String {
        let game = Game::from_fen("4k3/8/8/8/8/8/4R3/4K3 b - - 3 9", false)
            .expect("this position is legal");
        let game = &game;
        Diagram { game, coloured }.to_string()
    }

    #[test]
    fn the_board_is_shown_from_whites_side() {
        let shown = shown(false);
        assert!(shown.contains("8 |   |   |   |   | k |"), "{shown}");
        assert!(shown.contains("FEN: 4k3/8/8/8/8/8/4R3/4K3 b - - 3 9"));
        assert!(shown.contains("Black to move, 4 legal moves\nCheckers: e2"));
    }

    #[test]
    fn colours_change_nothing_but_the_colour() {
        let coloured = shown(true);
        let mut plain = String::new();
        for (number, part) in coloured.split("\u{1b}[").enumerate() {
            let words = part.split_once('m').filter(|_| number > 0);
            plain.push_str(words.map_or(part, |(_, words)| words));
        }
        assert_eq!(plain, shown(false));
        assert!(coloured.contains("31m"), "the checker is red");
    }
}
