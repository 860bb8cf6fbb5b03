//! Prevalence by group with its interval, highest first: a row for each group as long as there is room for their names,
//! else a band.

use super::SIZE;
use crate::figure::{Drawing, GREY, line, percentages, shortened};
use crate::output::Answer;
use crate::report::found::{Found, ends};
use crate::report::words::{best, named};
use kuva::plot::{BandPlot, ForestPlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount_io::results::EstimateRow;
use truecount_studies::palette::{BLUE, VERMILION};

/// Groups with a row of their own, at most.
const ROWS: usize = 80;

/// Letters of a name that leave room for the plot.
const NAME: usize = 20;

/// Height of a row, and of what is above and below them.
const ROW: f64 = 18.0;
const FRAME: f64 = 90.0;

/// Groups drawn in the band, at most: more could not be told apart.
const POINTS: usize = 400;

/// Whether there are too many groups for rows.
pub fn is_band(groups: &Answer) -> bool {
    groups.rows.len() > ROWS * groups.model.quantifiers().len()
}

/// The picture, for two groups or more.
pub fn draw(groups: &Answer, found: &Found) -> Option<Drawing> {
    let first = found.models.first();
    let mut rows: Vec<&EstimateRow> = groups.rows.iter().filter(|row| row.method == first).collect();
    if rows.len() < 2 {
        return None;
    }
    rows.sort_by(|a, b| b.estimate.raw.total_cmp(&a.estimate.raw));
    let is_band = is_band(groups);
    let (plots, height) = if is_band {
        (band(&rows), SIZE.1)
    } else {
        (vec![Plot::Forest(forest(&rows, groups, found))], FRAME + ROW * rows.len() as f64)
    };
    let whole = found.answer().prevalence;
    let layout = Layout::auto_from_plots(&plots);
    let layout = if is_band {
        layout
            .with_x_label("groups, from the highest prevalence to the lowest")
            .with_y_label("prevalence")
            .with_y_axis_min(0.0)
            .with_y_axis_max(1.0)
            .with_y_tick_format(percentages())
            .with_reference_line(ReferenceLine::horizontal(whole).with_color(GREY))
    } else {
        layout
            .with_x_label("prevalence")
            .with_x_axis_min(0.0)
            .with_x_axis_max(1.0)
            .with_x_tick_format(percentages())
            .with_reference_line(ReferenceLine::vertical(whole).with_color(GREY))
    };
    let layout = layout.with_title(format!("Prevalence by group ({first})"));
    let (highest, lowest) = (rows.first()?, rows.last()?);
    let texts = groups.keys.texts();
    let ended = |row: &EstimateRow| {
        let share = best(&row.estimate);
        format!("{} ({share})", texts.of(row.group).map(|value| named(&value)).collect::<Vec<_>>().join(", "))
    };
    let words = format!(
        "Estimated prevalence of {} groups with intervals, from {} to {}. The dashed line is all rows together, {}. The table \
         below has the numbers.",
        rows.len(),
        ended(highest),
        ended(lowest),
        best(found.answer())
    );
    Some(Drawing::new((plots, layout), (SIZE.0, height), words))
}

fn forest(rows: &[&EstimateRow], groups: &Answer, found: &Found) -> ForestPlot {
    let texts = groups.keys.texts();
    let plot = ForestPlot::new().with_show_null_line(false).with_marker_size(3.0).with_color(BLUE);
    rows.iter().fold(plot, |plot, row| {
        let values: Vec<String> = texts.of(row.group).map(|value| named(&value)).collect();
        let (mark, colour) = if found.is_doubtful(row.group) { (" *", VERMILION) } else { ("", BLUE) };
        let [lower, upper] = ends(&row.estimate);
        plot.with_colored_row(shortened(&values.join(", "), NAME) + mark, row.estimate.prevalence, lower, upper, colour)
    })
}

fn band(rows: &[&EstimateRow]) -> Vec<Plot> {
    let step = rows.len().div_ceil(POINTS);
    let shown: Vec<(f64, &EstimateRow)> =
        rows.iter().enumerate().step_by(step).map(|(i, row)| (i as f64 + 1.0, *row)).collect();
    let place = || shown.iter().map(|(place, _)| *place);
    let end = |side: usize| shown.iter().map(move |(_, row)| ends(&row.estimate)[side]);
    let estimates = shown.iter().map(|(place, row)| (*place, row.estimate.prevalence)).collect();
    vec![Plot::Band(BandPlot::new(place(), end(0), end(1)).with_color(BLUE)), line(estimates, BLUE).into()]
}
