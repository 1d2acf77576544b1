//! The loss curve as a picture, and what all curves have in common.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::{coord::CoordTranslate, prelude::*};

use super::{output, trainer::Record};
use crate::types::convert;

/// The error of whoever draws into a string.
type Trouble<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

/// A line in the legend of a curve drawn in that style.
pub fn sample(style: ShapeStyle) -> impl Fn((i32, i32)) -> PathElement<(i32, i32)> {
    move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style)
}

/// Draws the legend of a chart whose curves have labels into its upper left corner.
///
/// # Errors
/// When it cannot be drawn.
pub fn legend<'a, C: CoordTranslate>(
    chart: &mut ChartContext<'a, SVGBackend<'a>, C>,
) -> Result<(), Trouble<'a>> {
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()
}

/// Draws training and validation loss over the steps into an SVG file.
///
/// # Errors
/// When there is nothing to draw or the file cannot be written.
pub fn loss_curve(records: &[Record], path: &Path) -> Result<()> {
    let picture = draw(records).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    output::write(path, picture.as_bytes())
}

fn draw(records: &[Record]) -> Result<String, Box<dyn std::error::Error>> {
    let last = records.last().ok_or("no superbatch was finished")?;
    let losses = || records.iter().flat_map(|r| [r.training, r.validation]);
    let low = losses().fold(f64::INFINITY, f64::min);
    let high = losses().fold(0.0, f64::max).min(low * 1.5);
    let mut picture = String::new();
    let area = SVGBackend::with_string(&mut picture, (900, 540)).into_drawing_area();
    area.fill(&WHITE)?;
    let steps = |record: &Record| convert::real(record.step as u64);
    let mut chart = ChartBuilder::on(&area)
        .caption(
            "Loss (squared error of the expected result)",
            ("sans-serif", 20),
        )
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .build_cartesian_2d(0.0..steps(last), low * 0.98..high * 1.02)?;
    chart.configure_mesh().x_desc("steps").draw()?;
    let training = records.iter().map(|r| (steps(r), r.training));
    let validation = records.iter().map(|r| (steps(r), r.validation));
    chart
        .draw_series(LineSeries::new(training, &BLUE))?
        .label("training")
        .legend(sample(BLUE.into()));
    chart
        .draw_series(LineSeries::new(validation, &RED))?
        .label("held-out games")
        .legend(sample(RED.into()));
    chart.configure_series_labels().border_style(BLACK).draw()?;
    area.present()?;
    drop((chart, area));
    Ok(picture)
}
