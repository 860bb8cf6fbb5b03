//! Which rows to audit.

use crate::failure::CliError;
use crate::output::{self, OutputFormat};
use std::path::Path;
use truecount::Model;
use truecount_analysis::results::{AuditDraw, DrawnRow, Note, ROW, ResultTable, Results};
use truecount_analysis::{AUDIT_WEIGHT, SCORE};
use truecount_tables::groups::{Groups, Keys, Placed, TestFiles};

/// A draw of rows; and what the columns with labels and scores are called where they come from.
pub struct DrawRequest<'a> {
    pub draw: AuditDraw,
    pub label: &'a str,
    pub score: Option<&'a str>,
}

impl DrawRequest<'_> {
    /// Draws from each group, and prints.
    pub fn print(
        &self,
        model: &Model,
        files: &TestFiles,
        form: OutputFormat,
        file: Option<&Path>,
    ) -> Result<(), CliError> {
        let Groups { keys, contents, .. } = files.placed(model)?;
        let mut rows = Vec::new();
        for (group, placed) in contents.iter().enumerate() {
            let Placed { rows: numbers, numbers: of } = placed;
            rows.extend(self.draw.draw_rows(model, group, &of.scores, |place| numbers[place])?);
        }
        output::print(&self.results(&rows, &keys), form, file)
    }

    fn results<'r>(&self, rows: &'r [DrawnRow], keys: &'r Keys) -> Results<'r> {
        let how = if self.draw.uniform {
            "all with the same probability"
        } else {
            "those more often of which the score says little"
        };
        let label = self.label;
        let notes = vec![
            Note::new(format!("{} rows drawn at random, {how}; seed {}", rows.len(), self.draw.seed)),
            Note::new(format!(
                "label these rows in a column {label}, keep the other columns, and give the table with --audit"
            )),
        ];
        let table = ResultTable::new(rows).with_groups(keys);
        // As it is called where the rows are from, so that one name is for both tables.
        let table = match self.score {
            Some(score) if ![ROW, AUDIT_WEIGHT].contains(&score) => table.renamed(SCORE, score),
            _ => table,
        };
        Results { tables: vec![table], notes, ..Results::default() }
    }
}
