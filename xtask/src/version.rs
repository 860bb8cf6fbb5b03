//! The version stands once, in the workspace's manifest. Where another file must repeat it, that is written from here, and compared.

use crate::run::{Failed, cargo, root};
use std::fs;

/// The files, and what stands before the version there and after it. The first is the one that counts.
const PLACES: [(&str, &str, &str); 9] = [
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

/// R's is put in where its package is laid out (`xtask/r/make.py`).
const LATER: (&str, &str) = ("r/truecount/DESCRIPTION", "\nVersion: @VERSION@\n");

/// What each version has in the lists of changes.
const CHANGES: [(&str, &str); 2] = [("CHANGELOG.md", "## "), ("r/truecount/NEWS.md", "# truecount ")];

/// Fails where a file has another version than the workspace, or none.
pub fn check() -> Result<(), Failed> {
    let version = current()?;
    let mut wrong = Vec::new();
    for (file, before, after) in PLACES {
        let found = between(&read(file)?, before, after).map(|(_, found, _)| found.to_owned());
        if found.as_deref() != Some(&version) {
            wrong.push(format!("{file} has {}", found.as_deref().unwrap_or("no version where one is looked for")));
        }
    }
    let (file, line) = LATER;
    if !read(file)?.contains(line) {
        wrong.push(format!("{file} has not the line {:?}", line.trim()));
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failed(format!(
            "the version is {version}, but\n{}\n`cargo xtask version {version}` mends it",
            wrong.join("\n")
        )))
    }
}

/// Fails unless the tag is the version's, and the lists of changes have what is new in it.
pub fn released(tag: &str) -> Result<(), Failed> {
    let version = current()?;
    if tag != format!("v{version}") {
        return Err(Failed(format!("the tag is {tag}, the version {version}")));
    }
    for (file, heading) in CHANGES {
        let heading = format!("{heading}{version}");
        if !read(file)?.lines().any(|line| line == heading || line.starts_with(&format!("{heading} "))) {
            return Err(Failed(format!("{file} has no section {heading:?}")));
        }
    }
    Ok(())
}

/// Writes a version everywhere, and into Cargo.lock.
pub fn set(version: &str) -> Result<(), Failed> {
    let numbers: Vec<_> = version.split('.').map(str::parse::<u32>).collect();
    if numbers.len() != 3 || numbers.iter().any(Result::is_err) {
        return Err(Failed(format!("{version:?} is no version such as 1.2.3")));
    }
    for (file, before, after) in PLACES {
        let text = read(file)?;
        let (start, _, end) = between(&text, before, after)
            .ok_or_else(|| Failed(format!("{file} has no version where one is looked for")))?;
        fs::write(root().join(file), format!("{start}{version}{end}")).map_err(|e| Failed(format!("{file}: {e}")))?;
    }
    cargo("Cargo.lock", &["update", "--workspace", "--offline", "--quiet"], &[])?;
    check()
}

pub fn current() -> Result<String, Failed> {
    let (file, before, after) = PLACES[0];
    let text = read(file)?;
    let (_, version, _) = between(&text, before, after).ok_or_else(|| Failed(format!("{file} has no version")))?;
    Ok(version.to_owned())
}

fn read(file: &str) -> Result<String, Failed> {
    fs::read_to_string(root().join(file)).map_err(|e| Failed(format!("{file}: {e}")))
}

/// A text in three: up to the version, the version, and from there on.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let start = text.find(before)? + before.len();
    let end = start + text[start..].find(after)?;
    Some((&text[..start], &text[start..end], &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_between_is_found() {
        let text = "a: 1\nversion: 0.1.0\nb: 2\n";
        assert_eq!(between(text, "\nversion: ", "\n"), Some(("a: 1\nversion: ", "0.1.0", "\nb: 2\n")));
        assert_eq!(between(text, "\nrelease: ", "\n"), None);
    }
}
