//! Summaries of studies: the contents of `summary.json`, tables for people, and figures.

use serde_json::{Map, Value};
use std::iter;
use truecount_analysis::results::text::{ColumnLayout, LINE_WIDTH, wrap};

/// The summary of a study.
#[derive(Debug, Default)]
pub struct StudySummary {
    /// The fields of `summary.json` after the parameters of the study.
    pub json: Map<String, Value>,
    /// The tables for printing.
    pub tables: Vec<SummaryTable>,
    /// The notes below the tables.
    pub notes: Vec<String>,
    /// The names and contents of the SVG files.
    pub figures: Vec<(String, String)>,
}

/// A table of formatted cells.
#[derive(Debug)]
pub struct SummaryTable {
    title: Vec<String>,
    header: Vec<String>,
    /// The number of leading columns that are left-aligned.
    left: usize,
    rows: Vec<Vec<String>>,
}

impl StudySummary {
    /// Returns a summary with these notes.
    pub(super) fn with_notes<const N: usize>(notes: [&str; N]) -> Self {
        Self { notes: notes.map(str::to_owned).into(), ..Self::default() }
    }

    /// Adds an object with the fields of these objects to a list in `summary.json`.
    pub(super) fn push<const N: usize>(&mut self, list: &str, objects: [Value; N]) {
        let fields = objects.into_iter().filter_map(|object| match object {
            Value::Object(fields) => Some(fields),
            _ => None,
        });
        let list = self.json.entry(list).or_insert_with(|| Value::Array(Vec::new()));
        list.as_array_mut().expect("a list").push(fields.flatten().collect::<Map<_, _>>().into());
    }

    /// Returns the tables and notes as text of fixed width.
    pub fn text(&self) -> String {
        let tables = self.tables.iter().flat_map(|table| table.lines().chain(iter::once(String::new())));
        let notes = self.notes.iter().flat_map(|note| wrap(note, LINE_WIDTH, ""));
        tables.chain(notes).map(|line| line + "\n").collect()
    }
}

impl SummaryTable {
    /// Returns a table without rows, whose first column has names and whose other columns have numbers.
    pub(super) fn new<'a>(header: impl IntoIterator<Item = &'a str>) -> Self {
        let header = header.into_iter().map(str::to_owned).collect();
        Self { title: Vec::new(), header, left: 1, rows: Vec::new() }
    }

    /// Aligns the first column like numbers, too.
    pub(super) fn right_aligned(self) -> Self {
        Self { left: 0, ..self }
    }

    /// Adds a line above the table.
    pub(super) fn titled(mut self, line: impl Into<String>) -> Self {
        self.title.push(line.into());
        self
    }

    /// Adds a row.
    pub(super) fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    fn lines(&self) -> impl Iterator<Item = String> {
        let layout = ColumnLayout::new(iter::once(&self.header).chain(&self.rows), self.left);
        let layout = layout.condensed_to(LINE_WIDTH);
        let rule = layout.rule() + if layout.width() + 2 <= LINE_WIDTH { "──" } else { "" };
        let rows = self.rows.iter().map(|row| layout.line(row).trim_end().to_owned()).collect::<Vec<_>>();
        let header = layout.line(&self.header).trim_end().to_owned();
        self.title.iter().cloned().chain([header, rule]).chain(rows)
    }
}

/// Formats a number with this many decimals.
pub(super) fn decimals(value: impl Into<Option<f64>>, digits: usize) -> String {
    value.into().map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
}

/// Formats a share in per cent with this many decimals, without the sign.
pub(super) fn percent(share: impl Into<Option<f64>>, digits: usize) -> String {
    decimals(share.into().map(|share| 100.0 * share), digits)
}

/// Formats the percentage of rare failures: three decimals, or 0 if there were none.
pub(super) fn rare(share: f64) -> String {
    if share == 0.0 { "0".to_owned() } else { percent(share, 3) }
}
