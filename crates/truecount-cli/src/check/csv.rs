//! The checks one to a line, every digit: first the groups, then families by class. What does not belong to a check is an
//! empty cell, and so is an open end.

use super::Report;
use super::families::Fit;
use crate::output::digits;
use std::io::{self, Write};
use truecount::check::Checked;

/// What follows the grouping columns.
pub const COLUMNS: [&str; 14] = [
    "check",
    "class",
    "family",
    "n",
    "statistic",
    "p_value",
    "p_value_holm",
    "verdict",
    "prevalence",
    "from",
    "to",
    "share",
    "se",
    "reason",
];

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(report.columns.iter().map(String::as_str).chain(COLUMNS))?;
    for (values, checked) in report.groups() {
        writer.write_record(values.iter().cloned().chain(of_group(checked)))?;
    }
    for fit in &report.families {
        writer.write_record(report.columns.iter().map(|_| String::new()).chain(of_family(fit)))?;
    }
    writer.flush()
}

fn of_group(checked: &Checked) -> [String; COLUMNS.len()] {
    let (shift, worst, empty) = (&checked.shift, &checked.worst, String::new);
    let end = |x: f64| if x.is_finite() { digits(x) } else { empty() };
    [
        "shift".to_owned(),
        empty(),
        empty(),
        shift.n.to_string(),
        digits(shift.statistic),
        digits(shift.p_value),
        digits(checked.adjusted),
        checked.verdict().name().to_owned(),
        digits(shift.prevalence),
        end(worst.from),
        end(worst.to),
        digits(worst.share),
        digits(worst.se),
        empty(),
    ]
}

fn of_family(fit: &Fit) -> [String; COLUMNS.len()] {
    let (found, empty) = (fit.found.as_ref().ok(), String::new);
    [
        "family".to_owned(),
        fit.class.to_string(),
        fit.family.to_string(),
        fit.n.to_string(),
        found.map_or_else(empty, |found| digits(found.goodness.statistic())),
        found.map_or_else(empty, |found| digits(found.p_value)),
        empty(),
        empty(),
        empty(),
        empty(),
        empty(),
        empty(),
        empty(),
        fit.found.as_ref().err().map_or_else(empty, ToString::to_string),
    ]
}
