//! The `truecount` command, for the program and for the Python package: reads tables, writes tables; the mathematics is in the library.
//! Here is the list of its commands, each of which has its arguments in its own folder, put together from groups of options.
//!
//! Results go to stdout, progress and warnings to stderr. Exit 0 done, 1 the data or a file is wrong, 2 the command
//! line is wrong, 3 done with an alarm (`monitor`), 130 interrupted, 143 terminated.

mod advice;
mod audit;
mod bootstrap;
mod check;
mod compare;
#[cfg(feature = "program")]
mod completions;
mod counts;
mod estimate;
#[cfg(feature = "program")]
mod evaluate;
mod failure;
mod figure;
#[cfg(feature = "program")]
mod finished;
#[cfg(feature = "program")]
mod fit;
mod hex;
#[cfg(feature = "program")]
mod hints;
#[cfg(feature = "program")]
mod influence;
#[cfg(feature = "lequa")]
mod lequa;
#[cfg(feature = "program")]
mod man;
mod models;
#[cfg(feature = "program")]
mod monitor;
mod options;
mod output;
mod parallel;
#[cfg(feature = "program")]
mod plan;
mod progress;
#[cfg(feature = "program")]
mod reference;
mod report;
#[cfg(feature = "program")]
mod signals;
#[cfg(feature = "program")]
mod sql;
#[cfg(feature = "program")]
mod study;
#[cfg(feature = "program")]
mod tally;
mod whole;

pub use report::InMemory as InMemoryReport;

use clap::{CommandFactory, Parser, Subcommand};
use failure::Failure;
use std::ffi::OsString;
use std::io::{self, Write};
use truecount_io::results::{CountRow, Described, DifferenceRow, EstimateRow, MonitorRow, described};

/// The exit status where nothing is wrong.
const DONE: u8 = 0;

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
#[command(name = "truecount", bin_name = "truecount", version, after_help = AFTER)]
#[cfg_attr(feature = "program", command(max_term_width = 100))]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Estimate the prevalence among unlabelled scores, in all or by group
    Estimate(estimate::Estimate),
    /// Estimate the prevalence from counts and a published sensitivity and specificity
    Counts(counts::Counts),
    /// Tell how far prevalences are apart: of groups, samples, methods or classifiers
    Compare(compare::Compare),
    /// Put rows of the target that people have labelled beside the scores, or choose which ones to label
    #[cfg(feature = "program")]
    Audit(audit::Audit),
    /// Tell what each score adds to an estimate, or each labelled score to its error
    #[cfg(feature = "program")]
    Influence(influence::Influence),
    /// Write one page with figures about the estimates, to hand on
    Report(report::Report),
    /// Tally unlabelled scores into a file, for `finish` to estimate from
    #[cfg(feature = "program")]
    Tally(tally::Tally),
    /// Estimate the prevalence from tallies, of any number of files
    #[cfg(feature = "program")]
    Finish(tally::Finish),
    /// Watch a prevalence over time, with an alarm that may be looked for every day
    #[cfg(feature = "program")]
    Monitor(monitor::Monitor),
    /// Fit a model to labelled scores and write it to a file
    #[cfg(feature = "program")]
    Fit(fit::Fit),
    /// Plan how many labelled and unlabelled scores a standard error or an interval needs
    #[cfg(feature = "program")]
    Plan(plan::Plan),
    /// Print a query that computes the estimates in a database
    #[cfg(feature = "program")]
    Sql(sql::Sql),
    /// Rerun a simulation study of the methods
    #[cfg(feature = "program")]
    #[command(subcommand)]
    Study(study::Study),
    /// Check whether only the prevalence has changed, and whether the families fit
    #[cfg(feature = "program")]
    Check(check::Check),
    /// Measure how far estimates are off, on samples whose prevalence is known
    #[cfg(feature = "program")]
    Evaluate(evaluate::Evaluate),
    /// Solve the LeQua competition's binary task: from features to prevalences
    #[cfg(feature = "lequa")]
    Lequa(lequa::Lequa),
    /// Print a script that completes commands and options in a shell
    #[cfg(feature = "program")]
    Completions(completions::Completions),
    /// Write manual pages
    #[cfg(feature = "program")]
    Man(man::Manual),
    /// Write the pages of the command's reference
    #[command(hide = true)]
    #[cfg(feature = "program")]
    Reference(reference::Reference),
}

/// Runs the command with the words of a command line, the first of which stands for the program, and returns its exit status.
///
/// Signals and threads are set up for the whole process, so that this is called once; a signal may end the process within.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    let typed: Vec<String> = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let status = match Args::try_parse_from(words) {
        Ok(args) => done(args.command, &typed).unwrap_or_else(|failure| {
            output::say(&format!("error: {failure}"));
            failure.exit_status()
        }),
        Err(error) => {
            #[cfg(feature = "program")]
            let error = hints::with_tip(error, &Args::command(), &typed);
            let _ = error.print();
            u8::try_from(error.exit_code()).expect("clap ends with 0 or 2")
        }
    };
    // Rust does so where a program ends, and Python does not know of it.
    let _ = io::stdout().flush();
    status
}

/// What the command ends with, if nothing fails; of these words, typed behind the program's name.
fn done(command: Command, typed: &[String]) -> Result<u8, Failure> {
    #[cfg(feature = "program")]
    signals::watch().map_err(Failure::at("signals"))?;
    parallel::start()?;
    match command {
        Command::Estimate(args) => estimate::run(&args),
        Command::Counts(args) => counts::run(&args),
        Command::Compare(args) => compare::run(&args),
        #[cfg(feature = "program")]
        Command::Audit(args) => audit::run(&args),
        #[cfg(feature = "program")]
        Command::Influence(args) => influence::run(&args),
        Command::Report(args) => report::run(&args, typed),
        #[cfg(feature = "program")]
        Command::Tally(args) => tally::tally(&args),
        #[cfg(feature = "program")]
        Command::Finish(args) => tally::finish(&args),
        #[cfg(feature = "program")]
        Command::Monitor(args) => return monitor::run(&args),
        #[cfg(feature = "program")]
        Command::Fit(args) => fit::run(&args),
        #[cfg(feature = "program")]
        Command::Plan(args) => plan::run(&args),
        #[cfg(feature = "program")]
        Command::Study(study) => study::run(&study),
        #[cfg(feature = "program")]
        Command::Sql(args) => sql::run(&args),
        #[cfg(feature = "program")]
        Command::Check(args) => check::run(&args),
        #[cfg(feature = "program")]
        Command::Evaluate(args) => evaluate::run(&args),
        #[cfg(feature = "lequa")]
        Command::Lequa(args) => lequa::run(&args),
        #[cfg(feature = "program")]
        Command::Completions(args) => completions::run(&args, Args::command()),
        #[cfg(feature = "program")]
        Command::Man(args) => man::run(&args, Args::command()),
        #[cfg(feature = "program")]
        Command::Reference(args) => reference::run(&args, Args::command(), &tables()),
    }?;
    Ok(DONE)
}

/// What the commands' results are.
#[cfg(feature = "program")]
fn tables() -> Vec<(&'static str, Vec<Described>)> {
    vec![
        ("estimate and finish", vec![described::<EstimateRow>()]),
        ("counts", vec![described::<CountRow>()]),
        ("compare", vec![described::<DifferenceRow>()]),
        ("audit", audit::tables()),
        ("monitor", vec![described::<MonitorRow>()]),
        ("influence", influence::tables()),
        ("check", check::tables()),
        ("plan", plan::tables()),
        ("evaluate", evaluate::tables()),
    ]
}
