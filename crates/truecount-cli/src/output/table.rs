//! The table for people: aligned, 80 columns for any reasonable group names, and what was fitted below it.

use super::{Report, visible};
use comfy_table::{Cell, CellAlignment, LineStyle, Table, TableStyle};
use std::io::{self, Write};
use truecount::quantifier::Quantifier;
use truecount::{Method, Model};

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let several = report.model.quantifiers().len() > 1;
    let level = 100.0 * report.rows.first().map_or(0.0, |row| row.estimate.level);
    let mut header: Vec<String> = report.columns.iter().map(|column| visible(column).into_owned()).collect();
    if several {
        header.push("method".to_owned());
    }
    let left = header.len();
    header.extend(["n", "prevalence", "se"].map(str::to_owned));
    // Ten digits: 0.07 is 7 %, not 7.000000000000001 %.
    let level = format!("{level:.10}");
    header.push(format!("{} % interval", level.trim_end_matches('0').trim_end_matches('.')));
    let any_warning = report.rows.iter().any(|row| !row.estimate.warnings.is_empty());

    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    let cell = |i: usize, text: String| {
        Cell::new(text).set_alignment(if i < left { CellAlignment::Left } else { CellAlignment::Right })
    };
    table.set_header(header.into_iter().enumerate().map(|(i, text)| cell(i, text)));
    for row in &report.rows {
        let e = &row.estimate;
        let mut cells: Vec<String> = report.values(row).iter().map(|value| visible(value).into_owned()).collect();
        if several {
            cells.push(row.method.to_string());
        }
        let mark = match (any_warning, e.warnings.is_empty()) {
            (false, _) => "",
            (true, true) => "  ",
            (true, false) => " *",
        };
        cells.extend([e.n.to_string(), format!("{:.4}", e.prevalence), format!("{:.4}", e.se)]);
        cells.push(format!("{:.4} – {:.4}{mark}", e.lower, e.upper));
        table.add_row(cells.into_iter().enumerate().map(|(i, text)| cell(i, text)));
    }
    table.column_iter_mut().for_each(|column| {
        column.set_padding((0, 2));
    });
    for line in table.lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out)?;
    if any_warning {
        writeln!(out, "* see the warnings")?;
    }
    writeln!(out, "se and interval: test sampling only, the fitted classes taken as known")?;
    fitted(report.model).iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// What was fitted, in lines of at most 80 characters.
pub fn fitted(model: &Model) -> Vec<String> {
    let classes = model.classes();
    let separation = classes.separation();
    let family = separation.positive().family().name();
    let (positives, negatives) = (classes.positives(), classes.negatives());
    let mut lines = vec![format!("fitted: {family} classes from {positives} positive and {negatives} negative scores")];
    for quantifier in model.quantifiers() {
        lines.push(format!("{}: {}", quantifier.method(), details(model, quantifier)));
    }
    lines
}

fn details(model: &Model, quantifier: &Quantifier) -> String {
    let separation = model.classes().separation();
    let Some(sweep) = quantifier.sweep() else {
        let cutoff = model.cutoff();
        let (tpr, fpr) = (cutoff.true_positive_rate(), cutoff.false_positive_rate());
        let uncorrected = if quantifier.method() == Method::ClassifyCount { "uncorrected, " } else { "" };
        return format!(
            "{uncorrected}cutoff {}, true positive rate {tpr:.4}, false positive rate {fpr:.4}",
            cutoff.score()
        );
    };
    let digits = digits(separation.theta_max(), sweep.region().width());
    let intervals = sweep.region().intervals().iter();
    let region: Vec<String> = intervals.map(|[l, r]| format!("[{l:.digits$}, {r:.digits$}]")).collect();
    format!(
        "max J {:.4} at {:.digits$}, threshold {:.4}, region {}",
        separation.max_j(),
        separation.theta_max(),
        sweep.threshold().value(),
        region.join(" and ")
    )
}

/// Decimals that show a region of that width to about three digits, as far as a double at that place has them.
fn digits(at: f64, width: f64) -> usize {
    let decimals = 2.0 - width.log10().floor();
    let held = 15.0 - at.abs().max(1.0).log10().floor();
    (0_u8..15).find(|d| f64::from(*d) >= decimals.min(held)).unwrap_or(15).into()
}
