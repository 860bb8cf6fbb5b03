//! The table for people: aligned, 80 columns for any reasonable group names, and what was fitted below it.

use super::Report;
use comfy_table::{Cell, CellAlignment, LineStyle, Table, TableStyle};
use std::fmt::Write;
use truecount::Model;
use truecount::quantifier::Quantifier;

pub fn render(report: &Report) -> String {
    let several = report.model.quantifiers().len() > 1;
    let level = 100.0 * report.rows.first().map_or(0.0, |row| row.estimate.level);
    let mut header: Vec<String> = report.columns.clone();
    if several {
        header.push("method".to_owned());
    }
    let left = header.len();
    header.extend(["n", "prevalence", "se"].map(str::to_owned));
    header.push(format!("{level} % interval"));
    let any_warning = report.rows.iter().any(|row| !row.estimate.warnings.is_empty());

    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    let cell = |i: usize, text: String| {
        Cell::new(text).set_alignment(if i < left { CellAlignment::Left } else { CellAlignment::Right })
    };
    table.set_header(header.into_iter().enumerate().map(|(i, text)| cell(i, text)));
    for row in &report.rows {
        let e = &row.estimate;
        let mut cells = report.values(row).to_vec();
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
    let mut text = String::new();
    for line in table.lines() {
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text.push('\n');
    if any_warning {
        text.push_str("* see the warnings\n");
    }
    text.push_str("se and interval: sampling of the test scores alone, the fitted classes taken as known\n");
    for line in fitted(report.model) {
        let _ = writeln!(text, "{line}");
    }
    text
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
        return format!("cutoff {}, true positive rate {tpr:.4}, false positive rate {fpr:.4}", cutoff.score());
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

/// Decimals that show a region of that width to about three digits.
fn digits(at: f64, width: f64) -> usize {
    let decimals = 2.0 - width.log10().floor();
    // A double has about 16 digits, before and after the point together.
    let room = 15.0 - at.abs().max(1.0).log10().floor();
    decimals.clamp(0.0, room.max(0.0)) as usize
}
