//! A check that type names are unique in the workspace, so that a name in an error message or a
//! search has one meaning.

use crate::run::{TaskError, root};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Names with several definitions: the arguments of two programs, a type that depends on the
/// platform, and classes that Python and R know by this name.
const SHARED: &[&str] = &["Args", "FileIdentity", "Model", "Tally"];

/// The words before the name of a type.
const KEYWORDS: [&str; 5] = ["struct", "enum", "trait", "union", "type"];

/// Fails if a type name is defined more than once in the crates' sources.
pub fn check() -> Result<(), TaskError> {
    let mut definitions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in sources(&root().join("crates"))? {
        let text = fs::read_to_string(&file).map_err(|error| TaskError(format!("{}: {error}", file.display())))?;
        for (number, line) in text.lines().enumerate() {
            if let Some(name) = defined_type(line) {
                let path = file.strip_prefix(root()).unwrap_or(&file);
                definitions.entry(name.to_owned()).or_default().push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    if let Some(name) = SHARED.iter().find(|name| definitions.get(**name).is_none_or(|lines| lines.len() < 2)) {
        return Err(TaskError(format!(
            "{name} is not defined twice: take it out of the list in xtask/src/type_names.rs"
        )));
    }
    definitions.retain(|name, lines| lines.len() > 1 && !SHARED.contains(&name.as_str()));
    if definitions.is_empty() {
        return Ok(());
    }
    let lines = definitions.iter().map(|(name, lines)| format!("\n  {name}: {}", lines.join(", ")));
    Err(TaskError(format!("type names with more than one definition:{}", lines.collect::<String>())))
}

/// Returns the name of the type that a line defines. Associated types, which are indented, do not
/// count.
fn defined_type(line: &str) -> Option<&str> {
    let code = line.trim_start();
    let is_indented = code.len() < line.len();
    let code = match code.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.strip_prefix(' ')?,
        None => code,
    };
    let (keyword, rest) = code.split_once(' ')?;
    if !KEYWORDS.contains(&keyword) || keyword == "type" && is_indented {
        return None;
    }
    let name = &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())];
    name.starts_with(char::is_uppercase).then_some(name)
}

/// Returns the Rust files of the folders `src` of all crates.
fn sources(crates: &Path) -> Result<Vec<PathBuf>, TaskError> {
    let mut files = Vec::new();
    let mut folders = vec![crates.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| TaskError(format!("{}: {error}", folder.display())))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && path.components().any(|part| part.as_os_str() == "src")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_recognised() {
        for (line, name) in [
            ("pub struct Audit<'a> {", Some("Audit")),
            ("pub(crate) enum Cause {", Some("Cause")),
            ("    struct Inner;", Some("Inner")),
            ("type Pair = (f64, f64);", Some("Pair")),
            ("    type Item = f64;", None),
            ("// struct Comment", None),
            ("let structure = 1;", None),
        ] {
            assert_eq!(defined_type(line), name, "{line}");
        }
    }
}
