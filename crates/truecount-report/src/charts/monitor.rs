//! The periods with their intervals, the smoothed line with its band, the bound, and where the
//! alarm was raised.

use crate::drawing::palette::{BLUE, VERMILION};
use crate::drawing::{Drawing, GREY, broken, entry, line, percentages, time_axis, title, with_legend};
use kuva::plot::legend::LegendShape;
use kuva::plot::{BandPlot, ScatterPlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount::{IntervalOptions, Severity};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::monitor::MonitorSeries;
use truecount_analysis::results::{MonitorRow, percent};

/// Width and height, in pixels.
const SIZE: (f64, f64) = (620.0, 360.0);

/// Ends of an axis of shares, of which the first that holds everything is taken.
const TOPS: [f64; 7] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

/// The picture of a series whose dates are in the first grouping column; `None` for a series of one
/// date, which has no time to be drawn
/// against.
pub fn draw(series: &MonitorSeries, names: &dyn GroupNames, reporting: &IntervalOptions) -> Option<Drawing> {
    let (rows, seconds) = (&series.rows, &series.seconds);
    let (from, to) = (seconds[0], seconds[seconds.len() - 1]);
    if from == to {
        return None;
    }
    let dated = || rows.iter().zip(seconds.iter().map(|second| *second as f64));
    let (mut at, mut level, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (line, second) in dated().filter_map(|(row, second)| Some((row.period.line?, second))) {
        at.push(second);
        level.push((second, line.level));
        lower.push(line.lower);
        upper.push(line.upper);
    }
    let mut plots = Vec::new();
    if !at.is_empty() {
        plots.push(Plot::Band(BandPlot::new(at, lower, upper.iter().copied()).with_color(BLUE)));
        plots.push(line(level, BLUE).into());
    }
    let reliable = |row: &&MonitorRow| row.row.estimate.severity() != Some(Severity::Unreliable);
    let raised = |row: &MonitorRow| row.alarm == Some(true);
    let points = |colour: &str, wanted: &dyn Fn(&MonitorRow) -> bool| {
        let of = || dated().filter(|(row, _)| reliable(row) && wanted(row));
        let arms = of().map(|(row, _)| {
            let estimate = &row.row.estimate;
            let [low, high] = ends(row);
            (estimate.prevalence - low, high - estimate.prevalence)
        });
        let points = of().map(|(row, second)| (second, row.row.estimate.prevalence));
        let plot = ScatterPlot::new().with_data(points).with_y_err_asymmetric(arms).with_color(colour).with_size(2.5);
        of().next().map(|_| Plot::Scatter(plot))
    };
    plots.extend(points(GREY, &|row| !raised(row)));
    plots.extend(points(VERMILION, &raised));
    let level = percent(reporting.level());
    let mut legend = vec![
        entry(format!("estimate, {level} % interval"), GREY, LegendShape::Circle),
        entry(format!("smoothed, {level} % band"), BLUE, LegendShape::Line),
    ];
    let bound = series.bound.map(truecount::monitor::Bound::share);
    let highest = rows.iter().filter(reliable).map(|row| ends(row)[1]).chain(upper).chain(bound).fold(0.0, f64::max);
    let mut layout = time_axis(Layout::auto_from_plots(&plots), [from as f64, to as f64], series.form)
        .with_x_label(title(names.columns().next().unwrap_or_default()))
        .with_y_label("share")
        .with_y_axis_min(0.0)
        .with_y_axis_max(TOPS.into_iter().find(|top| highest <= *top).unwrap_or(1.0))
        .with_y_tick_format(percentages());
    if let Some(share) = bound {
        layout = layout.with_reference_line(ReferenceLine::horizontal(share).with_color(VERMILION));
        legend.push(broken(format!("{} %", percent(share)), VERMILION));
    }
    if rows.iter().any(raised) {
        legend.push(entry("after the alarm", VERMILION, LegendShape::Circle));
    }
    let words = format!(
        "Estimated shares of {} periods with intervals, and the smoothed line with its band.{}",
        rows.len(),
        series.alarm().map_or_else(String::new, |alarm| format!(" Alarm: {alarm}."))
    );
    Some(Drawing::new((plots, with_legend(layout, legend)), SIZE, words))
}

/// Of a period's interval, or the estimate twice where it has none.
fn ends(row: &MonitorRow) -> [f64; 2] {
    let estimate = &row.row.estimate;
    estimate.uncertainty.map_or([estimate.prevalence; 2], |found| [found.lower, found.upper])
}
