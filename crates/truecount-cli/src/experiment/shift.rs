//! The picture of errors by shift: a line for each of the best methods.

use crate::figure::Drawing;
use kuva::plot::LinePlot;
use kuva::plot::scatter::ScatterPlot;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount_studies::palette::SERIES;
use truecount_tables::experimented::Facet;

/// The picture as SVG: as many methods as there are colours, in the order of the ranking.
pub fn draw(facet: &Facet, measure: &str) -> String {
    let mut plots: Vec<Plot> = Vec::new();
    for (row, colour) in facet.rows.iter().zip(SERIES) {
        let points = facet.places.iter().zip(&row.means).filter_map(|(x, mean)| mean.map(|mean| (*x, mean)));
        let points: Vec<(f64, f64)> = points.collect();
        plots.push(LinePlot::new().with_data(points.clone()).with_color(colour).into());
        plots.push(
            ScatterPlot::new().with_data(points).with_color(colour).with_size(3.0).with_legend(&row.method).into(),
        );
    }
    let by = facet.by;
    let layout = Layout::auto_from_plots(&plots).with_x_label(by).with_y_label(measure).with_y_axis_min(0.0);
    let shown = facet.rows.len().min(SERIES.len());
    Drawing::new((plots, layout), (640.0, 380.0), format!("{measure} by {by}, of the first {shown} methods")).svg()
}
