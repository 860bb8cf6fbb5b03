//! Prevalence against time with its interval, where the groups are dates: a whisker for each group as long as they can be
//! told apart, else a band. Places are as far apart as their dates; where dates are missing, the line has a gap.

use super::{SIZE, marks};
use crate::figure::{Drawing, GREY, entry, line, percentages, time_axis, title, with_legend};
use crate::output::Answer;
use crate::report::found::{Found, ends};
use crate::report::trust::Trust;
use crate::report::words::{best, named};
use kuva::plot::legend::LegendShape;
use kuva::plot::{BandPlot, ScatterPlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount_analysis::groups::Dates;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::EstimateRow;
use truecount_studies::palette::SERIES;

/// Lines that can be told apart in one picture.
const LINES: usize = 4;

/// Whiskers in a picture, at most.
const WHISKERS: usize = 80;

/// How far whiskers of different lines at the same date are from each other, in usual distances of dates.
const BESIDE: f64 = 0.12;

/// Groups of a line drawn in a band, at most.
const POINTS: usize = 400;

/// A gap is this many times as long as the usual distance: of months and quarters none is.
const GAP: i64 = 8;
const USUAL: i64 = 5;

/// The groups that differ in their dates alone.
struct Line<'a> {
    name: String,
    /// Their dates, ascending.
    points: Vec<(i64, &'a EstimateRow)>,
}

/// The picture, if the groups are dates, at least two, and of few lines.
pub fn draw(groups: &Answer, found: &Found) -> Option<Drawing> {
    let Dates { seconds, form } = groups.keys.dates()?;
    let lines = lines(groups, found, &seconds)?;
    let points = || lines.iter().flat_map(|line| &line.points);
    let (from, to) = (points().map(|(at, _)| *at).min()?, points().map(|(at, _)| *at).max()?);
    if from == to {
        return None;
    }
    let number = points().count();
    let alone = lines.len() == 1;
    let mut plots = Vec::new();
    for (place, (line, colour)) in lines.iter().zip(SERIES).enumerate() {
        let mark = |trust| if alone || trust == Trust::Unreliable { marks::colour(trust) } else { colour };
        let aside = BESIDE * (place as f64 - (lines.len() - 1) as f64 / 2.0);
        let whiskers = (number <= WHISKERS).then_some(aside);
        plots.extend(line.plots(colour, whiskers, mark));
    }
    let legend = if alone {
        let counts = points().filter_map(|(at, row)| Some((*at as f64, found.count(row.group)?))).collect();
        // Below the estimates.
        plots.splice(0..0, marks::counted(counts));
        marks::legend(found)
    } else {
        let names = lines.iter().zip(SERIES);
        names.map(|(line, colour)| entry(title(&line.name), colour, LegendShape::Line)).chain([marks::all()]).collect()
    };
    let column = groups.keys.columns().last().expect("the dates");
    let layout = time_axis(Layout::auto_from_plots(&plots), [from as f64, to as f64], form)
        .with_x_label(title(column))
        .with_y_label("share")
        .with_y_axis_min(0.0)
        .with_y_axis_max(marks::top(found))
        .with_y_tick_format(percentages())
        .with_reference_line(ReferenceLine::horizontal(found.answer().prevalence).with_color(GREY));
    Some(Drawing::new((plots, with_legend(layout, legend)), SIZE, words(groups, found, &lines)))
}

/// The groups with dates by the values of the other columns; `None` if these are too many.
fn lines<'a>(groups: &Answer, found: &'a Found, seconds: &[Option<i64>]) -> Option<Vec<Line<'a>>> {
    let texts = groups.keys.texts();
    let others = groups.keys.columns().count() - 1;
    let mut lines: Vec<Line> = Vec::new();
    for row in found.rows() {
        let Some(at) = seconds[row.group] else { continue };
        let name: Vec<String> = texts.of(row.group).take(others).map(|value| named(&value)).collect();
        let name = name.join(", ");
        match lines.iter().position(|line| line.name == name) {
            Some(place) => lines[place].points.push((at, row)),
            None if lines.len() == LINES => return None,
            None => lines.push(Line { name, points: vec![(at, row)] }),
        }
    }
    for line in &mut lines {
        line.points.sort_by_key(|(at, _)| *at);
    }
    Some(lines)
}

impl<'a> Line<'a> {
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
            let of = || marked.iter().filter(|(_, row)| Trust::of(&row.estimate) == trust);
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
fn words(groups: &Answer, found: &Found, lines: &[Line]) -> String {
    let dated: usize = lines.iter().map(|line| line.points.len()).sum();
    let undated = match found.rows().len() - dated {
        0 => String::new(),
        1 => " One group without a date is in the table alone.".to_owned(),
        more => format!(" {more} groups without a date are in the table alone."),
    };
    format!(
        "Estimated shares of {dated} groups by {} with intervals against time. The dashed line is all of them together, {}. The table below \
         has the numbers.{undated}",
        groups.keys.columns().collect::<Vec<_>>().join(", "),
        best(found.answer())
    )
}
