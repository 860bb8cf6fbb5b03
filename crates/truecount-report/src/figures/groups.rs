//! The shares of the groups with their intervals.
//!
//! Against time, where the groups are dates: a whisker for each group as long as they can be told
//! apart, else a band. Places are as far
//! apart as their dates; where dates are missing, the line has a gap. Else in the order of the
//! table: a row for each as long as there is
//! room for their names, else a band from the highest to the lowest.

use crate::data::{ReportData, ends};
use crate::drawing::palette::{BLUE, SERIES, VERMILION};
use crate::drawing::{Drawing, GREY, SIZE, broken, entry, line, percentages, shortened, time_axis, title, with_legend};
use crate::words::{Trust, best, named};
use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::scatter::MarkerShape;
use kuva::plot::{BandPlot, ForestPlot, ScatterPlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount_analysis::groups::Dates;
use truecount_analysis::results::{EstimateRow, percent};

/// Lines that can be told apart in one picture.
const LINES: usize = 4;

/// Whiskers in a picture, at most.
const WHISKERS: usize = 80;

/// How far whiskers of different lines at the same date are from each other, in usual distances of
/// dates.
const BESIDE: f64 = 0.12;

/// A gap is this many times as long as the usual distance: of months and quarters none is.
const GAP: i64 = 8;
const USUAL: i64 = 5;

/// The groups that differ in their dates alone.
struct GroupLine<'a> {
    name: String,
    /// Their dates, ascending.
    points: Vec<(i64, &'a EstimateRow)>,
}

/// The picture, if the groups are dates, at least two, and of few lines.
pub fn over_time(data: &ReportData) -> Option<Drawing> {
    let names = data.names;
    let Dates { seconds, form } = names.dates()?;
    let lines = lines(data, &seconds)?;
    let points = || lines.iter().flat_map(|line| &line.points);
    let (from, to) = (points().map(|(at, _)| *at).min()?, points().map(|(at, _)| *at).max()?);
    if from == to {
        return None;
    }
    let number = points().count();
    let alone = lines.len() == 1;
    let mut plots = Vec::new();
    for (place, (line, colour)) in lines.iter().zip(SERIES).enumerate() {
        let mark = |trust| if alone || trust == Trust::Unreliable { colour_of(trust) } else { colour };
        let aside = BESIDE * (place as f64 - (lines.len() - 1) as f64 / 2.0);
        let whiskers = (number <= WHISKERS).then_some(aside);
        plots.extend(line.plots(colour, whiskers, mark));
    }
    let legend = if alone {
        let counts = points().filter_map(|(at, row)| Some((*at as f64, data.count(row.group)?))).collect();
        // Below the estimates.
        plots.splice(0..0, counted(counts));
        legend(data)
    } else {
        let names = lines.iter().zip(SERIES);
        names
            .map(|(line, colour)| entry(title(&line.name), colour, LegendShape::Line))
            .chain([all_together()])
            .collect()
    };
    let column = names.columns().last().expect("the dates");
    let layout = time_axis(Layout::auto_from_plots(&plots), [from as f64, to as f64], form)
        .with_x_label(title(column))
        .with_y_label("share")
        .with_y_axis_min(0.0)
        .with_y_axis_max(top(data))
        .with_y_tick_format(percentages())
        .with_reference_line(ReferenceLine::horizontal(data.answer().prevalence).with_color(GREY));
    Some(Drawing::new((plots, with_legend(layout, legend)), SIZE, in_words(data, &lines)))
}

/// The groups with dates by the values of the other columns; `None` if these are too many.
fn lines<'a>(data: &'a ReportData, seconds: &[Option<i64>]) -> Option<Vec<GroupLine<'a>>> {
    let texts = data.names.texts();
    let others = data.names.columns().count() - 1;
    let mut lines: Vec<GroupLine> = Vec::new();
    for row in data.rows() {
        let Some(at) = seconds[row.group] else { continue };
        let name: Vec<String> = texts.group_texts(row.group).take(others).map(|value| named(&value)).collect();
        let name = name.join(", ");
        match lines.iter().position(|line| line.name == name) {
            Some(place) => lines[place].points.push((at, row)),
            None if lines.len() == LINES => return None,
            None => lines.push(GroupLine { name, points: vec![(at, row)] }),
        }
    }
    for line in &mut lines {
        line.points.sort_by_key(|(at, _)| *at);
    }
    Some(lines)
}

