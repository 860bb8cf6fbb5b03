//! The command line: the list of commands, each of which has its arguments in its own folder, put together from groups of options.
//!
//! Results go to stdout, progress and warnings to stderr. Exit 0 done, 1 the data or a file is wrong, 2 the command
//! line is wrong, 3 done with an alarm (`monitor`), 130 interrupted, 143 terminated.

use crate::failure::{CliError, DONE};
use crate::{
    audit, check, compare, completions, counts, estimate, evaluate, experiment, finish, fit, help, hints, influence,
    man, monitor, output, parallel, plan, reference, report, signals, sql, tally,
};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::io::{self, Write};
use truecount_analysis::results::{CountRow, DifferenceRow, EstimateRow, MonitorRow, TableDescription, describe_table};

const AFTER: &str = "\
Example:
  truecount estimate --train labelled.csv --test unlabelled.csv --by week

Exit status: 0 done, 1 the data or a file is wrong, 2 the command line is wrong,
3 done, and `monitor` has raised an alarm, 130 interrupted, 143 terminated.";

/// How many positives are there? Prevalence from an imperfect classifier's scores, with a standard error.
///
/// Scores are numbers, higher meaning more positive. Tables are CSV, TSV or semicolon-separated text with a header,
/// JSON lines (columns are keys, or paths such as scores.judge), both also packed with gzip or zstd, Excel workbooks,
/// Parquet, or Arrow files and streams, told apart by their first bytes. In text, spaces around cells and empty lines do not count, but an
/// empty line between the rows of a single column is a missing score.
#[derive(Parser)]
#[command(name = "truecount", bin_name = "truecount", version, max_term_width = 100, after_help = AFTER, disable_help_subcommand = true)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Estimate the prevalence among unlabelled scores, overall or by group
    Estimate(estimate::EstimateArgs),
    /// Estimate the prevalence from counts and a published sensitivity and specificity
    Counts(counts::CountsArgs),
    /// Compare prevalences between groups, samples, methods or classifiers
    Compare(compare::Compare),
    /// Combine a random labelled sample of the new rows with their scores, or draw such a sample
    Audit(audit::AuditArgs),
    /// Show how much each row influences the estimate or its standard error
    Influence(influence::Influence),
    /// Write a report of the estimates: one HTML page with figures
    Report(report::Report),
    /// Summarise unlabelled scores in a small file, for `estimates` and `monitor`
    Tally(tally::TallyArgs),
    /// Estimate the prevalence from the files of `tally`
    Finish(finish::Finish),
    /// Monitor a prevalence over time, with an alarm that stays valid however often one looks
    Monitor(monitor::Monitor),
    /// Fit a model to labelled scores and write it to a file
    Fit(fit::FitArgs),
    /// Plan how many labelled and unlabelled rows a standard error or an interval needs
    Plan(plan::PlanArgs),
    /// Print a query that computes the estimates in a database
    Sql(sql::Sql),
    /// Test whether only the prevalence has changed, and whether the families fit
    Check(check::Check),
    /// Measure the errors of methods on samples with known prevalence
    Evaluate(evaluate::Evaluate),
    /// Compare methods over data sets, classifiers, labelled samples and types of shift
    Experiment(experiment::ExperimentArgs),
    /// Explain a command, the methods, the families or the output formats
    Help(help::Help),
    /// Print a script that completes commands and options in a shell
    Completions(completions::Completions),
    /// Write manual pages
    Man(man::Manual),
    /// Write the pages of the command's reference
    #[command(hide = true)]
    Reference(reference::ReferenceArgs),
}

/// Runs the command with the words of a command line, the first of which stands for the program, and returns its exit status.
///
/// Signals and threads are set up for the whole process, so that this is called once; a signal may end the process within.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    let typed: Vec<String> = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let arguments = || help::arranged(command(), help::HelpExtent::from_words(&typed));
    let parsed = arguments().try_get_matches_from(words).and_then(|matches| Args::from_arg_matches(&matches));
    let status = match parsed {
        Ok(args) => exit_status(|| done(args.command, &typed)),
        Err(error) => {
            let error = hints::with_tip(error, &arguments(), &typed);
            let _ = error.print();
            u8::try_from(error.exit_code()).expect("clap ends with 0 or 2")
        }
    };
    // Rust does so where a program ends, and Python does not know of it.
    let _ = io::stdout().flush();
    status
}

/// Does the work of a program with its signals and threads set up, prints a failure, and returns the exit status.
pub fn exit_status(work: impl FnOnce() -> Result<u8, CliError>) -> u8 {
    let started = || signals::watch().map_err(CliError::at("signals")).and_then(|()| parallel::start());
    started().and_then(|()| work()).unwrap_or_else(|failure| {
        output::say(&format!("error: {failure}"));
        failure.exit_status()
    })
}

/// What the command ends with, if nothing fails; of these words, typed behind the program's name.
fn done(command: Command, typed: &[String]) -> Result<u8, CliError> {
    match command {
        Command::Estimate(args) => estimate::run(&args),
        Command::Counts(args) => counts::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Influence(args) => influence::run(&args),
        Command::Report(args) => report::run(&args, typed),
        Command::Tally(args) => tally::run(&args),
        Command::Finish(args) => finish::run(&args),
        Command::Monitor(args) => return monitor::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Sql(args) => sql::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Evaluate(args) => evaluate::run(&args),
        Command::Experiment(args) => experiment::run(&args),
        Command::Help(args) => help::run(&args, arranged()),
        Command::Completions(args) => completions::run(&args, arranged()),
        Command::Man(args) => man::run(&args, arranged()),
        Command::Reference(args) => reference::run(&args, arranged(), &tables()),
    }?;
    Ok(DONE)
}

/// Returns the program's commands and options, as clap derives them.
pub fn command() -> clap::Command {
    Args::command()
}

/// Returns the program's commands with their options in groups.
fn arranged() -> clap::Command {
    help::arranged(command(), help::HelpExtent::All)
}

/// What the commands' results are.
fn tables() -> Vec<(&'static str, Vec<TableDescription>)> {
    vec![
        ("estimate and finish", vec![describe_table::<EstimateRow>()]),
        ("counts", vec![describe_table::<CountRow>()]),
        ("compare", vec![describe_table::<DifferenceRow>()]),
        ("audit", audit::tables()),
        ("monitor", vec![describe_table::<MonitorRow>()]),
        ("influence", influence::tables()),
        ("check", check::tables()),
        ("plan", plan::tables()),
        ("evaluate", evaluate::tables()),
        ("experiment", experiment::tables()),
    ]
}
