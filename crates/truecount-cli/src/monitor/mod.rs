//! `truecount monitor`: a prevalence over time, with an alarm.

mod args;
mod results;

pub use args::MonitorArgs;

use crate::error::{CliError, SUCCESS};
use crate::models::model_for_files;
use crate::output;
use crate::parallel;
use crate::progress::ProgressBars;
use crate::tallies;
use results::MonitorReport;
use std::path::PathBuf;
use truecount::Model;
use truecount_analysis::monitor::{MonitorSeries, monitor};
use truecount_analysis::request::EstimateRequest;
use truecount_analysis::results::{MonitorRow, describe_table};
use truecount_report::charts;
use truecount_tables::groups::{FileRows, Keys, TestFiles};
use truecount_tables::parallel::AllThreads;
use truecount_tables::{FileRoles, input};

/// Exit status if the alarm has been raised.
const ALARM: u8 = 3;

pub fn run(args: &MonitorArgs) -> Result<u8, CliError> {
    let mut request = args.request();
    request.check()?;
    let interval_options = request.interval_options()?;
    let format = args.output.format()?;
    output::check_by(&request.by, format, &describe_table::<MonitorRow>().columns)?;
    let paths = input::expand_patterns(if args.test.is_empty() { &args.tallies } else { &args.test })?;
    FileRoles::reading(args.source.paths().chain(&paths).chain(request.size_tables()))
        .writing("--output", args.output.file())
        .writing("--figure", args.figure.file())
        .check()?;
    args.figure.check()?;
    let model = model_for_files(&args.source, args.columns.get(), &paths)?;
    if model.quantifiers().len() > 1 {
        return Err(CliError::usage("a series has one method", "name one with --method"));
    }
    let pool = parallel::pool(args.threads)?;
    let (keys, series) = pool.install(|| monitor_files(args, &mut request, &paths, &model))?;
    let report = MonitorReport { model: &model, keys, series, interval_options };
    if args.figure.file().is_some() {
        // The figure comes first, so that no results are printed if it fails.
        let level = interval_options.level();
        let ending = charts::monitor::intervals_of(&report.series, level);
        let heading = format!("Share of positives by {}{ending}", request.by.concat());
        let drawing = charts::monitor::draw(&report.series, level, None, &heading, args.figure.size);
        let drawing = drawing
            .ok_or_else(|| CliError::data("--figure needs at least two dates, but there is one", "leave it out"))?;
        args.figure.write(&drawing)?;
    }
    args.output.print(report.results())?;
    Ok(if report.series.alarm_row.is_some() { ALARM } else { SUCCESS })
}

/// Monitors periods, from scores or from tallies.
fn monitor_files(
    args: &MonitorArgs,
    request: &mut EstimateRequest,
    paths: &[PathBuf],
    model: &Model,
) -> Result<(Keys, MonitorSeries), CliError> {
    let (bound, baseline) = (args.bound(), args.baseline.as_ref());
    if args.test.is_empty() {
        args.every.reject_with("tallies", "use --every in `truecount tally`")?;
        let rows = tallies::rows(paths, request, args.allow_equal, model)?;
        let columns = &rows.request.by;
        if columns.len() != 1 {
            let have = if columns.is_empty() { "no columns".to_owned() } else { columns.join(", ") };
            return Err(CliError::usage(
                format!("a series has one column of dates, but the tallies are grouped by {have}"),
                "name the column with --by, or tally by it",
            ));
        }
        if rows.request.has_simple_groups() {
            tallies::warn_of_missing(&rows.missing);
        }
        return Ok(monitor(&AllThreads, rows.request, &rows, model, bound, baseline)?);
    }
    let by = request.by.clone();
    let files = TestFiles {
        weight: args.weight.as_deref(),
        every: args.every.for_columns(&by),
        ..TestFiles::new(paths, args.columns.get().for_model(model), &by, &ProgressBars)
    };
    Ok(monitor(&AllThreads, request, &FileRows { files, request }, model, bound, baseline)?)
}
