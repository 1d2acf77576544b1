//! The course of a game as two pictures: the chances of both sides, and the evaluation.
//!
//! They are drawn into boxes of 100 by 100 that the page stretches to its width; what must
//! keep its shape (words, marks) lies above them as text at a place in percent. Evaluations
//! are bent so that the middle of the scale gets most of the room.

use std::fmt::Write as _;

use shakmaty::Position as _;

use super::{Analysis, Station, judge::Judgement, notation::Value};
use crate::types::convert;

/// Values with a line of their own, in pawns.
const LINES: [i32; 7] = [-5, -2, -1, 0, 1, 2, 5];
/// How fast the scale of evaluations is bent, per pawn.
const BEND: f64 = 0.45;
/// No evaluation is drawn beyond so many pawns.
const MOST_PAWNS: f64 = 20.0;

/// The place of an evaluation, 0 at the top (White wins) to 100.
fn height(pawns: f64) -> f64 {
    let pawns = pawns.clamp(-MOST_PAWNS, MOST_PAWNS);
    100.0 / (1.0 + (BEND * pawns).exp())
}

/// The place of a position from left to right, 0 to 100.
fn place(index: usize, count: usize) -> f64 {
    let last = convert::real(convert::wide(count.saturating_sub(1).max(1)));
    100.0 * convert::real(convert::wide(index)) / last
}

fn evaluation(station: &Station) -> f64 {
    let value = Value::new(station.verdict.score, station.chess.turn());
    height(f64::from(value.centipawns()) / 100.0)
}

/// A path through points; a game without moves still has a line.
fn path(heights: &[f64]) -> String {
    let mut text = String::from("M");
    for (index, height) in heights.iter().enumerate() {
        let _ = write!(text, "{:.2} {height:.2} ", place(index, heights.len()));
    }
    if let [only] = heights {
        let _ = write!(text, "100 {only:.2}");
    }
    text.trim_end().to_owned()
}

/// The chances as two areas: Black's from above, White's from below, draws between.
pub(super) fn chances(analysis: &Analysis) -> String {
    let all: Vec<_> = (analysis.stations.iter())
        .map(Station::whites_chances)
        .collect();
    let black: Vec<f64> = all.iter().map(|wdl| f64::from(wdl.loss) / 10.0).collect();
    let white: Vec<f64> = (all.iter())
        .map(|wdl| 100.0 - f64::from(wdl.win) / 10.0)
        .collect();
    format!(
        "<svg viewBox='0 0 100 100' preserveAspectRatio='none' aria-hidden='true'>\
         <rect class='draws' width='100' height='100'/>\
         <path class='black' d='{} L100 0 L0 0Z'/><path class='white' d='{} L100 100 L0 100Z'/></svg>",
        path(&black),
        path(&white)
    )
}

/// The evaluation as a curve, with the marks of bad moves on it.
pub(super) fn evaluations(analysis: &Analysis) -> String {
    let heights: Vec<f64> = analysis.stations.iter().map(evaluation).collect();
    let curve = path(&heights);
    let mut text =
        String::from("<svg viewBox='0 0 100 100' preserveAspectRatio='none' aria-hidden='true'>");
    for pawns in LINES {
        let y = height(f64::from(pawns));
        let class = if pawns == 0 { "zero" } else { "level" };
        let _ = write!(text, "<path class='{class}' d='M0 {y:.2}H100'/>");
    }
    let _ = write!(
        text,
        "<path class='area' d='{curve} L100 50 L0 50Z'/><path class='curve' d='{curve}'/></svg>"
    );
    for pawns in LINES {
        let y = height(f64::from(pawns));
        let _ = write!(
            text,
            "<span class='scale' style='top:{y:.2}%'>{}</span>",
            scale(pawns)
        );
    }
    for (ply, &y) in heights.iter().skip(1).enumerate() {
        let mark = analysis.judgement(ply).as_ref().and_then(Judgement::mark);
        if let Some(mark) = mark {
            let (x, word) = (place(ply + 1, heights.len()), mark.word());
            let _ = write!(
                text,
                "<i class='{word}' style='left:{x:.2}%;top:{y:.2}%'></i>"
            );
        }
    }
    text
}

/// A number of pawns as it stands at the edge.
fn scale(pawns: i32) -> String {
    let sign = match pawns.signum() {
        1 => "+",
        -1 => "\u{2212}",
        _ => "",
    };
    format!("{sign}{}", pawns.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whites_advantage_is_above_and_everything_fits() {
        assert!((height(0.0) - 50.0).abs() < 1e-9);
        assert!(height(1.0) < 50.0 && height(-1.0) > 50.0);
        for pawns in [-300.0, -20.0, 20.0, 300.0] {
            assert!((0.0..=100.0).contains(&height(pawns)), "{pawns}");
        }
        assert!((height(3.0) + height(-3.0) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn a_path_goes_from_edge_to_edge() {
        assert_eq!(
            path(&[10.0, 20.0, 30.0]),
            "M0.00 10.00 50.00 20.00 100.00 30.00"
        );
        assert_eq!(path(&[50.0]), "M0.00 50.00 100 50.00");
    }
}
