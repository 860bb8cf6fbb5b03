//! `cargo xtask test` runs every check, `cargo xtask quick` only formatting, lints and the tests of Rust, `cargo xtask
//! layers` only the checks of imports and of type names, `cargo xtask python` only those of
//! the Python package, and `cargo xtask browser` only those of reports in Chromium; `cargo xtask docs` builds the book
//! as a site, in target/book; `cargo xtask figures` redraws its pictures. `cargo xtask fuzz` searches for hours, with a C++ compiler,
//! for inputs that a reader does not bear.
//!
//! `cargo xtask sdist` writes the source distribution, which builds without a network, in target/sdist, and builds it there.
//! `cargo xtask version X.Y.Z` writes the version everywhere, and `cargo xtask release` checks what a release needs beyond the tests.
//! `cargo xtask web` builds the page in which the command runs, target/web/truecount.html, and tries it in Chromium; with --build it only
//! builds it.
//!
//! Five more need tools that not every machine has, and install them with pip (Python 3.11 or newer): `cargo xtask
//! golden` recomputes the golden values with mpmath and compares; `cargo xtask peers` compares answers, times and
//! errors with QuaPy and mlquantify, and intervals with prediction-powered inference; `cargo xtask pools` makes the pools
//! of scores that it draws from, in target/pools/data, for `truecount-bench study pools` too; `cargo xtask engines` compares what
//! `truecount sql` prints with `truecount estimate` in six engines, and times it in two; `cargo xtask speed` compares time and
//! memory with DuckDB on large files.

mod book;
mod checks;
mod fuzz;
mod layers;
mod programs;
mod r;
mod release;
mod run;
mod rust_version;
mod type_names;
mod version;
mod web;

use programs::Engines;
use run::Failed;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask \
    test | quick | layers | python | r [--build] | browser | docs | figures | fuzz [TARGET] [--minutes N] | golden [--write] | pools | peers | engines | speed | sdist | web [--build] \
    | version X.Y.Z | release [vX.Y.Z | --offline]";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next();
    let done = match task.as_deref() {
        Some("test") => checks::test(),
        Some("layers") => layers::check().and_then(|()| type_names::check()),
        Some("quick") => checks::quick(),
        Some("browser") => programs::truecount("debug", &[]).and_then(|command| programs::browser(&command)),
        Some("docs") => book::docs(),
        Some("figures") => checks::figures(),
        Some("fuzz") => fuzz::search(&arguments.collect::<Vec<_>>()),
        Some("golden") => programs::golden(&arguments.collect::<Vec<_>>()),
        Some("pools") => programs::pools(),
        Some("peers") => programs::peers(),
        Some("engines") => {
            programs::truecount("debug", &[]).and_then(|command| programs::engines(Engines::All, &command))
        }
        Some("python") => programs::python(),
        Some("r") if arguments.next().as_deref() == Some("--build") => r::package(None),
        Some("r") => programs::truecount("debug", &[]).and_then(|command| r::package(Some(&command))),
        Some("release") => release::check(&arguments.collect::<Vec<_>>()),
        Some("sdist") => programs::sdist(),
        Some("speed") => programs::speed(),
        Some("version") => version::set(&arguments.next().unwrap_or_default()),
        Some("web") if arguments.next().as_deref() == Some("--build") => web::page().map(drop),
        Some("web") => programs::truecount("debug", &[])
            .and_then(|command| web::page().and_then(|page| programs::web(&page, &command))),
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
