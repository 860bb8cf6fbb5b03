//! What must hold before a change is merged, and the documentation's pictures.

use crate::book;
use crate::layers;
use crate::programs::{self, Engines};
use crate::r;
use crate::run::{Failed, built, cargo, root, run};
use crate::rust_version;
use crate::type_names;
use crate::version;
use crate::web;
use std::path::Path;

/// The pictures, each made by an example of the report's crate.
const FIGURES: [(&str, &str); 2] =
    [("spam_figure", "docs/figures/spam.svg"), ("efficient_sweep_figure", "docs/figures/efficient-sweep.svg")];

/// Python's extension module has its tests in Python, and cannot be linked without it.
const TESTED: [&str; 4] = ["--workspace", "--exclude", "truecount-python", "--locked"];

/// The report as the page has it: pictures without PNG. The workspace builds all of it.
const FEWER: [[&str; 3]; 1] = [["truecount-report", "--lib", "--features="]];

/// What one runs while working: formatting, names, lints, and the unit and integration tests of Rust.
pub fn quick() -> Result<(), Failed> {
    lints()?;
    cargo("tests", &[&["test"], &TESTED[..], &["--lib", "--bins", "--tests"]].concat(), &[])
}

/// Formatting, imports, type names and clippy.
fn lints() -> Result<(), Failed> {
    cargo("formatting", &["fmt", "--all", "--check"], &[])?;
    layers::check()?;
    type_names::check()?;
    cargo("clippy", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], &[])
}

pub fn test() -> Result<(), Failed> {
    lints()?;
    rust_version::check()?;
    version::check()?;
    programs::descriptions()?;
    FEWER.iter().try_for_each(|[package, targets, features]| {
        let fewer = ["clippy", "--package", package, targets, "--no-default-features", features, "--locked"];
        cargo("clippy with fewer features", &[&fewer[..], &["--", "-D", "warnings"]].concat(), &[])
    })?;
    cargo("documentation", &["doc", "--workspace", "--no-deps", "--locked"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    cargo("tests and doc tests", &[&["test"], &TESTED[..]].concat(), &[])?;
    // The tests have built the command and the examples; the following steps use them as they are.
    FIGURES.iter().try_for_each(|(example, file)| unchanged(example, file))?;
    let truecount = built("debug/truecount")?;
    programs::engines(Engines::Embedded, &truecount)?;
    programs::browser(&truecount)?;
    programs::python()?;
    r::package(Some(&truecount))?;
    let page = web::page()?;
    programs::web(&page, &truecount)?;
    book::site(&truecount, &page)?;
    programs::book(book::SITE)
}

pub fn figures() -> Result<(), Failed> {
    cargo("examples", &["build", "--package", "truecount-report", "--examples", "--locked"], &[])?;
    FIGURES.iter().try_for_each(|(example, file)| figure(example, &root().join(file)))
}

/// Draws a picture again and compares it with the one in the repository.
fn unchanged(example: &str, file: &str) -> Result<(), Failed> {
    let made = std::env::temp_dir().join(format!("truecount-{}-{example}.svg", std::process::id()));
    figure(example, &made)?;
    let read = |path: &Path| std::fs::read(path).map_err(|e| Failed(format!("{}: {e}", path.display())));
    let same = read(&made)? == read(&root().join(file))?;
    let _ = std::fs::remove_file(&made);
    if same { Ok(()) } else { Err(Failed(format!("{file} is out of date: run `cargo xtask figures` and look at it"))) }
}

fn figure(example: &str, file: &Path) -> Result<(), Failed> {
    let file = file.to_str().ok_or_else(|| Failed(format!("{} is not UTF-8", file.display())))?;
    run("figure", &built(&format!("debug/examples/{example}"))?, &[file], &[])
}
