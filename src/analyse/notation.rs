//! Scores, move numbers and lines as people read them.

use std::fmt;

use shakmaty::{Chess, Color, Move, Position as _, Square, san::SanPlus};

use crate::types::{Ply, Score, movetext, win_rate::normalised};

/// A score from White's point of view, in pawns (+1 wins half of the games) or moves to mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// For the side to move.
    score: Score,
    turn: Color,
}

impl Value {
    /// The value of a position that is worth `score` to `turn`, whose move it is.
    pub const fn new(score: Score, turn: Color) -> Self {
        Self { score, turn }
    }

    /// The value after the best move from this position.
    #[must_use]
    pub fn after_best(self) -> Self {
        let later = (-self.score).to_table(Ply::ROOT.next());
        Self::new(Score::new(i32::from(later)), self.turn.other())
    }

    const fn sign(self) -> i32 {
        match self.turn {
            Color::White => 1,
            Color::Black => -1,
        }
    }

    /// Moves to mate, negative when Black mates.
    fn mate(self) -> Option<i32> {
        Some(self.score.moves_to_mate()? * self.sign())
    }

    /// Centipawns for White; a proven win is a large number.
    pub fn centipawns(self) -> i32 {
        normalised(self.score) * self.sign()
    }

    /// As `[%eval …]` wants it: `0.35`, `-1.20`, `#3`, `#-2`, and `#0` for a mate on the board.
    pub fn for_pgn(self) -> String {
        movetext::evaluation(self.mate(), self.centipawns())
    }
}

/// For people: `+0.35`, `-1.20`, `#3`, `#-2`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.mate().is_none() && self.centipawns() > 0 {
            f.write_str("+")?;
        }
        f.write_str(&self.for_pgn())
    }
}

/// The number before a move: `12.` or, for Black, `12...`.
pub fn label(number: u64, turn: Color) -> String {
    format!("{number}{}", turn.fold_wb(".", "..."))
}

/// The number of the move that `chess` is about to see.
pub fn label_of(chess: &Chess) -> String {
    label(chess.fullmoves().get().into(), chess.turn())
}

/// A legal move in standard notation, with check and mate.
pub fn san(chess: &Chess, mv: Move) -> String {
    SanPlus::from_move(chess.clone(), mv).to_string()
}

/// `moves` from `chess` on as text: `12... Nf6 13. e5`.
pub fn line(chess: &Chess, moves: &[Move]) -> String {
    let mut chess = chess.clone();
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        if words.is_empty() || chess.turn() == Color::White {
            words.push(label_of(&chess));
        }
        words.push(SanPlus::from_move_and_play_unchecked(&mut chess, mv).to_string());
    }
    words.join(" ")
}

/// Where a move of `turn` begins and ends for the eye: a castling king ends on its own new
/// square, not on the rook's.
pub fn ends(mv: Move, turn: Color) -> (Square, Square) {
    let from = mv.from().unwrap_or(mv.to());
    let to = mv
        .castling_side()
        .map_or(mv.to(), |side| side.king_to(turn));
    (from, to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Game;

    fn shown(score: Score, turn: Color) -> (String, String) {
        let value = Value::new(score, turn);
        (value.for_pgn(), value.to_string())
    }

    #[test]
    fn scores_are_whites_and_mates_count_moves() {
        let mate = |plies| Score::mate_in(Ply::new(plies));
        let mated = |plies| Score::mated_in(Ply::new(plies));
        for (score, turn, expected) in [
            (mate(5), Color::White, "#3"),
            (mate(5), Color::Black, "#-3"),
            (mated(4), Color::White, "#-2"),
            (mated(4), Color::Black, "#2"),
            (mated(0), Color::Black, "#0"),
        ] {
            let text = expected.to_owned();
            assert_eq!(shown(score, turn), (text.clone(), text));
        }
        let (written, read) = shown(Score::from_centipawns(60), Color::Black);
        assert!(written.starts_with("-0.") && read == written);
        let (written, read) = shown(Score::from_centipawns(60), Color::White);
        assert_eq!(format!("+{written}"), read);
        assert_eq!(shown(Score::DRAW, Color::Black).1, "0.00");
    }

    #[test]
    fn after_the_best_move_a_mate_is_nearer() {
        let after = |score, turn| Value::new(score, turn).after_best().to_string();
        assert_eq!(after(Score::mate_in(Ply::new(5)), Color::White), "#2");
        assert_eq!(after(Score::mate_in(Ply::new(1)), Color::Black), "#0");
        assert_eq!(after(Score::mated_in(Ply::new(4)), Color::White), "#-2");
        let same = Value::new(Score::from_centipawns(80), Color::White);
        assert_eq!(same.after_best().to_string(), same.to_string());
    }

    #[test]
    fn lines_are_numbered() {
        let mut game = Game::start();
        game.play_uci("e2e4").unwrap();
        let chess = game.chess().clone();
        let moves = ["e7e5", "g1f3"].map(|text| {
            let mv = game.parse_uci_move(text).unwrap();
            game.play(mv);
            mv
        });
        assert_eq!(line(&chess, &moves), "1... e5 2. Nf3");
        assert_eq!(line(&chess, &[]), "");
    }

    #[test]
    fn a_castling_king_goes_to_its_own_square() {
        let game = Game::from_fen("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", false).unwrap();
        let mv = game.parse_uci_move("e8c8").unwrap();
        assert_eq!(ends(mv, Color::Black), (Square::E8, Square::C8));
        assert_eq!(san(game.chess(), mv), "O-O-O");
    }
}
