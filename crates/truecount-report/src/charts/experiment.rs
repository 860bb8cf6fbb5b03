//! The figures of an experiment: Demšar's critical difference diagram (2006), and the errors of the
//! best methods by shift.
//!
//! The diagram shows methods on an axis of mean ranks. Bars connect methods whose ranks differ by
//! less than the critical difference.

use crate::drawing::palette::{SERIES, series};
use crate::drawing::{Drawing, FigureSize, entry, line, with_dark_mode, with_legend};
use kuva::plot::legend::LegendShape;
use kuva::plot::scatter::ScatterPlot;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use maud::html;
use truecount_analysis::experiment::{ExperimentTables, Facet, FacetRow, Protocol, Ranking};

const WIDTH: f64 = 760.0;
/// Width of the names on either side.
const MARGIN: f64 = 170.0;
const AXIS: f64 = 94.0;
const LINE: f64 = 18.0;
/// Distance between bars.
const BAR_STEP: f64 = 7.0;

/// Draws the figures of an experiment: names of files, with SVG.
pub fn draw(tables: &ExperimentTables, size: FigureSize) -> Vec<(String, String)> {
    let figures = |(protocol, ranking, facets): (&Protocol, &Ranking, &[Facet])| {
        let gap = ranking.critical_difference;
        let ranks = gap.map(|gap| (protocol.rank_figure(), critical_difference(ranking, gap, size)));
        let facet = facets.first().filter(|facet| facet.is_shift);
        let errors = facet.map(|facet| (protocol.shift_figure(), errors_by_shift(facet, &tables.measure(), size)));
        [ranks, errors]
    };
    tables.protocols().flat_map(figures).flatten().collect()
}

/// Draws the diagram of a ranking as SVG.
fn critical_difference(Ranking { methods, data_sets, .. }: &Ranking, difference: f64, size: FigureSize) -> String {
    let ranks: Vec<f64> = methods.iter().map(|row| row.rank).collect();
    let (first, last) = (1.0, ranks.len() as f64);
    let bars = bars(&ranks, difference);
    let top = AXIS + 14.0 + BAR_STEP * bars.len() as f64;
    let half = ranks.len().div_ceil(2);
    let (_, slide_height) = size.or_slide(1, (0.0, 0.0));
    let height = slide_height.max(top + LINE * half as f64 + 14.0);
    let width = if slide_height > 0.0 { height * 16.0 / 9.0 } else { WIDTH };
    // The best rank is on the left.
    let x = |rank: f64| {
        (10.0 * (MARGIN + (width - 2.0 * MARGIN) * (rank - first) / (last - first).max(1.0))).round() / 10.0
    };
    // Labels on the right are in descending order, so that lines do not cross.
    let label = |index: usize| {
        let rank = ranks[index];
        let (row, end, anchor, gap) = if index < half {
            (index, MARGIN - 8.0, "end", -4.0)
        } else {
            (ranks.len() - 1 - index, width - MARGIN + 8.0, "start", 4.0)
        };
        let y = top + LINE * (row as f64 + 0.5);
        html! {
            polyline points=(format!("{0},{AXIS} {0},{y} {end},{y}", x(rank))) fill="none" stroke="#777777" {}
            text x=(end + gap) y=(y + 4.0) text-anchor=(anchor) {
                @if index < half { (methods[index].method) (format!("  {rank:.2}")) }
                @else { (format!("{rank:.2}  ")) (methods[index].method) }
            }
        }
    };
    let step = (ranks.len() / 12 + 1).max(1);
    let ticks: Vec<usize> = (1..=ranks.len()).step_by(step).collect();
    let title = format!("Mean ranks of {} methods over {data_sets} data sets (1 is best)", ranks.len());
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox=(format!("0 0 {width} {height}"))
            role="img" aria-label={ (title) "; critical difference " (format!("{difference:.2}")) }
            font-family="DejaVu Sans, Arial, sans-serif" font-size="12" {
            rect width="100%" height="100%" fill="white" {}
            text x="8" y="20" font-size="14" { (title) }
            // The critical difference, to the scale of the axis.
            line x1=(x(first)) x2=(x((first + difference).min(last))) y1="52" y2="52"
                stroke="#000000" stroke-width="2" {}
            text x=(x(first)) y="46" { (format!("critical difference {difference:.2}; bars join closer methods")) }
            line x1=(x(first)) x2=(x(last)) y1=(AXIS) y2=(AXIS) stroke="#000000" {}
            @for tick in &ticks {
                line x1=(x(*tick as f64)) x2=(x(*tick as f64)) y1=(AXIS - 5.0) y2=(AXIS) stroke="#000000" {}
                text x=(x(*tick as f64)) y=(AXIS - 9.0) text-anchor="middle" { (tick) }
            }
            @for index in 0..ranks.len() { (label(index)) }
            @for (row, (from, to)) in bars.iter().enumerate() {
                line x1=(x(*from) - 3.0) x2=(x(*to) + 3.0)
                    y1=(AXIS + 9.0 + BAR_STEP * row as f64) y2=(AXIS + 9.0 + BAR_STEP * row as f64)
                    stroke="#D55E00" stroke-width="3.5" {}
            }
        }
    };
    with_dark_mode(&svg.into_string())
}

/// Draws the errors of methods by shift as SVG, for as many methods as there are colours.
fn errors_by_shift(Facet { by, positions, rows, .. }: &Facet, measure: &str, size: FigureSize) -> String {
    let (mut plots, mut legend): (Vec<Plot>, _) = (Vec::new(), Vec::new());
    for (index, FacetRow { method, means }) in rows.iter().take(SERIES.len()).enumerate() {
        let points = positions.iter().zip(means).filter_map(|(x, mean)| mean.map(|mean| (*x, mean)));
        let (points, (colour, marker)) = (points.collect::<Vec<_>>(), series(index));
        plots.push(line(points.clone(), colour).into());
        let dots = ScatterPlot::new().with_data(points).with_color(colour).with_marker(marker);
        plots.push(dots.with_size(3.0).into());
        legend.push(entry(method, colour, LegendShape::Marker(marker)));
    }
    let title = match legend.len() {
        n if n < rows.len() => format!("{measure} by {by}, of the first {n} methods"),
        _ => format!("{measure} by {by}"),
    };
    let layout = Layout::auto_from_plots(&plots).with_title(&title).with_x_label(*by).with_y_axis_min(0.0);
    Drawing::new((plots, with_legend(layout, legend)), size.or_slide(1, (640.0, 380.0)), title).svg()
}

/// Returns the first and last rank of each maximal run of sorted ranks that differ by less than the
/// critical difference.
fn bars(ranks: &[f64], difference: f64) -> Vec<(f64, f64)> {
    let mut bars: Vec<(usize, usize)> = Vec::new();
    for from in 0..ranks.len() {
        let to = ranks.iter().rposition(|rank| rank - ranks[from] < difference).expect("itself");
        let is_inside_last = bars.last().is_some_and(|(_, end)| *end >= to);
        if to > from && !is_inside_last {
            bars.push((from, to));
        }
    }
    bars.into_iter().map(|(from, to)| (ranks[from], ranks[to])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bar_is_inside_another() {
        assert_eq!(bars(&[1.0, 1.5, 2.5, 4.0], 1.2), [(1.0, 1.5), (1.5, 2.5)]);
        assert_eq!(bars(&[1.0, 1.5, 2.5, 4.0], 5.0), [(1.0, 4.0)]);
        assert_eq!(bars(&[1.0, 3.0], 2.0), []);
    }
}
