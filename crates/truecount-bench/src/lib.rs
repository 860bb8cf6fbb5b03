//! The studies behind truecount's evidence: the library of the program `truecount-bench`.
//!
//! # Layout
//!
//! [`studies`]: the simulation studies, one module each, and their runner. `study`: their command
//! line. `folder`: the folder of a study's results. [`shapes`]: shapes of scores. [`replications`]: random numbers and
//! shares of replications, for the examples too. `shared`: imports from other
//! crates.
//!
//! The folder of the crate also has scripts: `peers` compares truecount with other programs,
//! `pools` makes pools of classifier scores, `lequa` solves the LeQua competitions' binary tasks, and
//! `schumacher` reruns a published comparison of methods.

mod folder;
pub mod replications;
pub mod shapes;
mod shared;
pub mod studies;
mod study;

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use truecount::Error;
use truecount::error::ErrorKind;
use truecount_analysis::advice::format_error;

const AFTER: &str = "\
Exit status: 0 done, 1 the data or a file is wrong, 2 the command line is wrong,
130 interrupted.";

/// The studies behind truecount's evidence.
#[derive(Parser)]
#[command(name = "truecount-bench", bin_name = "truecount-bench", version, max_term_width = 100, after_help = AFTER)]
struct Args {
    #[command(subcommand)]
    command: BenchCommand,
}

#[derive(Subcommand)]
enum BenchCommand {
    /// Rerun a simulation study of the methods
    #[command(subcommand)]
    Study(study::StudyCommand),
}

/// Runs the program with these arguments, the first of which is the program's name, and returns the exit status.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    match Args::try_parse_from(arguments) {
        Ok(Args { command: BenchCommand::Study(study) }) => {
            study::run(&study).map_or_else(|error| exit_status(&error), |()| 0)
        }
        Err(error) => {
            let _ = error.print();
            u8::try_from(error.exit_code()).expect("clap ends with 0 or 2")
        }
    }
}

/// Exit status after Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Prints the error of a run, and returns its exit status.
fn exit_status(error: &Error) -> u8 {
    eprintln!("error: {}", format_error(error));
    match error.kind() {
        _ if error.code() == "work-interrupted" => INTERRUPTED,
        ErrorKind::Options => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::error::ErrorKind;
    use std::fs;
    use std::path::Path;

    /// Returns the texts of all Markdown pages in a folder and its subfolders.
    fn pages(folder: &Path) -> Vec<String> {
        let mut texts = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                texts.extend(pages(&path));
            } else if path.extension().is_some_and(|extension| extension == "md") {
                texts.push(fs::read_to_string(path).unwrap());
            }
        }
        texts
    }

    /// Returns the commands of this program on a page, from code blocks and inline code.
    fn commands(page: &str) -> Vec<String> {
        let page = page.replace("\\\n", " ");
        let command = |line: &str| {
            let arguments = line.split_once("cargo run --release -p truecount-bench -- ").map(|(_, rest)| rest);
            arguments.or(line.strip_prefix("truecount-bench ")).map(str::to_owned)
        };
        page.lines().flat_map(|line| line.split('`')).filter_map(command).collect()
    }

    #[test]
    fn commands_in_the_book_are_valid() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut pages = pages(&root.join("docs"));
        pages.push(fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap());
        let commands: Vec<String> = pages.iter().flat_map(|page| commands(page)).collect();
        for command in &commands {
            let words = format!("truecount-bench {command} --help");
            let error = Args::try_parse_from(words.split_whitespace()).err().unwrap();
            assert_eq!(error.kind(), ErrorKind::DisplayHelp, "{words}: {error}");
        }
        assert!(commands.len() > 12, "only {} commands", commands.len());
    }
}
