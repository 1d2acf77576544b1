//! Nodes by depth as a picture, on a logarithmic axis.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use super::{Comparison, Contestant};
use crate::types::convert;

/// A line of the picture: depth and nodes.
type Curve = Vec<(f64, f64)>;

/// Draws the mean number of nodes of each contestant into an SVG file.
///
/// # Errors
/// When there is nothing to draw or the file cannot be written.
pub(super) fn nodes_by_depth(comparison: &Comparison, path: &Path) -> Result<()> {
    let curves: Vec<(Contestant, Curve)> = comparison
        .contestants()
        .iter()
        .map(|&contestant| (contestant, curve(comparison, contestant)))
        .filter(|(_, curve)| !curve.is_empty())
        .collect();
    draw(&curves, convert::size(u64::from(comparison.depth)), path)
        .map_err(|error| anyhow!("{}: {error}", path.display()))
}

fn curve(comparison: &Comparison, contestant: Contestant) -> Curve {
    let point = |depth| {
        let nodes = comparison.mean_nodes(contestant, depth)?;
        Some((f64::from(depth), nodes))
    };
    (1..=comparison.depth).filter_map(point).collect()
}

fn draw(
    curves: &[(Contestant, Curve)],
    plies: usize,
    path: &Path,
) -> Result<(), Box<dyn std::error::Error>> {
    let depth = convert::real(convert::wide(plies)).max(2.0);
    let points = curves.iter().flat_map(|(_, curve)| curve);
    let most = points.map(|&(_, nodes)| nodes).fold(10.0, f64::max);
    let area = SVGBackend::new(path, (900, 600)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("Nodes for one position, by depth", ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(72)
        .build_cartesian_2d(1.0..depth, (10.0..most * 2.0).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("depth in plies")
        .y_desc("nodes")
        .x_labels(plies)
        .draw()?;
    for (index, (contestant, curve)) in curves.iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        let line = LineSeries::new(curve.iter().copied(), color.stroke_width(2)).point_size(3);
        chart
            .draw_series(line)?
            .label(contestant.name())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()?;
    area.present()?;
    Ok(())
}
