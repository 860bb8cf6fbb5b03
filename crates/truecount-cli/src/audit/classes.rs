//! Shares of several classes from audited rows with a predicted class each.

use super::AuditArgs;
use crate::error::CliError;
use crate::output;
use crate::progress::ProgressBars;
use std::path::Path;
use truecount::error::Problem;
use truecount::{Error, Target};
use truecount_analysis::output::AccuracyOutput;
use truecount_analysis::results::{AccuracyRow, describe_table, escape_untrusted};
use truecount_tables::groups::ScoreColumns;
use truecount_tables::{ConfusionFile, FileRoles, input};

/// Estimates the shares and the accuracies from the audited rows of a table.
pub fn run(args: &AuditArgs, path: &Path, prediction: &str) -> Result<(), CliError> {
    output::check_by(&args.by, args.output.format()?, &describe_table::<AccuracyRow>().columns)?;
    let sort = args.sort_args.sort::<AccuracyRow>(&args.by)?;
    args.design().part_columns(&args.by)?;
    let options = args.intervals.interval_options(args.interval)?;
    let is_default = args.intervals.request("").target.is_empty();
    let options =
        if args.population.is_some() && is_default { options.with_target(Target::Population) } else { options };
    let test = input::expand_patterns(&args.test)?;
    let audit = path.to_owned();
    input::check_used_once(test.iter().chain([&audit]))?;
    FileRoles::reading(test.iter().chain([&audit]).chain(&args.population))
        .writing("--output", args.output.file())
        .check()?;
    let test_columns = args.columns.get();
    let file = ConfusionFile {
        path,
        columns: ScoreColumns {
            sheet: test_columns.sheet.for_other_table(args.audit_sample.audit_sheet.as_deref()),
            ..test_columns
        },
        label: &args.labelled.label,
        prediction,
        stratum: args.design().stratum,
        count: args.audit_count.as_deref(),
        by: &args.by,
        population: args.population.as_deref(),
        test: &test,
        test_columns,
    };
    let (groups, classes) = file.read(&ProgressBars).map_err(in_stratum)?;
    let output = AccuracyOutput::estimate(groups, &classes, options)
        .map_err(|error| in_stratum(error.in_file(input::name(path))))?;
    args.output.print(output.sorted(&sort).results())
}

/// Names the stratum of an error, unless the message does.
fn in_stratum(error: Error) -> CliError {
    match (error.problem(), error.location().group.clone()) {
        (Some(Problem::AuditEmpty | Problem::AuditStratumTooSmall { .. }), Some(stratum)) => {
            CliError::from(error).inside(&format!("stratum {}", escape_untrusted(&stratum)))
        }
        _ => error.into(),
    }
}
