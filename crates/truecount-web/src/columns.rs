//! The columns of a table, with their first values, and a guess of the score and label columns.

use crate::error::PageError;
use crate::read::PageProgress;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use truecount::error::ErrorLocation;
use truecount_analysis::request::{ClassColumn, class_labels};
use truecount_analysis::{LABEL, SCORE, TableProblem};
use truecount_text::{first_rows, name};

/// Number of rows that are read for the guess: many, as tables may be sorted by their labels. The
/// user can correct the guess.
const MAX_ROWS: usize = 100_000;

/// Maximum number of different values that the page lists as a choice.
const MAX_VALUES: usize = 20;

/// Number of first values that the page shows.
const FIRST_VALUES: usize = 3;

/// Frequent labels of positives and negatives.
const LABELS: [[&str; 2]; 6] =
    [["1", "0"], ["1", "-1"], ["true", "false"], ["yes", "no"], ["positive", "negative"], ["pos", "neg"]];

#[derive(Default)]
struct PageColumn {
    name: String,
    first: Vec<String>,
    /// The different values with their numbers of rows, up to one more value than the maximum.
    values: BTreeMap<String, usize>,
    /// Whether all values are numbers.
    numbers: bool,
    /// Whether all values are numbers and some are not integers.
    fractions: bool,
}

/// Describes the columns of a table, and guesses which of them are scores and labels.
pub fn columns(file: &Path) -> Result<Value, PageError> {
    let mut columns: Vec<PageColumn> = Vec::new();
    let names = first_rows(file, MAX_ROWS, &PageProgress, &mut |column, text, number| {
        if column == columns.len() {
            columns.push(PageColumn { numbers: true, ..PageColumn::default() });
        }
        columns[column].add(text, number);
    })?;
    // A table without a header would lose its first row.
    if names.iter().all(|name| name.parse::<f64>().is_ok()) {
        let problem = TableProblem::HeaderMissing { column: SCORE.to_owned(), columns: names };
        return Err(ErrorLocation::file(name(file)).error(problem).into());
    }
    columns.iter_mut().zip(names).for_each(|(column, name)| column.name = name);
    let has_many_numbers = |column: &PageColumn| column.numbers && column.values.len() > 2;
    let score = guess(&columns, SCORE, |column| column.fractions).or_else(|| guess(&columns, SCORE, has_many_numbers));
    let is_not_score = |column: &PageColumn| Some(column.name.as_str()) != score;
    let has_class_scores = |column: &PageColumn| column.class_scores(&columns).is_some();
    let has_two_texts = |column: &PageColumn| column.values.len() == 2 && !column.numbers && is_not_score(column);
    let label = guess(&columns, LABEL, |column| column.positive().is_some() && is_not_score(column))
        .or_else(|| guess(&columns, LABEL, has_class_scores))
        .or_else(|| guess(&columns, LABEL, has_two_texts));
    let positive = label.and_then(|label| columns.iter().find(|column| column.name == label)?.positive());
    Ok(json!({
        "columns": columns.iter().map(|column| column.description(&columns)).collect::<Vec<_>>(),
        "labelled": { "score": score, "label": label, "positive": positive },
    }))
}

/// Returns the column with the default name; otherwise the column that matches, if there is exactly
/// one.
fn guess<'a>(columns: &'a [PageColumn], default_name: &str, matches: impl Fn(&PageColumn) -> bool) -> Option<&'a str> {
    let default = columns.iter().find(|column| column.name == default_name);
    let mut candidates = columns.iter().filter(|column| matches(column));
    let only = candidates.next().filter(|_| candidates.next().is_none());
    default.or(only).map(|column| column.name.as_str())
}

impl PageColumn {
    /// Adds a cell as text and, if it is one, as a number, unless it has no value.
    fn add(&mut self, text: &str, number: Option<f64>) {
        if TableProblem::without_value(text).is_some() {
            return;
        }
        if self.first.len() < FIRST_VALUES {
            self.first.push(text.to_owned());
        }
        if let Some(rows) = self.values.get_mut(text) {
            *rows += 1;
        } else if self.values.len() <= MAX_VALUES {
            self.values.insert(text.to_owned(), 1);
        }
        self.numbers &= number.is_some();
        self.fractions = self.numbers && (self.fractions || number.is_some_and(|number| number.fract() != 0.0));
    }

    /// Returns the label of positives if the column has two values that are frequent labels.
    fn positive(&self) -> Option<&str> {
        let positive_label = |[positive, negative]: &[&str; 2]| {
            let value = |label: &str| self.values.keys().find(|value| value.eq_ignore_ascii_case(label));
            value(positive).filter(|_| value(negative).is_some())
        };
        LABELS.iter().filter(|_| self.values.len() == 2).find_map(positive_label).map(String::as_str)
    }

    /// Returns the columns with the probabilities of the classes, if there are several labels with one each.
    fn class_scores(&self, columns: &[Self]) -> Option<Vec<String>> {
        let labels: Vec<String> = self.values.keys().cloned().collect();
        let is_probability =
            |text: &String| text.replace(',', ".").parse().is_ok_and(|p: f64| (0.0..=1.0).contains(&p));
        let scores = columns.iter().filter(|column| column.fractions && column.values.keys().all(is_probability));
        let scores = scores.map(|column| ClassColumn::parse(&column.name));
        let scores: Vec<ClassColumn> = scores.filter(|column| column.find_label(&labels).is_some()).collect();
        let has_classes = (3..=MAX_VALUES).contains(&labels.len()) && class_labels(&scores, &self.values).is_ok();
        has_classes.then(|| scores.into_iter().map(|column| column.name).collect())
    }

    fn description(&self, columns: &[Self]) -> Value {
        // Pairs, as objects would put numbers first.
        let values = (self.values.len() <= MAX_VALUES).then(|| self.values.iter().collect::<Vec<_>>());
        let numbers = self.numbers && !self.first.is_empty();
        let classes = self.class_scores(columns);
        json!({ "name": self.name, "numbers": numbers, "values": values, "first": self.first, "classes": classes })
    }
}
