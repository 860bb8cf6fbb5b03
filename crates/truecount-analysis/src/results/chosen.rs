//! The columns of rows that are drawn to be audited.

use super::column::{Column, Look, Unit};
use super::row::Row;
use crate::{AUDIT_WEIGHT, SCORE};
use truecount::{Error, Model, Problem};

/// A row that is to be audited.
pub struct ChosenRow {
    group: usize,
    row: u64,
    score: f64,
    weight: f64,
}

/// How rows are drawn from each group.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    /// How many of each group.
    pub number: u64,
    /// Whether all have the same probability; else those have more of which the score says little.
    pub uniform: bool,
    /// Of the random numbers.
    pub seed: u64,
}

impl Draw {
    /// Rows of a group with these scores, each of which has a number.
    ///
    /// # Errors
    /// `AuditNeedsBins` for a model that has none; those of [`Model::audit_design`].
    pub fn of(
        &self,
        model: &Model,
        group: usize,
        scores: &[f64],
        number: impl Fn(usize) -> u64,
    ) -> Result<Vec<ChosenRow>, Error> {
        let score_bins = model.score_bins().ok_or(Problem::AuditNeedsBins)?;
        let bins = score_bins.of(scores)?;
        let mut counts = vec![0; score_bins.number()];
        for bin in &bins {
            counts[usize::from(*bin)] += 1;
        }
        let design = model.audit_design(&score_bins.tallies(counts))?;
        let design = if self.uniform { design.evenly() } else { design };
        let probabilities = design.probabilities(self.number);
        let row = |place: usize| ChosenRow {
            group,
            row: number(place),
            score: scores[place],
            weight: probabilities[usize::from(bins[place])].recip(),
        };
        Ok(design.draw(&bins, self.number, self.seed).into_iter().map(row).collect())
    }
}

/// The column with the numbers of rows.
pub const ROW: &str = "row";

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
