//! The checks of every change, and the documentation's pictures.

use crate::book;
use crate::interface;
use crate::layers;
use crate::notices;
use crate::programs::{self, Engines};
use crate::r;
use crate::run::{SharedStep, SharedSteps, TaskError, built_file, cargo, root, run, run_all, run_lanes};
use crate::type_names;
use crate::version;
use crate::web;
use std::path::Path;
use std::sync::mpsc;

/// Examples of the report's crate, and the pictures they draw.
const FIGURES: [(&str, &str); 2] =
    [("spam_figure", "docs/figures/spam.svg"), ("efficient_sweep_figure", "docs/figures/efficient-sweep.svg")];

/// Arguments for the Rust tests. Packages without tests are included so that cargo chooses the same
/// features of dependencies for the tests, for clippy and for the Python package, and builds each
/// dependency once.
const TESTS: [&str; 3] = ["test", "--workspace", "--locked"];

/// Runs the checks for every day: formatting, names, lints, and the Rust unit and integration
/// tests.
pub fn quick() -> Result<(), TaskError> {
    formatting_and_names()?;
    clippy()?;
    cargo("tests", &[&TESTS[..], &["--tests"]].concat(), &[])
}

/// Runs all checks, in two lanes: the Rust compiler with the Rust tests, and everything else. The
/// second lane prepares what does not need the command, until the first lane has built it. The lane
/// that is done first helps the other. A check that fails does not stop the others.
pub fn test() -> Result<(), TaskError> {
    formatting_and_names()?;
    version::check()?;
    let (built, command) = mpsc::channel();
    let shared = &SharedSteps::default();
    run_lanes(
        move || {
            cargo("build of the tests", &[&TESTS[..], &["--no-run"]].concat(), &[])?;
            // The tests include the command and the examples. The other lane receives the command
            // unless it has failed.
            let _ = built.send(built_file("debug/truecount")?);
            run_all(&[
                &|| FIGURES.iter().try_for_each(|(example, file)| check_figure(example, file)),
                &clippy,
                &clippy_with_fewer_features,
                &interface::check,
                &documentation,
                &|| cargo("tests and doc tests", &[&TESTS[..], &["--no-fail-fast"]].concat(), &[]),
                &|| shared.run(),
            ])
        },
        move || {
            programs::descriptions()?;
            notices::check()?;
            r::build()?;
            let page = web::page();
            let truecount = command.recv().map_err(|_| TaskError("there is no command to check".to_owned()))?;
            let [for_engines, for_r, for_browser] = [(); 3].map(|()| truecount.clone());
            let steps: [SharedStep; 5] = [
                Box::new(move || programs::schemas_and_examples(&truecount)),
                Box::new(move || programs::engines(Engines::Embedded, &for_engines)),
                Box::new(move || r::check(&for_r)),
                Box::new(programs::python),
                // These have one Python environment.
                Box::new(move || {
                    let page = page?;
                    run_all(&[&|| programs::browser(&for_browser), &|| programs::web(&page, &for_browser), &|| {
                        book::site(&for_browser, &page).and_then(|()| programs::book(book::SITE))
                    }])
                }),
            ];
            shared.add(steps);
            shared.run()
        },
    )
}

/// Checks formatting, imports and type names.
fn formatting_and_names() -> Result<(), TaskError> {
    cargo("formatting", &["fmt", "--all", "--check"], &[])?;
    layers::check()?;
    type_names::check()
}

/// Runs clippy on the whole workspace.
fn clippy() -> Result<(), TaskError> {
    cargo("clippy", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], &[])
}

/// Runs clippy on features that the build of the workspace does not cover: the report of the browser
/// page, whose pictures are never PNG.
fn clippy_with_fewer_features() -> Result<(), TaskError> {
    let clippy = ["clippy", "--package", "truecount-report", "--lib", "--no-default-features", "--locked"];
    cargo("clippy with fewer features", &[&clippy[..], &["--", "-D", "warnings"]].concat(), &[])
}

/// Builds the documentation of all crates, without warnings.
fn documentation() -> Result<(), TaskError> {
    cargo("documentation", &["doc", "--workspace", "--no-deps", "--locked"], &[("RUSTDOCFLAGS", "-D warnings")])
}

pub fn figures() -> Result<(), TaskError> {
    cargo("examples", &["build", "--package", "truecount-report", "--examples", "--locked"], &[])?;
    FIGURES.iter().try_for_each(|(example, file)| draw(example, &root().join(file)))
}

/// Draws a picture again and compares it with the one in the repository.
fn check_figure(example: &str, file: &str) -> Result<(), TaskError> {
    let redrawn = std::env::temp_dir().join(format!("truecount-{}-{example}.svg", std::process::id()));
    draw(example, &redrawn)?;
    let read = |path: &Path| std::fs::read(path).map_err(|e| TaskError(format!("{}: {e}", path.display())));
    let is_unchanged = read(&redrawn)? == read(&root().join(file))?;
    let _ = std::fs::remove_file(&redrawn);
    if is_unchanged {
        Ok(())
    } else {
        Err(TaskError(format!("{file} is out of date: run `cargo xtask figures` and look at it")))
    }
}

fn draw(example: &str, file: &Path) -> Result<(), TaskError> {
    let file = file.to_str().ok_or_else(|| TaskError(format!("{} is not UTF-8", file.display())))?;
    run("figure", &built_file(&format!("debug/examples/{example}"))?, &[file], &[])
}
