//! How well each family fits both classes: PP plots, the observed against the fitted share of scores below each score.

use crate::check::families::Fit;
use crate::figure::{Drawing, GREY, line, observed};
use crate::report::words::p_value;
use kuva::plot::LegendPosition;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use truecount::distribution::Family;
use truecount::{Class, PerClass};
use truecount_studies::palette::{BLUE, VERMILION};

/// Width and height: square axes, three beside each other.
const SIZE: (f64, f64) = (330.0, 330.0);

/// A picture for each family that can be fitted to a class.
pub fn draw(fits: &[Fit], scores: &PerClass<Vec<f64>>) -> Vec<(Family, Drawing)> {
    let mut families: Vec<Family> = Vec::new();
    for fit in fits.iter().filter(|fit| fit.found.is_ok()) {
        if !families.contains(&fit.family) {
            families.push(fit.family);
        }
    }
    families.into_iter().map(|family| (family, panel(family, fits, scores))).collect()
}

fn panel(family: Family, fits: &[Fit], scores: &PerClass<Vec<f64>>) -> Drawing {
    let mut plots = vec![Plot::Line(line(vec![(0.0, 0.0), (1.0, 1.0)], GREY).with_dashed())];
    let mut words = format!("Observed against fitted distribution function of the {family} family.");
    for fit in fits.iter().filter(|fit| fit.family == family) {
        let (scores, colour) = match fit.class {
            Class::Positive => (&scores.positive, VERMILION),
            Class::Negative => (&scores.negative, BLUE),
        };
        if let Ok(found) = &fit.found {
            let p = found.p_value.map_or_else(|| "p unknown".to_owned(), p_value);
            plots.push(
                line(observed(found.goodness.fitted(), scores), colour)
                    .with_stroke_width(2.0)
                    .with_legend(format!("{}s, {p}", fit.class))
                    .into(),
            );
            words.extend([format!(" The {}s: {p}.", fit.class)]);
        }
    }
    let layout = Layout::auto_from_plots(&plots)
        .with_title(family.to_string())
        .with_x_label("fitted share below")
        .with_y_label("observed share below")
        .with_x_axis_min(0.0)
        .with_x_axis_max(1.0)
        .with_y_axis_min(0.0)
        .with_y_axis_max(1.0)
        .with_tick_format(TickFormat::Fixed(1))
        .with_legend_position(LegendPosition::InsideBottomRight);
    Drawing::new((plots, layout), SIZE, words)
}
