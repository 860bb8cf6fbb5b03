//! The charts of an experiment: the critical-difference diagram of Demšar (2006), methods on an
//! axis of mean ranks and bars over those that
//! are not told apart; and the errors of the best methods by shift.

use crate::drawing::Drawing;
use crate::drawing::palette::SERIES;
use kuva::plot::LinePlot;
use kuva::plot::scatter::ScatterPlot;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use maud::html;

const WIDTH: f64 = 760.0;
/// Room for names on either side.
const MARGIN: f64 = 170.0;
const AXIS: f64 = 64.0;
const LINE: f64 = 18.0;
/// From one bar to the next.
const STEP: f64 = 7.0;

/// The diagram as SVG: methods with their mean ranks over so many data sets, in ascending order.
pub fn critical_difference(methods: &[(&str, f64)], data_sets: usize, difference: f64) -> String {
    let ranks: Vec<f64> = methods.iter().map(|(_, rank)| *rank).collect();
    let (first, last) = (1.0, ranks.len() as f64);
    // The best rank on the left.
    let x = |rank: f64| MARGIN + (WIDTH - 2.0 * MARGIN) * (rank - first) / (last - first).max(1.0);
    let bars = bars(&ranks, difference);
    let top = AXIS + 14.0 + STEP * bars.len() as f64;
    let half = ranks.len().div_ceil(2);
    let height = top + LINE * half as f64 + 14.0;
    // The left half is read from the top down, the right half too, so that lines do not cross.
    let label = |place: usize| {
        let rank = ranks[place];
        let (row, end, anchor, beside) = if place < half {
            (place, MARGIN - 8.0, "end", -4.0)
        } else {
            (ranks.len() - 1 - place, WIDTH - MARGIN + 8.0, "start", 4.0)
        };
        let y = top + LINE * (row as f64 + 0.5);
        html! {
            polyline points=(format!("{:.1},{AXIS:.1} {:.1},{y:.1} \
             {end:.1},{y:.1}", x(rank), x(rank))) fill="none" stroke="#777777" {}
            text x=(format!("{:.1}", end + beside)) y=(format!("{:.1}", y + 4.0)) text-anchor=(anchor) {
                (if place < half { format!("{}  {rank:.2}", methods[place].0) } else { format!("{rank:.2}  {}", methods[place].0) })
            }
        }
    };
    let step = (ranks.len() / 12 + 1).max(1);
    let ticks: Vec<usize> = (1..=ranks.len()).step_by(step).collect();
    let words = format!(
        "Mean ranks of {} methods over {} data sets; critical difference {difference:.2}",
        ranks.len(),
        data_sets
    );
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(WIDTH) height=(height) viewBox=(format!("0 0 {WIDTH} \
         {height}")) role="img" aria-label=(words)
            font-family="DejaVu Sans, Arial, sans-serif" font-size="12" {
            rect width="100%" height="100%" fill="white" {}
            // The critical difference, as long as it is on the axis.
            line x1=(x(first)) x2=(format!("{:.1}", x((first + difference).min(last)))) y1="22" y2="22" stroke="#000000" stroke-width="2" {}
            text x=(x(first)) y="16" { (format!("critical difference {difference:.2}")) }
            line x1=(x(first)) x2=(x(last)) y1=(AXIS) y2=(AXIS) stroke="#000000" {}
            @for tick in &ticks {
                line x1=(format!("{:.1}", x(*tick as f64))) x2=(format!("{:.1}", x(*tick as f64))) y1=(AXIS - 5.0) y2=(AXIS) stroke="#000000" {}
                text x=(format!("{:.1}", x(*tick as f64))) y=(AXIS - 9.0) text-anchor="middle" { (tick) }
            }
            @for place in 0..ranks.len() { (label(place)) }
            @for (row, (from, to)) in bars.iter().enumerate() {
                line x1=(format!("{:.1}", x(*from) - 3.0)) x2=(format!("{:.1}", x(*to) + 3.0))
                    y1=(AXIS + 9.0 + STEP * row as f64) y2=(AXIS + 9.0 + STEP * row as f64) stroke="#D55E00" stroke-width="3.5" {}
            }
        }
    };
    svg.into_string()
}

/// The errors of methods by shift as SVG: of as many methods as there are colours, each with its
/// points in ascending order.
pub fn errors_by_shift(methods: &[(&str, Vec<(f64, f64)>)], by: &str, measure: &str) -> String {
    let mut plots: Vec<Plot> = Vec::new();
    for ((method, points), colour) in methods.iter().zip(SERIES) {
        plots.push(LinePlot::new().with_data(points.clone()).with_color(colour).into());
        let dots = ScatterPlot::new().with_data(points.clone()).with_color(colour).with_size(3.0);
        plots.push(dots.with_legend(*method).into());
    }
    let layout = Layout::auto_from_plots(&plots).with_x_label(by).with_y_label(measure).with_y_axis_min(0.0);
    let shown = methods.len().min(SERIES.len());
    Drawing::new((plots, layout), (640.0, 380.0), format!("{measure} by {by}, of the first {shown} methods")).svg()
}

/// The runs of neighbours that are less than the critical difference apart, as long as they can be;
/// ranks are sorted.
fn bars(ranks: &[f64], difference: f64) -> Vec<(f64, f64)> {
    let mut bars: Vec<(usize, usize)> = Vec::new();
    for from in 0..ranks.len() {
        let to = ranks.iter().rposition(|rank| rank - ranks[from] < difference).expect("itself");
        let within = bars.last().is_some_and(|(_, end)| *end >= to);
        if to > from && !within {
            bars.push((from, to));
        }
    }
    bars.into_iter().map(|(from, to)| (ranks[from], ranks[to])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Demšar's way: groups of methods that are not told apart, none inside another.
    #[test]
    fn bars_are_the_longest() {
        assert_eq!(bars(&[1.0, 1.5, 2.5, 4.0], 1.2), [(1.0, 1.5), (1.5, 2.5)]);
        assert_eq!(bars(&[1.0, 1.5, 2.5, 4.0], 5.0), [(1.0, 4.0)]);
        assert_eq!(bars(&[1.0, 3.0], 2.0), []);
    }
}
