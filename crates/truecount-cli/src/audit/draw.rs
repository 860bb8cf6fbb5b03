//! Draws the rows to audit.

use crate::error::CliError;
use crate::output::OutputArgs;
use indexmap::IndexMap;
use truecount::Model;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::{AuditDraw, DrawnRow, Note, ROW, ResultTable, Results, escape_untrusted};
use truecount_analysis::{AUDIT_WEIGHT, SCORE};
use truecount_tables::groups::{Groups, Keys, NumberedRows, TestFiles};

/// A request for a draw of rows.
pub struct DrawRequest<'a> {
    pub draw: AuditDraw,
    /// Name of the label column in the labelled table.
    pub label: &'a str,
    /// Name of the score column in the test table, if it was given.
    pub score: Option<&'a str>,
    /// Number of grouping columns. Further grouping columns of the files are columns that drawn rows keep.
    pub group_columns: usize,
    /// The column of the clusters, if clusters are drawn; it follows the grouping columns.
    pub cluster: Option<&'a str>,
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
    pub fn run(&self, model: &Model, files: &TestFiles, output: &OutputArgs) -> Result<(), CliError> {
        let Groups { keys, contents, .. } = files.read_numbered_rows(model)?;
        let texts = keys.texts();
        let mut groups: IndexMap<Vec<String>, Vec<CandidateRow>> = IndexMap::new();
        for (key, NumberedRows { rows, numbers, .. }) in contents.iter().enumerate() {
            let group = groups.entry(texts.group_texts(key).take(self.group_columns).collect()).or_default();
            let candidates = rows.iter().zip(&numbers.scores);
            group.extend(candidates.map(|(number, score)| CandidateRow { number: *number, key, score: *score }));
        }
        let (mut rows, mut smallest) = (Vec::new(), u64::MAX);
        for mut group in groups.into_values() {
            group.sort_unstable_by_key(|row| row.number);
            let scores: Vec<f64> = group.iter().map(|row| row.score).collect();
            let place = |index: usize| (group[index].key, group[index].number);
            let units = if self.cluster.is_some() {
                let mut clusters: IndexMap<String, u32> = IndexMap::new();
                let cluster = |row: &CandidateRow| {
                    let text = texts.group_texts(row.key).nth(self.group_columns).expect("the cluster");
                    let next = clusters.len();
                    *clusters.entry(text).or_insert(u32::try_from(next).expect("fewer clusters than rows"))
                };
                let numbers: Vec<u32> = group.iter().map(cluster).collect();
                rows.extend(self.draw.clusters(&scores, &numbers, place));
                clusters.len()
            } else {
                rows.extend(self.draw.rows(model, &scores, place)?);
                group.len()
            };
            smallest = smallest.min(units as u64);
        }
        output.print(self.results(&rows, &keys, smallest))
    }

    /// Returns the table with notes. `smallest` is the number of rows or clusters of the smallest group.
    fn results<'r>(&self, rows: &'r [DrawnRow], keys: &'r Keys, smallest: u64) -> Results<'r> {
        let method = match self.cluster {
            Some(column) => format!("all rows of each drawn {}", escape_untrusted(column)),
            None if self.draw.uniform => "all with the same probability".to_owned(),
            None => "more often where the score is uncertain".to_owned(),
        };
        let label = self.label;
        let units = if self.cluster.is_some() { "clusters" } else { "rows" };
        let group = if self.group_columns > 0 { " of a group" } else { "" };
        let number = self.draw.number;
        let warnings = (number > smallest)
            .then(|| format!("warning: all {smallest} {units}{group} are drawn: --draw asks for {number}"));
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
        Results { tables: vec![table], notes, warnings: warnings.into_iter().collect(), ..Results::default() }
    }
}
