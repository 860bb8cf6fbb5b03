//! The command as a page's module: built for WebAssembly without what a page has no use for, optimised, packed.

use crate::run::{Failed, cargo, root, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-wasip1";

/// Where all of it is made.
const FOLDER: &str = "target/web";

/// Crates without what a page has no use for, and how cargo is told to take them for those of Cargo.lock.
const LIGHTER: &str = "target/web/lighter";
const INSTEAD: &str = r#"paths=["target/web/lighter/kuva", "target/web/lighter/crc32fast"]"#;

/// How many bytes the module may have, and how many packed, so that whoever makes it grow knows.
const LIMIT: u64 = 1_545_000;
const PACKED_LIMIT: u64 = 527_000;

/// What browsers have had for years. Numbers stay what they are: nothing here reorders them.
const OPTIMISED: [&str; 12] = [
    "-Oz",
    // The stack ends in the first kilobyte, which no pointer but the stack's own reaches; memory is the module's own.
    "--low-memory-unused",
    "--zero-filled-memory",
    "--strip-debug",
    "--strip-producers",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-reference-types",
    "--enable-extended-const",
];

/// The page, the module that is in it and in the book, and what tells whether people are kept from using it.
pub struct Page {
    pub file: String,
    pub module: String,
    pub axe: String,
}

/// Builds the module and the page: one file.
pub fn page() -> Result<Page, Failed> {
    let module = module()?.display().to_string();
    let [file, axe] = ["truecount.html", "node_modules/axe-core/axe.min.js"]
        .map(|file| root().join(FOLDER).join(file).display().to_string());
    run("page", "python3", &["-B", "web/assemble.py", &module, &file], &[])?;
    Ok(Page { file, module, axe })
}

/// Builds the module and returns the file that holds it, packed, beside what unpacks it.
fn module() -> Result<PathBuf, Failed> {
    target()?;
    run("lighter crates", "python3", &["-B", "xtask/web/lighter.py", LIGHTER], &[])?;
    let package = ["build", "--locked", "--package", "truecount-web", "--profile", "web"];
    let place = ["--target", TARGET, "--target-dir", FOLDER, "--config", INSTEAD];
    // Whose machine it was is nobody's business.
    let home = std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    let home = home.map_err(|_| Failed("neither CARGO_HOME nor HOME says where crates are".to_owned()))?;
    let paths =
        format!("target.{TARGET}.rustflags=[{:?}, {:?}]", renamed(&home), renamed(&root().display().to_string()));
    cargo("module", &[&package[..], &place, &["--config", &paths]].concat(), &[])?;
    let [built, optimised, packed] = ["wasm32-wasip1/web/truecount-web.wasm", "truecount.wasm", "truecount.wasm.xz"]
        .map(|file| format!("{FOLDER}/{file}"));
    run("packages", "python3", &["-B", "xtask/web/npm.py", FOLDER], &[])?;
    run(
        "optimiser",
        &format!("{FOLDER}/node_modules/.bin/wasm-opt"),
        &[&OPTIMISED[..], &[&built, "--output", &optimised]].concat(),
        &[],
    )?;
    run("packing", "python3", &["-B", "xtask/web/pack.py", &optimised, FOLDER], &[])?;
    within(&optimised, LIMIT)?;
    within(&packed, PACKED_LIMIT)?;
    Ok(root().join(packed))
}

/// A flag for rustc: in messages of panics, paths begin behind this folder.
fn renamed(folder: &str) -> String {
    format!("--remap-path-prefix={folder}/=")
}

/// Installs the standard library for the target where it is missing; nothing is asked for where it is there.
fn target() -> Result<(), Failed> {
    let place =
        Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).current_dir(root()).output();
    let place = place.map_err(|e| Failed(format!("rustc cannot be run: {e}")))?;
    if Path::new(String::from_utf8_lossy(&place.stdout).trim()).exists() {
        return Ok(());
    }
    run("target", "rustup", &["target", "add", TARGET], &[])
        .map_err(|e| Failed(format!("Rust's standard library for {TARGET} is missing: {e}")))
}

/// Says how large a file is, and fails where that is more than it may be.
fn within(file: &str, limit: u64) -> Result<(), Failed> {
    let size = fs::metadata(root().join(file)).map_err(|e| Failed(format!("{file}: {e}")))?.len();
    eprintln!("── {file}: {size} bytes");
    if size <= limit {
        Ok(())
    } else {
        Err(Failed(format!("{file} has {size} bytes, more than the {limit} that xtask/src/web.rs allows")))
    }
}
