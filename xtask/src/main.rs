//! `cargo xtask test` runs every check there is, `cargo xtask layers` the one of who imports whom, `cargo xtask python` those of the Python package alone, `cargo xtask browser` those of
//! reports in Chromium; `cargo xtask docs` builds the book as a site, in target/book; `cargo xtask figures` makes its pictures anew.
//!
//! Three more need what not every machine has, and get it with pip (Python 3.11 or newer): `cargo xtask peers` compares
//! answers and times with QuaPy and mlquantify, and intervals with prediction-powered inference; `cargo xtask engines` compares
//! what `truecount sql` prints with `truecount estimate` in DuckDB, SQLite, PostgreSQL and Spark; `cargo xtask speed` compares
//! time and memory with DuckDB on large files.

mod book;
mod checks;
mod layers;
mod programs;
mod run;
mod rust_version;

use programs::Engines;
use run::Failed;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask test | layers | python | browser | docs | figures | peers | engines | speed";

fn main() -> ExitCode {
    let task = std::env::args().nth(1);
    let done = match task.as_deref() {
        Some("test") => checks::test(),
        Some("layers") => layers::check(),
        Some("browser") => programs::truecount("debug", &[]).and_then(|command| programs::browser(&command)),
        Some("docs") => book::docs(),
        Some("figures") => checks::figures(),
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
