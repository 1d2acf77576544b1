//! The walk as a picture: how far each number went, in its own steps.

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use super::walk::{Place, Walk};
use crate::{
    learn::plot::{legend, sample},
    types::convert,
};

/// So many numbers, those that went furthest, have a colour and a name; the others are grey.
const NAMED: usize = 12;

/// Draws the walk as an SVG picture.
///
/// # Errors
/// When it cannot be drawn.
pub fn picture(walk: &Walk) -> Result<String> {
    draw(walk).map_err(|error| anyhow!("cannot draw the walk: {error}"))
}

/// How far a number is from its start, in its steps, by games played.
struct Curve<'a> {
    name: &'a str,
    points: Vec<(f64, f64)>,
}

impl<'a> Curve<'a> {
    /// The curve of number `index`.
    fn new(walk: &'a Walk, index: usize) -> Self {
        let number = &walk.numbers()[index];
        let point = |place: &Place| {
            let games = convert::real(2 * place.pairs);
            (games, (place.values[index] - number.start) / number.step)
        };
        Self {
            name: &number.name,
            points: walk.places().iter().map(point).collect(),
        }
    }

    /// How far it is at the end.
    fn distance(&self) -> f64 {
        self.points.last().map_or(0.0, |end| end.1.abs())
    }
}

/// A curve for each number, those that went furthest first.
fn curves(walk: &Walk) -> Vec<Curve<'_>> {
    let indices = 0..walk.numbers().len();
    let mut curves: Vec<_> = indices.map(|index| Curve::new(walk, index)).collect();
    curves.sort_by(|a, b| b.distance().total_cmp(&a.distance()));
    curves
}

fn draw(walk: &Walk) -> Result<String, Box<dyn std::error::Error>> {
    let curves = curves(walk);
    let games = convert::real(2 * walk.planned().max(1));
    let points = curves.iter().flat_map(|curve| &curve.points);
    let heights = points.map(|point| point.1.abs());
    let most = heights.fold(0.5, f64::max) * 1.1;
    let mut picture = String::new();
    let area = SVGBackend::with_string(&mut picture, (900, 600)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("How far the numbers went", ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..games, -most..most)?;
    // Adding zero takes the sign from a zero below.
    let tenths = |steps: &f64| format!("{:.1}", (steps * 10.0).round() / 10.0 + 0.0);
    chart
        .configure_mesh()
        .x_desc("games")
        .y_desc("steps from the start")
        .x_label_formatter(&|games| format!("{games:.0}"))
        .y_label_formatter(&tenths)
        .light_line_style(WHITE)
        .draw()?;
    let (named, others) = curves.split_at(curves.len().min(NAMED));
    for Curve { points, .. } in others {
        chart.draw_series(LineSeries::new(points.iter().copied(), &BLACK.mix(0.2)))?;
    }
    for (rank, Curve { name, points }) in named.iter().enumerate() {
        let style = colour(rank).stroke_width(2);
        chart
            .draw_series(LineSeries::new(points.iter().copied(), style))?
            .label(*name)
            .legend(sample(style));
    }
    legend(&mut chart)?;
    area.present()?;
    drop((chart, area));
    Ok(picture)
}

/// A colour of its own for each of the named ones.
fn colour(rank: usize) -> HSLColor {
    let part =
        |of: usize| convert::real(convert::wide(rank % of)) / convert::real(convert::wide(of));
    HSLColor(part(NAMED), 0.9, 0.35 + 0.15 * part(2))
}
