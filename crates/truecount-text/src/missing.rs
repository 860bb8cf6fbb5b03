//! Rows without a value in a column that needs one: counted, and refused or left out.

use crate::progress::Meter;
use crate::source::{name, title};
use std::collections::BTreeMap;
use std::path::PathBuf;
use truecount::Error;
use truecount::error::ErrorLocation;
use truecount_analysis::TableProblem;

/// Maximum number of groups in the note about rows that are left out.
const MAX_SHOWN_GROUPS: usize = 20;

/// The policy for rows without a value in a column that needs one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingPolicy {
    /// The rows are counted, and the file is an error.
    Error,
    /// The rows are left out, with a note that counts them.
    Drop,
}

/// Counts of rows without a value, by the column that has none.
#[derive(Default)]
pub struct MissingRows {
    columns: Vec<MissingColumn>,
    complete: u64,
    /// The number of the last row of each file.
    last_rows: Vec<u64>,
}

/// The rows without a value in one column.
struct MissingColumn {
    /// The file and the number of the first such row.
    first: (usize, u64),
    location: ErrorLocation,
    /// Its text, if it is not empty.
    value: Option<String>,
    rows: u64,
    /// The number of rows by the values of the grouping columns.
    groups: BTreeMap<Vec<String>, u64>,
}

impl MissingRows {
    /// Returns whether an error is that of a missing value.
    pub fn is_missing(error: &Error) -> bool {
        use TableProblem::{ValueEmpty, ValueMissing, ValueNone, ValueNull};
        matches!(error.problem(), Some(ValueEmpty | ValueNull | ValueMissing | ValueNone { .. }))
    }

    /// Adds the row with this number and group if its error is that of a missing value.
    ///
    /// # Errors
    /// Returns the error if it is another one.
    pub fn add(&mut self, error: Error, number: u64, group: Vec<String>) -> Result<(), Error> {
        if !Self::is_missing(&error) {
            return Err(error);
        }
        let value = match error.problem() {
            Some(TableProblem::ValueNone { value }) => Some(value.clone()),
            _ => None,
        };
        let location = error.location().clone();
        self.merge_column(MissingColumn {
            first: (0, number),
            location,
            value,
            rows: 1,
            groups: BTreeMap::from([(group, 1)]),
        });
        Ok(())
    }

    /// Adds the counts of a chunk of the file with this index, with this many complete rows and the
    /// number of its last row.
    pub fn merge(&mut self, file: usize, chunk: Self, complete: usize, last: Option<u64>) {
        for column in chunk.columns {
            self.merge_column(MissingColumn { first: (file, column.first.1), ..column });
        }
        self.complete += complete as u64;
        self.last_rows.resize(self.last_rows.len().max(file + 1), 0);
        self.last_rows[file] = self.last_rows[file].max(last.unwrap_or_default());
    }

    /// Counts the rows by the group that replaces a value of the grouping column with this index, such
    /// as a period instead of a date.
    pub fn count_by_group(&mut self, index: usize, group_of: impl Fn(&str) -> Option<String>) {
        for column in &mut self.columns {
            for (mut group, rows) in std::mem::take(&mut column.groups) {
                if let Some(replacement) = group_of(&group[index]) {
                    group[index] = replacement;
                }
                *column.groups.entry(group).or_default() += rows;
            }
        }
    }

    fn merge_column(&mut self, other: MissingColumn) {
        let Some(known) = self.columns.iter_mut().find(|known| known.location.column == other.location.column) else {
            self.columns.push(other);
            return;
        };
        known.rows += other.rows;
        for (group, rows) in other.groups {
            *known.groups.entry(group).or_default() += rows;
        }
        if other.first < known.first {
            (known.first, known.location, known.value) = (other.first, other.location, other.value);
        }
    }

    /// Ends the reading of these files, and reports the rows that are left out.
    ///
    /// # Errors
    /// Returns [`TableProblem::RowsWithoutValue`] if there are such rows, unless they are to be
    /// left out and there are other rows.
    pub fn finish(self, policy: Option<MissingPolicy>, paths: &[PathBuf], meter: &dyn Meter) -> Result<(), Error> {
        let total = self.complete + self.columns.iter().map(|column| column.rows).sum::<u64>();
        for column in self.columns {
            let is_last_row = column.rows == 1 && self.last_rows[column.first.0] == column.first.1;
            let error = column.error(total, is_last_row, paths, policy.is_some());
            if policy != Some(MissingPolicy::Drop) || self.complete == 0 {
                return Err(error);
            }
            let (location, problem) = (error.location(), error.condition().problem());
            meter.note(&format!("warning: left out: {location}{problem}{}", column.by_group()));
        }
        Ok(())
    }
}

impl MissingColumn {
    /// Returns the error about these rows; `may_drop` says whether the interface can leave them out.
    fn error(&self, total: u64, is_last_row: bool, paths: &[PathBuf], may_drop: bool) -> Error {
        let Self { first, location, value, rows, .. } = self;
        let position = location.position.map(|position| position.to_string()).unwrap_or_default();
        let file = if paths.len() > 1 { format!("{}, ", name(&paths[first.0])) } else { String::new() };
        let value = value.as_ref().map(|value| format!(" ('{value}')")).unwrap_or_default();
        let problem = if *rows == total {
            TableProblem::ColumnWithoutValues { rows: total }
        } else {
            TableProblem::RowsWithoutValue {
                rows: *rows,
                total,
                first: format!(
                    "{file}{position}{value}{}",
                    if is_last_row { ", the last row: is it a total?" } else { "" }
                ),
                policy: may_drop.then(|| "drop".to_owned()),
            }
        };
        ErrorLocation { position: None, file: Some(title(paths)), ..location.clone() }.error(problem)
    }

    /// Lists the number of rows of each group; empty if no row has one.
    fn by_group(&self) -> String {
        let with_value = |names: &Vec<String>| {
            let names = names.iter().map(String::as_str).filter(|name| TableProblem::without_value(name).is_none());
            names.collect::<Vec<_>>().join(", ")
        };
        if self.groups.keys().all(|names| with_value(names).is_empty()) {
            return String::new();
        }
        let mut groups = self.groups.iter();
        let shown: Vec<String> = groups
            .by_ref()
            .take(MAX_SHOWN_GROUPS)
            .map(|(names, rows)| match with_value(names) {
                name if name.is_empty() => format!("without a group {rows}"),
                name => format!("'{name}' {rows}"),
            })
            .collect();
        let (more, rows) = groups.fold((0, 0), |(more, sum), (_, rows)| (more + 1, sum + rows));
        let rest = if more > 0 { format!(", {more} more groups {rows}") } else { String::new() };
        format!(" (by group: {}{rest})", shown.join(", "))
    }
}
