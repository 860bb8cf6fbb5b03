//! The columns of rows that are drawn to be audited.

use super::column::{ResultColumn, CellFormat, Unit};
use super::row::ResultRow;
use crate::{AUDIT_WEIGHT, SCORE};
use truecount::{Error, Model, Problem};

/// A row that is to be audited.
pub struct DrawnRow {
    group: usize,
    row: u64,
    score: f64,
    weight: f64,
}

/// How rows are drawn from each group.
#[derive(Clone, Copy, Debug)]
pub struct AuditDraw {
    /// How many of each group.
    pub number: u64,
    /// Whether all have the same probability; else those have more of which the score says little.
    pub uniform: bool,
    /// Of the random numbers.
    pub seed: u64,
}

impl AuditDraw {
    /// Rows of a group with these scores, each of which has a number.
    ///
    /// # Errors
    /// `AuditNeedsBins` for a model that has none; those of [`Model::audit_design`].
    pub fn draw_rows(
        &self,
        model: &Model,
        group: usize,
        scores: &[f64],
        number: impl Fn(usize) -> u64,
    ) -> Result<Vec<DrawnRow>, Error> {
        let score_bins = model.score_bins().ok_or(Problem::AuditNeedsBins)?;
        let bins = score_bins.of(scores)?;
        let mut counts = vec![0; score_bins.number()];
        for bin in &bins {
            counts[usize::from(*bin)] += 1;
        }
        let design = model.audit_design(&score_bins.tallies(counts))?;
        let design = if self.uniform { design.evenly() } else { design };
        let probabilities = design.probabilities(self.number);
        let row = |place: usize| DrawnRow {
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

impl ResultRow for DrawnRow {
    const NAME: &'static str = "chosen";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            ResultColumn::new(
                ROW,
                Unit::Count,
                "row number, counted from 1 across all test files",
                |row: &Self| row.row.into(),
            )
            .shown(CellFormat::AsIs),
            ResultColumn::new(SCORE, Unit::Score, "score of the row", |row: &Self| row.score.into()).shown(CellFormat::AsIs),
            ResultColumn::new(AUDIT_WEIGHT, Unit::Number, "1 divided by the probability that the row is drawn", |row: &Self| {
                row.weight.into()
            })
            .shown(CellFormat::Decimals(2)),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }
}