impl<'a> GroupLine<'a> {
    /// With whiskers, which may be so many of the usual distances aside, or else with a band.
    fn plots(&self, colour: &str, whiskers: Option<f64>, mark: impl Fn(Trust) -> &'a str) -> Vec<Plot> {
        let (aside, whiskers) = (whiskers.unwrap_or(0.0), whiskers.is_some());
        let step = if whiskers { 1 } else { self.points.len().div_ceil(POINTS) };
        let shown: Vec<_> = self.points.iter().copied().step_by(step).collect();
        let usual = usual(&shown);
        let place = |(at, _): &(i64, &EstimateRow)| *at as f64 + aside * usual as f64;
        let runs = || shown.chunk_by(|a, b| (b.0 - a.0) * USUAL <= usual * GAP);
        let mut plots = Vec::new();
        for run in runs().filter(|run| run.len() > 1) {
            let places = || run.iter().map(place);
            let end = |side: usize| run.iter().map(move |(_, row)| ends(&row.estimate)[side]);
            if !whiskers {
                plots.push(Plot::Band(BandPlot::new(places(), end(0), end(1)).with_color(colour)));
            }
            let estimates = places().zip(run.iter().map(|(_, row)| row.estimate.prevalence)).collect();
            plots.push(line(estimates, colour).with_stroke_width(if whiskers { 0.7 } else { 1.5 }).into());
        }
        // What is alone between two gaps has no band.
        let marked: Vec<_> = runs().filter(|run| whiskers || run.len() == 1).flatten().collect();
        for trust in [Trust::Holds, Trust::Differs, Trust::Unreliable] {
            let of = || marked.iter().filter(|(_, row)| Trust::from_estimate(&row.estimate) == trust);
            if of().next().is_none() {
                continue;
            }
            let arms = of().map(|(_, row)| {
                let [lower, upper] = ends(&row.estimate);
                (row.estimate.prevalence - lower, upper - row.estimate.prevalence)
            });
            let points = of().map(|point| (place(point), point.1.estimate.prevalence));
            plots.push(Plot::Scatter(
                ScatterPlot::new().with_data(points).with_y_err_asymmetric(arms).with_color(mark(trust)).with_size(3.0),
            ));
        }
        plots
    }
}

