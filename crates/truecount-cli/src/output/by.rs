//! Checks that the results can tell grouping columns apart.

use super::Form;
use crate::failure::Failure;
use truecount_analysis::results::Description;

/// Refuses, before anything is read, a grouping column that is named twice, or, if all columns are in one table, that
/// has the name of one of the results' own.
pub fn check_by(by: &[String], form: Form, own: &[Description]) -> Result<(), Failure> {
    if let Some((i, column)) = by.iter().enumerate().find(|(i, column)| by[..*i].contains(column) || column.is_empty())
    {
        let what = if column.is_empty() { "an empty column name" } else { "a column twice" };
        return Err(Failure::Usage(format!("--by has {what} (name {})", i + 1)));
    }
    match by.iter().find(|column| form.is_flat() && own.iter().any(|own| own.name == **column)) {
        Some(column) => Err(Failure::Usage(format!(
            "--by {column} and --format {} would give two columns called '{column}'; rename that column, or use --format json",
            form.name()
        ))),
        None => Ok(()),
    }
}
