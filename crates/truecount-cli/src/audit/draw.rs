//! Draws the rows to audit.

use crate::error::CliError;
use crate::output::{self, OutputFormat};
use indexmap::IndexMap;
use std::path::Path;
use truecount::Model;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::{AuditDraw, DrawnRow, Note, ROW, ResultTable, Results};
use truecount_analysis::{AUDIT_WEIGHT, SCORE};
use truecount_tables::groups::{Groups, Keys, NumberedRows, TestFiles};

/// A request for a draw of rows.
pub struct DrawRequest<'a> {
    pub draw: AuditDraw,
    /// Name of the label column in the labelled table.
    pub label: &'a str,
    /// Name of the score column in the test table, if it was given.
    pub score: Option<&'a str>,
    /// Number of grouping columns. Further grouping columns of the files are columns that drawn rows
    /// keep.
    pub group_columns: usize,
}

/// A row that may be drawn.
struct CandidateRow {
    number: u64,
    /// The index of its values of the grouping columns.
    key: usize,
    score: f64,
}

impl DrawRequest<'_> {
    /// Draws rows from each group and prints them.
    pub fn run(
        &self,
        model: &Model,
        files: &TestFiles,
        format: OutputFormat,
        file: Option<&Path>,
    ) -> Result<(), CliError> {
        let Groups { keys, contents, .. } = files.read_numbered_rows(model)?;
        let texts = keys.texts();
        let mut groups: IndexMap<Vec<String>, Vec<CandidateRow>> = IndexMap::new();
        for (key, NumberedRows { rows, numbers }) in contents.iter().enumerate() {
            let group = groups.entry(texts.group_texts(key).take(self.group_columns).collect()).or_default();
            let candidates = rows.iter().zip(&numbers.scores);
            group.extend(candidates.map(|(number, score)| CandidateRow { number: *number, key, score: *score }));
        }
        let mut rows = Vec::new();
        for mut group in groups.into_values() {
            group.sort_unstable_by_key(|row| row.number);
            let scores: Vec<f64> = group.iter().map(|row| row.score).collect();
            rows.extend(self.draw.rows(model, &scores, |index| (group[index].key, group[index].number))?);
        }
        output::print(&self.results(&rows, &keys), format, file)
    }

    fn results<'r>(&self, rows: &'r [DrawnRow], keys: &'r Keys) -> Results<'r> {
        let method =
            if self.draw.uniform { "all with the same probability" } else { "more often where the score is uncertain" };
        let label = self.label;
        let notes = vec![
            Note::new(format!("{} rows drawn at random, {method}; seed {}", rows.len(), self.draw.seed)),
            Note::new(format!(
                "label these rows in a column {label}, keep the other columns, and give the table with --audit"
            )),
        ];
        let table = ResultTable::new(rows).with_groups(keys);
        // The score column has its name from the test table, so that one --score fits both tables.
        let table = match self.score {
            Some(score) if ![ROW, AUDIT_WEIGHT].contains(&score) => table.renamed(SCORE, score),
            _ => table,
        };
        Results { tables: vec![table], notes, ..Results::default() }
    }
}
