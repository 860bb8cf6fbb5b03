//! The library's public interface: a file lists its items, so that a change of the interface is a
//! change of the file.

use crate::run::{TaskError, cargo, root};
use public_api::Builder;
use std::fs;
use std::path::PathBuf;

/// The list of the library's public items.
const LIST: &str = "crates/truecount/interface.txt";

/// rustdoc with JSON as its output.
const RUSTDOC: &str = "xtask/interface/rustdoc.sh";

/// Compares the interface with the list.
pub fn check() -> Result<(), TaskError> {
    let (file, items) = (list(), items()?);
    let listed = fs::read_to_string(&file).map_err(|e| TaskError(format!("{}: {e}", file.display())))?;
    if listed == items {
        return Ok(());
    }
    let missing_from = |text: &str, line: &&str| !text.lines().any(|other| other == *line);
    listed.lines().filter(|line| missing_from(&items, line)).for_each(|line| eprintln!("- {line}"));
    items.lines().filter(|line| missing_from(&listed, line)).for_each(|line| eprintln!("+ {line}"));
    Err(TaskError(format!("the interface differs from {LIST}: run `cargo xtask interface` and look at the difference")))
}

/// Writes the list.
pub fn write() -> Result<(), TaskError> {
    let (file, items) = (list(), items()?);
    fs::write(&file, items).map_err(|e| TaskError(format!("{}: {e}", file.display())))
}

fn list() -> PathBuf {
    root().join(LIST)
}

/// Returns the public items, one a line, without those that every type has.
fn items() -> Result<String, TaskError> {
    let json = ["rustdoc", "--package", "truecount", "--lib", "--locked", "--", "-Z", "unstable-options"];
    let rustdoc = root().join(RUSTDOC).display().to_string();
    cargo("the library's interface", &[&json[..], &["--output-format", "json"]].concat(), &[("RUSTDOC", &rustdoc)])?;
    let interface = Builder::from_rustdoc_json(crate::run::built_file("doc/truecount.json")?)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .map_err(|e| TaskError(format!("the library's interface: {e}")))?;
    Ok(interface.to_string())
}
