//! The page of all error and warning codes, generated from their tables.

use super::markdown::{section, table};
use std::fmt::Display;
use truecount::Warning;
use truecount::error::{ErrorKind, Operation, Problem, Severity};
use truecount::multiclass::ClassWarning;
use truecount_analysis::{AnalysisProblem, TableProblem};

const INTRODUCTION: &str = "\
Every error and every warning has a code and fields, such as the row or the method. The code stays the same from version \
to version, but
the sentence may change: programs should use the code and the fields.
";

pub fn page() -> String {
    let mut page = format!("# Errors and warnings\n\n{INTRODUCTION}");
    section(&mut page, "Warnings");
    page.push_str("\nThe severity of a warning says what it means for publishing the estimate.\n");
    table(&mut page, ["severity", "what to do"], Severity::TABLE.iter().map(|(name, _, action)| [name, action]));
    rows(&mut page, "severity", &[Warning::TABLE, ClassWarning::TABLE].concat());
    section(&mut page, "Errors");
    page.push_str("\nAn error is reported instead of estimates. It is about one of the following.\n");
    table(&mut page, ["about", "what to do"], ErrorKind::TABLE.iter().map(|(name, _, action)| [name, action]));
    rows(&mut page, "about", &[Problem::TABLE, &Operation::table(), AnalysisProblem::TABLE].concat());
    section(&mut page, "Errors of files");
    page.push_str(
        "\nWhat is wrong with a file, a table or a tally comes with its place: the file, the line or row, the \
         column.\n",
    );
    rows(&mut page, "about", TableProblem::TABLE);
    page
}

/// Adds a table of codes with their classes and meanings.
fn rows<T: Display>(page: &mut String, class: &str, codes: &[(&str, T, &str)]) {
    let rows =
        codes.iter().map(|(code, class, meaning)| [format!("`{code}`"), class.to_string(), (*meaning).to_owned()]);
    table(page, ["code", class, "meaning"], rows);
}
