//! Adjusted Count at every threshold with its 95 % band: under prior probability shift, flat apart from chance.

use super::{Panel, Z, broken, entry, line, title, with_legend};
use kuva::plot::BandPlot;
use kuva::plot::legend::LegendShape;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount::check::Checked;
use truecount_analysis::results::short_p;
use truecount_studies::palette::{BLUE, VERMILION};

/// The prevalence that the curve is compared with, and its name.
pub struct Level<'a>(pub f64, pub &'a str);

/// AC(θ) of the group with these values, its band, and the level.
pub fn adjusted_count(values: &[String], group: &Checked, level: &Level) -> Panel {
    let theta = || group.curve.iter().map(|at| at.theta);
    let ends = [group.curve.first(), group.curve.last()].into_iter().flatten();
    let Level(prevalence, called) = level;
    let ends: Vec<(f64, f64)> = ends.map(|at| (at.theta, *prevalence)).collect();
    let plots = vec![
        Plot::Band(
            BandPlot::new(
                theta(),
                group.curve.iter().map(|at| at.prevalence - Z * at.se),
                group.curve.iter().map(|at| at.prevalence + Z * at.se),
            )
            .with_color(BLUE),
        ),
        line(ends, VERMILION).with_dashed().into(),
        line(group.curve.iter().map(|at| (at.theta, at.prevalence)).collect(), BLUE).into(),
    ];
    let name = if values.is_empty() { String::new() } else { format!("{}: ", title(&values.join(", "))) };
    let p = short_p(group.adjusted);
    let p = if p.starts_with('<') { format!("p {p}") } else { format!("p = {p}") };
    let title = if group.curve.is_empty() {
        format!("{name}no threshold tells the labelled classes apart")
    } else {
        format!("{name}Adjusted Count by threshold ({p})")
    };
    let layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_x_label("threshold")
        .with_y_label("prevalence, with its 95 % band");
    let legend = vec![entry("Adjusted Count", BLUE, LegendShape::Line), broken(*called, VERMILION)];
    (plots, with_legend(layout, legend))
}
