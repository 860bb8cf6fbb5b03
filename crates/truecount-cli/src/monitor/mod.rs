//! `truecount monitor`: a prevalence watched over time.

mod args;
mod results;

pub use args::Monitor;

use crate::failure::{CliError, DONE};
use crate::models::model_of;
use crate::output::{self, FileRoles};
use crate::parallel;
use crate::progress::ProgressBars;
use crate::tallies;
use results::MonitorReport;
use std::path::PathBuf;
use truecount::{Estimates, IntervalOptions, JointErrors, Model};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::monitor::monitor;
use truecount_analysis::results::{MonitorRow, describe_table};
use truecount_report::charts;
use truecount_tables::groups::{Groups, TestFiles};
use truecount_tables::{input, whole_file};

/// What a script sees of an alarm.
const ALARM: u8 = 3;

pub fn run(args: &Monitor) -> Result<u8, CliError> {
    let reporting = args.reporting()?;
    let form = args.output.form()?;
    let by: Vec<String> = args.by.iter().cloned().collect();
    output::check_by(&by, form, &describe_table::<MonitorRow>().columns)?;
    let paths = input::files(if args.test.is_empty() { &args.tallies } else { &args.test })?;
    FileRoles::reading(args.source.path().into_iter().chain(&paths))
        .writing("--output", args.output.file())
        .writing("--figure", args.figure.as_deref())
        .check()?;
    let model = model_of(&args.source, args.columns.get(), &paths)?;
    let [quantifier] = model.quantifiers() else {
        return Err(CliError::Usage("a series is watched by one method: name one with --method".to_owned()));
    };
    let together = JointErrors::new(&model, quantifier.method())?;
    let groups = parallel::pool(args.threads)?.install(|| estimated(args, &by, &paths, &model, &reporting))?;
    let columns: Vec<&str> = groups.keys.columns().collect();
    if columns.len() != 1 {
        let have = if columns.is_empty() { "no columns".to_owned() } else { columns.join(", ") };
        return Err(CliError::Usage(format!(
            "a series has one column of dates, and the tallies are grouped by {have}: name it with --by, or tally by it"
        )));
    }
    let (keys, series) = monitor(groups, &together, args.bound(), args.baseline.as_ref(), &reporting)?;
    let found = MonitorReport { model: &model, keys, series, reporting };
    if let Some(path) = &args.figure {
        // Drawn before anything is printed: if the figure fails, there are no results beside the error.
        let drawing = charts::monitor::draw(&found.series, &found.keys, &reporting);
        let drawing =
            drawing.ok_or_else(|| CliError::Data("--figure needs two dates at least: there is one".to_owned()))?;
        whole_file::write(path, drawing.svg().as_bytes())?;
    }
    let results = args.output.shown(found.results(), form);
    output::print(&results, form, args.output.file())?;
    results.warnings.iter().for_each(|warning| output::say_wrapped(warning));
    Ok(if found.series.alarm_row.is_some() { ALARM } else { DONE })
}

/// The estimates of all periods, from scores or from tallies.
fn estimated(
    args: &Monitor,
    by: &[String],
    paths: &[PathBuf],
    model: &Model,
    reporting: &IntervalOptions,
) -> Result<Groups<Estimates>, CliError> {
    if args.test.is_empty() {
        return tallies::estimates(paths, by, args.allow_equal, model, reporting);
    }
    let columns = args.columns.get().for_model(model);
    let weight = args.weight.as_deref();
    let files = TestFiles { paths, columns, weight, by, fingerprint: None, progress: &ProgressBars };
    Ok(files.estimated(model, reporting)?)
}
