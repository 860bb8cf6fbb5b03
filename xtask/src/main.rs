//! Development tasks, run as `cargo xtask TASK`.
//!
//! Checks:
//! - `test`: all checks
//! - `quick`: formatting, lints and the Rust tests
//! - `layers`: imports and type names
//! - `python`: the Python package
//! - `r`: the R package, built in target/r; with `--build` without checks
//! - `browser`: reports in Chromium
//! - `release`: what a release needs in addition to the tests
//! - `fuzz`: searches for hours for inputs that crash or stall a reader; needs a C++ compiler
//!
//! Builds:
//! - `docs`: the book as a site, in target/book
//! - `figures`: the book's pictures
//! - `interface`: the list of the library's public items, crates/truecount/interface.txt
//! - `notices`: the licences of everything that is compiled in, crates/truecount-cli/NOTICES.txt
//! - `package [static [TARGET] | WHAT]`: other artefacts, in target/package
//! - `sdist`: the source distribution, in target/sdist, and a build from it without a network
//! - `web`: the browser page, target/web/truecount.html, and its tests in Chromium; with `--build`
//!   without tests
//! - `version X.Y.Z`: writes the version everywhere
//!
//! Comparisons, whose tools are installed with pip (Python 3.11 or newer):
//! - `golden`: recomputes the golden values with mpmath
//! - `peers`: answers, times and errors against QuaPy and mlquantify, and intervals against
//!   prediction-powered inference
//! - `pools`: the pools of scores for `peers` and `truecount-bench study pools`, in
//!   target/pools/data
//! - `engines`: the output of `truecount sql` in six SQL engines against `truecount estimate`, with
//!   times in two
//! - `speed`: time and memory on large files against DuckDB
//!
//! Simulations:
//! - `simulate [--reps N]`: the studies and tables of the book, which take hours, in
//!   target/simulations

mod book;
mod checks;
mod fuzz;
mod interface;
mod layers;
mod notices;
mod package;
mod programs;
mod r;
mod release;
mod run;
mod type_names;
mod version;
mod web;

use programs::Engines;
use run::TaskError;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask \
    test | quick | layers | python | r [--build] | browser | docs | figures | fuzz [TARGET] [--minutes N] \
    | interface | notices | golden [--write] | pools | peers | engines | speed | package [static [TARGET] | WHAT] \
    | simulate [--reps N] | sdist | web [--build] \
    | version X.Y.Z | release [vX.Y.Z | --offline]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let debug_command = || programs::truecount("debug", &[]);
    let result = match arguments[..] {
        ["test"] => checks::test(),
        ["layers"] => layers::check().and_then(|()| type_names::check()),
        ["quick"] => checks::quick(),
        ["browser"] => debug_command().and_then(|command| programs::browser(&command)),
        ["docs"] => book::docs(),
        ["figures"] => checks::figures(),
        ["fuzz", ref options @ ..] => fuzz::search(options),
        ["golden", ref options @ ..] => programs::golden(options),
        ["interface"] => interface::write(),
        ["notices"] => notices::write(),
        ["package", ref options @ ..] => package::make(options),
        ["pools"] => programs::pools(),
        ["peers"] => programs::peers(),
        ["engines"] => debug_command().and_then(|command| programs::engines(Engines::All, &command)),
        ["python"] => programs::python(),
        ["r", "--build"] => r::build(),
        ["r"] => r::build().and_then(|()| debug_command()).and_then(|command| r::check(&command)),
        ["release", ref options @ ..] => release::check(options),
        ["sdist"] => programs::sdist(),
        ["simulate", ref options @ ..] => programs::simulate(options),
        ["speed"] => programs::speed(),
        ["version", version] => version::set(version),
        ["web", "--build"] => web::page().map(drop),
        ["web"] => debug_command().and_then(|command| web::page().and_then(|page| programs::web(&page, &command))),
        _ => Err(TaskError(USAGE.to_owned())),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
