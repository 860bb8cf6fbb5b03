//! The checks of every change, and the documentation's pictures.

use crate::book;
use crate::layers;
use crate::programs::{self, Engines};
use crate::r;
use crate::run::{TaskError, built_file, cargo, root, run};
use crate::rust_version;
use crate::type_names;
use crate::version;
use crate::web;
use std::path::Path;

/// Examples of the report's crate, and the pictures they draw.
const FIGURES: [(&str, &str); 2] =
    [("spam_figure", "docs/figures/spam.svg"), ("efficient_sweep_figure", "docs/figures/efficient-sweep.svg")];

/// Arguments for all packages with Rust tests. Python's extension module is tested in Python, and
/// cannot be linked without it.
const TESTED_PACKAGES: [&str; 4] = ["--workspace", "--exclude", "truecount-python", "--locked"];

/// Feature sets that the build of the workspace does not cover: the report of the browser page,
/// whose pictures are never PNG.
const FEATURE_SETS: [[&str; 3]; 1] = [["truecount-report", "--lib", "--features="]];

/// Runs the checks for every day: formatting, names, lints, and the Rust unit and integration
/// tests.
pub fn quick() -> Result<(), TaskError> {
    lints()?;
    cargo("tests", &[&["test"], &TESTED_PACKAGES[..], &["--lib", "--bins", "--tests"]].concat(), &[])
}

/// Checks formatting, imports and type names, and runs clippy.
fn lints() -> Result<(), TaskError> {
    cargo("formatting", &["fmt", "--all", "--check"], &[])?;
    layers::check()?;
    type_names::check()?;
    cargo("clippy", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], &[])
}

pub fn test() -> Result<(), TaskError> {
    lints()?;
    rust_version::check()?;
    version::check()?;
    programs::descriptions()?;
    FEATURE_SETS.iter().try_for_each(|[package, targets, features]| {
        let clippy = ["clippy", "--package", package, targets, "--no-default-features", features, "--locked"];
        cargo("clippy with fewer features", &[&clippy[..], &["--", "-D", "warnings"]].concat(), &[])
    })?;
    cargo("documentation", &["doc", "--workspace", "--no-deps", "--locked"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    cargo("tests and doc tests", &[&["test"], &TESTED_PACKAGES[..]].concat(), &[])?;
    // The tests have built the command and the examples, which the following steps use.
    FIGURES.iter().try_for_each(|(example, file)| check_figure(example, file))?;
    let truecount = built_file("debug/truecount")?;
    programs::engines(Engines::Embedded, &truecount)?;
    programs::browser(&truecount)?;
    programs::python()?;
    r::package(Some(&truecount))?;
    let page = web::page()?;
    programs::web(&page, &truecount)?;
    book::site(&truecount, &page)?;
    programs::book(book::SITE)
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
