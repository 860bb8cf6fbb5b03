//! Columns of several classes in files of any format.

use super::replicates::matching_columns;
use super::{Keys, TestFiles};
use crate::input;
use truecount::Error;
use truecount_analysis::AnalysisProblem;
use truecount_analysis::request::ClassColumn;
use truecount_text::{ClassFiles, TextFiles};

impl TestFiles<'_> {
    /// Returns the columns that are named, written as label=column or matched by a pattern with a star.
    ///
    /// # Errors
    /// Returns an error if no column matches a pattern, if a column is also a grouping column, and if the table
    /// cannot be read.
    pub fn class_columns(&self, typed: &[String]) -> Result<Vec<ClassColumn>, Error> {
        let mut columns = Vec::new();
        for text in typed {
            if !text.contains('*') || text.contains('=') {
                columns.push(ClassColumn::parse(text));
                continue;
            }
            if self.paths.iter().any(|path| input::is_stdio(path)) {
                return Err(AnalysisProblem::option_conflict(
                    format!("{{--class-scores={text}}}: a star cannot stand for columns of standard input"),
                    "write the names of the columns",
                ));
            }
            let names = matching_columns(text, self)?;
            if names.is_empty() {
                return Err(AnalysisProblem::option_conflict(
                    format!("{{--class-scores={text}}}: no column has such a name"),
                    "a star stands for any characters, as in 'p_*'",
                ));
            }
            columns.extend(names.into_iter().map(|name| ClassColumn { label: None, name }));
        }
        if columns.iter().any(|column| self.by.contains(&column.name)) {
            return Err(AnalysisProblem::option_conflict(
                "{--class-scores} and {--label} name the same column",
                "{--label} is the true class, {--class-scores} what the classifier says",
            ));
        }
        Ok(columns)
    }

    /// Calls `read` with these files as files of classes.
    ///
    /// # Errors
    /// Returns the error of `read`.
    pub fn with_class_files<T>(&self, read: impl FnOnce(&ClassFiles<Keys>) -> Result<T, Error>) -> Result<T, Error> {
        let TestFiles { paths, columns, weight, by, required, progress, .. } = *self;
        let rows = |&TextFiles { paths, columns, weight, by, required, .. }: &TextFiles| {
            TestFiles { paths, columns, weight, by, required, ..*self }.numbered_rows(None)
        };
        let files = TextFiles { weight, required, ..TextFiles::new(paths, columns, by, progress) };
        read(&ClassFiles { files: &files, read_rows: &rows, replicates: &[] })
    }
}
