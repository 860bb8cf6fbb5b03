//! One object: the model, what was asked, and all plans, every digit; null stands for unlimited.

use super::report::{Report, Row};
use serde_json::{Value, json};
use std::io::{self, Write};
use truecount::Target;
use truecount::inference::{Measure, Size};

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let goal = report.question.goal().map(|goal| {
        let name = match goal.measure() {
            Measure::StandardError => "se",
            Measure::HalfWidth => "half_width",
        };
        json!({ name: goal.at_most() })
    });
    let target = Target::TABLE.iter().find(|(_, target, _)| *target == report.reporting.target());
    let object = json!({
        "model": report.model.learnt(),
        "goal": goal,
        "prevalence": report.prevalence,
        "level": report.reporting.level(),
        "target": target.map(|(name, ..)| name),
        "plans": report.rows.iter().map(|row| plan(report, row)).collect::<Vec<_>>(),
    });
    serde_json::to_writer_pretty(&mut *out, &object).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

fn plan(report: &Report, row: &Row) -> Value {
    let plan = &row.plan;
    json!({
        "method": row.method.to_string(),
        "split": row.split,
        "unlabelled": size(plan.unlabelled),
        "labelled": size(plan.labelled_in_all()),
        "positive": size(plan.labelled.positive),
        "negative": size(plan.labelled.negative),
        "se": plan.se.value,
        "se_at": plan.se.prevalence,
        "half_width": plan.half_width.value,
        "half_width_at": plan.half_width.prevalence,
        "reached": report.reached(row),
    })
}

fn size(size: Size) -> Option<u64> {
    match size {
        Size::Of(n) => Some(n),
        Size::Unlimited => None,
    }
}
