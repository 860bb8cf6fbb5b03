//! The command line: the list of commands, each of which has its arguments in its own module.
//!
//! Results go to standard output, progress and warnings to standard error. Exit status: 0 success, 1 the data or a file
//! is wrong, 2 the command line is wrong, 3 success with an alarm (`monitor`), 130 interrupted, 143 terminated.

use crate::allocator::RUNS_COMMAND;
use crate::error::{CliError, SUCCESS};
use crate::{
    audit, check, compare, completions, counts, estimate, evaluate, experiment, finish, fit, help, hints, man, monitor,
    output, parallel, plan, reference, report, signals, sql, tally,
};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::atomic::Ordering;
use truecount_analysis::results::{
    ClassShareRow, CountRow, DifferenceRow, EstimateRow, MonitorRow, StandardisedRow, TableDescription, describe_table,
};

const AFTER: &str = "\
Example:
  truecount estimate --train labelled.csv --test unlabelled.csv --by week

Exit status: 0 done, 1 the data or a file is wrong, 2 the command line is wrong,
3 done, and `monitor` has raised an alarm, 130 interrupted, 143 terminated.";

/// Copyright notices and licences of the software that is compiled into the command.
const NOTICES: &str = include_str!("../NOTICES.txt");

/// How many positives are there? Prevalence from an imperfect classifier's scores, with a standard error.
///
/// Scores are numbers, higher meaning more positive. Tables are CSV, TSV or semicolon-separated text with a header,
/// JSON lines (columns are keys, or paths such as scores.judge), both also packed with gzip or zstd, Excel workbooks,
/// Parquet, or Arrow files and streams, told apart by their first bytes. In text, spaces around cells and empty lines
/// do not count, but an empty line between the rows of a single column is a missing score.
#[derive(Parser)]
#[command(name = "truecount", bin_name = "truecount", version, max_term_width = 100)]
#[command(after_help = AFTER, disable_help_subcommand = true, arg_required_else_help = true)]
struct Args {
    /// Print the licences of all software in this program
    #[arg(long)]
    licenses: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Estimate the prevalence among unlabelled scores, overall or by group
    Estimate(estimate::EstimateArgs),
    /// Estimate the prevalence from counts and a published sensitivity and specificity
    Counts(counts::CountsArgs),
    /// Compare prevalences between groups, samples, methods or classifiers
    Compare(compare::CompareArgs),
    /// Combine a random labelled sample of the new rows with their scores, or draw such a sample
    Audit(audit::AuditArgs),
    /// Write a report of the estimates: one HTML page with figures
    Report(report::ReportArgs),
    /// Summarise unlabelled scores in a small file, for `finish` and `monitor`
    Tally(tally::TallyArgs),
    /// Estimate the prevalence from the files of `tally`
    Finish(finish::FinishArgs),
    /// Monitor a prevalence over time, with an alarm that stays valid however often one looks
    Monitor(monitor::MonitorArgs),
    /// Fit a model to labelled scores and write it to a file
    Fit(fit::FitArgs),
    /// Plan how many labelled and unlabelled rows a standard error or an interval needs
    Plan(plan::PlanArgs),
    /// Print a query that computes the estimates in a database
    Sql(sql::SqlArgs),
    /// Test whether only the prevalence has changed, and whether the families fit
    Check(check::CheckArgs),
    /// Measure the errors of methods on samples with known prevalence
    Evaluate(evaluate::EvaluateArgs),
    /// Compare methods over data sets, classifiers, labelled samples and types of shift
    Experiment(experiment::ExperimentArgs),
    /// Explain a command, the methods, the families or the output formats
    Help(help::HelpArgs),
    /// Print a script that completes commands and options in a shell
    Completions(completions::CompletionsArgs),
    /// Write manual pages
    Man(man::ManArgs),
    /// Write the pages of the command's reference
    #[command(hide = true)]
    Reference(reference::ReferenceArgs),
}

/// Runs the command with the words of a command line, the program's name first, and returns its exit status.
///
/// The function sets up signals and threads for the whole process, so call it once. A signal may
/// end the process before the function returns.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    RUNS_COMMAND.store(true, Ordering::Relaxed);
    let words: Vec<OsString> = words.into_iter().collect();
    let typed: Vec<String> = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let program = || help::arrange_options(command(), help::HelpExtent::from_words(&typed));
    let parsed = program().try_get_matches_from(words).and_then(|matches| Args::from_arg_matches(&matches));
    let status = match parsed {
        Ok(Args { command: Some(command), licenses: false }) => exit_status(|| run_command(command, &typed)),
        Ok(_) => exit_status(|| output::to_stdout(|out| out.write_all(NOTICES.as_bytes())).map(|()| SUCCESS)),
        Err(help) if !help.use_stderr() => exit_status(|| output::to_stdout(|_| help.print()).map(|()| SUCCESS)),
        Err(error) => {
            let error = hints::with_tip(error, &program(), &typed);
            let _ = error.print();
            u8::try_from(error.exit_code()).expect("clap ends with 0 or 2")
        }
    };
    // Rust flushes at the end of a program; a Python process would not.
    let _ = io::stdout().flush();
    status
}

/// Sets up signals and threads, runs a program's work, prints its error if it fails, and returns the exit status.
pub fn exit_status(work: impl FnOnce() -> Result<u8, CliError>) -> u8 {
    let start = || signals::watch().map_err(CliError::at("signals")).and_then(|()| parallel::start());
    start().and_then(|()| work()).unwrap_or_else(|error| {
        output::print_message(&format!("error: {error}"));
        error.exit_status()
    })
}

/// Runs a command and returns its exit status. `typed` has the words after the program's name.
fn run_command(command: Command, typed: &[String]) -> Result<u8, CliError> {
    match command {
        Command::Estimate(args) => estimate::run(&args),
        Command::Counts(args) => counts::run(&args, typed),
        Command::Compare(args) => compare::run(&args),
        Command::Audit(args) => audit::run(&args),
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
        Command::Help(args) => help::run(&args, command_with_groups(), &tables()),
        Command::Completions(args) => completions::run(&args, command_with_groups()),
        Command::Man(args) => man::run(&args, command_with_groups()),
        Command::Reference(args) => reference::run(&args, command_with_groups(), &tables()),
    }?;
    Ok(SUCCESS)
}

/// Returns the program's commands and options, as clap derives them.
pub fn command() -> clap::Command {
    Args::command()
}

/// Returns the program's commands with their options in groups.
fn command_with_groups() -> clap::Command {
    help::arrange_options(command(), help::HelpExtent::All)
}

/// Describes the result tables of all commands.
fn tables() -> Vec<(&'static str, Vec<TableDescription>)> {
    vec![
        (
            "estimate and finish",
            vec![
                describe_table::<EstimateRow>(),
                describe_table::<StandardisedRow>(),
                describe_table::<ClassShareRow>(),
            ],
        ),
        ("counts", vec![describe_table::<CountRow>(), describe_table::<StandardisedRow>()]),
        ("compare", vec![describe_table::<DifferenceRow>()]),
        ("audit", audit::tables()),
        ("monitor", vec![describe_table::<MonitorRow>()]),
        ("check", check::tables()),
        ("plan", plan::tables()),
        ("evaluate", evaluate::tables()),
        ("experiment", truecount_analysis::experiment::tables()),
    ]
}
