//! The labelled scores, and what the method makes of them.

use crate::data::ascending;
use crate::drawing::palette::{BLUE, VERMILION};
use crate::drawing::{Drawing, GREY, SIZE, broken, entry, line, percentages, with_legend};
use crate::words::share;
use kuva::plot::BandPlot;
use kuva::plot::legend::LegendShape;
use kuva::plot::scatter::ScatterPlot;
use kuva::render::annotations::{ReferenceLine, ShadedRegion};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use std::sync::Arc;
use truecount::distribution::ScoreDistribution;
use truecount::quantifier::{BinnedSweep, CalibrationBin, Quantifier};
use truecount::sweep::Separation;
use truecount::{Class, LabelledScores, PerClass};

/// Bins across the picture.
const BINS: usize = 40;

/// Points of a curve.
const POINTS: u32 = 300;

/// The share of a class's scores that may lie beyond either end of the picture: one outlier must
/// not squeeze the rest.
const BEYOND: f64 = 0.002;

/// The labelled scores of both classes as histograms, with the densities if some were fitted.
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
    let layout = Layout::auto_from_plots(&plots)
        .with_title(if fitted.is_some() { "Labelled scores and fitted densities" } else { "Labelled scores" })
        .with_x_label("score")
        .with_y_label("density")
        .with_x_axis_min(range.0)
        .with_x_axis_max(range.1)
        .with_y_axis_min(0.0)
        .with_y_axis_max(1.05 * highest);
    let words = match fitted {
        Some(fitted) => format!(
            "Histograms of the labelled scores of both classes; over them the densities fitted to them, {} for the \
             positives and {} \
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

/// What a score tells of its row: the smoothed share of positives by score, over the shares among
/// the labelled scores themselves.
pub fn calibration(bins: &[CalibrationBin], labelled: &PerClass<Vec<f64>>) -> Drawing {
    let (low, high) = window(labelled);
    let (mut steps, mut observed) = (Vec::new(), Vec::new());
    for (bin, (from, end)) in bins.iter().zip(bounds(bins, (low, high))) {
        let smoothed = 1.0 / (1.0 + (-bin.log_ratio).exp());
        steps.extend([(from, smoothed), (end, smoothed)]);
        observed.extend(share_in(bin).filter(|_| from < end).map(|share| (0.5 * (from + end), share)));
    }
    let dots = ScatterPlot::new().with_data(observed).with_color(VERMILION).with_size(2.5);
    let plots = vec![dots.into(), Plot::Line(line(steps, BLUE).with_stroke_width(2.0))];
    let legend =
        vec![entry("smoothed", BLUE, LegendShape::Line), entry("labelled scores", VERMILION, LegendShape::Circle)];
    let layout = Layout::auto_from_plots(&plots)
        .with_title("What a score tells")
        .with_x_label("score")
        .with_y_label("share of positives")
        .with_x_axis_min(low)
        .with_x_axis_max(high)
        .with_y_axis_min(0.0)
        .with_y_axis_max(1.0)
        .with_y_tick_format(percentages());
    let words = format!(
        "The share of positives among as many labelled scores of each class, in {} bins of the score, and the smooth \
         curve through them.",
        bins.len()
    );
    Drawing::new((plots, with_legend(layout, legend)), SIZE, words)
}

/// Where each bin begins and ends in a picture of this range.
fn bounds(bins: &[CalibrationBin], (low, high): (f64, f64)) -> impl Iterator<Item = (f64, f64)> {
    let within = move |x: f64| x.clamp(low, high);
    let ends = bins.iter().skip(1).filter_map(|bin| bin.from).chain([f64::INFINITY]);
    bins.iter().zip(ends).map(move |(bin, end)| (within(bin.from.unwrap_or(f64::NEG_INFINITY)), within(end)))
}

/// The share of positives in a bin, each class weighing one half; none in an empty bin.
fn share_in(bin: &CalibrationBin) -> Option<f64> {
    let PerClass { positive, negative } = bin.share;
    (positive + negative > 0.0).then(|| positive / (positive + negative))
}

/// How much of a class is supposed to score otherwise.
pub const SUPPOSED: f64 = 0.02;

/// What no check can see: by how much the estimate moves if some items of a class have other
/// scores, by where these lie.
pub fn sensitivity(sweep: &BinnedSweep, estimate: f64, labelled: &PerClass<Vec<f64>>) -> Drawing {
    let (low, high) = window(labelled);
    let bins = sweep.bins();
    let steps = |class: Class| {
        let each = bounds(&bins, (low, high)).zip(sweep.moves(class, SUPPOSED, estimate));
        each.flat_map(|((from, end), by)| [(from, 100.0 * by), (end, 100.0 * by)]).collect::<Vec<_>>()
    };
    let plot = |class: Class, colour: &str| Plot::Line(line(steps(class), colour).with_stroke_width(2.0));
    let plots = vec![plot(Class::Negative, BLUE), plot(Class::Positive, VERMILION)];
    let legend = vec![
        entry("of the negatives", BLUE, LegendShape::Line),
        entry("of the positives", VERMILION, LegendShape::Line),
    ];
    let percent = share(SUPPOSED, 0);
    let layout = Layout::auto_from_plots(&plots)
        .with_title(format!("If {percent} scored otherwise"))
        .with_x_label("score that they have")
        .with_y_label("estimate moves by (points)")
        .with_x_axis_min(low)
        .with_x_axis_max(high);
    let words = format!(
        "By how many points the estimate moves if {percent} of the negatives, or of the positives, have a score other \
         than the labelled ones, by score."
    );
    Drawing::new((plots, with_legend(layout, legend)), SIZE, words)
}

/// The most that the estimate moves by, up or down.
pub fn most_moved(sweep: &BinnedSweep, estimate: f64) -> f64 {
    let moves = [Class::Negative, Class::Positive].map(|class| sweep.moves(class, SUPPOSED, estimate));
    moves.iter().flatten().fold(0.0, |most, by| by.abs().max(most))
}

/// J(θ), the difference of true and false positive rate by the fitted classes, with the region that
/// Continuous Sweep averages over; `None`
/// for other methods.
pub fn separation(method: &Quantifier, separation: &Separation, scores: &PerClass<Vec<f64>>) -> Option<Drawing> {
    let sweep = method.sweep()?;
    let (low, high) = window(scores);
    let at = |k: u32| low + (high - low) * f64::from(k) / f64::from(POINTS);
    let curve = (0..=POINTS).map(at).map(|theta| (theta, separation.j(theta))).collect();
    let plots = vec![Plot::Line(line(curve, BLUE).with_stroke_width(2.0))];
    let p = sweep.threshold().value();
    let layout = Layout::auto_from_plots(&plots)
        .with_title("J: how well a threshold tells the fitted classes apart")
        .with_x_label("threshold")
        .with_y_label("true less false positive rate")
        .with_x_axis_min(low)
        .with_x_axis_max(high)
        .with_y_axis_min(0.0)
        .with_y_axis_max(1.0)
        .with_y_tick_format(TickFormat::Fixed(1))
        .with_reference_line(ReferenceLine::horizontal(p).with_color(GREY));
    let within = sweep.region().intervals().iter().map(|[left, right]| (left.max(low), right.min(high)));
    let layout = within.filter(|(left, right)| left < right).fold(layout, |layout, (left, right)| {
        layout.with_shaded_region(ShadedRegion::vertical(left, right).with_color(BLUE).with_opacity(0.12))
    });
    let name = method.method();
    let words = format!(
        "J, the true less the false positive rate by the fitted classes, against the threshold. The shaded region, \
         where it is {p:.3} or \
         more, is what {name} averages over."
    );
    let layout = with_legend(layout, vec![broken(format!("{p:.3}: {name}"), GREY)]);
    Some(Drawing::new((plots, layout), SIZE, words))
}

/// How much each edge between bins counts in Efficient Sweep, at the prevalence that was estimated.
pub fn weights(sweep: &BinnedSweep, prevalence: f64, labelled: &LabelledScores) -> Drawing {
    let (low, high) = window(&labelled.scores().map(|scores: &Vec<f64>| ascending(scores)));
    let edges = sweep.bins().into_iter().filter_map(|bin| bin.from);
    let points: Vec<(f64, f64)> =
        edges.zip(sweep.weights(prevalence)).filter(|(edge, _)| (low..=high).contains(edge)).collect();
    let plots = vec![Plot::Line(line(points, BLUE).with_stroke_width(2.0))];
    let layout = Layout::auto_from_plots(&plots)
        .with_title("What each threshold counts for")
        .with_x_label("threshold")
        .with_y_label("weight of its Adjusted Count")
        .with_x_axis_min(low)
        .with_x_axis_max(high)
        .with_y_axis_min(0.0)
        .with_y_tick_format(TickFormat::Custom(Arc::new(weight)));
    let words =
        "The weight of Adjusted Count at each of Efficient Sweep's thresholds, at the prevalence that it estimates.";
    Drawing::new((plots, layout), SIZE, words)
}

/// Small weights without powers of ten, which the other ticks have not.
fn weight(at: f64) -> String {
    format!("{at:.4}").trim_end_matches('0').trim_end_matches('.').to_owned()
}
