//! Columns of replicate weights, chosen by a pattern.

use super::TestFiles;
use crate::input;
use truecount::Error;
use truecount_analysis::AnalysisProblem;

/// Returns the columns of the first test table that match the pattern, without that of the weights.
///
/// # Errors
/// Returns an error if fewer than two columns match, or if a table is standard input, which
/// cannot be read once for each column.
pub(super) fn replicate_columns(pattern: &str, files: &TestFiles) -> Result<Vec<String>, Error> {
    if files.paths.iter().any(|path| input::is_stdio(path)) {
        let hint = "write the table to a file: it is read once for each column of replicate weights";
        return Err(AnalysisProblem::option_conflict("{--replicates} cannot read standard input", hint));
    }
    let mut columns = matching_columns(pattern, files)?;
    columns.retain(|column| files.weight != Some(column));
    if columns.len() < 2 {
        let number = if columns.is_empty() { "no column has" } else { "only one column has" };
        return Err(AnalysisProblem::option_conflict(
            format!("{{--replicates={pattern}}}: {number} such a name; at least two are needed"),
            "a star stands for any characters, as in 'rep*'",
        ));
    }
    Ok(columns)
}

/// Returns the columns of the first table that match the pattern.
///
/// # Errors
/// Returns an error if the table cannot be read.
pub(super) fn matching_columns(pattern: &str, files: &TestFiles) -> Result<Vec<String>, Error> {
    let Some(path) = files.paths.first() else { return Ok(Vec::new()) };
    let mut columns = input::column_names(path, files.columns.sheet)?;
    columns.retain(|column| matches_pattern(pattern, column));
    Ok(columns)
}

/// Returns whether a name matches a pattern in which a star stands for any characters.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            name.char_indices()
                .map(|(index, _)| index)
                .chain([name.len()])
                .any(|end| matches_pattern(rest, &name[end..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_characters() {
        for (pattern, name, matches) in [
            ("rep*", "rep1", true),
            ("rep*", "rep", true),
            ("rep*", "a_rep1", false),
            ("*w", "pw", true),
            ("w*_b", "w12_b", true),
            ("w*_b", "w12_b2", false),
            ("w", "w", true),
        ] {
            assert_eq!(matches_pattern(pattern, name), matches, "{pattern} {name}");
        }
    }
}
