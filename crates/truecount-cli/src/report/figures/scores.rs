//! The labelled scores of both classes as histograms, with the densities if some were fitted.

use super::SIZE;
use crate::figure::palette::{BLUE, VERMILION};
use crate::figure::{Drawing, entry, line, with_legend};
use kuva::plot::BandPlot;
use kuva::plot::legend::LegendShape;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount::PerClass;
use truecount::distribution::ScoreDistribution;
use truecount::sweep::Separation;

/// Bins across the picture.
const BINS: usize = 40;

/// Points of a density.
const POINTS: u32 = 300;

/// The share of a class's scores that may lie beyond either end of the picture: one outlier must not squeeze the rest.
const BEYOND: f64 = 0.002;

pub fn draw(scores: &PerClass<Vec<f64>>, fitted: Option<&Separation>) -> Drawing {
    let window = window(scores);
    let classes = [
        ("positives", &scores.positive, VERMILION, fitted.map(Separation::positive)),
        ("negatives", &scores.negative, BLUE, fitted.map(Separation::negative)),
    ];
    let (mut plots, mut legend) = (Vec::new(), Vec::new());
    for (name, scores, colour, _) in &classes {
        plots.push(Plot::Band(histogram(scores, window).with_color(*colour).with_opacity(0.3)));
        legend.push(entry(format!("{name} ({})", scores.len()), colour, LegendShape::Rect));
    }
    for (_, _, colour, fitted) in &classes {
        plots.extend(fitted.map(|fitted| Plot::Line(line(density(fitted, window), colour).with_stroke_width(2.0))));
    }
    let highest = plots.iter().filter_map(Plot::bounds).map(|(_, (_, top))| top).fold(0.0, f64::max);
    let layout = Layout::auto_from_plots(&plots)
        .with_title(if fitted.is_some() { "Labelled scores and fitted densities" } else { "Labelled scores" })
        .with_x_label("score")
        .with_y_label("density")
        .with_x_axis_min(window.0)
        .with_x_axis_max(window.1)
        .with_y_axis_min(0.0)
        .with_y_axis_max(1.05 * highest);
    let words = match fitted {
        Some(fitted) => format!(
            "Histograms of the labelled scores of both classes; over them the densities fitted to them, {} for the positives and {} \
             for the negatives.",
            fitted.positive().family(),
            fitted.negative().family()
        ),
        None => "Histograms of the labelled scores of both classes.".to_owned(),
    };
    Drawing::new((plots, with_legend(layout, legend)), SIZE, words)
}

/// From where to where nearly all scores of both classes lie.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of their number
pub fn window(scores: &PerClass<Vec<f64>>) -> (f64, f64) {
    let ends = |sorted: &Vec<f64>| {
        let beyond = (BEYOND * sorted.len() as f64) as usize;
        (sorted[beyond], sorted[sorted.len() - 1 - beyond])
    };
    let ((a, b), (c, d)) = (ends(&scores.positive), ends(&scores.negative));
    let (low, high) = (a.min(c), b.max(d));
    let margin = 0.03 * (high - low);
    (low - margin, high + margin)
}

/// Heights whose area is the share of the scores that is shown.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of the bins
fn histogram(scores: &[f64], (low, high): (f64, f64)) -> BandPlot {
    let width = (high - low) / BINS as f64;
    let mut counts = [0.0; BINS];
    for score in scores.iter().filter(|score| (low..high).contains(*score)) {
        counts[(((score - low) / width) as usize).min(BINS - 1)] += 1.0;
    }
    let scale = scores.len() as f64 * width;
    // Both corners of every bin.
    let edges = (0..BINS).flat_map(|bin| [bin, bin + 1].map(|edge| low + edge as f64 * width));
    let heights: Vec<f64> = counts.iter().flat_map(|count| [count / scale; 2]).collect();
    BandPlot::new(edges, vec![0.0; 2 * BINS], heights)
}

fn density(fitted: &ScoreDistribution, (low, high): (f64, f64)) -> Vec<(f64, f64)> {
    let at = |k: u32| low + (high - low) * f64::from(k) / f64::from(POINTS);
    (0..=POINTS).map(at).map(|x| (x, fitted.ln_pdf(x).exp())).filter(|(_, y)| y.is_finite()).collect()
}
