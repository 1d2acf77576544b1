//! What a score means: the chances to win, draw and lose, and a centipawn that has the
//! same meaning in every version.
//!
//! A logistic model: at move `m` a score of `a(m)` wins every second game, and `b(m)`
//! says how slowly the chance changes around it. Both are polynomials in the move number
//! that `arborist games --fit-wdl` finds from games of self-play. The idea and the form
//! are those of Stockfish's win-rate model (Joost `VandeVondele`, 2020). Invariant: the
//! three chances are those of one game, so they add up to 1000 and exchange their ends
//! with the sign of the score.

use std::fmt;

use super::{Score, convert};

/// The fitted model: what `arborist games --fit-wdl` printed for 7500 games (873,755
/// positions) of the built-in search against itself at 600 nodes a move, from the openings
/// that `arborist datagen` makes.
pub const MODEL: WinRateModel = WinRateModel {
    center: [73.5997, -6.5544, -1.6306, 9.6793],
    spread: [268.6287, -241.0898, 79.5691, -4.3418],
};

/// Coefficients of a polynomial, the constant first.
pub type Polynomial = [f64; 4];

/// Chances in permille, for the side to move; they add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// To win.
    pub win: u16,
    /// To draw.
    pub draw: u16,
    /// To lose.
    pub loss: u16,
}

/// As UCI writes it: `310 640 50`.
impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.win, self.draw, self.loss)
    }
}

/// How the chance to win follows from score and move number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRateModel {
    /// `a`: the score that wins half of the games.
    pub center: Polynomial,
    /// `b`: the score by which the odds grow by the factor e.
    pub spread: Polynomial,
}

impl WinRateModel {
    /// The first move with figures of its own: before it there are too few games.
    pub const FIRST_MOVE: u32 = 8;
    /// The last such move; later ones count as this one.
    pub const LAST_MOVE: u32 = 120;
    /// The move at which the scale of scores is fixed, and the unit of the polynomials.
    pub const NORMAL_MOVE: u32 = 32;
    /// The least value of both polynomials, in centipawns: a model with less says nothing.
    pub const LEAST: f64 = 1.0;

    /// Whether both polynomials keep above their least value at every move.
    pub fn is_sound(&self) -> bool {
        (Self::FIRST_MOVE..=Self::LAST_MOVE).all(|number| {
            let argument = Self::argument(number);
            value(&self.center, argument) > Self::LEAST
                && value(&self.spread, argument) > Self::LEAST
        })
    }

    /// The argument of the polynomials at move `number`.
    pub fn argument(number: u32) -> f64 {
        let number = number.clamp(Self::FIRST_MOVE, Self::LAST_MOVE);
        f64::from(number) / f64::from(Self::NORMAL_MOVE)
    }

    /// The score in centipawns that wins half of the games at move `number`.
    pub fn center_at(&self, number: u32) -> f64 {
        value(&self.center, Self::argument(number)).max(Self::LEAST)
    }

    /// The score in centipawns by which the odds grow by the factor e at move `number`.
    pub fn spread_at(&self, number: u32) -> f64 {
        value(&self.spread, Self::argument(number)).max(Self::LEAST)
    }

    /// The chances to win, draw and lose with `centipawns` at move `number`; they add up to 1.
    pub fn chances(&self, centipawns: f64, number: u32) -> [f64; 3] {
        let (center, spread) = (self.center_at(number), self.spread_at(number));
        let win = logistic((centipawns - center) / spread);
        let loss = logistic((-centipawns - center) / spread);
        [win, 1.0 - win - loss, loss]
    }
}

/// As it stands in the source.
impl fmt::Display for WinRateModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |polynomial: &Polynomial| {
            let numbers = polynomial.map(|coefficient| format!("{coefficient:.4}"));
            numbers.join(", ")
        };
        writeln!(f, "pub const MODEL: WinRateModel = WinRateModel {{")?;
        writeln!(f, "    center: [{}],", row(&self.center))?;
        writeln!(f, "    spread: [{}],", row(&self.spread))?;
        write!(f, "}};")
    }
}

