//! Draws Efficient Sweep on the labelled messages: the weights of its thresholds, and what another choice of q costs.
//!
//! `cargo xtask figures` calls it with the file to write.

use kuva::plot::LinePlot;
use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::render::figure::Figure;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use std::error::Error;
use truecount::quantifier::BinnedSweep;
use truecount::{LabelledScores, Model, Settings};
use truecount_report::drawing::palette::{BLUE, VERMILION};
use truecount_report::drawing::{Drawing, entry, with_legend};

/// The number of new rows for which weights are drawn.
const NEW_ROWS: f64 = 1000.0;

/// The number of labelled scores of each class for which costs are drawn.
const LABELS_PER_CLASS: f64 = 200.0;

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
    let ((weights, weight_entries), (costs, cost_entries)) = (weights(sweep, &edges, low, high), costs());
    let weights_layout = Layout::auto_from_plots(&weights)
        .with_title("Weights of Adjusted Count at prevalence α")
        .with_x_label("score")
        .with_x_axis_min(low)
        .with_x_axis_max(high)
        .with_y_label("weight of an edge")
        .with_y_axis_min(0.0)
        .with_y_axis_max(0.1);
    let costs_layout = Layout::auto_from_plots(&costs)
        .with_title("Cost of q = α")
        .with_x_label("prevalence α")
        .with_x_axis_min(0.0)
        .with_x_axis_max(1.0)
        .with_y_label("increase of standard error (%)")
        .with_y_axis_min(0.0);
    let weights_layout = with_legend(weights_layout, weight_entries);
    let costs_layout = with_legend(costs_layout, cost_entries);
    let panels = vec![(vec![0], (weights, weights_layout)), (vec![1], (costs, costs_layout))];
    let figure = Figure::new(1, 2).with_cell_size(430.0, 360.0);
    let description = "Efficient Sweep's weights by score, and the cost of another prevalence than the true one.";
    std::fs::write(output, Drawing::from_panels(figure, panels, 430.0, description).svg())?;
    Ok(())
}

/// Draws the percentages by which standard errors would be larger if q were the prevalence.
fn costs() -> (Vec<Plot>, Vec<LegendEntry>) {
    let line = |&(n, color): &(f64, &str)| {
        let cost = |k: u32| {
            let alpha = f64::from(k) / 200.0;
            let factors = [alpha, 1.0 - alpha].map(|share| share / n + share * share / LABELS_PER_CLASS);
            let ratio = variance(alpha, factors) / variance(factors[0] / (factors[0] + factors[1]), factors);
            (alpha, 100.0 * (ratio.sqrt() - 1.0))
        };
        let line = LinePlot::new().with_data((1..200).map(cost).collect::<Vec<_>>()).with_color(color);
        (Plot::Line(line.with_stroke_width(2.0)), entry(format!("{n} new rows"), color, LegendShape::Line))
    };
    [(500.0, BLUE), (50_000.0, VERMILION)].iter().map(line).unzip()
}

/// Returns the variance of the mean of ψ at q for normal classes two standard deviations apart, for
/// the factors c₊ and c₋ of the class variances.
fn variance(q: f64, factors: [f64; 2]) -> f64 {
    let (mut mean, mut square, mut mass) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    for x in (-800..=1000).map(|k| f64::from(k) * 0.01) {
        let densities = [2.0, 0.0].map(|mean: f64| (-0.5 * (x - mean).powi(2)).exp());
        let psi = (densities[0] - densities[1]) / (q * densities[0] + (1.0 - q) * densities[1]);
        for class in 0..2 {
            mass[class] += densities[class];
            mean[class] += densities[class] * psi;
            square[class] += densities[class] * psi * psi;
        }
    }
    let mean = [mean[0] / mass[0], mean[1] / mass[1]];
    let variances = [square[0] / mass[0] - mean[0].powi(2), square[1] / mass[1] - mean[1].powi(2)];
    (factors[0] * variances[0] + factors[1] * variances[1]) / (mean[0] - mean[1]).powi(2)
}

fn weights(sweep: &BinnedSweep, edges: &[f64], low: f64, high: f64) -> (Vec<Plot>, Vec<LegendEntry>) {
    let line = |&(alpha, color): &(f64, &str)| {
        let points: Vec<(f64, f64)> = edges
            .iter()
            .copied()
            .zip(sweep.weights(alpha, NEW_ROWS))
            .filter(|(edge, _)| (low..=high).contains(edge))
            .collect();
        let line = LinePlot::new().with_data(points).with_color(color).with_stroke_width(2.0);
        (Plot::Line(line), entry(format!("α = {alpha}"), color, LegendShape::Line))
    };
    PREVALENCES.iter().map(line).unzip()
}
