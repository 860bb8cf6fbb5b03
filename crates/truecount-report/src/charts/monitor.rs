//! The figure of monitoring: the periods with their intervals, the smoothed line with its band, the
//! bound and the alarm.

use crate::data::limits;
use crate::drawing::palette::{BLUE, VERMILION};
use crate::drawing::{Drawing, GREY, ShareAxis, dashed_entry, entry, line, time_axis, title, with_legend};
use kuva::plot::legend::LegendShape;
use kuva::plot::{BandPlot, ScatterPlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount::IntervalOptions;
use truecount::error::Severity;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::monitor::MonitorSeries;
use truecount_analysis::results::{MonitorRow, percent};

/// Width and height, in pixels.
const SIZE: (f64, f64) = (620.0, 360.0);

/// Draws a series whose dates are in the first grouping column; `None` if all dates are the same.
pub fn draw(series: &MonitorSeries, names: &dyn GroupNames, interval_options: &IntervalOptions) -> Option<Drawing> {
    let (rows, seconds) = (&series.rows, &series.seconds);
    let (from, to) = (seconds[0], seconds[seconds.len() - 1]);
    if from == to {
        return None;
    }
    let dated_rows = || rows.iter().zip(seconds.iter().map(|second| *second as f64));
    let (mut times, mut smoothed, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (line, second) in dated_rows().filter_map(|(row, second)| Some((row.period.smoothed_level?, second))) {
        times.push(second);
        smoothed.push((second, line.level));
        lower.push(line.lower);
        upper.push(line.upper);
    }
    let mut plots = Vec::new();
    if !times.is_empty() {
        plots.push(Plot::Band(BandPlot::new(times, lower.iter().copied(), upper.iter().copied()).with_color(BLUE)));
        plots.push(line(smoothed, BLUE).into());
    }
    let is_reliable = |row: &&MonitorRow| row.row.estimate.severity() != Some(Severity::Unreliable);
    let has_alarm = |row: &MonitorRow| row.alarm == Some(true);
    let points = |colour: &str, is_shown: &dyn Fn(&MonitorRow) -> bool| {
        let shown_rows = || dated_rows().filter(|(row, _)| is_reliable(row) && is_shown(row));
        let arms = shown_rows().map(|(row, _)| {
            let estimate = &row.row.estimate;
            let [lower, upper] = limits(estimate);
            (estimate.prevalence - lower, upper - estimate.prevalence)
        });
        let points = shown_rows().map(|(row, second)| (second, row.row.estimate.prevalence));
        let plot = ScatterPlot::new().with_data(points).with_y_err_asymmetric(arms).with_color(colour).with_size(2.5);
        shown_rows().next().map(|_| Plot::Scatter(plot))
    };
    plots.extend(points(GREY, &|row| !has_alarm(row)));
    plots.extend(points(VERMILION, &has_alarm));
    let level = percent(interval_options.level());
    let mut legend = vec![
        entry(format!("estimate, {level} % interval"), GREY, LegendShape::Circle),
        entry(format!("smoothed, {level} % band"), BLUE, LegendShape::Line),
    ];
    let bound = series.bound.map(truecount::monitor::Bound::share);
    let ends = rows.iter().filter(is_reliable).flat_map(|row| limits(&row.row.estimate));
    let shares = ends.chain(lower).chain(upper).chain(bound);
    let layout = time_axis(Layout::auto_from_plots(&plots), [from as f64, to as f64], series.form)
        .with_x_label(title(names.columns().next().unwrap_or_default()));
    let mut layout = ShareAxis::new(shares).vertical(layout);
    if let Some(share) = bound {
        layout = layout.with_reference_line(ReferenceLine::horizontal(share).with_color(VERMILION));
        legend.push(dashed_entry(format!("{} %", percent(share)), VERMILION));
    }
    if rows.iter().any(has_alarm) {
        legend.push(entry("after the alarm", VERMILION, LegendShape::Circle));
    }
    let description = format!(
        "Estimated shares of {} periods with intervals, and the smoothed line with its band.{}",
        rows.len(),
        series.alarm().map_or_else(String::new, |alarm| format!(" Alarm: {alarm}."))
    );
    Some(Drawing::new((plots, with_legend(layout, legend)), SIZE, description))
}
