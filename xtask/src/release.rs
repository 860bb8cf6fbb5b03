//! Checks of a release in addition to the tests (RELEASING.md): the version is the same everywhere,
//! dependencies have allowed licences and sources and no known vulnerabilities, the packages build
//! on their own, and the version announces every breaking change of the Rust API.

use crate::run::{TaskError, cargo, root, run};
use crate::version;
use std::fs;
use std::process::Command;

/// The crates that are published.
const PUBLISHED: [&str; 6] =
    ["truecount", "truecount-analysis", "truecount-text", "truecount-tables", "truecount-report", "truecount-cli"];

/// Folder to which the packages are unpacked.
const UNPACKED: &str = "target/unpacked";

/// Folder to which cargo's tools are installed.
const TOOLS: &str = "target/tools";

pub fn check(arguments: &[&str]) -> Result<(), TaskError> {
    let (offline, tag) = match *arguments {
        [] => (false, None),
        ["--offline"] => (true, None),
        [tag] if tag.starts_with('v') => (false, Some(tag)),
        _ => return Err(TaskError("usage: cargo xtask release [vX.Y.Z | --offline]".to_owned())),
    };
    version::check()?;
    tag.map_or(Ok(()), version::check_tag)?;
    check_dependencies(offline)?;
    check_packages()?;
    check_api(tag)
}

/// Packages the published crates, and builds them in one workspace from the packaged files.
///
/// `cargo package` would build them too, but it takes a package's dependencies from the first
/// packaging of their version.
fn check_packages() -> Result<(), TaskError> {
    let package = ["package", "--locked", "--no-verify", "--target-dir", "target"];
    cargo("packages", &[&package, &package_arguments()[..]].concat(), &[])?;
    let folder = root().join(UNPACKED);
    let folder_error = |e: std::io::Error| TaskError(format!("{}: {e}", folder.display()));
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(folder_error)?;
    }
    fs::create_dir_all(&folder).map_err(folder_error)?;
    let version = version::current()?;
    for name in PUBLISHED {
        let file = format!("target/package/{name}-{version}.crate");
        // With the time of unpacking (-m), since cargo rebuilds by file times.
        run("unpacked", "tar", &["-xmf", &file, "-C", UNPACKED], &[])?;
    }
    let patches = PUBLISHED.map(|name| format!("{name} = {{ path = \"{name}-{version}\" }}\n")).concat();
    let manifest =
        format!("[workspace]\nresolver = \"3\"\nmembers = [\"*-{version}\"]\n\n[patch.crates-io]\n{patches}");
    fs::write(folder.join("Cargo.toml"), manifest).map_err(folder_error)?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).map_err(folder_error)?;
    let manifest = format!("{UNPACKED}/Cargo.toml");
    let build = ["build", "--workspace", "--manifest-path", &manifest, "--target-dir", "target/unpacked-build"];
    cargo("built from packages", &build, &[])
}

/// Returns the arguments of cargo that select the published crates.
fn package_arguments() -> Vec<&'static str> {
    PUBLISHED.iter().flat_map(|name| ["--package", name]).collect()
}

/// Checks the licences and sources of dependencies and, unless offline, security advisories for
/// them, by the rules of deny.toml.
fn check_dependencies(offline: bool) -> Result<(), TaskError> {
    let deny = tool("cargo-deny", "0.20.2")?;
    let check = ["check", "--hide-inclusion-graph", "licenses", "bans", "sources"];
    run("other people's crates", &deny, &check, &[])?;
    if offline {
        eprintln!("── known faults: not looked for, since their list is fetched from a code host");
        return Ok(());
    }
    run("known faults", &deny, &["check", "advisories"], &[])
}

/// Compares the API of each crate with the previous version's.
fn check_api(tag: Option<&str>) -> Result<(), TaskError> {
    let exclude = tag.map(|tag| format!("--exclude={tag}"));
    let described = Command::new("git")
        .args(["describe", "--tags", "--abbrev=0", "--match=v*"])
        .args(exclude)
        .current_dir(root())
        .output()
        .map_err(|e| TaskError(format!("git cannot be run: {e}")))?;
    if !described.status.success() {
        let why = String::from_utf8_lossy(&described.stderr);
        eprintln!("── interface: not compared, for there is no earlier version: {}", why.trim());
        return Ok(());
    }
    let earlier = String::from_utf8_lossy(&described.stdout);
    let semver = tool("cargo-semver-checks", "0.51.0")?;
    let check = ["semver-checks", "--baseline-rev", earlier.trim()];
    run("interface", &semver, &[&check, &package_arguments()[..]].concat(), &[])
}

/// Installs a version of a cargo tool, and returns its path.
pub fn tool(name: &str, version: &str) -> Result<String, TaskError> {
    let install = ["install", "--quiet", "--locked", "--root", TOOLS, "--version", version, name];
    cargo(name, &install, &[("CARGO_TARGET_DIR", &format!("{TOOLS}/build"))])?;
    Ok(root().join(TOOLS).join("bin").join(name).display().to_string())
}
