//! Plans the number of rows to audit.

use crate::error::CliError;
use crate::output::OutputArgs;
use truecount::{IntervalOptions, Model};
use truecount_analysis::audit::plan_audit;
use truecount_analysis::results::{AuditGoal, ResultTable, Results, audit_plan_notes};
use truecount_tables::groups::{Groups, TestFiles};

pub fn print(
    model: &Model,
    files: &TestFiles,
    goal: &AuditGoal,
    interval_options: &IntervalOptions,
    output: &OutputArgs,
) -> Result<(), CliError> {
    let Groups { keys, contents: tallies, .. } = files.tally(model)?;
    let rows = plan_audit(model, &tallies, 0..tallies.len(), goal, interval_options)?;
    let notes = audit_plan_notes(goal, interval_options);
    let results = Results { tables: vec![ResultTable::new(&rows).with_groups(&keys)], notes, ..Results::default() };
    output.print(results)
}
