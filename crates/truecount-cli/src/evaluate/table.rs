//! The errors for people: a row a method, the comparison with the reference below, and what the columns are.

use super::report::{Errors, Report};
use crate::output::{aligned, percent, short_p, short_se, visible, wrapped};
use std::io::{self, Write};
use truecount::evaluation::{Mean, Measure, Protocol};

/// In the place of what is not known.
const NONE: &str = "–";

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let mut lines = errors(report);
    lines.push(String::new());
    if report.methods.len() > 1 {
        lines.extend(comparisons(report));
        lines.push(String::new());
    }
    lines.extend(notes(report).iter().flat_map(|note| wrapped(note)));
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}

fn errors(report: &Report) -> Vec<String> {
    let header = ["method", "MAE", "RMSE", "RAE", "bias", "coverage", "width"].map(str::to_owned).to_vec();
    let rows = report.methods.iter().map(|errors| {
        let number = |mean: Option<Mean>| mean.map_or(NONE.to_owned(), |mean| format!("{:.4}", mean.value));
        vec![
            visible(errors.name).into_owned(),
            number(errors.mean(Measure::AbsoluteError)),
            number(errors.rmse()),
            number(errors.mean(Measure::RelativeAbsoluteError)),
            errors.mean(Measure::Bias).map_or(NONE.to_owned(), |mean| signed(mean.value)),
            errors.coverage.map_or(NONE.to_owned(), |mean| format!("{:.1} %", 100.0 * mean.value)),
            number(errors.width),
        ]
    });
    aligned(header, rows, 1)
}

fn comparisons(report: &Report) -> Vec<String> {
    let compared = || report.methods.iter().filter_map(|errors| Some((errors, errors.compared.as_ref()?)));
    let ties = compared().any(|(_, compared)| compared.comparison.ties > 0);
    let mut header = vec![format!("{} against", visible(report.reference)), "wins".to_owned(), "losses".to_owned()];
    header.extend(ties.then(|| "ties".to_owned()));
    header.extend(["difference", "se", "p (Holm)"].map(str::to_owned));
    let rows = compared().map(|(errors, compared)| {
        let found = &compared.comparison;
        let mut cells = vec![visible(errors.name).into_owned(), found.wins.to_string(), found.losses.to_string()];
        cells.extend(ties.then(|| found.ties.to_string()));
        cells.push(signed(found.difference.value));
        cells.push(found.difference.se.map_or(NONE.to_owned(), short_se));
        cells.push(compared.adjusted.map_or(NONE.to_owned(), short_p));
        cells
    });
    aligned(header, rows, 1)
}

/// What the columns are, and how well the samples determine them.
fn notes(report: &Report) -> Vec<String> {
    let samples = if report.samples == 1 { "one sample".to_owned() } else { format!("{} samples", report.samples) };
    let mut notes = vec![format!(
        "MAE, RMSE, RAE: mean absolute, root mean squared and mean relative absolute error over {samples}; bias: mean error; \
         of prevalences in [0, 1]"
    )];
    if report.methods.iter().any(|errors| errors.coverage.is_some()) {
        let level = report.drawn.map_or_else(String::new, |drawn| format!("{} % ", percent(drawn.level)));
        notes.push(format!(
            "coverage, width: of the {level}intervals, the share that holds the truth, and the mean width"
        ));
    }
    if report.methods.iter().all(|errors| errors.mean(Measure::RelativeAbsoluteError).is_none()) {
        notes.push("no RAE: the sizes of the samples are not known (--size, or a column n)".to_owned());
    }
    notes.extend(precision(report));
    if report.methods.len() > 1 {
        let reference = visible(report.reference);
        notes.push(format!(
            "wins, losses: samples on which {reference} is closer to the truth, or farther; difference: the other's mean \
             absolute error less that of {reference}, and its standard error; p: Wilcoxon's signed-rank test of the \
             differences, {}",
            match report.methods.iter().filter_map(|errors| errors.compared.as_ref()?.adjusted).count() {
                0 => "of which there are none".to_owned(),
                1 => "with Holm's correction for one comparison".to_owned(),
                several => format!("with Holm's correction for {several} comparisons"),
            }
        ));
    }
    notes
}

/// The largest standard errors of the columns; none of one sample.
fn precision(report: &Report) -> Option<String> {
    let largest = |of: &dyn Fn(&Errors) -> Option<Mean>| -> Option<f64> {
        report.methods.iter().filter_map(|errors| of(errors)?.se).reduce(f64::max)
    };
    let number = |name: &str, se: Option<f64>| se.map(|se| format!("{name} {}", short_se(se)));
    let parts = [
        number("MAE", largest(&|errors| errors.mean(Measure::AbsoluteError))),
        number("RMSE", largest(&|errors| errors.rmse())),
        number("RAE", largest(&|errors| errors.mean(Measure::RelativeAbsoluteError))),
        number("bias", largest(&|errors| errors.mean(Measure::Bias))),
        largest(&|errors| errors.coverage).map(|se| format!("coverage {:.1} %", 100.0 * se)),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let given = report.drawn.map_or("", |_| ", given these labelled scores and this pool");
    let note = format!("standard errors, from sample to sample{given}, at most: {}", parts.join(", "));
    let grid = report.drawn.is_some_and(|drawn| drawn.protocol == Protocol::Grid);
    let large = if grid { "; as for prevalences drawn at random, so too large for those of the grid" } else { "" };
    (!parts.is_empty()).then(|| note + large)
}

/// With its sign, but none on what is all zeros.
fn signed(value: f64) -> String {
    let text = format!("{value:+.4}");
    if text.trim_start_matches(['+', '-']).bytes().any(|digit| (b'1'..=b'9').contains(&digit)) {
        text
    } else {
        text[1..].to_owned()
    }
}
