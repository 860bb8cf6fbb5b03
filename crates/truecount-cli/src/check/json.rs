//! The checks as one object, every digit. An open end of an interval is null, and so is what could not be fitted.

use super::Report;
use super::families::Fit;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use truecount::check::Checked;

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let groups: Vec<Value> = report.groups().map(|(values, checked)| group(&report.columns, values, checked)).collect();
    let families: Vec<Value> = report.families.iter().map(family).collect();
    serde_json::to_writer_pretty(&mut *out, &json!({ "shift": groups, "families": families }))?;
    out.write_all(b"\n")
}

fn group(columns: &[String], values: &[String], checked: &Checked) -> Value {
    let values: Map<String, Value> = columns.iter().cloned().zip(values.iter().map(|value| json!(value))).collect();
    let (shift, worst) = (&checked.shift, &checked.worst);
    json!({
        "group": values,
        "n": shift.n,
        "statistic": shift.statistic,
        "p_value": shift.p_value,
        "p_value_holm": checked.adjusted,
        "verdict": checked.verdict().name(),
        "prevalence": shift.prevalence,
        // JSON has no infinity: serde_json writes null.
        "too_many": { "from": worst.from, "to": worst.to, "share": worst.share, "se": worst.se },
        "adjusted_count": checked.curve.iter().map(|at| json!({
            "theta": at.theta, "prevalence": at.prevalence, "se": at.se
        })).collect::<Vec<_>>(),
    })
}

fn family(fit: &Fit) -> Value {
    let found = fit.found.as_ref().ok();
    json!({
        "class": fit.class.to_string(),
        "family": fit.family.to_string(),
        "n": fit.n,
        "statistic": found.map(|found| found.goodness.statistic()),
        "p_value": found.map(|found| found.p_value),
        "fitted": found.map(|found| found.goodness.fitted()),
        "reason": fit.found.as_ref().err().map(ToString::to_string),
    })
}
