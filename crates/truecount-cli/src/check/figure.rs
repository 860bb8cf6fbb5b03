//! The picture of the checks: Adjusted Count at every threshold with its 95 % band, which is flat under prior probability shift, and
//! for each class the labelled less the fitted distribution function.

use crate::output;
use kuva::backend::svg::SvgBackend;
use kuva::plot::{BandPlot, LegendPosition, LinePlot};
use kuva::render::figure::Figure;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount::check::Checked;
use truecount::distribution::Family;
use truecount::{Class, Error, PerClass};
use truecount_studies::palette::{BLUE, VERMILION};

const GREY: &str = "#777777";

/// The normal quantile of 97.5 %.
const Z: f64 = 1.96;

/// Points of a curve, at most.
const POINTS: usize = 400;

/// Width and height of a panel below, in pixels.
const PANEL: (f64, f64) = (430.0, 300.0);

/// SVG of the group that is least of a mixture, if there are groups, and of both classes.
///
/// # Errors
/// Those of the family's fit.
pub fn draw<'a>(
    groups: impl Iterator<Item = (&'a Vec<String>, &'a Checked)>,
    scores: &PerClass<Vec<f64>>,
    family: Family,
) -> Result<String, Error> {
    let least = groups.min_by(|(_, a), (_, b)| a.shift.p_value.total_cmp(&b.shift.p_value));
    let mut panels: Vec<(Vec<Plot>, Layout)> =
        least.map(|(values, group)| adjusted_count(values, group)).into_iter().collect();
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

/// AC(θ), its band, and α̃.
fn adjusted_count(values: &[String], group: &Checked) -> (Vec<Plot>, Layout) {
    let theta = || group.curve.iter().map(|at| at.theta);
    let ends = [group.curve.first(), group.curve.last()].into_iter().flatten();
    let level: Vec<(f64, f64)> = ends.map(|at| (at.theta, group.shift.prevalence)).collect();
    let plots = vec![
        Plot::Band(
            BandPlot::new(
                theta(),
                group.curve.iter().map(|at| at.prevalence - Z * at.se),
                group.curve.iter().map(|at| at.prevalence + Z * at.se),
            )
            .with_color(BLUE),
        ),
        line(level, VERMILION).with_dashed().with_legend("nearest mixture").into(),
        line(group.curve.iter().map(|at| (at.theta, at.prevalence)).collect(), BLUE)
            .with_legend("Adjusted Count")
            .into(),
    ];
    let name = if values.is_empty() { String::new() } else { format!("{}: ", output::title(&values.join(", "))) };
    let p = output::short_p(group.shift.p_value);
    let p = if p.starts_with('<') { format!("p {p}") } else { format!("p = {p}") };
    let title = if group.curve.is_empty() {
        format!("{name}no threshold tells the labelled classes apart")
    } else {
        format!("{name}Adjusted Count by threshold ({p})")
    };
    let layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_x_label("threshold")
        .with_y_label("prevalence, with its 95 % band")
        .with_legend_position(LegendPosition::InsideBottomRight);
    (plots, layout)
}

/// F̂ − F against F, with ±1.96 √(F(1−F)/n).
fn difference(class: Class, scores: &[f64], family: Family) -> Result<(Vec<Plot>, Layout), Error> {
    let fitted = family.fit(class, scores)?;
    let mut sorted = scores.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len();
    let curve: Vec<(f64, f64)> = sorted
        .iter()
        .enumerate()
        .step_by(n.div_ceil(POINTS))
        .map(|(i, x)| {
            let below = fitted.tails(*x).0;
            (below, (i as f64 + 0.5) / n as f64 - below)
        })
        .collect();
    let grid: Vec<f64> = (0..=100).map(|k| f64::from(k) / 100.0).collect();
    let chance: Vec<f64> = grid.iter().map(|p| Z * (p * (1.0 - p) / n as f64).sqrt()).collect();
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

fn line(points: Vec<(f64, f64)>, color: &str) -> LinePlot {
    LinePlot::new().with_data(points).with_color(color)
}
