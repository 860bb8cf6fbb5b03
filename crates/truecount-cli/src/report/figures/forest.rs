//! The share of each group with its interval, in the order of the table: a row for each as long as there is room for their names, else a
//! band from the highest to the lowest.

use super::{SIZE, marks};
use crate::figure::{Drawing, GREY, entry, line, percentages, shortened, with_legend};
use crate::report::found::{Found, ends};
use crate::report::trust::Trust;
use crate::report::words::{best, named};
use kuva::plot::legend::LegendShape;
use kuva::plot::{BandPlot, ForestPlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::EstimateRow;
use truecount_studies::palette::BLUE;

/// Groups with a row of their own, at most.
const ROWS: usize = 80;

/// Letters of a name that leave room for the plot.
const NAME: usize = 20;

/// Height of a row, of what is above and below them, and of a line of the legend.
const ROW: f64 = 18.0;
const FRAME: f64 = 80.0;
const ENTRY: f64 = 20.0;

/// Groups drawn in the band, at most: more could not be told apart.
const POINTS: usize = 400;

/// Whether there are too many groups for rows.
pub fn is_band(found: &Found) -> bool {
    found.rows().len() > ROWS
}

/// The picture, for two groups or more.
pub fn draw(found: &Found) -> Option<Drawing> {
    let rows = found.rows();
    if rows.len() < 2 {
        return None;
    }
    let whole = best(found.answer());
    let words = format!(
        "Estimated shares of {} groups with intervals. The dashed line is all of them together, {whole}. The table below has the numbers.",
        rows.len(),
    );
    if is_band(found) { band(rows, found, words) } else { Some(named_rows(&rows, found, words)) }
}

fn named_rows(rows: &[&EstimateRow], found: &Found, words: String) -> Drawing {
    let texts = found.groups.as_ref().expect("rows of groups").keys.texts();
    let plot = ForestPlot::new().with_show_null_line(false).with_marker_size(3.0);
    let forest = rows.iter().fold(plot, |plot, row| {
        let values: Vec<String> = texts.of(row.group).map(|value| named(&value)).collect();
        let [lower, upper] = ends(&row.estimate);
        let colour = marks::colour(Trust::of(&row.estimate));
        plot.with_colored_row(shortened(&values.join(", "), NAME), row.estimate.prevalence, lower, upper, colour)
    });
    // The first row is the highest on the axis.
    let places = rows.iter().enumerate().map(|(i, row)| ((rows.len() - i) as f64, row.group));
    let counts = places.filter_map(|(place, group)| Some((found.count(group)?, place))).collect();
    let plots: Vec<Plot> = [Plot::Forest(forest)].into_iter().chain(marks::counted(counts)).collect();
    let layout = Layout::auto_from_plots(&plots)
        .with_x_label("share")
        .with_x_axis_min(0.0)
        .with_x_axis_max(marks::top(found))
        .with_x_tick_format(percentages())
        .with_reference_line(ReferenceLine::vertical(found.answer().prevalence).with_color(GREY));
    let legend = marks::legend(found);
    let height = FRAME + ROW * rows.len() as f64 + ENTRY * legend.len() as f64;
    Drawing::new((plots, with_legend(layout, legend)), (SIZE.0, height), words)
}

/// Of those that can be relied on; one picture has no room to tell thousands apart.
fn band(mut rows: Vec<&EstimateRow>, found: &Found, words: String) -> Option<Drawing> {
    rows.retain(|row| Trust::of(&row.estimate) != Trust::Unreliable);
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
        .with_y_axis_max(marks::top(found))
        .with_y_tick_format(percentages())
        .with_reference_line(ReferenceLine::horizontal(found.answer().prevalence).with_color(GREY));
    let legend = vec![entry("estimates and their intervals", BLUE, LegendShape::Line), marks::all()];
    Some(Drawing::new((plots, with_legend(layout, legend)), SIZE, words))
}
