//! One line per plan, every digit; `inf` stands for unlimited.

use super::report::Report;
use crate::output::digits;
use std::io::{self, Write};
use truecount::inference::Size;

const COLUMNS: [&str; 12] = [
    "method",
    "split",
    "unlabelled",
    "labelled",
    "positive",
    "negative",
    "se",
    "se_at",
    "half_width",
    "half_width_at",
    "level",
    "reached",
];

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS)?;
    for row in &report.rows {
        let plan = &row.plan;
        let sizes = [plan.unlabelled, plan.labelled_in_all(), plan.labelled.positive, plan.labelled.negative].map(size);
        let numbers = [
            plan.se.value,
            plan.se.prevalence,
            plan.half_width.value,
            plan.half_width.prevalence,
            report.reporting.level(),
        ];
        let reached = report.reached(row).map_or_else(String::new, |reached| reached.to_string());
        let cells = [row.method.to_string(), row.split.to_owned()].into_iter().chain(sizes);
        writer.write_record(cells.chain(numbers.map(digits)).chain([reached]))?;
    }
    writer.flush()
}

fn size(size: Size) -> String {
    match size {
        Size::Of(n) => n.to_string(),
        Size::Unlimited => "inf".to_owned(),
    }
}
