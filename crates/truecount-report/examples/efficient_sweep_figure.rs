//! Draws Efficient Sweep on the labelled messages: bins, calibration curve and weights.
//!
//! `cargo xtask figures` calls it with the file to write.

use kuva::plot::scatter::ScatterPlot;
use kuva::plot::{LegendPosition, LinePlot};
use kuva::render::figure::Figure;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use std::error::Error;
use truecount::quantifier::BinnedSweep;
use truecount::scores::PerClass;
use truecount::{LabelledScores, Model, Settings};
use truecount_report::drawing::palette::{BLUE, VERMILION};
use truecount_report::drawing::svg_file;

/// The prevalences for which weights are drawn, with their colours.
const PREVALENCES: [(f64, &str); 3] = [(0.06, VERMILION), (0.5, BLUE), (0.94, "#009e73")];

fn main() -> Result<(), Box<dyn Error>> {
    let output = std::env::args().nth(1).ok_or("name the SVG file to write")?;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/spam/train.csv");
    let text = std::fs::read_to_string(path)?;
    let rows: Vec<(&str, &str)> = text.lines().skip(1).filter_map(|row| row.split_once(',')).collect();
    let scores = rows.iter().map(|(score, _)| score.parse()).collect::<Result<Vec<f64>, _>>()?;
    let labels: Vec<bool> = rows.iter().map(|(_, label)| *label == "1").collect();
    let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
    let sweep = model.quantifiers()[0].binned_sweep().expect("the default sweeps bins");

    let edges: Vec<f64> = sweep.bins().iter().filter_map(|bin| bin.from).collect();
    // Only single scores lie outside this range.
    let (low, high) = (-7.0, 7.0);
    let window = |layout: Layout| layout.with_x_label("score").with_x_axis_min(low).with_x_axis_max(high);
    let (curve, weights) = (curve(sweep, &edges, low, high), weights(sweep, &edges, low, high));
    let curve_layout = window(Layout::auto_from_plots(&curve))
        .with_title("Calibration curve")
        .with_y_label("ln of the ratio of the densities")
        .with_legend_position(LegendPosition::InsideTopLeft);
    let weights_layout = window(Layout::auto_from_plots(&weights))
        .with_title("Weights of Adjusted Count")
        .with_y_label("weight of an edge")
        .with_y_axis_min(0.0)
        .with_y_axis_max(0.1)
        .with_legend_position(LegendPosition::InsideTopRight);
    let figure = Figure::new(1, 2)
        .with_cell_size(430.0, 360.0)
        .with_plots(vec![curve, weights])
        .with_layouts(vec![curve_layout, weights_layout]);
    std::fs::write(output, svg_file(&figure.render()))?;
    Ok(())
}

/// Draws the curve as steps, and the observed log ratio of each bin with scores of both classes.
fn curve(sweep: &BinnedSweep, edges: &[f64], low: f64, high: f64) -> Vec<Plot> {
    let starts = [&[f64::MIN], edges].concat();
    let ends = [edges, &[f64::MAX]].concat();
    let is_inside = |bin: usize| starts[bin] >= low && ends[bin] <= high;
    let steps = starts.iter().zip(&ends).zip(sweep.bins()).enumerate().filter(|(index, _)| is_inside(*index));
    let steps: Vec<(f64, f64)> =
        steps.flat_map(|(_, ((from, to), bin))| [(*from, bin.log_ratio), (*to, bin.log_ratio)]).collect();
    let bins = sweep.bins();
    let total = |count: fn(&PerClass<u64>) -> u64| bins.iter().map(|bin| count(&bin.labelled)).sum::<u64>() as f64;
    let (positives, negatives) = (total(|labelled| labelled.positive), total(|labelled| labelled.negative));
    let both = bins.iter().enumerate().filter(|(_, bin)| bin.labelled.positive > 0 && bin.labelled.negative > 0);
    let observed = both.filter(|(index, _)| is_inside(*index)).map(|(index, bin)| {
        let ratio = bin.labelled.positive as f64 / positives / (bin.labelled.negative as f64 / negatives);
        (0.5 * (starts[index] + ends[index]), ratio.ln())
    });
    vec![
        Plot::Line(LinePlot::new().with_data(steps).with_color(BLUE).with_stroke_width(2.0).with_legend("curve")),
        Plot::Scatter(
            ScatterPlot::new().with_data(observed).with_color("#999999").with_size(3.0).with_legend("each bin alone"),
        ),
    ]
}

fn weights(sweep: &BinnedSweep, edges: &[f64], low: f64, high: f64) -> Vec<Plot> {
    let line = |&(alpha, color): &(f64, &str)| {
        let points: Vec<(f64, f64)> =
            edges.iter().copied().zip(sweep.weights(alpha)).filter(|(edge, _)| (low..=high).contains(edge)).collect();
        let line = LinePlot::new().with_data(points).with_color(color).with_stroke_width(2.0);
        Plot::Line(line.with_legend(format!("best at {alpha}")))
    };
    PREVALENCES.iter().map(line).collect()
}
