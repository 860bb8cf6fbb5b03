//! The shares of the groups with their intervals.
//!
//! Groups of six dates or more are shown against time: with whiskers if they are few, smoothed if they are many, and
//! with a band for several lines. The line has a gap where dates are missing. Other groups are shown in rows, in the
//! order of the table; if they are many, only the rows at both ends have names.

use crate::charts::monitor::{self, intervals};
use crate::data::{GroupShares, MANY_GROUPS, limits};
use crate::drawing::palette::{BLUE, VERMILION, series};
use crate::drawing::{
    Drawing, FigureSize, GREY, INK, ShareAxis, entry, label, line, pointer_targets, time_axis, title, total_line,
    with_legend,
};
use crate::words::{Reliability, Words, format_estimate, group_name, group_value, grouping_columns, reading, share};
use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::scatter::MarkerShape;
use kuva::plot::{BandPlot, ScatterPlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use std::collections::BTreeSet;
use truecount_analysis::groups::Dates;
use truecount_analysis::results::{EstimateRow, percent};

/// Draws the groups, or all rows together without groups; `None` for fewer than two groups.
pub fn draw(shares: &GroupShares, words: &Words, size: FigureSize) -> Option<Drawing> {
    let title = heading(shares, words);
    over_time(shares, &title, size).or_else(|| rows(shares, &title, size))
}

/// States what the figure shows; the title of a file, and the caption in a page.
pub fn heading(shares: &GroupShares, words: &Words) -> String {
    let verb = if shares.overall.method.is_uncorrected() { "Counted" } else { "Estimated" };
    let by = grouping_columns(shares.names);
    let several = shares.rows.len() > 1;
    let order = match several {
        true if shares.rows.len() > MANY_GROUPS && shares.names.dates().is_none() => {
            format!(" by {by}, from the highest to the lowest")
        }
        true => format!(" by {by}"),
        false => String::new(),
    };
    let interval = shares.overall.interval.map_or_else(String::new, |_| {
        let [before, after] = match shares.smoothed {
            Some(_) if several => [", smoothed, with its", "band"],
            _ if several => [", with", "intervals"],
            _ => [", with its", "interval"],
        };
        format!("{before} {}\u{a0}%\u{a0}{after}", percent(shares.overall.level))
    });
    format!("{verb} share of the {} that are {}{order}{interval}", words.items, words.positive_name)
}

/// Maximum number of lines in a figure.
const MAX_LINES: usize = 4;

/// Minimum number of different dates on an axis of time; fewer are easier to read row by row.
const MIN_DATES: usize = 6;

/// Maximum number of whiskers in a figure.
const MAX_WHISKERS: usize = 80;

/// Distance between the whiskers of different lines at the same date, relative to the median distance of dates.
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
fn over_time(shares: &GroupShares, heading: &str, size: FigureSize) -> Option<Drawing> {
    let names = shares.names;
    if let Some(series) = shares.smoothed {
        return monitor::draw(series, shares.overall.level, Some(shares.overall.prevalence), heading, size);
    }
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
    let texts = names.texts();
    let readings = points().map(|(_, row)| reading(&group_name(&texts, row.group), &row.estimate)).collect();
    let estimates = points().map(|(at, row)| (*at as f64, row.estimate.prevalence));
    let mut plots: Vec<Plot> = pointer_targets(estimates, size).into_iter().collect();
    for (index, line) in lines.iter().enumerate() {
        let (colour, shape) = series(index);
        let marker = |reliability| match reliability {
            _ if alone => (reliability_colour(reliability), MarkerShape::Circle),
            Reliability::Reliable => (colour, shape),
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
        let line_entry = |(index, line): (usize, &GroupLine)| {
            let (colour, shape) = series(index);
            let shape = if has_whiskers { LegendShape::Marker(shape) } else { LegendShape::Line };
            entry(title(&line.name), colour, shape)
        };
        let marks = [
            (Reliability::ScoresDiffer, entry(DIFFERS, INK, LegendShape::Marker(CAUTION_MARKER))),
            (Reliability::Unreliable, entry(NOT_RELIABLE, GREY, LegendShape::Circle)),
        ];
        let marks = marks.into_iter().filter(|(reliability, _)| shares.has_any(*reliability)).map(|(_, entry)| entry);
        lines.iter().enumerate().map(line_entry).chain(marks).collect()
    };
    let axis = share_axis(shares);
    let layout = time_axis(Layout::auto_from_plots(&plots), [from - margin, to + margin], form, size.label_room());
    let layout =
        axis.vertical(size.with_title(layout, heading)).with_reference_line(total_line(shares.overall.prevalence));
    let drawing = Drawing::new(
        (plots, with_legend(layout, legend)),
        size.pixels(),
        describe(shares, points().count(), " against time"),
    );
    Some(drawing.with_labels(readings))
}

/// Returns the groups with dates by the values of the other columns; `None` if there are too many lines.
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
    /// Draws the line, with whiskers or a band. `whiskers` is their offset in seconds; `None` draws a band.
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
            let (colour, shape) = marker(reliability);
            let plot = intervals(rows().map(|point| (x(point), &point.1.estimate)));
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

/// Describes a figure of this number of groups.
fn describe(shares: &GroupShares, drawn: usize, against: &str) -> String {
    let undated = match shares.rows.len() - drawn {
        0 => String::new(),
        more => format!(" Groups without a date, which only the table has: {more}."),
    };
    format!(
        "Estimated shares of {drawn} groups by {} with intervals{against}. The dashed line is all groups together, {}. \
         The table below has the numbers.{undated}",
        grouping_columns(shares.names),
        format_estimate(shares.overall)
    )
}

/// Maximum length of a name, and that on a narrow screen, so that the plot has room.
const MAX_NAME: [usize; 2] = [20, 12];

/// Height of a row, of the axis, and of a line of the title or the legend with its share of the margins, in pixels.
const ROW_HEIGHT: f64 = 18.0;
const AXIS_HEIGHT: f64 = 80.0;
const LINE_HEIGHT: f64 = 25.0;

/// Maximum number of groups in a figure.
const MAX_POINTS: usize = 400;

/// Number of groups at either end that have names if there are many.
const ENDS: usize = 5;

/// Height of all groups between these ends, in rows; on a slide it is less.
const MIDDLE: [f64; 2] = [16.0, 4.0];

/// Draws one row for each estimate, the total below them and a line at it; `None` if no group, or
/// only one of several, can be shown.
fn rows(shares: &GroupShares, heading: &str, size: FigureSize) -> Option<Drawing> {
    let is_slide = size == FigureSize::Slide;
    let (overall, mut rows) = (shares.overall, shares.rows.clone());
    let is_total = shares.names.columns().next().is_none();
    let are_many = rows.len() > if is_slide { 2 * ENDS + 4 } else { MANY_GROUPS };
    if are_many {
        rows.retain(|row| Reliability::from_estimate(&row.estimate) != Reliability::Unreliable);
        rows.sort_by(|a, b| b.estimate.raw.total_cmp(&a.estimate.raw));
        let (number, last) = (rows.len(), rows.len().saturating_sub(ENDS));
        let step = number.div_ceil(MAX_POINTS);
        let mut index = 0..number;
        rows.retain(|_| index.next().is_some_and(|i| i < ENDS || i >= last || i % step == 0));
    }
    if rows.len() < if is_total { 1 } else { 2 } {
        return None;
    }
    let total = EstimateRow::total(overall.clone());
    let number = rows.len();
    // The distance from the first row. Rows between the named ones are closer to each other.
    let middle = number.saturating_sub(2 * ENDS);
    let pitch = if are_many { (MIDDLE[usize::from(is_slide)] / middle.max(1) as f64).min(1.0) } else { 1.0 };
    let depth = |i: usize| {
        let gaps = if are_many { u8::from(i >= ENDS) + u8::from(i >= ENDS + middle) } else { 0 };
        let named = i.min(ENDS) + i.saturating_sub(ENDS + middle);
        named as f64 + pitch * i.saturating_sub(ENDS).min(middle) as f64 + 0.5 * f64::from(gaps)
    };
    let is_named = |i: usize| !are_many || i < ENDS || i >= ENDS + middle;
    rows.extend((number > 1).then_some(&total));
    let bottom = depth(rows.len() - 1);
    let texts = shares.names.texts();
    let name = |(i, row): (usize, &EstimateRow)| {
        if i == number { "all together".to_owned() } else { group_name(&texts, row.group) }
    };
    let labels = rows.iter().copied().enumerate().map(|(i, row)| reading(&name((i, row)), &row.estimate)).collect();
    let mut plots = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let (y, [lower, upper]) = (bottom - depth(i), limits(&row.estimate));
        let colour = match Reliability::from_estimate(&row.estimate) {
            _ if i == number => INK,
            Reliability::Reliable if are_many && (lower..=upper).contains(&overall.prevalence) => GREY,
            reliability => reliability_colour(reliability),
        };
        // Lines that touch would be a cloud.
        let scale = if is_named(i) { 2.0 } else { (ROW_HEIGHT * pitch).min(1.0) };
        let (width, size) = (0.75 * scale, 1.75 * scale);
        plots.push(line(vec![(lower, y), (upper, y)], colour).with_stroke_width(width).into());
        let dot = ScatterPlot::new().with_data([(row.estimate.prevalence, y)]).with_color(colour);
        plots.push(dot.with_size(size).into());
    }
    let legend = if are_many {
        let kinds =
            [("interval excludes the total", BLUE), ("interval includes the total", GREY), (DIFFERS, VERMILION)];
        let number = if shares.has_any(Reliability::ScoresDiffer) { 3 } else { 2 };
        kinds[..number].iter().map(|(name, colour)| entry(*name, colour, LegendShape::Circle)).collect()
    } else {
        let counts = rows[..number].iter().enumerate();
        let counts = counts.filter_map(|(i, row)| Some((shares.uncorrected_share(row.group)?, bottom - depth(i))));
        plots.extend(uncorrected_shares(counts.collect()));
        legend(shares)
    };
    let mut layout = share_axis(shares).horizontal(size.with_title(Layout::auto_from_plots(&plots), heading));
    let named = || rows.iter().copied().enumerate().filter(|(i, _)| is_named(*i));
    let max_length = MAX_NAME[usize::from(size == FigureSize::Phone)];
    let names = named().map(|row| label(&name(row), max_length)).collect();
    layout = layout.with_y_categories(names).with_y_axis_min(-0.6).with_y_axis_max(bottom + 0.6);
    layout.y_category_positions = Some(named().map(|(i, _)| bottom - depth(i)).collect());
    if number > 1 {
        layout = layout.with_reference_line(ReferenceLine::vertical(overall.prevalence).with_color(GREY));
    }
    let (width, mut height) = size.pixels();
    if !is_slide {
        let legend_lines = if size == FigureSize::Phone { legend.len() } else { legend.len().min(1) };
        let title_lines = size.title_lines(heading);
        height = AXIS_HEIGHT + ROW_HEIGHT * (bottom + 1.2) + LINE_HEIGHT * (legend_lines + title_lines) as f64;
    }
    let description = if is_total {
        let count = shares.uncorrected.first().map(|count| format!(" The uncorrected share is {}.", share(*count, 1)));
        format!("Estimated share of all rows together: {}.{}", format_estimate(overall), count.unwrap_or_default())
    } else {
        describe(shares, shares.rows.len(), "")
    };
    Some(Drawing::new((plots, with_legend(layout, legend)), (width, height), description).with_labels(labels))
}

/// Marker of estimates whose scores differ from the labelled ones, in figures with several lines.
const CAUTION_MARKER: MarkerShape = MarkerShape::Plus;

/// Legends of estimates to read with care.
const DIFFERS: &str = "unlike labelled scores";
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
    let crosses = ScatterPlot::new().with_marker(MarkerShape::Cross).with_color(INK).with_size(2.5);
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
    // A title says what a single kind of mark shows.
    if legend.len() == 1 { Vec::new() } else { legend }
}
