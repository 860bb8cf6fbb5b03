//! How much closer the reference is than each other method, by sample: the other's absolute error minus the
//! reference's.

use super::{Evaluated, EvaluatedMethod, GREY, Panel, Ticks, colour, errors_of, name, panels, points, unit_axis};
use kuva::plot::Histogram;
use kuva::render::annotations::ReferenceLine;
use kuva::render::layout::{Layout, TickFormat};
use truecount::evaluation::Comparison;

/// Bins of a histogram; an even number, so that 0 is a boundary.
const BINS: u32 = 60;

const LABEL: &str = "difference of absolute errors";

/// A histogram for each other method.
pub fn histograms(evaluated: &Evaluated, reference: usize) -> String {
    let Ticks { end, step, digits } = axis(evaluated, reference);
    let edges: Vec<f64> = (0..=BINS).map(|k| end * (2.0 * f64::from(k) / f64::from(BINS) - 1.0)).collect();
    let panel = |(i, method): (usize, &EvaluatedMethod)| -> Panel {
        let mut counts = vec![0.0; BINS as usize];
        for (_, difference) in differences(evaluated, reference, method) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of the bins
            let bin = (0.5 * (difference / end + 1.0) * f64::from(BINS)) as usize;
            counts[bin.min(BINS as usize - 1)] += 1.0;
        }
        let plots = vec![Histogram::from_bins(edges.clone(), counts).with_color(colour(i)).into()];
        let layout = Layout::auto_from_plots(&plots)
            .with_title(title(evaluated, reference, method))
            .with_title_size(14)
            .with_x_label(LABEL)
            .with_x_tick_step(step)
            .with_x_tick_format(TickFormat::Fixed(digits))
            .with_y_label("samples")
            .with_reference_line(ReferenceLine::vertical(0.0).with_color(GREY));
        (plots, layout)
    };
    panels(others(evaluated, reference).map(panel).collect())
}

/// The difference at each true prevalence, for each other method.
pub fn by_prevalence(evaluated: &Evaluated, reference: usize) -> String {
    let Ticks { end, step, digits } = axis(evaluated, reference);
    let panel = |(i, method): (usize, &EvaluatedMethod)| -> Panel {
        let plots = vec![points(differences(evaluated, reference, method).collect(), colour(i))];
        let layout = unit_axis(Layout::auto_from_plots(&plots).with_title(title(evaluated, reference, method)))
            .with_title_size(14)
            .with_y_label(LABEL)
            .with_y_axis_min(-end)
            .with_y_axis_max(end)
            .with_y_tick_step(step)
            .with_y_tick_format(TickFormat::Fixed(digits))
            .with_reference_line(ReferenceLine::horizontal(0.0).with_color(GREY));
        (plots, layout)
    };
    panels(others(evaluated, reference).map(panel).collect())
}

fn others(evaluated: &Evaluated, reference: usize) -> impl Iterator<Item = (usize, &EvaluatedMethod)> {
    evaluated.methods.iter().enumerate().filter(move |(i, _)| *i != reference)
}

/// Truth and difference of each sample: positive where the reference is closer.
fn differences<'a>(
    evaluated: &'a Evaluated,
    reference: usize,
    method: &'a EvaluatedMethod,
) -> impl Iterator<Item = (f64, f64)> + 'a {
    let own = errors_of(evaluated, &evaluated.methods[reference]);
    let pairs = errors_of(evaluated, method).zip(own);
    pairs.map(|((truth, error), (_, own))| (truth, error.abs() - own.abs()))
}

/// An axis symmetric around 0 that holds the differences of all methods.
fn axis(evaluated: &Evaluated, reference: usize) -> Ticks {
    let all = others(evaluated, reference).flat_map(|(_, method)| differences(evaluated, reference, method));
    let largest = all.map(|(_, difference)| difference.abs()).fold(0.0, f64::max);
    Ticks::new(largest, 3)
}

fn title(evaluated: &Evaluated, reference: usize, method: &EvaluatedMethod) -> String {
    let absolute = |method| errors_of(evaluated, method).map(|(_, error)| error.abs()).collect::<Vec<_>>();
    let own = &evaluated.methods[reference];
    let found = Comparison::new(&absolute(own), &absolute(method)).expect("an error for each sample");
    format!("{} closer than {}: {} of {}", name(own), name(method), found.wins, evaluated.samples.len())
}
