//! `rust-version`: no dependency of a crate may ask for a newer Rust than the crate says that it needs. (That the crate's own code
//! does not, clippy tells.)

use crate::run::{Failed, root};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The crates that others build.
const CRATES: [&str; 10] = [
    "truecount",
    "truecount-analysis",
    "truecount-text",
    "truecount-tables",
    "truecount-report",
    "truecount-cli",
    "truecount-bench",
    "truecount-python",
    "truecount-r",
    "truecount-web",
];

/// The numbers of a version; `1.89` is `1.89.0`.
type Version = [u32; 3];

/// Fails where a dependency, direct or not, asks for more than a crate says.
pub fn check() -> Result<(), Failed> {
    let stated = versions(&output(&["metadata", "--format-version", "1", "--locked"])?);
    let mut found = Vec::new();
    for name in CRATES {
        let tree = ["tree", "--package", name, "--edges", "normal,build", "--target", "all", "--prefix", "none"];
        let tree = output(&[&tree[..], &["--format", "{p}", "--locked"]].concat())?;
        let packages: BTreeSet<String> = tree.lines().filter_map(package).collect();
        let own = packages.iter().find(|package| package.rsplit_once('-').is_some_and(|(known, _)| known == name));
        let own = own.and_then(|package| stated.get(package)).copied();
        let own = own.ok_or_else(|| Failed(format!("{name} does not state a rust-version")))?;
        let more =
            packages.iter().filter_map(|package| stated.get_key_value(package)).filter(|(_, needed)| **needed > own);
        found.extend(
            more.map(|(package, needed)| format!("{name} states {}, {package} needs {}", dotted(&own), dotted(needed))),
        );
    }
    if found.is_empty() { Ok(()) } else { Err(Failed(format!("rust-version is too low:\n{}", found.join("\n")))) }
}

fn output(arguments: &[&str]) -> Result<String, Failed> {
    let run = Command::new(env!("CARGO")).args(arguments).current_dir(root()).output();
    let run = run.map_err(|e| Failed(format!("cargo cannot be run: {e}")))?;
    if run.status.success() {
        Ok(String::from_utf8_lossy(&run.stdout).into_owned())
    } else {
        Err(Failed(String::from_utf8_lossy(&run.stderr).into_owned()))
    }
}

/// `name-version` of a line of `cargo tree`, such as `serde v1.0.228 (proc-macro)`.
fn package(line: &str) -> Option<String> {
    let mut words = line.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    Some(format!("{name}-{version}"))
}

/// The `rust-version` of each package that states one, by `name-version`. In `cargo metadata` a package begins with its name and
/// version, and ends with its `rust_version`.
fn versions(metadata: &str) -> BTreeMap<String, Version> {
    let mut versions = BTreeMap::new();
    let mut rest = metadata;
    while let Some((package, after)) = rest.split_once("\"rust_version\":") {
        let text =
            |before: &str| package.split_once(before).and_then(|(_, rest)| rest.split_once('"')).map(|(text, _)| text);
        if let (Some(name), Some(version)) = (text("{\"name\":\""), text("\"version\":\""))
            && let Some((needed, _)) = after.strip_prefix('"').and_then(|after| after.split_once('"'))
        {
            let mut numbers = needed.split('.').flat_map(str::parse);
            let numbers = std::array::from_fn(|_| numbers.next().unwrap_or(0));
            versions.insert(format!("{name}-{version}"), numbers);
        }
        rest = after;
    }
    versions
}

fn dotted(version: &[u32]) -> String {
    version.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_the_packages() {
        let metadata = r#"{"packages":[{"name":"a","version":"1.2.3","dependencies":[{"name":"c","req":"^4"}],"rust_version":null},
            {"name":"b","version":"0.1.0","dependencies":[],"rust_version":"1.89"}],"workspace_members":[]}"#;
        assert_eq!(versions(metadata), BTreeMap::from([("b-0.1.0".to_owned(), [1, 89, 0])]));
        assert_eq!(package("serde v1.0.228 (proc-macro)").as_deref(), Some("serde-1.0.228"));
    }
}
