//! A check that no dependency of a crate needs a newer Rust than the crate's `rust-version`.
//! (Clippy checks the crate's own code.)

use crate::run::{TaskError, output, root};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The three numbers of a version; `1.89` is `1.89.0`.
type Version = [u32; 3];

/// Fails if a dependency, direct or indirect, needs a newer Rust than its crate states.
pub fn check() -> Result<(), TaskError> {
    let stated = versions(&output(env!("CARGO"), &["metadata", "--format-version", "1", "--locked"])?);
    let mut conflicts = Vec::new();
    let folder = fs::read_dir(root().join("crates")).map_err(|e| TaskError(format!("crates: {e}")))?;
    for name in folder.flatten().map(|entry| entry.file_name().display().to_string()) {
        let tree = ["tree", "--package", &name, "--edges", "normal,build", "--target", "all", "--prefix", "none"];
        let tree = output(env!("CARGO"), &[&tree[..], &["--format", "{p}", "--locked"]].concat())?;
        let packages: BTreeSet<String> = tree.lines().filter_map(package).collect();
        let own = packages.iter().find(|package| package.rsplit_once('-').is_some_and(|(stem, _)| stem == name));
        let own = own.and_then(|package| stated.get(package)).copied();
        let own = own.ok_or_else(|| TaskError(format!("{name} does not state a rust-version")))?;
        let needed = packages.iter().filter_map(|package| stated.get_key_value(package));
        conflicts.extend(
            needed.filter(|(_, version)| **version > own).map(|(package, version)| {
                format!("{name} states {}, {package} needs {}", dotted(&own), dotted(version))
            }),
        );
    }
    if conflicts.is_empty() {
        Ok(())
    } else {
        Err(TaskError(format!("rust-version is too low:\n{}", conflicts.join("\n"))))
    }
}

/// Returns `name-version` from a line of `cargo tree` such as `serde v1.0.228 (proc-macro)`.
fn package(line: &str) -> Option<String> {
    let mut words = line.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    Some(format!("{name}-{version}"))
}

/// Returns the `rust-version` of each package that states one, by `name-version`. In `cargo
/// metadata` a package begins with its name and version, and ends with its `rust_version`.
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
    fn versions_are_read_by_package() {
        let metadata = r#"{"packages":[{"name":"a","version":"1.2.3","dependencies":[{"name":"c","req":"^4"}],"rust_version":null},
            {"name":"b","version":"0.1.0","dependencies":[],"rust_version":"1.89"}],"workspace_members":[]}"#;
        assert_eq!(versions(metadata), BTreeMap::from([("b-0.1.0".to_owned(), [1, 89, 0])]));
        assert_eq!(package("serde v1.0.228 (proc-macro)").as_deref(), Some("serde-1.0.228"));
    }
}
