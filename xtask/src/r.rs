//! The R package: laid out, checked as R's archive checks it, and compared with the command.

use crate::run::{Failed, root, run};
use savvy_bindgen::{
    generate_c_header_file, generate_c_impl_file, generate_r_impl_file, merge_parsed_results, parse_file,
};
use std::fs;
use std::path::Path;

/// Where the package is laid out, and beside it built and checked.
const FOLDER: &str = "target/r/truecount";

/// The Rust half, as savvy names it, and where it is.
const CRATE: &str = "truecount_r";
const SOURCES: &str = "crates/truecount-r/src";

/// Writes the source package, target/r/truecount_VERSION.tar.gz, and with a command checks it.
pub fn package(truecount: Option<&str>) -> Result<(), Failed> {
    run("R package", "python3", &["-B", "xtask/r/make.py", FOLDER], &[])?;
    bindings(&root().join(FOLDER))?;
    run("R", "python3", &[&["-B", "xtask/r/check.py", FOLDER], truecount.as_slice()].concat(), &[])
}

/// Writes the functions of C and of R that call the Rust half.
fn bindings(package: &Path) -> Result<(), Failed> {
    let sources = root().join(SOURCES);
    let mut modules = vec!["lib".to_owned()];
    let mut parsed = Vec::new();
    // All modules are files beside the first.
    while let Some(module) = modules.pop() {
        let path = if module == "lib" { vec![CRATE.to_owned()] } else { vec![CRATE.to_owned(), module.clone()] };
        let found = parse_file(&sources.join(format!("{module}.rs")), &path);
        modules.extend(found.child_mods.iter().cloned());
        parsed.push(found);
    }
    let merged = merge_parsed_results(parsed).map_err(|errors| {
        Failed(errors.iter().map(|error| format!("the Rust half: {error}")).collect::<Vec<_>>().join("\n"))
    })?;
    let write = |file: &str, text: String| {
        let file = package.join(file);
        fs::write(&file, text).map_err(|e| Failed(format!("{}: {e}", file.display())))
    };
    write("src/api.h", generate_c_header_file(&merged))?;
    write("src/init.c", generate_c_impl_file(&merged, "truecount").replace("rust/api.h", "api.h"))?;
    // R's face documents and exports what there is.
    let calls = generate_r_impl_file(&merged, "truecount");
    write("R/rust.R", calls.lines().filter(|line| !line.starts_with("#'")).collect::<Vec<_>>().join("\n"))
}