/// The median of the distances between neighbours, of two the lesser.
fn usual(points: &[(i64, &EstimateRow)]) -> i64 {
    let mut distances: Vec<i64> = points.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    distances.sort_unstable();
    distances.get(distances.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}

/// The picture in words.
fn in_words(data: &ReportData, lines: &[GroupLine]) -> String {
    let dated: usize = lines.iter().map(|line| line.points.len()).sum();
    let undated = match data.rows().len() - dated {
        0 => String::new(),
        1 => " One group without a date is in the table alone.".to_owned(),
        more => format!(" {more} groups without a date are in the table alone."),
    };
    format!(
        "Estimated shares of {dated} groups by {} with intervals against time. The dashed line is all of them \
         together, {}. The table below \
         has the numbers.{undated}",
        data.names.columns().collect::<Vec<_>>().join(", "),
        best(data.answer())
    )
}

/// Groups with a row of their own, at most.
const ROWS: usize = 80;

/// Letters of a name that leave room for the plot.
const NAME: usize = 20;

/// Height of a row, of what is above and below them, and of a line of the legend.
const ROW: f64 = 18.0;
const FRAME: f64 = 80.0;
const ENTRY: f64 = 20.0;

/// Groups drawn in a band, at most: more could not be told apart.
const POINTS: usize = 400;

/// Whether there are too many groups for rows.
pub fn is_band(data: &ReportData) -> bool {
    data.rows().len() > ROWS
}

/// The picture, for two groups or more.
pub fn forest(data: &ReportData) -> Option<Drawing> {
    let rows = data.rows();
    if rows.len() < 2 {
        return None;
    }
    let whole = best(data.answer());
    let words = format!(
        "Estimated shares of {} groups with intervals. The dashed line is all of them together, {whole}. The table \
         below has the numbers.",
        rows.len(),
    );
    if is_band(data) { band(rows, data, words) } else { Some(named_rows(&rows, data, words)) }
}

fn named_rows(rows: &[&EstimateRow], data: &ReportData, words: String) -> Drawing {
    let texts = data.names.texts();
    let plot = ForestPlot::new().with_show_null_line(false).with_marker_size(3.0);
    let forest = rows.iter().fold(plot, |plot, row| {
        let values: Vec<String> = texts.group_texts(row.group).map(|value| named(&value)).collect();
        let [lower, upper] = ends(&row.estimate);
        let colour = colour_of(Trust::from_estimate(&row.estimate));
        plot.with_colored_row(shortened(&values.join(", "), NAME), row.estimate.prevalence, lower, upper, colour)
    });
    // The first row is the highest on the axis.
    let places = rows.iter().enumerate().map(|(i, row)| ((rows.len() - i) as f64, row.group));
    let counts = places.filter_map(|(place, group)| Some((data.count(group)?, place))).collect();
    let plots: Vec<Plot> = [Plot::Forest(forest)].into_iter().chain(counted(counts)).collect();
    let layout = Layout::auto_from_plots(&plots)
        .with_x_label("share")
        .with_x_axis_min(0.0)
        .with_x_axis_max(top(data))
        .with_x_tick_format(percentages())
        .with_reference_line(ReferenceLine::vertical(data.answer().prevalence).with_color(GREY));
    let legend = legend(data);
    let height = FRAME + ROW * rows.len() as f64 + ENTRY * legend.len() as f64;
    Drawing::new((plots, with_legend(layout, legend)), (SIZE.0, height), words)
}

/// Of those that can be relied on; one picture has no room to tell thousands apart.
fn band(mut rows: Vec<&EstimateRow>, data: &ReportData, words: String) -> Option<Drawing> {
    rows.retain(|row| Trust::from_estimate(&row.estimate) != Trust::Unreliable);
    rows.sort_by(|a, b| b.estimate.raw.total_cmp(&a.estimate.raw));
    if rows.len() < 2 {
        return None;
    }
    let step = rows.len().div_ceil(POINTS);
    let shown: Vec<(f64, &EstimateRow)> =
        rows.iter().enumerate().step_by(step).map(|(i, row)| (i as f64 + 1.0, *row)).collect();
    let place = || shown.iter().map(|(place, _)| *place);
    let end = |side: usize| shown.iter().map(move |(_, row)| ends(&row.estimate)[side]);
    let estimates = shown.iter().map(|(place, row)| (*place, row.estimate.prevalence)).collect();
    let plots = vec![Plot::Band(BandPlot::new(place(), end(0), end(1)).with_color(BLUE)), line(estimates, BLUE).into()];
    let layout = Layout::auto_from_plots(&plots)
        .with_x_label("groups, from the highest share to the lowest")
        .with_y_label("share")
        .with_y_axis_min(0.0)
        .with_y_axis_max(top(data))
        .with_y_tick_format(percentages())
        .with_reference_line(ReferenceLine::horizontal(data.answer().prevalence).with_color(GREY));
    let legend = vec![entry("estimates and their intervals", BLUE, LegendShape::Line), all_together()];
    Some(Drawing::new((plots, with_legend(layout, legend)), SIZE, words))
}

/// Of a uncorrected share; pages show it in the colour of their text.
const COUNT: &str = "#000000";

/// Ends of an axis of shares, of which the first that holds everything is taken.
const TOPS: [f64; 7] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

/// What estimates of this kind look like.
fn colour_of(trust: Trust) -> &'static str {
    match trust {
        Trust::Holds => BLUE,
        Trust::Differs => VERMILION,
        Trust::Unreliable => GREY,
    }
}

/// The uncorrected shares at these places.
fn counted(places: Vec<(f64, f64)>) -> Option<Plot> {
    let crosses = ScatterPlot::new().with_marker(MarkerShape::Cross).with_color(COUNT).with_size(3.0);
    (!places.is_empty()).then(|| crosses.with_data(places).into())
}

/// The end of the axis of shares.
fn top(data: &ReportData) -> f64 {
    let highest = |row: &_| ends(row)[1];
    let rows = data.rows();
    let estimates = rows.iter().map(|row| highest(&row.estimate));
    let most = estimates.chain(rows.iter().filter_map(|row| data.count(row.group))).fold(0.0, f64::max);
    TOPS.into_iter().find(|top| most <= *top).unwrap_or(1.0)
}

/// Of all kinds of marks there are.
fn legend(data: &ReportData) -> Vec<LegendEntry> {
    let level = percent(data.answer().level);
    let corrected = if data.models.first().method().is_uncorrected() { "not corrected" } else { "estimate" };
    let estimate = match data.answer().uncertainty {
        Some(_) => format!("{corrected}, {level} % interval"),
        None => corrected.to_owned(),
    };
    let kinds = [
        (Trust::Holds, estimate),
        (Trust::Differs, "differs from the labelled".to_owned()),
        (Trust::Unreliable, "not reliable".to_owned()),
    ];
    let kinds = kinds.into_iter().filter(|(trust, _)| data.any(*trust));
    let mut legend: Vec<LegendEntry> =
        kinds.map(|(trust, label)| entry(label, colour_of(trust), LegendShape::Circle)).collect();
    if data.rows().iter().any(|row| data.count(row.group).is_some()) {
        legend.push(entry("uncorrected share", COUNT, LegendShape::Marker(MarkerShape::Cross)));
    }
    legend.push(all_together());
    legend
}

/// The line of all rows together.
fn all_together() -> LegendEntry {
    broken("all together", GREY)
}
