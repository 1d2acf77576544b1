//! Nodes by depth as a picture, on a logarithmic axis.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use super::{Comparison, Contestant};
use crate::{
    learn::{
        output,
        plot::{legend, sample},
    },
    types::convert,
};

/// Depths and mean numbers of nodes.
type Curve = Vec<(f64, f64)>;

/// A line of the picture: those who search exactly the same trees share one.
struct Line {
    names: Vec<&'static str>,
    curve: Curve,
}

impl Line {
    /// The engine stands out; the others differ by their `hue`, from 0 to 1.
    fn style(&self, hue: f64) -> ShapeStyle {
        if self.names == [Contestant::Engine.name()] {
            BLACK.stroke_width(3)
        } else {
            HSLColor(hue, 0.9, 0.4).stroke_width(2)
        }
    }
}

/// Draws the mean number of nodes of each contestant into an SVG file.
///
/// # Errors
/// When there is nothing to draw or the file cannot be written.
pub(super) fn nodes_by_depth(comparison: &Comparison, path: &Path) -> Result<()> {
    let lines = lines(comparison);
    let picture = draw(&lines, convert::size(u64::from(comparison.depth)))
        .map_err(|error| anyhow!("{}: {error}", path.display()))?;
    output::write(path, picture.as_bytes())
}

/// The lines in the order in which they lie at their ends, most nodes first, so that the
/// legend reads like the picture.
fn lines(comparison: &Comparison) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for &contestant in comparison.contestants() {
        let (curve, name) = (curve(comparison, contestant), contestant.name());
        if let Some(twin) = lines.iter_mut().find(|line| line.curve == curve) {
            twin.names.push(name);
        } else if !curve.is_empty() {
            lines.push(Line {
                names: vec![name],
                curve,
            });
        }
    }
    let end = |line: &Line| line.curve.last().map_or(0.0, |&(_, nodes)| nodes);
    lines.sort_by(|a, b| end(b).total_cmp(&end(a)));
    lines
}

fn curve(comparison: &Comparison, contestant: Contestant) -> Curve {
    let point = |depth| {
        let nodes = comparison.mean_nodes(contestant, depth)?;
        Some((f64::from(depth), nodes))
    };
    (1..=comparison.depth).filter_map(point).collect()
}

fn draw(lines: &[Line], plies: usize) -> Result<String, Box<dyn std::error::Error>> {
    let depth = convert::real(convert::wide(plies)).max(2.0);
    let points = lines.iter().flat_map(|line| &line.curve);
    let most = points.map(|&(_, nodes)| nodes).fold(10.0, f64::max);
    let mut picture = String::new();
    let area = SVGBackend::with_string(&mut picture, (900, 600)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("Nodes for one position, by depth", ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(80)
        .build_cartesian_2d(1.0..depth, (10.0..most * 2.0).log_scale())?;
    let whole = |number: &f64| format!("{number:.0}");
    chart
        .configure_mesh()
        .x_desc("depth in plies")
        .y_desc("nodes")
        .x_labels(plies)
        .x_label_formatter(&whole)
        .y_label_formatter(&whole)
        .disable_x_mesh()
        .light_line_style(WHITE)
        .draw()?;
    let hues = convert::real(convert::wide(lines.len()));
    for (number, line) in (0_u32..).zip(lines) {
        let style = line.style(f64::from(number) / hues);
        let series = LineSeries::new(line.curve.iter().copied(), style).point_size(3);
        chart
            .draw_series(series)?
            .label(line.names.join(", "))
            .legend(sample(style));
    }
    legend(&mut chart)?;
    area.present()?;
    drop((chart, area));
    Ok(picture)
}
