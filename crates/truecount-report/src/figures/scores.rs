//! Figures of the labelled scores, and of the functions that methods derive from them.

use crate::data::ascending;
use crate::drawing::palette::{BLUE, VERMILION};
use crate::drawing::{Drawing, GREY, SIZE, dashed_entry, entry, line, percentages, signed_points, with_legend};
use crate::words::share;
use kuva::plot::BandPlot;
use kuva::plot::legend::LegendShape;
use kuva::plot::scatter::ScatterPlot;
use kuva::render::annotations::{ReferenceLine, ShadedRegion};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use std::sync::Arc;
use truecount::distribution::{Distribution, ScoreDistribution};
use truecount::quantifier::{BinnedSweep, CalibrationBin, Quantifier};
use truecount::scores::{Class, PerClass};
use truecount::sweep::Separation;
use truecount::{Estimate, LabelledScores};

const BINS: usize = 40;

/// Number of steps of a curve.
const STEPS: u32 = 300;

/// Share of a class's scores that may lie beyond either end of the axis, so that outliers do not squeeze the rest.
const BEYOND: f64 = 0.002;

/// Draws the labelled scores of both classes as histograms, with the fitted densities, if any.
pub fn scores(scores: &PerClass<Vec<f64>>, fitted: Option<&Separation>) -> Drawing {
    let range = window(scores);
    let classes = [
        ("positives", &scores.positive, VERMILION, fitted.map(Separation::positive)),
        ("negatives", &scores.negative, BLUE, fitted.map(Separation::negative)),
    ];
    let (mut plots, mut legend) = (Vec::new(), Vec::new());
    for (name, scores, colour, _) in &classes {
        plots.push(Plot::Band(histogram(scores, range).with_color(*colour).with_opacity(0.3)));
        legend.push(entry(format!("{name} ({})", scores.len()), colour, LegendShape::Rect));
    }
    for (_, _, colour, fitted) in &classes {
        plots.extend(fitted.map(|fitted| Plot::Line(line(density(fitted, range), colour).with_stroke_width(2.0))));
    }
    let highest = plots.iter().filter_map(Plot::bounds).map(|(_, (_, top))| top).fold(0.0, f64::max);
    let title = if fitted.is_some() { "Labelled scores and fitted densities" } else { "Labelled scores" };
    let layout = axes(&plots, title, ["score", "density"], range).with_y_axis_min(0.0).with_y_axis_max(1.05 * highest);
    let description = match fitted {
        Some(fitted) => format!(
            "Histograms of the labelled scores of both classes; over them the densities fitted to them, {} for the \
             positives and {} for the negatives.",
            fitted.positive().family(),
            fitted.negative().family()
        ),
        None => "Histograms of the labelled scores of both classes.".to_owned(),
    };
    Drawing::new((plots, with_legend(layout, legend)), SIZE, description)
}

/// Returns a layout with these titles and this range of scores.
fn axes(plots: &[Plot], title: &str, [x, y]: [&str; 2], (low, high): (f64, f64)) -> Layout {
    let layout = Layout::auto_from_plots(plots).with_title(title).with_x_label(x).with_y_label(y);
    layout.with_x_axis_min(low).with_x_axis_max(high)
}

/// Returns the range of nearly all scores of both classes, with a margin.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // an index of the scores
fn window(scores: &PerClass<Vec<f64>>) -> (f64, f64) {
    let ends = |sorted: &Vec<f64>| {
        let beyond = (BEYOND * sorted.len() as f64) as usize;
        (sorted[beyond], sorted[sorted.len() - 1 - beyond])
    };
    let ((a, b), (c, d)) = (ends(&scores.positive), ends(&scores.negative));
    let (low, high) = (a.min(c), b.max(d));
    let margin = 0.03 * (high - low);
    (low - margin, high + margin)
}

