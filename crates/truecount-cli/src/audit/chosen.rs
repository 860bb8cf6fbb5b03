//! Which rows to audit.

use crate::failure::Failure;
use crate::output::{self, Form};
use std::path::Path;
use truecount::Model;
use truecount_io::AUDIT_WEIGHT;
use truecount_io::groups::{Groups, Keys, Placed, TestFiles};
use truecount_io::input::SCORE;
use truecount_io::results::{Column, Look, Note, Results, Row, Table, Unit};

/// The column with the numbers of rows.
const ROW: &str = "row";

/// A draw of rows; and what the columns with labels and scores are called where they come from.
pub struct Draw<'a> {
    pub number: u64,
    pub evenly: bool,
    pub seed: u64,
    pub label: &'a str,
    pub score: Option<&'a str>,
}

/// A row that is to be audited.
pub struct ChosenRow {
    group: usize,
    row: u64,
    score: f64,
    weight: f64,
}

impl Row for ChosenRow {
    const NAME: &'static str = "chosen";

    fn columns() -> Vec<Column<Self>> {
        vec![
            Column::new(
                ROW,
                Unit::Count,
                "the row of the test files, counted from 1 over all of them",
                |row: &Self| row.row.into(),
            )
            .shown(Look::AsIs),
            Column::new(SCORE, Unit::Score, "its score", |row: &Self| row.score.into()).shown(Look::AsIs),
            Column::new(AUDIT_WEIGHT, Unit::Number, "one over the probability of drawing it", |row: &Self| {
                row.weight.into()
            })
            .shown(Look::Decimals(2)),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }
}

impl Draw<'_> {
    /// Draws from each group, and prints.
    pub fn print(&self, model: &Model, files: &TestFiles, form: Form, file: Option<&Path>) -> Result<(), Failure> {
        let Groups { keys, contents, .. } = Groups::placed(files, model)?;
        let mut rows = Vec::new();
        for (group, placed) in contents.iter().enumerate() {
            rows.extend(self.of(model, group, placed)?);
        }
        output::print(&self.results(&rows, &keys), form, file)
    }

    fn of(&self, model: &Model, group: usize, placed: &Placed) -> Result<Vec<ChosenRow>, Failure> {
        let scores = &placed.numbers.scores;
        let score_bins = model.score_bins().ok_or(truecount::Error::AuditNeedsBins)?;
        let bins = score_bins.of(scores)?;
        let mut counts = vec![0; score_bins.number()];
        for bin in &bins {
            counts[usize::from(*bin)] += 1;
        }
        let design = model.audit_design(&score_bins.tallies(counts))?;
        let design = if self.evenly { design.evenly() } else { design };
        let probabilities = design.probabilities(self.number);
        let row = |place: usize| ChosenRow {
            group,
            row: placed.rows[place],
            score: scores[place],
            weight: probabilities[usize::from(bins[place])].recip(),
        };
        Ok(design.draw(&bins, self.number, self.seed).into_iter().map(row).collect())
    }

    fn results<'r>(&self, rows: &'r [ChosenRow], keys: &'r Keys) -> Results<'r> {
        let how = if self.evenly {
            "all with the same probability"
        } else {
            "those more often of which the score says little"
        };
        let label = self.label;
        let notes = vec![
            Note::new(format!("{} rows drawn at random, {how}; seed {}", rows.len(), self.seed)),
            Note::new(format!(
                "label these rows in a column {label}, keep the other columns, and give the table with --audit"
            )),
        ];
        let table = Table::new(rows).with_groups(keys);
        // As it is called where the rows are from, so that one name is for both tables.
        let table = match self.score {
            Some(score) if ![ROW, AUDIT_WEIGHT].contains(&score) => table.renamed(SCORE, score),
            _ => table,
        };
        Results { tables: vec![table], notes, ..Results::default() }
    }
}
