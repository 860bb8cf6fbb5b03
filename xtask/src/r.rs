//! The R package: its sources are collected, checked as CRAN checks them, and compared with the
//! command.

use crate::run::{TaskError, root, run};
use savvy_bindgen::{
    generate_c_header_file, generate_c_impl_file, generate_r_impl_file, merge_parsed_results, parse_file,
};
use std::fs;
use std::path::Path;

/// Folder of the package's sources. The package is built and checked in its parent.
const FOLDER: &str = "target/r/truecount";

/// Name of the Rust crate in the code that savvy generates.
const CRATE: &str = "truecount_r";

/// Folder of the crate's modules.
const SOURCES: &str = "crates/truecount-r/src";

/// Writes the source package, target/r/truecount_VERSION.tar.gz.
pub fn build() -> Result<(), TaskError> {
    run("R package", "python3", &["-B", "xtask/r/make.py", FOLDER], &[])?;
    bindings(&root().join(FOLDER))?;
    run("build of the R package", "python3", &["-B", "xtask/r/build.py", FOLDER], &[])
}

/// Checks the source package as CRAN checks it, and compares it with the command.
pub fn check(truecount: &str) -> Result<(), TaskError> {
    run("check of the R package", "python3", &["-B", "xtask/r/check.py", FOLDER, truecount], &[])
}

/// Writes the C and R functions that call Rust.
fn bindings(package: &Path) -> Result<(), TaskError> {
    let sources = root().join(SOURCES);
    let mut modules = vec!["lib".to_owned()];
    let mut parsed = Vec::new();
    // All modules are files in this folder.
    while let Some(module) = modules.pop() {
        let path = if module == "lib" { vec![CRATE.to_owned()] } else { vec![CRATE.to_owned(), module.clone()] };
        let result = parse_file(&sources.join(format!("{module}.rs")), &path);
        modules.extend(result.child_mods.iter().cloned());
        parsed.push(result);
    }
    let merged = merge_parsed_results(parsed).map_err(|errors| {
        TaskError(errors.iter().map(|error| format!("the Rust half: {error}")).collect::<Vec<_>>().join("\n"))
    })?;
    let write = |file: &str, text: String| {
        let file = package.join(file);
        fs::write(&file, text).map_err(|e| TaskError(format!("{}: {e}", file.display())))
    };
    write("src/api.h", generate_c_header_file(&merged))?;
    write("src/init.c", generate_c_impl_file(&merged, "truecount").replace("rust/api.h", "api.h"))?;
    // The package's own R functions document and export the calls.
    let calls = generate_r_impl_file(&merged, "truecount");
    write("R/rust.R", calls.lines().filter(|line| !line.starts_with("#'")).collect::<Vec<_>>().join("\n"))
}