/// Draws a histogram of densities: its area is the share of the scores within the range.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and BINS
fn histogram(scores: &[f64], (low, high): (f64, f64)) -> BandPlot {
    let width = (high - low) / BINS as f64;
    let mut counts = [0.0; BINS];
    for score in scores.iter().filter(|score| (low..high).contains(*score)) {
        counts[(((score - low) / width) as usize).min(BINS - 1)] += 1.0;
    }
    let scale = scores.len() as f64 * width;
    // Each bin has two points, one at each edge.
    let edges = (0..BINS).flat_map(|bin| [bin, bin + 1].map(|edge| low + edge as f64 * width));
    let heights: Vec<f64> = counts.iter().flat_map(|count| [count / scale; 2]).collect();
    BandPlot::new(edges, vec![0.0; 2 * BINS], heights)
}

fn density(fitted: &ScoreDistribution, (low, high): (f64, f64)) -> Vec<(f64, f64)> {
    grid((low, high)).map(|x| (x, fitted.ln_pdf(x).exp())).filter(|(_, y)| y.is_finite()).collect()
}

/// Returns equally spaced points from one end of a range to the other.
fn grid((low, high): (f64, f64)) -> impl Iterator<Item = f64> {
    (0..=STEPS).map(move |k| low + (high - low) * f64::from(k) / f64::from(STEPS))
}

/// Draws the calibration curve: the smoothed share of positives by score, with the observed shares
/// of the labelled scores.
pub fn calibration(bins: &[CalibrationBin], labelled: &PerClass<Vec<f64>>) -> Drawing {
    let (low, high) = window(labelled);
    let (mut steps, mut observed) = (Vec::new(), Vec::new());
    for (bin, (from, end)) in bins.iter().zip(bounds(bins, (low, high))) {
        let smoothed = 1.0 / (1.0 + (-bin.log_ratio).exp());
        steps.extend([(from, smoothed), (end, smoothed)]);
        // The share of positives if each class weighs one half.
        let PerClass { positive, negative } = bin.share;
        if positive + negative > 0.0 && from < end {
            observed.push((0.5 * (from + end), positive / (positive + negative)));
        }
    }
    let dots = ScatterPlot::new().with_data(observed).with_color(VERMILION).with_size(2.5);
    let plots = vec![dots.into(), Plot::Line(line(steps, BLUE).with_stroke_width(2.0))];
    let legend =
        vec![entry("smoothed", BLUE, LegendShape::Line), entry("labelled scores", VERMILION, LegendShape::Circle)];
    let layout = axes(&plots, "What a score tells", ["score", "share of positives"], (low, high));
    let layout = layout.with_y_axis_min(0.0).with_y_axis_max(1.0).with_y_tick_format(percentages());
    let description = format!(
        "The share of positives by score if both classes were equally frequent, in {} bins of the score, and the smooth \
         curve through them.",
        bins.len()
    );
    Drawing::new((plots, with_legend(layout, legend)), SIZE, description)
}

/// Returns the bounds of each bin, limited to this range.
fn bounds(bins: &[CalibrationBin], (low, high): (f64, f64)) -> impl Iterator<Item = (f64, f64)> {
    let within = move |x: f64| x.clamp(low, high);
    let ends = bins.iter().skip(1).filter_map(|bin| bin.from).chain([f64::INFINITY]);
    bins.iter().zip(ends).map(move |(bin, end)| (within(bin.from.unwrap_or(f64::NEG_INFINITY)), within(end)))
}

/// Share of a class that is assumed to have other scores than the labelled ones.
pub const CONTAMINATION: f64 = 0.02;

/// Draws the change of the estimate if some items of a class have a score that differs from the
/// labelled ones, against that score. No check can see such a change.
pub fn sensitivity(sweep: &BinnedSweep, estimate: &Estimate, labelled: &PerClass<Vec<f64>>) -> Drawing {
    let (low, high) = window(labelled);
    let bins = sweep.bins();
    let percent = share(CONTAMINATION, 0);
    let curve = |(class, colour): (Class, &str)| {
        let changes = bounds(&bins, (low, high)).zip(changes(sweep, estimate, class));
        let steps = changes.flat_map(|((from, end), change)| [(from, change), (end, change)]).collect();
        let name = entry(format!("{percent} of the {class}s"), colour, LegendShape::Line);
        (Plot::Line(line(steps, colour).with_stroke_width(2.0)), name)
    };
    let (plots, legend): (Vec<_>, _) =
        [(Class::Negative, BLUE), (Class::Positive, VERMILION)].map(curve).into_iter().unzip();
    let title = format!("Change of the estimate if {percent} of a class get another score");
    let layout = axes(&plots, &title, ["the score that they get", "change (points)"], (low, high));
    let layout = layout.with_y_tick_format(signed_points());
    let description = format!("{title}, by that score, in points.");
    Drawing::new((plots, with_legend(layout, legend)), SIZE, description)
}

