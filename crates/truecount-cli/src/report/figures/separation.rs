//! J(θ), the difference of true and false positive rate, with the region that Continuous Sweep averages over.

use super::SIZE;
use super::scores::window;
use crate::figure::{Drawing, GREY, broken, line};
use kuva::plot::LegendPosition;
use kuva::render::annotations::{ReferenceLine, ShadedRegion};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use truecount::PerClass;
use truecount::quantifier::Quantifier;
use truecount::sweep::Separation;
use truecount_studies::palette::BLUE;

/// Points of the curve.
const POINTS: u32 = 300;

pub fn draw(separation: &Separation, sweep: Option<&Quantifier>, scores: &PerClass<Vec<f64>>) -> Drawing {
    let (low, high) = window(scores);
    let at = |k: u32| low + (high - low) * f64::from(k) / f64::from(POINTS);
    let curve = (0..=POINTS).map(at).map(|theta| (theta, separation.j(theta))).collect();
    let plots = vec![Plot::Line(line(curve, BLUE).with_stroke_width(2.0))];
    let mut layout = Layout::auto_from_plots(&plots)
        .with_title("J: how well a threshold tells the classes apart")
        .with_x_label("threshold")
        .with_y_label("true less false positive rate")
        .with_x_axis_min(low)
        .with_x_axis_max(high)
        .with_y_axis_min(0.0)
        .with_y_axis_max(1.0)
        .with_y_tick_format(TickFormat::Fixed(1));
    let mut words =
        format!("J, the true less the false positive rate, by threshold. It is {:.3} at most.", separation.max_j());
    if let Some((sweep, method)) = sweep.and_then(|q| Some((q.sweep()?, q.method()))) {
        let p = sweep.threshold().value();
        for [left, right] in sweep.region().intervals() {
            let (left, right) = (left.max(low), right.min(high));
            if left < right {
                layout =
                    layout.with_shaded_region(ShadedRegion::vertical(left, right).with_color(BLUE).with_opacity(0.12));
            }
        }
        layout = layout
            .with_reference_line(ReferenceLine::horizontal(p).with_color(GREY))
            .with_legend_entries(vec![broken(format!("{p:.3}: {method}"), GREY)])
            .with_legend_position(LegendPosition::InsideTopLeft);
        words.extend([format!(" The shaded region, where it is {p:.3} or more, is what {method} averages over.")]);
    }
    Drawing::new((plots, layout), SIZE, words)
}
