//! The charts of the checks: Adjusted Count at every threshold with its 95 % band, which is flat
//! under prior
//! probability shift, and for each class the empirical minus the fitted distribution function.

use crate::drawing::palette::{BLUE, VERMILION};
use crate::drawing::{GREY, Panel, broken, entry, line, title, with_legend};
use kuva::backend::svg::SvgBackend;
use kuva::plot::BandPlot;
use kuva::plot::legend::LegendShape;
use kuva::render::figure::Figure;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount::check::ShiftVerdict;
use truecount::distribution::{Family, ScoreDistribution};
use truecount::{Class, Error, PerClass};
use truecount_analysis::results::format_p_value;

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.96;

/// Width and height of each lower panel, in pixels.
const PANEL: (f64, f64) = (430.0, 300.0);

/// The picture as SVG: the group that looks least like a mixture, if there are groups, and both
/// classes.
///
/// # Errors
/// Those of the family's fit.
pub fn draw<'a>(
    groups: impl Iterator<Item = (Vec<String>, &'a ShiftVerdict)>,
    scores: &PerClass<Vec<f64>>,
    family: Family,
) -> Result<String, Error> {
    let least = groups.min_by(|(_, a), (_, b)| a.shift.p_value.total_cmp(&b.shift.p_value));
    let nearest = |(values, group): &(Vec<String>, &ShiftVerdict)| {
        adjusted_count(values, group, &VerdictLevel(group.shift.prevalence, "nearest mixture"))
    };
    let mut panels: Vec<Panel> = least.as_ref().map(nearest).into_iter().collect();
    panels.push(difference(Class::Positive, &scores.positive, family)?);
    panels.push(difference(Class::Negative, &scores.negative, family)?);
    let figure = if least.is_some() {
        Figure::new(2, 2).with_structure(vec![vec![0, 1], vec![2], vec![3]])
    } else {
        Figure::new(1, 2)
    };
    let (plots, layouts) = panels.into_iter().unzip();
    let scene = figure.with_cell_size(PANEL.0, PANEL.1).with_plots(plots).with_layouts(layouts).render();
    Ok(SvgBackend.render_scene(&scene))
}

/// F̂ − F against F, with ±1.96 √(F(1−F)/n).
fn difference(class: Class, scores: &[f64], family: Family) -> Result<Panel, Error> {
    let fitted = family.fit(class, scores)?;
    let mut sorted = scores.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let curve = observed(&fitted, &sorted).into_iter().map(|(fitted, share)| (fitted, share - fitted)).collect();
    let grid: Vec<f64> = (0..=100).map(|k| f64::from(k) / 100.0).collect();
    let chance: Vec<f64> = grid.iter().map(|p| Z * (p * (1.0 - p) / scores.len() as f64).sqrt()).collect();
    let plots = vec![
        Plot::Band(BandPlot::new(grid, chance.iter().map(|c| -c), chance.iter().copied()).with_color(GREY)),
        line(vec![(0.0, 0.0), (1.0, 0.0)], GREY).with_dashed().into(),
        line(curve, BLUE).into(),
    ];
    let layout = Layout::auto_from_plots(&plots)
        .with_title(format!("{class} scores less {} fit", fitted.family()))
        .with_x_label("fitted share below the score")
        .with_y_label("observed less fitted")
        .with_x_axis_min(0.0)
        .with_x_axis_max(1.0);
    Ok((plots, layout))
}

/// The prevalence that the curve is compared with, and its name.
pub struct VerdictLevel<'a>(pub f64, pub &'a str);

/// AC(θ) of the group with these values, its band, and the level.
pub fn adjusted_count(values: &[String], group: &ShiftVerdict, level: &VerdictLevel) -> Panel {
    let theta = || group.curve.iter().map(|at| at.theta);
    let ends = [group.curve.first(), group.curve.last()].into_iter().flatten();
    let VerdictLevel(prevalence, called) = level;
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
    let p = format_p_value(group.adjusted);
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

/// The most points of a curve.
const POINTS: usize = 400;

/// At scores in ascending order, (F(x₍ᵢ₎), (i − ½)/n).
pub fn observed(fitted: &ScoreDistribution, sorted: &[f64]) -> Vec<(f64, f64)> {
    let n = sorted.len();
    let at = |(i, x): (usize, &f64)| (fitted.tails(*x).0, (i as f64 + 0.5) / n as f64);
    sorted.iter().enumerate().step_by(n.div_ceil(POINTS)).map(at).collect()
}
