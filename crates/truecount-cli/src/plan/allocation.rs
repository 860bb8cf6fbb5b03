//! The allocation of the next labels to intervals of the score.

use crate::error::CliError;
use serde_json::json;
use truecount::Model;
use truecount::quantifier::{Allocation, Quantifier};
use truecount_analysis::results::{CellFormat, Note, ResultColumn, ResultRow, ResultTable, Results, percent};

/// The allocation to one interval of the score.
pub struct AllocationRow {
    from: Option<f64>,
    to: Option<f64>,
    scores: f64,
    labels: f64,
    weight: f64,
}

/// The allocation of labels at a prevalence.
pub struct AllocationTable {
    prevalence: f64,
    ratio: f64,
    rows: Vec<AllocationRow>,
}

impl ResultRow for AllocationRow {
    const NAME: &'static str = "allocation";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            Self::number("from", "where the interval of the score begins, if it does", |row| row.from)
                .shown(CellFormat::Decimals(4)),
            Self::number("to", "where it ends, if it does: scores below this", |row| row.to)
                .shown(CellFormat::Decimals(4)),
            Self::share("scores", "share of the scores to be expected in it", |row| row.scores)
                .shown(CellFormat::Decimals(3)),
            Self::share("labels", "share of the labels to draw in it", |row| row.labels).shown(CellFormat::Decimals(3)),
            Self::number("weight", "weight of a row that is labelled there", |row| row.weight)
                .shown(CellFormat::Decimals(3)),
        ]
    }
}

impl AllocationTable {
    /// Allocates labels with the Efficient Sweep of a model.
    pub fn new(model: &Model, prevalence: Option<f64>) -> Result<Self, CliError> {
        let Some(prevalence) = prevalence else {
            return Err(CliError::usage(
                "--allocate needs --prevalence, because the best rows to label depend on it",
                "add --prevalence, the share of positives among the rows to label from",
            ));
        };
        let Some(sweep) = model.quantifiers().iter().find_map(Quantifier::binned_sweep) else {
            return Err(CliError::usage(
                "--allocate supports the method es only, with --rates labels",
                "leave out --method and --rates",
            ));
        };
        let Allocation { intervals, variance_ratio: ratio, .. } = sweep.allocation(prevalence)?;
        let ends = intervals.iter().skip(1).map(|next| next.from).chain([None]);
        let rows = intervals.iter().zip(ends).map(|(interval, to)| AllocationRow {
            from: interval.from,
            to,
            scores: interval.scores,
            labels: interval.labels,
            weight: interval.weight,
        });
        Ok(Self { prevalence, ratio, rows: rows.collect() })
    }

    pub fn results(&self) -> Results<'_> {
        let notes = vec![
            Note::new(format!(
                "at prevalence {}: the variance is {} % of that of the same number of labels drawn at random",
                self.prevalence,
                percent((1000.0 * self.ratio).round() / 1000.0)
            )),
            Note::new(
                "label rows of each interval at random, and put the weight of the interval into the column of \
                 --label-weight",
            ),
        ];
        let about = vec![("prevalence", json!(self.prevalence)), ("variance_ratio", json!(self.ratio))];
        Results { about, tables: vec![ResultTable::new(&self.rows)], notes, ..Results::default() }
    }
}
