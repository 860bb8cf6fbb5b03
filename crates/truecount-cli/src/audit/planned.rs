//! How many rows to audit.

use crate::failure::Failure;
use crate::output::{self, Form};
use std::path::Path;
use truecount::{Model, Reporting};
use truecount_analysis::results::{AuditPlanRow, Results, Table, audit_plan_notes};
use truecount_tables::groups::{Groups, Keys, TestFiles};

pub fn print(
    model: &Model,
    files: &TestFiles,
    half_width: f64,
    reporting: &Reporting,
    form: Form,
    file: Option<&Path>,
) -> Result<(), Failure> {
    let Groups { keys, contents: tallies, .. } = files.tallied(model)?;
    let mut rows = Vec::new();
    for (group, tallies) in tallies.iter().enumerate() {
        rows.extend(AuditPlanRow::each(model, group, tallies, half_width, reporting)?);
    }
    output::print(&results(&rows, &keys, half_width, reporting), form, file)
}

fn results<'a>(rows: &'a [AuditPlanRow], keys: &'a Keys, half_width: f64, reporting: &Reporting) -> Results<'a> {
    let notes = audit_plan_notes(half_width, reporting);
    Results { tables: vec![Table::new(rows).with_groups(keys)], notes, ..Results::default() }
}