/// The value of a polynomial.
fn value(polynomial: &Polynomial, argument: f64) -> f64 {
    let terms = polynomial.iter().rev();
    terms.fold(0.0, |sum, coefficient| sum * argument + coefficient)
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The chances that go with `score` at move `number` of the game (1 is the first).
/// A proven win is won.
pub fn win_draw_loss(score: Score, number: u32) -> Wdl {
    let permille = |chance: f64| convert::round_u16(1000.0 * chance);
    let [win, _, loss] = if score.is_win() {
        [1.0, 0.0, 0.0]
    } else if score.is_loss() {
        [0.0, 0.0, 1.0]
    } else {
        MODEL.chances(f64::from(score.centipawns()), number)
    };
    let (win, loss) = (permille(win), permille(loss));
    let draw = 1000_u16.saturating_sub(win + loss);
    // Two halves may both be rounded up; the larger chance can spare the difference.
    let excess = (win + loss).saturating_sub(1000);
    if win > loss {
        let win = win - excess;
        Wdl { win, draw, loss }
    } else {
        let loss = loss - excess;
        Wdl { win, draw, loss }
    }
}

/// The score in centipawns of the kind that is shown: +100 wins half of the games at
/// move 32. A proven win is [told](Score::told) by its distance.
pub fn normalised(score: Score) -> i32 {
    if score.is_decisive() {
        return score.told();
    }
    let scale = 100.0 / MODEL.center_at(WinRateModel::NORMAL_MOVE);
    let shown = f64::from(score.centipawns()) * scale;
    let largest = f64::from(Score::LARGEST_TOLD);
    convert::truncate_i32(shown.round().clamp(-largest, largest))
}

/// The evaluation that is [shown](normalised) as so many centipawns, but for rounding.
pub fn from_normalised(centipawns: i32) -> Score {
    let raw = f64::from(centipawns) * MODEL.center_at(WinRateModel::NORMAL_MOVE) / 100.0;
    let units = raw * f64::from(Score::PER_CENTIPAWN) / 100.0;
    Score::evaluation(convert::truncate_i32(units.round()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Ply;

    const MOVES: [u32; 6] = [0, 1, 20, 32, 80, 1000];

    #[test]
    fn chances_are_symmetric_rise_with_the_score_and_add_up() {
        for number in MOVES {
            let mut last = 0;
            for centipawns in -3000..=3000 {
                let score = Score::from_centipawns(centipawns);
                let ours = win_draw_loss(score, number);
                let theirs = win_draw_loss(-score, number);
                assert_eq!(ours.win + ours.draw + ours.loss, 1000);
                assert_eq!((ours.win, ours.draw), (theirs.loss, theirs.draw));
                assert!(ours.win >= last, "{number} {centipawns}");
                last = ours.win;
            }
            assert!(last > 990);
        }
    }

    #[test]
    fn a_hundred_wins_every_second_game_at_move_32() {
        let raw = convert::truncate_i32(MODEL.center_at(32).round());
        let wdl = win_draw_loss(Score::from_centipawns(raw), 32);
        assert!(wdl.win.abs_diff(500) < 5, "{wdl}");
        assert!(normalised(Score::from_centipawns(raw)).abs_diff(100) <= 1);
        assert_eq!(
            normalised(Score::from_centipawns(-raw)),
            -normalised(Score::from_centipawns(raw))
        );
        assert_eq!(normalised(Score::DRAW), 0);
    }

    #[test]
    fn what_is_shown_can_be_read_back() {
        for centipawns in [-5000, -100, -1, 0, 7, 50, 100, 2500] {
            let shown = normalised(from_normalised(centipawns));
            assert!(shown.abs_diff(centipawns) <= 1, "{shown} for {centipawns}");
        }
        assert!(!from_normalised(i32::MAX).is_decisive());
    }

    #[test]
    fn proven_results_are_certain() {
        let mate = Score::mate_in(Ply::new(5));
        let tablebase = Score::tablebase_win(Ply::new(9));
        for score in [mate, tablebase] {
            assert_eq!(win_draw_loss(score, 40).to_string(), "1000 0 0");
            assert_eq!(win_draw_loss(-score, 40).to_string(), "0 0 1000");
            assert_eq!(normalised(score), score.told());
        }
        // No evaluation, however large, looks like one of them.
        let large = Score::from_centipawns(normalised(Score::MAX_EVALUATION));
        assert!(!large.is_decisive() && large > Score::from_centipawns(3000));
    }

    #[test]
    fn the_source_holds_what_the_fit_printed() {
        assert!(MODEL.is_sound());
        assert!(include_str!("win_rate.rs").contains(&MODEL.to_string()));
        let model = WinRateModel {
            center: [1.0, -100.0, 0.0, 0.0],
            ..MODEL
        };
        assert!(!model.is_sound());
    }
}
