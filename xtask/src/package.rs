//! The artefacts that are published in addition to the Python, R and cargo packages' sources. Each
//! is made by `cargo xtask package WHAT` in target/package, and used there once. Files of an artefact
//! are in packaging/WHAT.

use crate::notices;
use crate::programs;
use crate::release::tool;
use crate::run::{TaskError, cargo, output, root, run};
use crate::version;
use crate::web;
use std::fs;
use std::sync::OnceLock;

/// Folder of the artefacts.
const FOLDER: &str = "target/package";

/// The profile of what is published.
const PROFILE: [&str; 3] = ["--profile", "dist", "--locked"];

/// The target of the static command, which runs on every Linux of this architecture.
const STATIC: &str = "x86_64-unknown-linux-musl";

type Artefact = (&'static str, fn() -> Result<(), TaskError>);

/// The artefacts that need no other argument.
const ARTEFACTS: [Artefact; 9] = [
    ("wheel", wheel),
    ("container", container),
    ("debian", debian),
    ("homebrew", homebrew),
    ("conda", conda),
    ("npm", npm),
    ("r-universe", r_universe),
    ("dbt", dbt),
    ("list", list),
];

/// Makes an artefact, or all of them.
pub fn make(arguments: &[&str]) -> Result<(), TaskError> {
    match *arguments {
        [] => static_command(STATIC).and_then(|()| ARTEFACTS.iter().try_for_each(|(_, make)| make())),
        ["static"] => static_command(STATIC),
        ["static", target] => static_command(target),
        [what] if let Some((_, make)) = ARTEFACTS.iter().find(|(name, _)| *name == what) => make(),
        _ => {
            let names = ARTEFACTS.map(|(name, _)| name).join(" | ");
            Err(TaskError(format!("usage: cargo xtask package [static [TARGET] | {names}]")))
        }
    }
}

/// Builds the static command with zig as the C compiler and linker, and packs it with its notices.
fn static_command(target: &str) -> Result<(), TaskError> {
    run("target", "rustup", &["target", "add", target], &[])?;
    let (_, path) = tools()?;
    let build = ["zigbuild", "--package", "truecount-cli", "--target", target];
    cargo("static command", &[&build[..], &PROFILE].concat(), &[("PATH", &path)])?;
    let command = format!("target/{target}/dist/truecount");
    if target == STATIC {
        run("static command, alone", "python3", &["-B", "packaging/static/check.py", &command], &[])?;
    }
    let name = format!("truecount-{target}");
    let archive = format!("{FOLDER}/{name}.tar.gz");
    let rename = format!("--transform=s,.*/,,;s,^,{name}/,");
    let files = [&command, "LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md", notices::FILE];
    create_folder()?;
    run("archive", "tar", &[&["czf", &archive, &rename], &files[..]].concat(), &[])
}

/// Builds the wheel for Linux distributions since 2014, installs it in a new environment and runs
/// its command.
fn wheel() -> Result<(), TaskError> {
    let (python, path) = tools()?;
    let build = ["-m", "maturin", "build", "--profile", "dist", "--zig", "--compatibility", "manylinux2014"];
    let out = format!("{FOLDER}/wheels");
    run("wheel", &python, &[&build[..], &["--out", &out]].concat(), &[("PATH", &path)])?;
    run("wheel in use", &python, &["-B", "packaging/wheels/check.py", &out], &[("PATH", &path)])
}

/// Builds the container's image from the static command; needs buildah.
fn container() -> Result<(), TaskError> {
    let command = built_static_command()?;
    let folder = format!("{FOLDER}/container");
    run("container", "python3", &["-B", "packaging/container/check.py", &command, &folder], &[])
}

/// Builds the Debian package from the static command, installs it, uses it and removes it; needs an
/// administrator.
fn debian() -> Result<(), TaskError> {
    built_static_command()?;
    let deb = tool("cargo-deb", "3.8.0")?;
    create_folder()?;
    let out = format!("{FOLDER}/debian");
    let build = ["--package", "truecount-cli", "--no-build", "--no-strip", "--profile", "dist", "--target", STATIC];
    run("Debian package", &deb, &[&build[..], &["--output", &out]].concat(), &[])?;
    run("Debian package in use", "python3", &["-B", "packaging/debian/check.py", &out], &[])
}

/// Writes the formula for Homebrew, with the version and the checksum of the source distribution.
fn homebrew() -> Result<(), TaskError> {
    fill("homebrew/truecount.rb").map(drop)
}

/// Writes the recipe for conda-forge, and runs its script on the source distribution in a new
/// environment.
fn conda() -> Result<(), TaskError> {
    let recipe = fill("conda/recipe.yaml")?;
    let (python, _) = tools()?;
    run("conda recipe", &python, &["-B", "packaging/conda/check.py", &recipe, &source_distribution()?], &[])
}

/// Packs the page's module for npm, and uses it in Node and in a page.
fn npm() -> Result<(), TaskError> {
    web::page()?;
    let folder = format!("{FOLDER}/npm");
    let version = version::current()?;
    let python = programs::environment("browser", &["xtask/browser/requirements.txt"])?;
    run("npm package", &python, &["-B", "packaging/npm/make.py", "target/web/truecount.wasm", &folder, &version], &[])
}

/// Writes the list of packages for R-universe.
fn r_universe() -> Result<(), TaskError> {
    fill("r-universe/packages.json").map(drop)
}

/// Tests the dbt package in DuckDB.
fn dbt() -> Result<(), TaskError> {
    let truecount = programs::truecount("debug", &[])?;
    let python = programs::environment("dbt", &["packaging/dbt/requirements.txt"])?;
    let folder = format!("{FOLDER}/dbt");
    run("dbt package", &python, &["-B", "packaging/dbt/check.py", &folder, &truecount], &[])
}

/// Prints the size in bytes and the checksum of each file that people download.
fn list() -> Result<(), TaskError> {
    let archives = [".gz", ".xz", ".whl", ".deb", ".tgz"].map(|end| format!("-name '*{end}'")).join(" -o ");
    let find = format!(r"find {FOLDER} target/sdist \( {archives} \) -printf '%10s  ' -exec sha256sum {{}} \;");
    run("artefacts", "sh", &["-c", &find], &[])
}

/// Installs the tools of Python's index, and returns the interpreter and a search path with the
/// tools.
fn tools() -> Result<(String, String), TaskError> {
    let python = root().join(programs::environment("packaging", &["packaging/requirements.txt"])?);
    let folder = python.parent().expect("the interpreter is in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    Ok((python.display().to_string(), format!("{}:{path}", folder.display())))
}

/// Builds the static command and returns its path.
fn built_static_command() -> Result<String, TaskError> {
    static_command(STATIC).map(|()| format!("target/{STATIC}/dist/truecount"))
}

/// Builds the source distribution, once, and returns its path.
fn source_distribution() -> Result<String, TaskError> {
    static BUILT: OnceLock<()> = OnceLock::new();
    if BUILT.get().is_none() {
        programs::source_archives()?;
    }
    BUILT.get_or_init(|| ());
    Ok(format!("target/sdist/truecount-{}.tar.gz", version::current()?))
}

/// Copies a file of packaging/ to the artefacts, with the version and the checksum of the source
/// distribution in place of @VERSION@ and @SHA256@, and returns its path.
fn fill(file: &str) -> Result<String, TaskError> {
    let failed = |e: std::io::Error| TaskError(format!("{file}: {e}"));
    let mut text = fs::read_to_string(root().join("packaging").join(file)).map_err(failed)?;
    if text.contains("@SHA256@") {
        let sum = output("sha256sum", &[&source_distribution()?])?;
        let sum = sum.split_whitespace().next().ok_or_else(|| TaskError(format!("{file}: no checksum")))?;
        text = text.replace("@SHA256@", sum);
    }
    let filled = format!("{FOLDER}/{file}");
    let path = root().join(&filled);
    fs::create_dir_all(path.parent().expect("the file is in a folder")).map_err(failed)?;
    fs::write(path, text.replace("@VERSION@", &version::current()?)).map_err(failed)?;
    eprintln!("── {filled}");
    Ok(filled)
}

fn create_folder() -> Result<(), TaskError> {
    fs::create_dir_all(root().join(FOLDER)).map_err(|e| TaskError(format!("{FOLDER}: {e}")))
}
