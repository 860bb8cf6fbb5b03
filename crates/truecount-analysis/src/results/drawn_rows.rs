//! Columns of rows that are drawn for an audit.

use super::column::{CellFormat, ResultColumn};
use super::row::ResultRow;
use crate::{AUDIT_WEIGHT, SCORE};
use serde::Deserialize;
use truecount::audit::AuditDesign;
use truecount::error::Problem;
use truecount::{Error, Model};

/// A row that is drawn for an audit.
pub struct DrawnRow {
    group: usize,
    row: u64,
    score: f64,
    weight: f64,
}

/// Options for drawing the rows of an audit from each group.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct AuditDraw {
    /// The number of rows drawn from each group.
    pub number: u64,
    /// Whether all rows have the same probability; otherwise, rows with uncertain scores have a larger probability.
    pub uniform: bool,
    /// The seed of the random numbers.
    pub seed: u64,
}

impl AuditDraw {
    /// Draws rows of a group with these scores; `place` returns the number of the group under which
    /// a score's row is listed, and the row's number.
    ///
    /// # Errors
    /// Returns `AuditNeedsBins` if the model has no score bins, and an error if the model has no
    /// audit design.
    pub fn rows(
        &self,
        model: &Model,
        scores: &[f64],
        place: impl Fn(usize) -> (usize, u64),
    ) -> Result<Vec<DrawnRow>, Error> {
        let score_bins = model.score_bins().ok_or(Problem::AuditNeedsBins)?;
        let bins = score_bins.bin_numbers(scores)?;
        let mut counts = vec![0; score_bins.number()];
        for bin in &bins {
            counts[usize::from(*bin)] += 1;
        }
        let design = model.audit_design(&score_bins.tally(counts))?;
        let design = if self.uniform { design.uniform() } else { design };
        let probabilities = design.probabilities(self.number);
        let row = |index: usize| {
            let (group, row) = place(index);
            DrawnRow { group, row, score: scores[index], weight: probabilities[usize::from(bins[index])].recip() }
        };
        Ok(design.draw(&bins, self.number, self.seed).into_iter().map(row).collect())
    }

    /// Draws clusters with equal probability, and all their rows. `clusters` has the number of each row's
    /// cluster, from 0 without gaps; `place` is that of [`rows`](Self::rows).
    pub fn clusters(&self, scores: &[f64], clusters: &[u32], place: impl Fn(usize) -> (usize, u64)) -> Vec<DrawnRow> {
        let number = clusters.iter().max().map_or(0, |last| *last as usize + 1);
        let group = if scores.is_empty() { 0 } else { place(0).0 as u64 };
        let drawn = AuditDesign::draw_clusters(number, self.number, self.seed, group);
        let mut is_drawn = vec![false; number];
        for cluster in &drawn {
            is_drawn[*cluster] = true;
        }
        let weight = number as f64 / drawn.len() as f64;
        let row = |index: usize| {
            let (group, row) = place(index);
            DrawnRow { group, row, score: scores[index], weight }
        };
        (0..scores.len()).filter(|index| is_drawn[clusters[*index] as usize]).map(row).collect()
    }
}

/// The name of the column of row numbers.
pub const ROW: &str = "row";

impl ResultRow for DrawnRow {
    const NAME: &'static str = "chosen";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            Self::count(ROW, "row number, counted from 1 across all test files", |row| row.row).shown(CellFormat::AsIs),
            Self::score(SCORE, "score of the row", |row| row.score).shown(CellFormat::AsIs),
            Self::number(AUDIT_WEIGHT, "1 divided by the probability that the row is drawn", |row| row.weight)
                .shown(CellFormat::Decimals(2)),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }
}