/// Largest absolute change of the estimate through contamination.
pub fn max_change(sweep: &BinnedSweep, estimate: &Estimate) -> f64 {
    let changes = [Class::Negative, Class::Positive].map(|class| changes(sweep, estimate, class));
    changes.iter().flatten().fold(0.0, |max, change| change.abs().max(max))
}

/// Returns the change of the estimate for each bin in which items of the class may score.
fn changes(sweep: &BinnedSweep, estimate: &Estimate, class: Class) -> Vec<f64> {
    sweep.contamination_by_bin(class, CONTAMINATION, estimate.prevalence, estimate.n as f64)
}

/// Draws J(θ), the true minus the false positive rate of the fitted classes, with the region that
/// Continuous Sweep averages over; `None` for other methods.
pub fn separation(method: &Quantifier, separation: &Separation, scores: &PerClass<Vec<f64>>) -> Option<Drawing> {
    let sweep = method.sweep()?;
    let (low, high) = window(scores);
    let curve = grid((low, high)).map(|theta| (theta, separation.j(theta))).collect();
    let plots = vec![Plot::Line(line(curve, BLUE).with_stroke_width(2.0))];
    let p = sweep.threshold().value();
    let title = "J: how well a threshold tells the fitted classes apart";
    let layout = axes(&plots, title, ["threshold", "true less false positive rate"], (low, high))
        .with_y_axis_min(0.0)
        .with_y_axis_max(1.0)
        .with_y_tick_format(TickFormat::Fixed(1))
        .with_reference_line(ReferenceLine::horizontal(p).with_color(GREY));
    let visible = sweep.region().intervals().iter().map(|[left, right]| (left.max(low), right.min(high)));
    let layout = visible.filter(|(left, right)| left < right).fold(layout, |layout, (left, right)| {
        layout.with_shaded_region(ShadedRegion::vertical(left, right).with_color(BLUE).with_opacity(0.12))
    });
    let name = method.method();
    let description = format!(
        "J, the true less the false positive rate by the fitted classes, against the threshold. The shaded region, \
         where it is {p:.3} or more, is what {name} averages over."
    );
    let layout = with_legend(layout, vec![dashed_entry(format!("{p:.3}: {name}"), GREY)]);
    Some(Drawing::new((plots, layout), SIZE, description))
}

/// Draws the weight of each edge between bins in Efficient Sweep, at the estimated prevalence.
pub fn weights(sweep: &BinnedSweep, estimate: &Estimate, labelled: &LabelledScores) -> Drawing {
    let (low, high) = window(&labelled.scores().map(|scores: &Vec<f64>| ascending(scores)));
    let edges = sweep.bins().into_iter().filter_map(|bin| bin.from);
    let points: Vec<(f64, f64)> = edges
        .zip(sweep.weights(estimate.prevalence, estimate.n as f64))
        .filter(|(edge, _)| (low..=high).contains(edge))
        .collect();
    let plots = vec![Plot::Line(line(points, BLUE).with_stroke_width(2.0))];
    let labels = ["threshold", "weight of its Adjusted Count"];
    let layout = axes(&plots, "What each threshold counts for", labels, (low, high)).with_y_axis_min(0.0);
    // Without powers of ten, which kuva uses for small ticks only.
    let text = |weight: f64| format!("{weight:.4}").trim_end_matches('0').trim_end_matches('.').to_owned();
    let layout = layout.with_y_tick_format(TickFormat::Custom(Arc::new(text)));
    let description =
        "The weight of Adjusted Count at each of Efficient Sweep's thresholds, at the prevalence that it estimates.";
    Drawing::new((plots, layout), SIZE, description)
}
