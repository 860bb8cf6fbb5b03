//! The figure of monitoring: the periods with their intervals, the smoothed line with its band if it smooths,
//! the bound and the alarm.

use crate::data::{MANY_GROUPS, limits};
use crate::drawing::palette::{BLUE, VERMILION};
use crate::drawing::{
    Drawing, FigureSize, GREY, ShareAxis, entry, line, pointer_targets, time_axis, title, total_line, with_legend,
};
use crate::words::reading;
use kuva::plot::legend::LegendShape;
use kuva::plot::{BandPlot, ScatterPlot};
use kuva::render::annotations::{ReferenceLine, TextAnnotation};
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount::Estimate;
use truecount::error::Severity;
use truecount_analysis::monitor::MonitorSeries;
use truecount_analysis::results::{MonitorRow, percent};

/// Width in pixels of a letter of the alarm's label, and of the figure outside its axis.
const LETTER: f64 = 7.2;
const BESIDE: f64 = 110.0;

/// Returns whether the figure shows many periods, which are faint and without intervals around a smoothed line.
fn has_faint_points(series: &MonitorSeries) -> bool {
    series.rows.len() > MANY_GROUPS && series.smooths()
}

/// States at the end of a title what has intervals of this level: the smoothed line, or the estimates.
pub fn intervals_of(series: &MonitorSeries, level: f64) -> String {
    let [before, after] =
        if has_faint_points(series) { [", smoothed, with its", "band"] } else { [", with", "intervals"] };
    format!("{before} {}\u{a0}%\u{a0}{after}", percent(level))
}

/// Draws estimates at these positions, with whiskers for their intervals.
pub fn intervals<'a>(points: impl Iterator<Item = (f64, &'a Estimate)>) -> ScatterPlot {
    let (points, arms): (Vec<_>, Vec<_>) = points
        .map(|(x, estimate)| {
            let [lower, upper] = limits(estimate);
            ((x, estimate.prevalence), (estimate.prevalence - lower, upper - estimate.prevalence))
        })
        .unzip();
    ScatterPlot::new().with_data(points).with_y_err_asymmetric(arms)
}

/// Draws a series, with a line at the share of all periods together if it is known; `None` if all dates are the same.
pub fn draw(
    series: &MonitorSeries,
    level: f64,
    total: Option<f64>,
    heading: &str,
    size: FigureSize,
) -> Option<Drawing> {
    let (rows, seconds) = (&series.rows, &series.seconds);
    let (from, to) = (seconds[0], seconds[seconds.len() - 1]);
    if from == to {
        return None;
    }
    let (smooths, are_many, ending) = (series.smooths(), has_faint_points(series), intervals_of(series, level));
    let dated_rows = || rows.iter().zip(seconds.iter().map(|second| *second as f64));
    let is_reliable = |row: &&MonitorRow| row.row.estimate.severity() != Some(Severity::Unreliable);
    let (mut times, mut smoothed, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (line, second) in
        dated_rows().filter_map(|(row, second)| Some((row.period.smoothed_level.filter(|_| smooths)?, second)))
    {
        times.push(second);
        smoothed.push((second, line.level));
        lower.push(line.lower);
        upper.push(line.upper);
    }
    let readings = series.names.iter().zip(rows).map(|(name, row)| reading(name, &row.row.estimate)).collect();
    let point = |(row, second): (&MonitorRow, f64)| (second, row.row.estimate.prevalence);
    let mut plots: Vec<Plot> = pointer_targets(dated_rows().map(point), size).into_iter().collect();
    if times.is_empty() {
        let estimates = dated_rows().filter(|(row, _)| is_reliable(row)).map(point).collect();
        plots.push(line(estimates, GREY).with_stroke_width(0.7).into());
    } else {
        plots.push(Plot::Band(BandPlot::new(times, lower.iter().copied(), upper.iter().copied()).with_color(BLUE)));
        plots.push(line(smoothed, BLUE).into());
    }
    let has_alarm = |row: &MonitorRow| row.alarm == Some(true);
    let points = |colour: &str, is_shown: &dyn Fn(&MonitorRow) -> bool| {
        let shown_rows = || dated_rows().filter(|(row, _)| is_reliable(row) && is_shown(row));
        let shown = || shown_rows().map(|(row, second)| (second, &row.row.estimate));
        let faint = ScatterPlot::new().with_data(shown().map(|(x, estimate)| (x, estimate.prevalence)));
        let plot = if are_many { faint.with_marker_opacity(0.45) } else { intervals(shown()) };
        shown().next().map(|_| Plot::Scatter(plot.with_color(colour).with_size(2.5)))
    };
    plots.extend(points(GREY, &|row| !has_alarm(row)));
    plots.extend(points(VERMILION, &has_alarm));
    let level = percent(level);
    let estimates = if are_many { "estimate".to_owned() } else { format!("estimate, {level} % interval") };
    let mut legend = vec![entry(estimates, GREY, LegendShape::Circle)];
    legend.extend(smooths.then(|| entry(format!("smoothed, {level} % band"), BLUE, LegendShape::Line)));
    let bound = series.bound.map(truecount::monitor::Bound::share);
    let shown = |row: &MonitorRow| if are_many { [row.row.estimate.prevalence; 2] } else { limits(&row.row.estimate) };
    let ends = rows.iter().filter(is_reliable).flat_map(shown);
    let axis = ShareAxis::new(ends.chain(lower).chain(upper).chain(bound).chain(total));
    let (from, to) = (from as f64, to as f64);
    let layout = time_axis(Layout::auto_from_plots(&plots), [from, to], series.form, size.label_room());
    let mut layout = axis.vertical(size.with_title(layout, heading));
    if let Some(share) = bound {
        let line = ReferenceLine::horizontal(share).with_color(VERMILION);
        layout = layout.with_reference_line(line.with_label(format!("limit {}\u{a0}%", percent(share))));
    }
    if let Some(total) = total {
        layout = layout.with_reference_line(total_line(total));
    }
    if let Some(alarm) = series.alarm_row {
        let at = seconds[alarm] as f64;
        layout = layout.with_reference_line(ReferenceLine::vertical(at).with_color(VERMILION));
        // The label is on the left of the line, where it does not leave the plot.
        let text = title(&format!("alarm at {}", series.names[alarm]));
        let pixel = (1.03 + size.label_room()) * (to - from) / (size.pixels().0 - BESIDE);
        let half = 0.5 * LETTER * text.chars().count() as f64 * pixel;
        let distance = half + 6.0 * pixel;
        let x = if at - 2.0 * distance > from { at - distance } else { at + distance };
        // It stands where it covers the fewest intervals.
        let covered = |height: &f64| {
            let [bottom, top] = [-0.035, 0.035].map(|room| axis.at(height + room));
            let near = dated_rows().filter(|(_, second)| (second - x).abs() < half);
            near.map(|(row, _)| shown(row)).filter(|[lower, upper]| *lower < top && *upper > bottom).count()
        };
        let height = [0.92, 0.08, 0.75, 0.25].into_iter().min_by_key(covered).expect("four heights");
        layout = layout.with_annotation(TextAnnotation::new(text, x, axis.at(height)));
        legend.push(entry("after the alarm", VERMILION, LegendShape::Circle));
    }
    let description = format!(
        "Estimated shares of {} periods{ending}.{}",
        rows.len(),
        series.alarm().map_or_else(String::new, |alarm| format!(" Alarm: {alarm}."))
    );
    Some(Drawing::new((plots, with_legend(layout, legend)), size.pixels(), description).with_labels(readings))
}
