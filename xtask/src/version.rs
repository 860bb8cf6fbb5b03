//! The version is defined once, in the workspace's manifest. Files that must repeat it are written
//! and checked here.

use crate::run::{TaskError, cargo, root};
use std::fs;

/// The files that state the version, with the text before and after it. The first is the
/// definition.
const COPIES: [(&str, &str, &str); 9] = [
    ("Cargo.toml", "\n[workspace.package]\nversion = \"", "\""),
    ("Cargo.toml", "\ntruecount = { path = \"crates/truecount\", version = \"", "\""),
    ("Cargo.toml", "\ntruecount-cli = { path = \"crates/truecount-cli\", version = \"", "\""),
    ("Cargo.toml", "\ntruecount-analysis = { path = \"crates/truecount-analysis\", version = \"", "\""),
    ("Cargo.toml", "\ntruecount-text = { path = \"crates/truecount-text\", version = \"", "\""),
    ("Cargo.toml", "\ntruecount-tables = { path = \"crates/truecount-tables\", version = \"", "\""),
    ("Cargo.toml", "\ntruecount-report = { path = \"crates/truecount-report\", version = \"", "\""),
    ("CITATION.cff", "\nversion: ", "\n"),
    ("codemeta.json", "\n  \"version\": \"", "\""),
];

/// A file with a placeholder, which `xtask/r/make.py` replaces by the version.
const PLACEHOLDER: (&str, &str) = ("r/truecount/DESCRIPTION", "\nVersion: @VERSION@\n");

/// The changelogs, with the beginning of each version's heading.
const CHANGELOGS: [(&str, &str); 2] = [("CHANGELOG.md", "## "), ("r/truecount/NEWS.md", "# truecount ")];

/// Fails if a file has another version than the workspace, or none.
pub fn check() -> Result<(), TaskError> {
    let version = current()?;
    let mut mismatches = Vec::new();
    for (file, before, after) in COPIES {
        let copy = split_at_version(&read(file)?, before, after).map(|(_, copy, _)| copy.to_owned());
        if copy.as_deref() != Some(&version) {
            mismatches.push(format!("{file} has {}", copy.as_deref().unwrap_or("no version where one is looked for")));
        }
    }
    let (file, line) = PLACEHOLDER;
    if !read(file)?.contains(line) {
        mismatches.push(format!("{file} has not the line {:?}", line.trim()));
    }
    if mismatches.is_empty() {
        Ok(())
    } else {
        Err(TaskError(format!(
            "the version is {version}, but\n{}\n`cargo xtask version {version}` mends it",
            mismatches.join("\n")
        )))
    }
}

/// Fails unless the tag matches the version, and the changelogs have a section for it.
pub fn check_tag(tag: &str) -> Result<(), TaskError> {
    let version = current()?;
    if tag != format!("v{version}") {
        return Err(TaskError(format!("the tag is {tag}, the version {version}")));
    }
    for (file, heading) in CHANGELOGS {
        let heading = format!("{heading}{version}");
        if !read(file)?.lines().any(|line| line == heading || line.starts_with(&format!("{heading} "))) {
            return Err(TaskError(format!("{file} has no section {heading:?}")));
        }
    }
    Ok(())
}

/// Writes a version to all files that state it, and to Cargo.lock.
pub fn set(version: &str) -> Result<(), TaskError> {
    let numbers: Vec<_> = version.split('.').map(str::parse::<u32>).collect();
    if numbers.len() != 3 || numbers.iter().any(Result::is_err) {
        return Err(TaskError(format!("{version:?} is no version such as 1.2.3")));
    }
    for (file, before, after) in COPIES {
        let text = read(file)?;
        let (start, _, end) = split_at_version(&text, before, after)
            .ok_or_else(|| TaskError(format!("{file} has no version where one is looked for")))?;
        fs::write(root().join(file), format!("{start}{version}{end}"))
            .map_err(|e| TaskError(format!("{file}: {e}")))?;
    }
    cargo("Cargo.lock", &["update", "--workspace", "--offline", "--quiet"], &[])?;
    check()
}

pub fn current() -> Result<String, TaskError> {
    let (file, before, after) = COPIES[0];
    let text = read(file)?;
    let (_, version, _) =
        split_at_version(&text, before, after).ok_or_else(|| TaskError(format!("{file} has no version")))?;
    Ok(version.to_owned())
}

fn read(file: &str) -> Result<String, TaskError> {
    fs::read_to_string(root().join(file)).map_err(|e| TaskError(format!("{file}: {e}")))
}

/// Splits a text into the part before the version, the version, and the rest.
fn split_at_version<'a>(text: &'a str, before: &str, after: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let start = text.find(before)? + before.len();
    let end = start + text[start..].find(after)?;
    Some((&text[..start], &text[start..end], &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_split_around_its_version() {
        let text = "a: 1\nversion: 0.1.0\nb: 2\n";
        assert_eq!(split_at_version(text, "\nversion: ", "\n"), Some(("a: 1\nversion: ", "0.1.0", "\nb: 2\n")));
        assert_eq!(split_at_version(text, "\nrelease: ", "\n"), None);
    }
}
