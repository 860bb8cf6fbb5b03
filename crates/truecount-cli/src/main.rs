//! The `truecount` command: reads tables, writes tables; the mathematics is in the library.
//!
//! Results go to stdout, progress and warnings to stderr. Exit 0 done, 1 the data or a file is wrong, 2 the command line
//! is wrong, 130 interrupted.

mod advice;
mod args;
mod bootstrap;
mod check;
mod commands;
mod completions;
mod evaluate;
mod failure;
mod figure;
mod input;
mod lequa;
mod man;
mod model_file;
mod output;
mod parallel;
mod plan;
mod reference;
mod report;
mod sql;
mod study;
mod tally;
mod whole_file;

use clap::Parser;
use mimalloc::MiMalloc;
use std::process::ExitCode;

/// Rows come in pieces of some hundred kilobytes, which the system's allocator would give back and ask for again each time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let done = match args::Args::parse().command {
        args::Command::Estimate(args) => commands::estimate(&args),
        args::Command::Report(args) => report::run(&args),
        args::Command::Tally(args) => tally::tally(&args),
        args::Command::Finish(args) => tally::finish(&args),
        args::Command::Fit(args) => commands::fit(&args),
        args::Command::Plan(args) => plan::run(&args),
        args::Command::Study(study) => study::run(&study),
        args::Command::Sql(args) => sql::run(&args),
        args::Command::Check(args) => check::run(&args),
        args::Command::Evaluate(args) => evaluate::run(&args),
        args::Command::Lequa(args) => lequa::run(&args),
        args::Command::Completions(args) => completions::run(&args),
        args::Command::Man(args) => man::run(&args),
        args::Command::Reference(args) => reference::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::say(&format!("error: {failure}"));
            failure.exit_code()
        }
    }
}
