//! J(θ), the difference of true and false positive rate by the fitted classes, with the region that Continuous Sweep averages over.

use super::SIZE;
use super::scores::window;
use crate::figure::palette::BLUE;
use crate::figure::{Drawing, GREY, broken, line, with_legend};
use kuva::render::annotations::{ReferenceLine, ShadedRegion};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use truecount::PerClass;
use truecount::quantifier::Quantifier;
use truecount::sweep::Separation;

/// Points of the curve.
const POINTS: u32 = 300;

/// The picture, if the method is a Continuous Sweep.
pub fn draw(method: &Quantifier, separation: &Separation, scores: &PerClass<Vec<f64>>) -> Option<Drawing> {
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
        "J, the true less the false positive rate by the fitted classes, against the threshold. The shaded region, where it is {p:.3} or \
         more, is what {name} averages over."
    );
    let layout = with_legend(layout, vec![broken(format!("{p:.3}: {name}"), GREY)]);
    Some(Drawing::new((plots, layout), SIZE, words))
}
