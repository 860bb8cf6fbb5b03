//! How many rows to audit.

use crate::failure::CliError;
use crate::output::{self, OutputFormat};
use std::path::Path;
use truecount::{IntervalOptions, Model};
use truecount_analysis::audit::plan_audit;
use truecount_analysis::results::{ResultTable, Results, audit_plan_notes};
use truecount_tables::groups::{Groups, TestFiles};

pub fn print(
    model: &Model,
    files: &TestFiles,
    half_width: f64,
    reporting: &IntervalOptions,
    form: OutputFormat,
    file: Option<&Path>,
) -> Result<(), CliError> {
    let Groups { keys, contents: tallies, .. } = files.tallied(model)?;
    let rows = plan_audit(model, &tallies, 0..tallies.len(), half_width, reporting)?;
    let notes = audit_plan_notes(half_width, reporting);
    let results = Results { tables: vec![ResultTable::new(&rows).with_groups(&keys)], notes, ..Results::default() };
    output::print(&results, form, file)
}
