//! The shares of the groups with their intervals.
//!
//! Groups of six dates or more are shown against time: with whiskers if they are few, otherwise with
//! a band. The line has a gap where dates are missing. Other groups are shown in the order of the table:
//! one row each if they are few, otherwise as a band from the highest share to the lowest.

use crate::data::{GroupShares, ReportData, limits};
use crate::drawing::palette::{BLUE, SERIES, VERMILION};
use crate::drawing::{
    Drawing, GREY, INK, SIZE, ShareAxis, dashed_entry, entry, label, line, time_axis, title, with_legend,
};
use crate::words::{Reliability, format_estimate, group_value, share};
use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::scatter::MarkerShape;
use kuva::plot::{BandPlot, ForestPlot, ScatterPlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use std::collections::BTreeSet;
use truecount_analysis::groups::Dates;
use truecount_analysis::results::{EstimateRow, percent};

/// Maximum number of lines in a figure.
const MAX_LINES: usize = 4;

/// Minimum number of different dates on an axis of time; fewer are easier to read row by row.
const MIN_DATES: usize = 6;

/// Maximum number of whiskers in a figure.
const MAX_WHISKERS: usize = 80;

/// Distance between the whiskers of different lines at the same date, relative to the median
/// distance of dates.
const WHISKER_OFFSET: f64 = 0.12;

/// A distance of dates is a gap if it exceeds 8/5 of the median distance. Months and quarters of
/// different lengths are then no gaps.
const GAP: [i64; 2] = [8, 5];

/// The groups that differ only in their dates.
struct GroupLine<'a> {
    name: String,
    /// The groups with their dates in seconds since 1970, ascending.
    points: Vec<(i64, &'a EstimateRow)>,
}

/// Draws groups against time; `None` with too few dates or too many lines.
pub fn over_time(shares: &GroupShares) -> Option<Drawing> {
    let names = shares.names;
    let Dates { seconds, form, .. } = names.dates()?;
    let lines = lines(shares, &seconds)?;
    let points = || lines.iter().flat_map(|line| &line.points);
    let dates: BTreeSet<i64> = points().map(|(at, _)| *at).collect();
    if dates.len() < MIN_DATES {
        return None;
    }
    let (from, to) = (*dates.first()? as f64, *dates.last()? as f64);
    let alone = lines.len() == 1;
    let has_whiskers = points().count() <= MAX_WHISKERS;
    // The whiskers of different lines are drawn side by side, and the axis has room for the outermost.
    let middle = (lines.len() - 1) as f64 / 2.0;
    let distance = lines.iter().map(|line| median_distance(&line.points)).max()? as f64;
    let margin = if has_whiskers { WHISKER_OFFSET * middle * distance } else { 0.0 };
    let mut plots = Vec::new();
    for (index, (line, colour)) in lines.iter().zip(SERIES).enumerate() {
        let marker = |reliability| match reliability {
            _ if alone => (reliability_colour(reliability), MarkerShape::Circle),
            Reliability::Reliable => (colour, MarkerShape::Circle),
            Reliability::ScoresDiffer => (colour, CAUTION_MARKER),
            Reliability::Unreliable => (GREY, MarkerShape::Circle),
        };
        let offset = WHISKER_OFFSET * (index as f64 - middle) * distance;
        plots.extend(line.plots(colour, has_whiskers.then_some(offset), marker));
    }
    let legend = if alone {
        let counts =
            points().filter_map(|(at, row)| Some((*at as f64, shares.uncorrected_share(row.group)?))).collect();
        // Counts are drawn first, so that estimates cover them.
        plots.splice(0..0, uncorrected_shares(counts));
        legend(shares)
    } else {
        let line_entry = |(line, colour): (&GroupLine, &str)| entry(title(&line.name), colour, LegendShape::Line);
        let marks = [
            (Reliability::ScoresDiffer, entry(DIFFERS, INK, LegendShape::Marker(CAUTION_MARKER))),
            (Reliability::Unreliable, entry(NOT_RELIABLE, GREY, LegendShape::Circle)),
        ];
        let marks = marks.into_iter().filter(|(reliability, _)| shares.has_any(*reliability)).map(|(_, entry)| entry);
        lines.iter().zip(SERIES).map(line_entry).chain(marks).chain([overall_entry()]).collect()
    };
    let column = names.columns().last().expect("the dates");
    let layout =
        time_axis(Layout::auto_from_plots(&plots), [from - margin, to + margin], form).with_x_label(title(column));
    let layout = share_axis(shares)
        .vertical(layout)
        .with_reference_line(ReferenceLine::horizontal(shares.overall.prevalence).with_color(GREY));
    Some(Drawing::new((plots, with_legend(layout, legend)), SIZE, describe(shares, &lines)))
}

/// Returns the groups with dates by the values of the other columns; `None` if there are too many
/// lines.
fn lines<'a>(shares: &'a GroupShares, seconds: &[Option<i64>]) -> Option<Vec<GroupLine<'a>>> {
    let texts = shares.names.texts();
    let others = shares.names.columns().count() - 1;
    let mut lines: Vec<GroupLine> = Vec::new();
    for row in shares.rows.iter().copied() {
        let Some(at) = seconds[row.group] else { continue };
        let name: Vec<String> = texts.group_texts(row.group).take(others).map(|value| group_value(&value)).collect();
        let name = name.join(", ");
        match lines.iter().position(|line| line.name == name) {
            Some(index) => lines[index].points.push((at, row)),
            None if lines.len() == MAX_LINES => return None,
            None => lines.push(GroupLine { name, points: vec![(at, row)] }),
        }
    }
    for line in &mut lines {
        line.points.sort_by_key(|(at, _)| *at);
    }
    Some(lines)
}

