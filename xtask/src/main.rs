//! `cargo xtask test` runs every check there is, `cargo xtask layers` the one of who imports whom, `cargo xtask python`
//! those of the Python package alone, `cargo xtask browser` those of reports in Chromium; `cargo xtask docs` builds the
//! book as a site, in target/book; `cargo xtask figures` makes its pictures anew.
//!
//! Four more need what not every machine has, and get it with pip (Python 3.11 or newer): `cargo xtask golden` makes the
//! golden values anew with mpmath and compares; `cargo xtask peers` compares answers and times with QuaPy and mlquantify,
//! and intervals with prediction-powered inference; `cargo xtask engines` compares what `truecount sql` prints with
//! `truecount estimate` in DuckDB, SQLite, PostgreSQL and Spark; `cargo xtask speed` compares time and memory with DuckDB
//! on large files.

mod book;
mod checks;
mod layers;
mod programs;
mod run;

use programs::Engines;
use run::Failed;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask \
    test | layers | python | browser | docs | figures | golden [--write] | peers | engines | speed";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next();
    let done = match task.as_deref() {
        Some("test") => checks::test(),
        Some("layers") => layers::check(),
        Some("browser") => programs::truecount("debug", &[]).and_then(|command| programs::browser(&command)),
        Some("docs") => book::docs(),
        Some("figures") => checks::figures(),
        Some("golden") => programs::golden(&arguments.collect::<Vec<_>>()),
        Some("peers") => programs::peers(),
        Some("engines") => {
            programs::truecount("debug", &[]).and_then(|command| programs::engines(Engines::All, &command))
        }
        Some("python") => programs::truecount("debug", &[]).and_then(|command| programs::python(&command)),
        Some("speed") => programs::speed(),
        _ => Err(Failed(USAGE.to_owned())),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            eprintln!("xtask: {failed}");
            ExitCode::FAILURE
        }
    }
}
