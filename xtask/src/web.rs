//! The browser page, and its WebAssembly module: the command without features that a page does not
//! use, optimised and compressed.

use crate::run::{TaskError, cargo, output, root, run};
use std::fs;
use std::path::{Path, PathBuf};

const TARGET: &str = "wasm32-wasip1";

/// Folder of the build.
const FOLDER: &str = "target/web";

/// Folder of dependencies reduced to what a page uses.
const REDUCED_FOLDER: &str = "target/web/lighter";

/// The dependencies that lighter.py reduces, which take the place of Cargo.lock's.
const REDUCED_CRATES: [&str; 6] = ["calamine", "crc32fast", "encoding_rs", "fast-float2", "kuva", "zip"];

/// Flag for rustc that makes the hash of files small instead of fast.
const COMPACT_HASH: &str = r#"--cfg=sha2_backend_soft="compact""#;

/// Maximal size of the module in bytes, so that nobody makes it grow unnoticed.
const LIMIT: u64 = 2_320_000;

/// Maximal size of the compressed module in bytes.
const PACKED_LIMIT: u64 = 780_000;

/// Options of wasm-opt, with features that browsers have had for years. None of them changes
/// results: floating-point operations are not reordered.
const OPTIMISER_OPTIONS: [&str; 12] = [
    "-Oz",
    // Only the stack pointer reaches the first kilobyte, where the stack ends, and the module owns
    // its memory, which starts as zeros.
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

/// The files of the browser page and its tests.
pub struct Page {
    /// The page.
    pub file: String,
    /// The compressed module, which the page and the book include.
    pub module: String,
    /// axe-core, which checks the page's accessibility.
    pub axe: String,
}

/// Builds the module, and the page that includes it in one file.
pub fn page() -> Result<Page, TaskError> {
    let module = module()?.display().to_string();
    let [file, axe] = ["truecount.html", "node_modules/axe-core/axe.min.js"]
        .map(|file| root().join(FOLDER).join(file).display().to_string());
    run("page", "python3", &["-B", "web/assemble.py", &module, &file], &[])?;
    Ok(Page { file, module, axe })
}

/// Builds the module, and returns the path of the compressed file, which lies next to its
/// decompressor.
fn module() -> Result<PathBuf, TaskError> {
    install_target()?;
    run("lighter crates", "python3", &["-B", "xtask/web/lighter.py", REDUCED_FOLDER], &[])?;
    let package = ["build", "--locked", "--package", "truecount-web", "--profile", "web"];
    let reduced = format!("paths={:?}", REDUCED_CRATES.map(|name| format!("{REDUCED_FOLDER}/{name}")));
    let options = ["--target", TARGET, "--target-dir", FOLDER, "--config", &reduced];
    // The module must not reveal the paths of the machine that built it.
    let home = std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    let home = home.map_err(|_| TaskError("neither CARGO_HOME nor HOME says where crates are".to_owned()))?;
    let [home, root_folder] = [home, root().display().to_string()].map(|folder| strip_prefix_flag(&folder));
    let flags = format!("target.{TARGET}.rustflags={:?}", [&home, &root_folder, COMPACT_HASH]);
    cargo("module", &[&package[..], &options, &["--config", &flags]].concat(), &[])?;
    let [built, optimised, packed] = ["wasm32-wasip1/web/truecount-web.wasm", "truecount.wasm", "truecount.wasm.xz"]
        .map(|file| format!("{FOLDER}/{file}"));
    run("packages", "python3", &["-B", "xtask/web/npm.py", FOLDER], &[])?;
    run(
        "optimiser",
        &format!("{FOLDER}/node_modules/.bin/wasm-opt"),
        &[&OPTIMISER_OPTIONS[..], &[&built, "--output", &optimised]].concat(),
        &[],
    )?;
    run("packing", "python3", &["-B", "xtask/web/pack.py", &optimised, FOLDER], &[])?;
    check_size(&optimised, LIMIT)?;
    check_size(&packed, PACKED_LIMIT)?;
    Ok(root().join(packed))
}

/// Returns a flag for rustc that removes this folder from the paths in panic messages.
fn strip_prefix_flag(folder: &str) -> String {
    format!("--remap-path-prefix={folder}/=")
}

/// Installs the standard library for the target if it is missing. Otherwise no network is needed.
fn install_target() -> Result<(), TaskError> {
    let library = output("rustc", &["--print", "target-libdir", "--target", TARGET])?;
    if Path::new(library.trim()).exists() {
        return Ok(());
    }
    run("target", "rustup", &["target", "add", TARGET], &[])
        .map_err(|e| TaskError(format!("Rust's standard library for {TARGET} is missing: {e}")))
}

/// Prints the size of a file, and fails if it is above the limit.
fn check_size(file: &str, limit: u64) -> Result<(), TaskError> {
    let size = fs::metadata(root().join(file)).map_err(|e| TaskError(format!("{file}: {e}")))?.len();
    eprintln!("── {file}: {size} bytes");
    if size <= limit {
        Ok(())
    } else {
        Err(TaskError(format!("{file} has {size} bytes, more than the {limit} that xtask/src/web.rs allows")))
    }
}
