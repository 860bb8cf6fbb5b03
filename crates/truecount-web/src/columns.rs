//! What is in a table: its columns, their first values, and which of them may be the scores and the
//! labels.

use crate::error::PageError;
use crate::read::first_rows;
use crate::request::LABEL;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use truecount_analysis::SCORE;

/// As many rows tell what a column is, which anybody can change: tables may be sorted by their
/// labels.
const ROWS: usize = 100_000;

/// A column of more values has none to choose from.
const VALUES: usize = 20;

/// Values that are shown.
const FIRST: usize = 3;

/// What positives and negatives are often called.
const LABELS: [[&str; 2]; 6] =
    [["1", "0"], ["1", "-1"], ["true", "false"], ["yes", "no"], ["positive", "negative"], ["pos", "neg"]];

#[derive(Default)]
struct PageColumn {
    name: String,
    first: Vec<String>,
    /// The different values, up to one more than there may be.
    values: BTreeSet<String>,
    /// Whether all are numbers, and some are not whole.
    numbers: bool,
    fractions: bool,
}

/// The columns of a table, and what they may be.
pub fn columns(file: &Path) -> Result<Value, PageError> {
    let mut columns: Vec<PageColumn> = Vec::new();
    let names = first_rows(file, ROWS, &mut |column, text, number| {
        if column == columns.len() {
            columns.push(PageColumn { numbers: true, ..PageColumn::default() });
        }
        columns[column].see(text, number);
    })?;
    columns.iter_mut().zip(names).for_each(|(column, name)| column.name = name);
    let several = |column: &PageColumn| column.numbers && column.values.len() > 2;
    let score = guess(&columns, SCORE, |column| column.fractions).or_else(|| guess(&columns, SCORE, several));
    let other = |column: &PageColumn| Some(column.name.as_str()) != score;
    let label = guess(&columns, LABEL, |column| column.positive().is_some() && other(column))
        .or_else(|| guess(&columns, LABEL, |column| column.values.len() == 2 && !column.numbers && other(column)));
    let positive = label.and_then(|label| columns.iter().find(|column| column.name == label)?.positive());
    Ok(json!({
        "columns": columns.iter().map(PageColumn::described).collect::<Vec<_>>(),
        "labelled": { "score": score, "label": label, "positive": positive },
    }))
}

/// The column of this name, or else the only one that may be.
fn guess<'a>(columns: &'a [PageColumn], usual: &str, fits: impl Fn(&PageColumn) -> bool) -> Option<&'a str> {
    let usual = columns.iter().find(|column| column.name == usual);
    let mut fitting = columns.iter().filter(|column| fits(column));
    let only = fitting.next().filter(|_| fitting.next().is_none());
    usual.or(only).map(|column| column.name.as_str())
}

impl PageColumn {
    fn see(&mut self, text: &str, number: Option<f64>) {
        if self.first.len() < FIRST {
            self.first.push(text.to_owned());
        }
        if self.values.len() <= VALUES && !self.values.contains(text) {
            self.values.insert(text.to_owned());
        }
        self.numbers &= number.is_some();
        self.fractions = self.numbers && (self.fractions || number.is_some_and(|number| number.fract() != 0.0));
    }

    /// The value that is a positive's label, if there are two and they are known.
    fn positive(&self) -> Option<&str> {
        let known = |[positive, negative]: &[&str; 2]| {
            let called = |label: &str| self.values.iter().find(|value| value.eq_ignore_ascii_case(label));
            called(positive).filter(|_| called(negative).is_some())
        };
        LABELS.iter().filter(|_| self.values.len() == 2).find_map(known).map(String::as_str)
    }

    fn described(&self) -> Value {
        let values = (self.values.len() <= VALUES).then_some(&self.values);
        json!({ "name": self.name, "numbers": self.numbers, "values": values, "first": self.first })
    }
}
