//! One position as a drawing that stands for itself (SVG): board, pieces, coordinates, and
//! arrows for moves.

use std::fmt::Write as _;

use shakmaty::{Chess, Color, File, Move, Position as _, Rank, Square};

use super::{notation, pieces};

/// Width of a square.
const SQUARE: u32 = 100;
/// Room for the coordinates, at the left and below.
const MARGIN: u32 = 36;
/// Width of the first arrow.
const FIRST_ARROW: u32 = 16;

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Drawing<'a> {
    /// The position.
    pub chess: &'a Chess,
    /// Legal moves to be shown as arrows, the best one first.
    pub moves: &'a [Move],
    /// Who sits at the lower edge.
    pub below: Color,
    /// What it says to those who cannot see it.
    pub title: String,
}

impl Drawing<'_> {
    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (u32, u32) {
        let (file, rank) = (square.file().to_u32(), square.rank().to_u32());
        let (column, row) = self.below.fold_wb((file, 7 - rank), (7 - file, rank));
        (MARGIN + column * SQUARE, row * SQUARE)
    }

    fn center(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(square);
        (f64::from(x + SQUARE / 2), f64::from(y + SQUARE / 2))
    }

    fn squares(&self) -> String {
        let mut text = String::new();
        for square in Square::ALL {
            let (x, y) = self.corner(square);
            let color = if square.is_light() {
                "#efe4cd"
            } else {
                "#a98a68"
            };
            // Writing to a string does not fail, here and below.
            let _ = write!(
                text,
                "<rect x='{x}' y='{y}' width='{SQUARE}' height='{SQUARE}' fill='{color}'/>"
            );
        }
        text
    }

    fn coordinates(&self) -> String {
        let mut text = String::from(
            "<g font-family='sans-serif' font-size='22' fill='#6b5a45' text-anchor='middle'>",
        );
        for (file, rank) in File::ALL.into_iter().zip(Rank::ALL) {
            let square = Square::from_coords(file, rank);
            let (x, y) = self.corner(square);
            let _ = write!(
                text,
                "<text x='{}' y='{}'>{}</text><text x='{}' y='{}'>{}</text>",
                x + SQUARE / 2,
                8 * SQUARE + 26,
                file.char(),
                MARGIN / 2,
                y + SQUARE / 2 + 8,
                rank.char()
            );
        }
        text + "</g>"
    }

    fn men(&self) -> String {
        let board = self.chess.board();
        let men = board.occupied().into_iter().filter_map(|square| {
            let (x, y) = self.corner(square);
            let name = pieces::name(board.piece_at(square)?);
            Some(format!("<use href='#{name}' x='{x}' y='{y}'/>"))
        });
        men.collect()
    }

    /// The arrows, the best one last and so on top.
    fn arrows(&self) -> String {
        let ranked = (0..).zip(self.moves);
        let mut arrows: Vec<String> = ranked.map(|(rank, &mv)| self.arrow(mv, rank)).collect();
        arrows.reverse();
        arrows.concat()
    }

    /// The arrow of the move of this rank, 0 for the best: a shaft and a head. Lower ranks
    /// are thinner and paler.
    fn arrow(&self, mv: Move, rank: u32) -> String {
        let (from, to) = notation::ends(mv, self.chess.turn());
        let ((x, y), (tip_x, tip_y)) = (self.center(from), self.center(to));
        let width = f64::from(FIRST_ARROW) / (1.0 + 0.5 * f64::from(rank));
        let opacity = 0.85 / (1.0 + 0.6 * f64::from(rank));
        let length = (tip_x - x).hypot(tip_y - y).max(1.0);
        let (along_x, along_y) = ((tip_x - x) / length, (tip_y - y) / length);
        // Points at a distance along the arrow, and to its side.
        let point = |along: f64, aside: f64| {
            let x = x + along * along_x - aside * along_y;
            let y = y + along * along_y + aside * along_x;
            format!("{x:.1},{y:.1}")
        };
        let (half, head) = (width / 2.0, 2.5 * width);
        let (tail, neck) = (18.0, length - head);
        let points = [
            point(tail, half),
            point(neck, half),
            point(neck, 1.5 * width),
            point(length, 0.0),
            point(neck, -1.5 * width),
            point(neck, -half),
            point(tail, -half),
        ];
        let points = points.join(" ");
        format!("<polygon points='{points}' fill='#15781b' fill-opacity='{opacity:.2}'/>")
    }

    /// The whole drawing as a file.
    pub fn svg(&self) -> String {
        let (width, height) = (8 * SQUARE + MARGIN, 8 * SQUARE + MARGIN);
        let title = self.title.replace('&', "&amp;").replace('<', "&lt;");
        let parts = [
            pieces::definitions(),
            self.squares(),
            self.coordinates(),
            self.men(),
            self.arrows(),
        ];
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' role='img'>\n\
             <title>{title}</title>\n{}\n</svg>\n",
            parts.join("\n")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Game;

    fn drawn(fen: &str, moves: &[&str], below: Color) -> String {
        let game = Game::from_fen(fen, false).unwrap();
        let moves: Vec<Move> = moves
            .iter()
            .map(|text| game.parse_uci_move(text).unwrap())
            .collect();
        let drawing = Drawing {
            chess: game.chess(),
            moves: &moves,
            below,
            title: "A & B <C>".to_owned(),
        };
        drawing.svg()
    }

    #[test]
    fn every_piece_and_every_arrow_is_there() {
        let fen = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
        let svg = drawn(fen, &["e1g1", "e2e4"], Color::White);
        assert_eq!(svg.matches("<use ").count(), 4);
        assert_eq!(svg.matches("<polygon ").count(), 2);
        assert_eq!(svg.matches("<rect x='").count(), 64 + 12);
        assert!(svg.contains("<use href='#wK' x='436' y='700'/>"), "{svg}");
        assert!(svg.contains("<title>A &amp; B &lt;C></title>"));
        // The arrow of castling ends on g1.
        assert!(svg.contains(" 686.0,750.0 "), "{svg}");
    }

    #[test]
    fn the_board_can_be_turned_round() {
        let fen = "4k3/8/8/8/8/8/8/4K3 b - - 0 1";
        let svg = drawn(fen, &[], Color::Black);
        assert!(svg.contains("<use href='#bK' x='336' y='700'/>"), "{svg}");
        assert!(!svg.contains("<polygon"));
    }

    #[test]
    fn what_is_opened_is_closed() {
        let svg = drawn("4k3/8/8/8/8/8/8/4K3 w - - 0 1", &["e1e2"], Color::White);
        for tag in ["svg", "g", "defs", "title", "text"] {
            let opened =
                svg.matches(&format!("<{tag}>")).count() + svg.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, svg.matches(&format!("</{tag}>")).count(), "{tag}");
        }
        assert!(svg.ends_with("</svg>\n"));
    }
}
