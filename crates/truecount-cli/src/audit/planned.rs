//! How many rows to audit.

use crate::failure::Failure;
use crate::output::{self, Form};
use std::path::Path;
use truecount::{Model, Reporting};
use truecount_io::groups::{Groups, Keys, TestFiles};
use truecount_io::results::{AuditPlanRow, Note, Results, Table, digits, percent};

pub fn print(
    model: &Model,
    files: &TestFiles,
    half_width: f64,
    reporting: &Reporting,
    form: Form,
    file: Option<&Path>,
) -> Result<(), Failure> {
    let Groups { keys, contents: tallies, .. } = Groups::tallied(files, model)?;
    let mut rows = Vec::new();
    for (group, tallies) in tallies.iter().enumerate() {
        rows.extend(AuditPlanRow::each(model, group, tallies, half_width, reporting)?);
    }
    output::print(&results(&rows, &keys, half_width, reporting), form, file)
}

fn results<'a>(rows: &'a [AuditPlanRow], keys: &'a Keys, half_width: f64, reporting: &Reporting) -> Results<'a> {
    let level = percent(reporting.level());
    let mut notes = vec![
        Note::new(format!("the fewest rows for a {level} % interval of half-width {}", digits(half_width))),
        Note::new("at the prevalence that labels from elsewhere give, if they carry over"),
    ];
    notes.extend(AuditPlanRow::ways().map(|(name, what)| Note::line(format!("{name}: {what}"))));
    Results { tables: vec![Table::new(rows).with_groups(keys)], notes, ..Results::default() }
}
