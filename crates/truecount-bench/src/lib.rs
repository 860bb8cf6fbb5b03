//! The research behind truecount's evidence, in a program of its own: `truecount-bench`.
//!
//! # Layout
//!
//! [`studies`]: the simulation studies, one module each, and what runs them. `study`: their command line. `folder`: the
//! folder of a study's results. `lequa`: the LeQua competition's binary task, from features to prevalences. `shared`:
//! everything that is imported from the `truecount` command.
//!
//! Beside this library are scripts: `peers` compares with other programs, `pools` makes pools of real scores, and
//! `schumacher` reruns a published comparison of methods.

mod folder;
mod lequa;
mod shared;
pub mod studies;
mod study;

use clap::{Parser, Subcommand};
use shared::{DONE, exit_status};
use std::ffi::OsString;

const AFTER: &str = "\
Exit status: 0 done, 1 the data or a file is wrong, 2 the command line is wrong,
130 interrupted, 143 terminated.";

/// The studies behind truecount's evidence.
#[derive(Parser)]
#[command(name = "truecount-bench", bin_name = "truecount-bench", version, max_term_width = 100, after_help = AFTER)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Rerun a simulation study of the methods
    #[command(subcommand)]
    Study(study::StudyCommand),
    /// Solve the LeQua competition's binary task: from features to prevalences
    Lequa(lequa::LequaArgs),
}

/// Runs the program with the words of a command line, the first of which is its name, and returns the exit status.
///
/// Signals and threads are set up for the whole process, so this is called once; a signal may end the process within.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    match Args::try_parse_from(words) {
        Ok(Args { command }) => exit_status(|| {
            match command {
                Command::Study(study) => study::run(&study),
                Command::Lequa(args) => lequa::run(&args),
            }?;
            Ok(DONE)
        }),
        Err(error) => {
            let _ = error.print();
            u8::try_from(error.exit_code()).expect("clap ends with 0 or 2")
        }
    }
}
