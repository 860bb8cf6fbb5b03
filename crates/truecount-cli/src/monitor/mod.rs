//! `truecount monitor`: a prevalence over time, with an alarm.

mod args;
mod results;

pub use args::MonitorArgs;

use crate::error::{CliError, SUCCESS};
use crate::models::model_for_files;
use crate::output::{self, FileRoles};
use crate::parallel;
use crate::progress::ProgressBars;
use crate::tallies::GroupTallies;
use results::MonitorReport;
use std::path::PathBuf;
use truecount::Model;
use truecount::compare::JointErrors;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::monitor::monitor;
use truecount_analysis::results::{MonitorRow, describe_table};
use truecount_report::charts;
use truecount_tables::groups::TestFiles;
use truecount_tables::{input, whole_file};

/// Exit status if the alarm has been raised.
const ALARM: u8 = 3;

pub fn run(args: &MonitorArgs) -> Result<u8, CliError> {
    let interval_options = args.interval_options()?;
    let format = args.output.format()?;
    let by: Vec<String> = args.by.iter().cloned().collect();
    output::check_by(&by, format, &describe_table::<MonitorRow>().columns)?;
    let paths = input::expand_patterns(if args.test.is_empty() { &args.tallies } else { &args.test })?;
    FileRoles::reading(args.source.path().into_iter().chain(&paths))
        .writing("--output", args.output.file())
        .writing("--figure", args.figure.as_deref())
        .check()?;
    let model = model_for_files(&args.source, args.columns.get(), &paths)?;
    let [quantifier] = model.quantifiers() else {
        return Err(CliError::usage("a series has one method", "name one with --method"));
    };
    let joint = JointErrors::new(&model, quantifier.method())?;
    let (tallies, groups) = parallel::pool(args.threads)?.install(|| {
        let tallied = tally_periods(args, &by, &paths, &model)?;
        Ok::<_, CliError>((tallied.groups.contents.clone(), tallied.estimate(&model, &interval_options)?))
    })?;
    let columns: Vec<&str> = groups.keys.columns().collect();
    if columns.len() != 1 {
        let have = if columns.is_empty() { "no columns".to_owned() } else { columns.join(", ") };
        return Err(CliError::usage(
            format!("a series has one column of dates, but the tallies are grouped by {have}"),
            "name the column with --by, or tally by it",
        ));
    }
    let (keys, series) = monitor(groups, &tallies, &joint, args.bound(), args.baseline.as_ref(), &interval_options)?;
    let report = MonitorReport { model: &model, keys, series, interval_options };
    if let Some(path) = &args.figure {
        // The figure comes first, so that no results are printed if it fails.
        let drawing = charts::monitor::draw(&report.series, &report.keys, &interval_options);
        let drawing = drawing
            .ok_or_else(|| CliError::data("--figure needs at least two dates, but there is one", "leave it out"))?;
        whole_file::write(path, drawing.svg().as_bytes())?;
    }
    let results = args.output.shown(report.results(), format);
    output::print(&results, format, args.output.file())?;
    results.warnings.iter().for_each(|warning| output::print_wrapped_message(warning));
    Ok(if report.series.alarm_row.is_some() { ALARM } else { SUCCESS })
}

/// Tallies all periods, from scores or from tallies.
fn tally_periods(
    args: &MonitorArgs,
    by: &[String],
    paths: &[PathBuf],
    model: &Model,
) -> Result<GroupTallies, CliError> {
    if args.test.is_empty() {
        args.every.reject_with("tallies", "use --every in `truecount tally`")?;
        return GroupTallies::read(paths, by, args.allow_equal, model);
    }
    let columns = args.columns.get().for_model(model);
    let weight = args.weight.as_deref();
    let every = args.every.for_columns(by);
    let files = TestFiles { weight, every, ..TestFiles::new(paths, columns, by, &ProgressBars) };
    Ok(files.tally(model)?.into())
}
