//! A picture of coverages: a dot for every setting, in rows, and the band where it should be.

use super::BAND;
use kuva::backend::svg::SvgBackend;
use kuva::plot::StripPlot;
use kuva::render::annotations::{ReferenceLine, ShadedRegion};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::render::render_multiple;

/// A row of dots.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) colour: &'static str,
    /// A dot each, as shares.
    pub(crate) coverages: Vec<f64>,
}

/// The rows from top to bottom, as SVG.
pub(crate) fn dots(rows: &[Row]) -> String {
    let mut strip = StripPlot::new().with_horizontal(true).with_jitter(0.35).with_point_size(2.0);
    let mut colours = Vec::new();
    let mut least: f64 = 90.0;
    // The first row is drawn at the bottom.
    for Row { name, colour, coverages } in rows.iter().rev() {
        let percent: Vec<f64> = coverages.iter().map(|share| 100.0 * share).collect();
        least = percent.iter().copied().fold(least, f64::min);
        strip = strip.with_group(name, percent);
        colours.push((*colour).to_owned());
    }
    let plots = vec![strip.with_group_colors(colours).with_marker_opacity(0.6).into()];
    let layout = Layout::auto_from_plots(&plots)
        .with_title("Coverage of nominal 95 % intervals, a dot for every setting")
        .with_x_label("intervals that hold the truth, %")
        .with_x_axis_min((least / 10.0).floor() * 10.0)
        .with_x_axis_max(100.0)
        .with_x_tick_step(10.0)
        .with_x_tick_format(TickFormat::Fixed(0))
        .with_shaded_region(
            ShadedRegion::vertical(100.0 * BAND[0], 100.0 * BAND[1]).with_color("#999999").with_opacity(0.3),
        )
        .with_reference_line(ReferenceLine::vertical(95.0).with_color("#555555"))
        .with_width(760.0)
        .with_height(100.0 + 35.0 * rows.len() as f64);
    SvgBackend.render_scene(&render_multiple(plots, layout))
}
