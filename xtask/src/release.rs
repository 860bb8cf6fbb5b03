//! What a release needs beyond the tests (RELEASING.md): the version everywhere, what other people's crates bring along, packages
//! that build by themselves, and no change to the interface that the version does not announce.

use crate::run::{Failed, cargo, root, run};
use crate::version;
use std::fs;
use std::process::Command;

/// The crates that are published.
const PUBLISHED: [&str; 6] =
    ["truecount", "truecount-analysis", "truecount-text", "truecount-tables", "truecount-report", "truecount-cli"];

/// Where the packages are unpacked.
const UNPACKED: &str = "target/unpacked";

/// Where tools of cargo are installed.
const TOOLS: &str = "target/tools";

pub fn check(arguments: &[String]) -> Result<(), Failed> {
    let (offline, tag) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => (false, None),
        ["--offline"] => (true, None),
        [tag] if tag.starts_with('v') => (false, Some(tag)),
        _ => return Err(Failed("usage: cargo xtask release [vX.Y.Z | --offline]".to_owned())),
    };
    version::check()?;
    tag.map_or(Ok(()), version::released)?;
    brought_along(offline)?;
    packages()?;
    interface(tag)
}

/// Packages ours, and builds them from what the packages hold, side by side. `cargo package` builds them too, but one that another needs it
/// takes as it was when a package of that version was first made.
fn packages() -> Result<(), Failed> {
    let package = ["package", "--locked", "--no-verify", "--target-dir", "target"];
    cargo("packages", &[&package, &named()[..]].concat(), &[])?;
    let folder = root().join(UNPACKED);
    let written = |e: std::io::Error| Failed(format!("{}: {e}", folder.display()));
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(written)?;
    }
    fs::create_dir_all(&folder).map_err(written)?;
    let version = version::current()?;
    for name in PUBLISHED {
        let file = format!("target/package/{name}-{version}.crate");
        // As new files, for cargo goes by their times.
        run("unpacked", "tar", &["-xmf", &file, "-C", UNPACKED], &[])?;
    }
    let patches = PUBLISHED.map(|name| format!("{name} = {{ path = \"{name}-{version}\" }}\n")).concat();
    let manifest =
        format!("[workspace]\nresolver = \"3\"\nmembers = [\"*-{version}\"]\n\n[patch.crates-io]\n{patches}");
    fs::write(folder.join("Cargo.toml"), manifest).map_err(written)?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).map_err(written)?;
    let manifest = format!("{UNPACKED}/Cargo.toml");
    let build = ["build", "--workspace", "--manifest-path", &manifest, "--target-dir", "target/unpacked-build"];
    cargo("built from packages", &build, &[])
}

/// The published crates as cargo is told of them.
fn named() -> Vec<&'static str> {
    PUBLISHED.iter().flat_map(|name| ["--package", name]).collect()
}

/// Licences, sources and, unless there is no network, known faults of the crates that ours depend on, as deny.toml has it.
fn brought_along(offline: bool) -> Result<(), Failed> {
    let deny = tool("cargo-deny", "0.20.2")?;
    let check = ["check", "--hide-inclusion-graph", "licenses", "bans", "sources"];
    run("other people's crates", &deny, &check, &[])?;
    if offline {
        eprintln!("── known faults: not looked for, since their list is fetched from a code host");
        return Ok(());
    }
    run("known faults", &deny, &["check", "advisories"], &[])
}

/// Compares the interface of each crate with that of the last version.
fn interface(tag: Option<&str>) -> Result<(), Failed> {
    let itself = tag.map(|tag| format!("--exclude={tag}"));
    let described = Command::new("git")
        .args(["describe", "--tags", "--abbrev=0", "--match=v*"])
        .args(itself)
        .current_dir(root())
        .output()
        .map_err(|e| Failed(format!("git cannot be run: {e}")))?;
    if !described.status.success() {
        let why = String::from_utf8_lossy(&described.stderr);
        eprintln!("── interface: not compared, for there is no earlier version: {}", why.trim());
        return Ok(());
    }
    let earlier = String::from_utf8_lossy(&described.stdout);
    let semver = tool("cargo-semver-checks", "0.51.0")?;
    run("interface", &semver, &[&["semver-checks", "--baseline-rev", earlier.trim()], &named()[..]].concat(), &[])
}

/// Installs a tool of cargo in this version, and returns its path.
fn tool(name: &str, version: &str) -> Result<String, Failed> {
    let install = ["install", "--quiet", "--locked", "--root", TOOLS, "--version", version, name];
    cargo(name, &install, &[("CARGO_TARGET_DIR", &format!("{TOOLS}/build"))])?;
    Ok(root().join(TOOLS).join("bin").join(name).display().to_string())
}