impl<'a> GroupLine<'a> {
    /// Draws the line, with whiskers or a band. `whiskers` is their offset in seconds; `None` draws a
    /// band.
    fn plots(
        &self,
        colour: &str,
        whiskers: Option<f64>,
        marker: impl Fn(Reliability) -> (&'a str, MarkerShape),
    ) -> Vec<Plot> {
        let (offset, whiskers) = (whiskers.unwrap_or(0.0), whiskers.is_some());
        let step = if whiskers { 1 } else { self.points.len().div_ceil(MAX_POINTS) };
        let shown: Vec<_> = self.points.iter().copied().step_by(step).collect();
        let median = median_distance(&shown);
        let x = |(at, _): &(i64, &EstimateRow)| *at as f64 + offset;
        let runs = || shown.chunk_by(|a, b| (b.0 - a.0) * GAP[1] <= median * GAP[0]);
        let mut plots = Vec::new();
        for run in runs().filter(|run| run.len() > 1) {
            let xs = || run.iter().map(x);
            let limit = |side: usize| run.iter().map(move |(_, row)| limits(&row.estimate)[side]);
            if !whiskers {
                plots.push(Plot::Band(BandPlot::new(xs(), limit(0), limit(1)).with_color(colour)));
            }
            let estimates = xs().zip(run.iter().map(|(_, row)| row.estimate.prevalence)).collect();
            plots.push(line(estimates, colour).with_stroke_width(if whiskers { 0.7 } else { 1.5 }).into());
        }
        // A single group between two gaps has no band, so it gets a whisker.
        let with_whiskers: Vec<_> = runs().filter(|run| whiskers || run.len() == 1).flatten().collect();
        for reliability in [Reliability::Reliable, Reliability::ScoresDiffer, Reliability::Unreliable] {
            let rows =
                || with_whiskers.iter().filter(|(_, row)| Reliability::from_estimate(&row.estimate) == reliability);
            if rows().next().is_none() {
                continue;
            }
            let arms = rows().map(|(_, row)| {
                let [lower, upper] = limits(&row.estimate);
                (row.estimate.prevalence - lower, upper - row.estimate.prevalence)
            });
            let points = rows().map(|point| (x(point), point.1.estimate.prevalence));
            let (colour, shape) = marker(reliability);
            let plot = ScatterPlot::new().with_data(points).with_y_err_asymmetric(arms);
            plots.push(Plot::Scatter(plot.with_color(colour).with_marker(shape).with_size(3.0)));
        }
        plots
    }
}

/// Median of the distances between neighbours; of two middle values, the smaller.
fn median_distance(points: &[(i64, &EstimateRow)]) -> i64 {
    let mut distances: Vec<i64> = points.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    distances.sort_unstable();
    distances.get(distances.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}

/// Describes the figure against time.
fn describe(shares: &GroupShares, lines: &[GroupLine]) -> String {
    let dated: usize = lines.iter().map(|line| line.points.len()).sum();
    let undated = match shares.rows.len() - dated {
        0 => String::new(),
        1 => " One group without a date is in the table alone.".to_owned(),
        more => format!(" {more} groups without a date are in the table alone."),
    };
    format!(
        "Estimated shares of {dated} groups by {} with intervals against time. The dashed line is all of them \
         together, {}. The table below has the numbers.{undated}",
        shares.names.columns().collect::<Vec<_>>().join(", "),
        format_estimate(shares.overall)
    )
}

/// Maximum number of groups with one row each.
const MAX_ROWS: usize = 80;

/// Maximum length of a name, so that the plot has room.
const MAX_NAME: usize = 20;

/// Height of a row, of the space above and below the rows, and of a legend entry, in pixels.
const ROW_HEIGHT: f64 = 18.0;
const FRAME_HEIGHT: f64 = 80.0;
const ENTRY_HEIGHT: f64 = 20.0;

/// Maximum number of groups in a band.
const MAX_POINTS: usize = 400;

/// Returns whether this number of groups is too large for one row each.
pub fn is_band(number: usize) -> bool {
    number > MAX_ROWS
}

/// Draws the groups in the order of the table or as a band; `None` for fewer than two groups.
pub fn forest(shares: &GroupShares) -> Option<Drawing> {
    let rows = &shares.rows;
    if rows.len() < 2 {
        return None;
    }
    let overall = format_estimate(shares.overall);
    let description = format!(
        "Estimated shares of {} groups with intervals. The dashed line is all of them together, {overall}. The table \
         below has the numbers.",
        rows.len(),
    );
    if is_band(rows.len()) { band(shares, description) } else { Some(forest_plot(shares, description)) }
}

/// Draws the estimate of all rows together, next to their uncorrected share.
pub fn overall(data: &ReportData) -> Drawing {
    let (overall, uncorrected) = (data.answer(), data.overall_count());
    let row = EstimateRow::total(overall.clone());
    let shares = GroupShares { names: data.names, rows: vec![&row], uncorrected: uncorrected.as_slice(), overall };
    let uncorrected =
        uncorrected.map_or_else(String::new, |count| format!(" The uncorrected share is {}.", share(count, 1)));
    let description = format!("Estimated share of all rows together: {}.{uncorrected}", format_estimate(overall));
    forest_plot(&shares, description)
}

/// Draws one row for each estimate, and a line at the estimate of all of them together.
fn forest_plot(shares: &GroupShares, description: String) -> Drawing {
    let (rows, texts) = (&shares.rows, shares.names.texts());
    let plot = ForestPlot::new().with_show_null_line(false).with_marker_size(3.0);
    let forest = rows.iter().fold(plot, |plot, row| {
        let values: Vec<String> = texts.group_texts(row.group).map(|value| group_value(&value)).collect();
        let [lower, upper] = limits(&row.estimate);
        let colour = reliability_colour(Reliability::from_estimate(&row.estimate));
        plot.with_colored_row(label(&values.join(", "), MAX_NAME), row.estimate.prevalence, lower, upper, colour)
    });
    // The first row is the highest on the axis.
    let heights = rows.iter().enumerate().map(|(i, row)| ((rows.len() - i) as f64, row.group));
    let counts = heights.filter_map(|(y, group)| Some((shares.uncorrected_share(group)?, y))).collect();
    let plots: Vec<Plot> = [Plot::Forest(forest)].into_iter().chain(uncorrected_shares(counts)).collect();
    let mut layout = share_axis(shares).horizontal(Layout::auto_from_plots(&plots));
    if rows.len() > 1 {
        layout = layout.with_reference_line(ReferenceLine::vertical(shares.overall.prevalence).with_color(GREY));
    }
    let legend = legend(shares);
    let height = FRAME_HEIGHT + ROW_HEIGHT * rows.len() as f64 + ENTRY_HEIGHT * legend.len() as f64;
    Drawing::new((plots, with_legend(layout, legend)), (SIZE.0, height), description)
}

/// Draws the reliable groups as a band from the highest share to the lowest.
fn band(shares: &GroupShares, description: String) -> Option<Drawing> {
    let mut rows = shares.rows.clone();
    rows.retain(|row| Reliability::from_estimate(&row.estimate) != Reliability::Unreliable);
    rows.sort_by(|a, b| b.estimate.raw.total_cmp(&a.estimate.raw));
    if rows.len() < 2 {
        return None;
    }
    let step = rows.len().div_ceil(MAX_POINTS);
    let shown: Vec<(f64, &EstimateRow)> =
        rows.iter().enumerate().step_by(step).map(|(i, row)| (i as f64 + 1.0, *row)).collect();
    let ranks = shown.iter().map(|(rank, _)| *rank);
    let limit = |side: usize| shown.iter().map(move |(_, row)| limits(&row.estimate)[side]);
    let estimates = shown.iter().map(|(rank, row)| (*rank, row.estimate.prevalence)).collect();
    let plots =
        vec![Plot::Band(BandPlot::new(ranks, limit(0), limit(1)).with_color(BLUE)), line(estimates, BLUE).into()];
    let layout = Layout::auto_from_plots(&plots).with_x_label("groups, from the highest share to the lowest");
    let layout = share_axis(shares)
        .vertical(layout)
        .with_reference_line(ReferenceLine::horizontal(shares.overall.prevalence).with_color(GREY));
    let legend = vec![entry("estimates and their intervals", BLUE, LegendShape::Line), overall_entry()];
    Some(Drawing::new((plots, with_legend(layout, legend)), SIZE, description))
}

/// Marker of estimates whose scores differ from the labelled ones, in figures with several lines.
const CAUTION_MARKER: MarkerShape = MarkerShape::Triangle;

/// Legends of estimates to read with care.
const DIFFERS: &str = "differs from the labelled";
const NOT_RELIABLE: &str = "not reliable";

fn reliability_colour(reliability: Reliability) -> &'static str {
    match reliability {
        Reliability::Reliable => BLUE,
        Reliability::ScoresDiffer => VERMILION,
        Reliability::Unreliable => GREY,
    }
}

/// Draws uncorrected shares as crosses at these points; `None` without points.
fn uncorrected_shares(points: Vec<(f64, f64)>) -> Option<Plot> {
    let crosses = ScatterPlot::new().with_marker(MarkerShape::Cross).with_color(INK).with_size(3.0);
    (!points.is_empty()).then(|| crosses.with_data(points).into())
}

/// Returns the axis of shares for all intervals, uncorrected shares and the estimate of all rows.
fn share_axis(shares: &GroupShares) -> ShareAxis {
    let rows = &shares.rows;
    let ends = rows.iter().flat_map(|row| limits(&row.estimate));
    let counts = rows.iter().filter_map(|row| shares.uncorrected_share(row.group));
    ShareAxis::new(ends.chain(counts).chain([shares.overall.prevalence]))
}

/// Returns the legend of all kinds of marks that the figure has.
fn legend(shares: &GroupShares) -> Vec<LegendEntry> {
    let level = percent(shares.overall.level);
    let corrected = if shares.overall.method.is_uncorrected() { "not corrected" } else { "estimate" };
    let estimate = match shares.overall.interval {
        Some(_) => format!("{corrected}, {level} % interval"),
        None => corrected.to_owned(),
    };
    let kinds = [
        (Reliability::Reliable, estimate),
        (Reliability::ScoresDiffer, DIFFERS.to_owned()),
        (Reliability::Unreliable, NOT_RELIABLE.to_owned()),
    ];
    let kinds = kinds.into_iter().filter(|(reliability, _)| shares.has_any(*reliability));
    let mut legend: Vec<LegendEntry> =
        kinds.map(|(reliability, label)| entry(label, reliability_colour(reliability), LegendShape::Circle)).collect();
    if shares.rows.iter().any(|row| shares.uncorrected_share(row.group).is_some()) {
        legend.push(entry("uncorrected share", INK, LegendShape::Marker(MarkerShape::Cross)));
    }
    if shares.rows.len() > 1 {
        legend.push(overall_entry());
    }
    legend
}

/// Returns the legend entry of all rows together.
fn overall_entry() -> LegendEntry {
    dashed_entry("all together", GREY)
}
