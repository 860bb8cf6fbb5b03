//! Continuous Sweep's variance against its threshold p_Δ at prevalence ½, as a multiple of the least there is: the
//! paper's figure of how the optimal threshold is found.

use super::SIZE;
use crate::figure::{Drawing, GREY, broken, line};
use kuva::plot::LegendPosition;
use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::scatter::ScatterPlot;
use kuva::render::annotations::ReferenceLine;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use truecount::quantifier::{ContinuousSweep, Quantifier, Threshold};
use truecount::sweep::{PDelta, Separation};
use truecount_studies::palette::{BLUE, VERMILION};

/// Points of the curve.
const POINTS: u32 = 80;

/// Multiples of the least variance that are shown.
const HIGHEST: f64 = 3.0;

pub fn draw(separation: &Separation, chosen: &Quantifier) -> Option<Drawing> {
    let variance = |threshold| Some(ContinuousSweep::new(separation, threshold).ok()?.moments().variance(0.5));
    let least = variance(Threshold::Optimal)?;
    let multiple = |p: f64| Some((p, variance(Threshold::Fixed(PDelta::new(p).ok()?))? / least));
    let max_j = separation.max_j();
    // From where the variance comes into view, closer together towards the largest J, where it turns.
    let in_view = |k: &u32| multiple(max_j * f64::from(*k) / f64::from(POINTS)).is_some_and(|(_, v)| v <= HIGHEST);
    let from = max_j * f64::from((1..POINTS).find(in_view).unwrap_or(POINTS) - 1) / f64::from(POINTS);
    let place = |k: u32| max_j - (max_j - from) * (1.0 - f64::from(k) / f64::from(POINTS)).powi(2);
    let curve: Vec<(f64, f64)> =
        (1..POINTS).filter_map(|k| multiple(place(k))).filter(|(_, v)| *v <= HIGHEST).collect();
    let (p, v) = multiple(chosen.sweep()?.threshold().value())?;
    let mark = ScatterPlot::new().with_data([(p, v.min(HIGHEST))]).with_color(VERMILION).with_size(5.0);
    let plots = vec![Plot::Line(line(curve, BLUE).with_stroke_width(2.0)), mark.into()];
    let legend = vec![
        LegendEntry {
            label: format!("{p:.3}: {}", chosen.method()),
            color: VERMILION.to_owned(),
            shape: LegendShape::Circle,
            dasharray: None,
        },
        broken(format!("{max_j:.3}: largest J"), GREY),
    ];
    let layout = Layout::auto_from_plots(&plots)
        .with_title("Variance by threshold")
        .with_x_label("threshold")
        .with_y_label("variance, as a multiple of the least")
        .with_x_axis_min(0.0)
        .with_x_axis_max(1.0)
        .with_x_tick_format(TickFormat::Fixed(1))
        .with_y_axis_min(1.0)
        .with_y_axis_max(HIGHEST)
        .with_y_tick_format(TickFormat::Fixed(1))
        .with_reference_line(ReferenceLine::vertical(max_j).with_color(GREY))
        .with_legend_entries(legend)
        .with_legend_position(LegendPosition::InsideTopCenter);
    let words = format!(
        "Continuous Sweep's variance against its threshold, at prevalence one half. At the threshold in use, {p:.3}, it is {v:.2} times \
         the least there is."
    );
    Some(Drawing::new((plots, layout), SIZE, words))
}
