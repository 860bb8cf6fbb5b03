//! The figure of the checks: Adjusted Count at every threshold with its pointwise 95 % band, and for each
//! class the empirical minus the fitted distribution function.
//!
//! Under prior probability shift, Adjusted Count is the same at every threshold, up to chance.

use crate::drawing::palette::{BLUE, VERMILION};
use crate::drawing::{Drawing, FigureSize, GREY, Panel, line, percentages, signed_points, title};
use crate::words::p_value_phrase;
use kuva::plot::BandPlot;
use kuva::render::annotations::ReferenceLine;
use kuva::render::figure::Figure;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount::Error;
use truecount::distribution::{Distribution, Family};
use truecount::scores::{Class, PerClass};
use truecount::shift_test::ShiftVerdict;

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.96;

/// Maximum number of points of a curve.
const MAX_POINTS: usize = 400;

/// Room for the name of the level after the curve, relative to the curve.
const LABEL_ROOM: f64 = 0.33;

/// Draws the group with the smallest p-value, if there are groups, and both classes.
///
/// # Errors
/// Returns an error if the family cannot be fitted.
pub fn draw<'a>(
    groups: impl Iterator<Item = (Vec<String>, &'a ShiftVerdict)>,
    scores: &PerClass<Vec<f64>>,
    family: Family,
    size: FigureSize,
) -> Result<Drawing, Error> {
    let worst = groups.min_by(|(_, a), (_, b)| a.statistics.p_value.total_cmp(&b.statistics.p_value));
    let panel = |(values, group): &(Vec<String>, &ShiftVerdict)| {
        adjusted_count(values, group, (group.statistics.prevalence, "nearest mixture"))
    };
    let mut panels: Vec<Panel> = worst.as_ref().map(panel).into_iter().collect();
    panels.push(difference(Class::Positive, &scores.positive, family)?);
    panels.push(difference(Class::Negative, &scores.negative, family)?);
    let rows = panels.len() - 1;
    let (width, height) = size.or_slide(rows, (1140.0, 600.0));
    let figure = Figure::new(rows, 2).with_figure_size(width, height);
    let cells = if worst.is_some() { vec![vec![0, 1], vec![2], vec![3]] } else { vec![vec![0], vec![1]] };
    let panels = cells.into_iter().zip(panels).collect();
    let counts = worst.map_or("", |_| "Adjusted Count by threshold, and ");
    let description = format!("{counts}the observed less the fitted {family} scores of both classes.");
    Ok(Drawing::from_panels(figure, panels, 0.5 * width, description))
}

/// Draws F̂ − F against F, with the band ±1.96 √(F(1−F)/n).
fn difference(class: Class, scores: &[f64], family: Family) -> Result<Panel, Error> {
    let fitted = family.fit(class, scores)?;
    let mut sorted = scores.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len();
    // The pairs (F(x₍ᵢ₎), (i − ½)/n − F(x₍ᵢ₎)).
    let point = |(i, x): (usize, &f64)| {
        let below = fitted.tails(*x).0;
        (below, (i as f64 + 0.5) / n as f64 - below)
    };
    let curve = sorted.iter().enumerate().step_by(n.div_ceil(MAX_POINTS)).map(point).collect();
    let grid: Vec<f64> = (0..=100).map(|k| f64::from(k) / 100.0).collect();
    let band: Vec<f64> = grid.iter().map(|p| Z * (p * (1.0 - p) / scores.len() as f64).sqrt()).collect();
    let plots = vec![
        Plot::Band(BandPlot::new(grid, band.iter().map(|c| -c), band.iter().copied()).with_color(GREY)),
        line(vec![(0.0, 0.0), (1.0, 0.0)], GREY).with_dashed().into(),
        line(curve, BLUE).into(),
    ];
    let layout = Layout::auto_from_plots(&plots)
        .with_title(format!("Scores of the {class}s less their {} fit", fitted.family()))
        .with_x_label("fitted share below the score")
        .with_y_label("observed less fitted (points)")
        .with_x_axis_min(0.0)
        .with_x_axis_max(1.0)
        .with_x_tick_format(percentages())
        .with_y_tick_format(signed_points());
    Ok((plots, layout))
}

/// Draws AC(θ) of the group with these values, its band, and a prevalence with the name at the end of its line.
pub fn adjusted_count(values: &[String], group: &ShiftVerdict, (prevalence, label): (f64, &str)) -> Panel {
    let curve = || group.adjusted_counts.iter();
    let lower = curve().map(|point| point.prevalence - Z * point.std_error);
    let upper = curve().map(|point| point.prevalence + Z * point.std_error);
    let plots = vec![
        Plot::Band(BandPlot::new(curve().map(|point| point.theta), lower, upper).with_color(BLUE)),
        line(curve().map(|point| (point.theta, point.prevalence)).collect(), BLUE).into(),
    ];
    let name = if values.is_empty() { String::new() } else { format!("{}: ", title(&values.join(", "))) };
    let title = if group.adjusted_counts.is_empty() {
        format!("{name}no threshold tells the labelled classes apart")
    } else {
        format!(
            "{name}Adjusted Count by threshold, with pointwise 95\u{a0}%\u{a0}band (joint\u{a0}test:\u{a0}p\u{a0}{})",
            p_value_phrase(group.adjusted_p_value).replace(' ', "\u{a0}")
        )
    };
    let mut layout = Layout::auto_from_plots(&plots).with_title(title).with_x_label("threshold");
    if let [first, .., last] = group.adjusted_counts.as_slice() {
        let end = last.theta + LABEL_ROOM * (last.theta - first.theta);
        layout = layout.with_x_axis_min(first.theta).with_x_axis_max(end);
    }
    let rule = ReferenceLine::horizontal(prevalence).with_color(VERMILION).with_label(label);
    (plots, layout.with_y_tick_format(percentages()).with_reference_line(rule))
}
