//! The columns of estimates: for the command, for Python's data frames, and for the pages that describe them.

use super::column::{Column, Look, Unit};
use super::row::{Row, Span};
use truecount::Estimate;

/// One estimate: of one group by one method.
pub struct EstimateRow {
    /// The group's index among the keys.
    pub group: usize,
    /// What was found.
    pub estimate: Estimate,
}

impl Row for EstimateRow {
    const NAME: &'static str = "estimates";

    fn columns() -> Vec<Column<Self>> {
        vec![
            Column::new("method", Unit::Text, "the quantifier", |row: &Self| row.estimate.method.to_string().into())
                .shown(Look::AsIs),
            Column::new("n", Unit::Count, "scores; of weighted ones, those with a weight above 0", |row: &Self| {
                row.estimate.n.into()
            })
            .shown(Look::AsIs),
            Column::new("n_eff", Unit::Number, "effective number of weighted scores, (Σw)²/Σw²", |row: &Self| {
                row.estimate.effective_n.into()
            })
            .shown(Look::Decimals(1))
            .explained(),
            Column::new(
                "prevalence",
                Unit::Share,
                "the estimated share of positives, kept inside [0, 1]",
                |row: &Self| row.estimate.prevalence.into(),
            )
            .shown(Look::Decimals(4)),
            Column::new("raw", Unit::Share, "the estimator as defined, never clipped", |row: &Self| {
                row.estimate.raw.into()
            }),
            Column::new("se", Unit::Share, "standard error", |row: &Self| {
                row.estimate.uncertainty.map(|found| found.se).into()
            })
            .optional()
            .shown(Look::StandardError),
            Column::new("lower", Unit::Share, "lower end of the interval", |row: &Self| {
                row.estimate.uncertainty.map(|found| found.lower).into()
            })
            .optional()
            .heading("interval", Look::IntervalTo("upper")),
            Column::new("upper", Unit::Share, "upper end of the interval", |row: &Self| {
                row.estimate.uncertainty.map(|found| found.upper).into()
            })
            .optional(),
            Column::new("level", Unit::Share, "nominal coverage of the interval", |row: &Self| {
                row.estimate.level.into()
            }),
            Column::new("severity", Unit::Text, "of the gravest warning: note, caution or unreliable", |row: &Self| {
                row.estimate.severity().map(|severity| severity.to_string()).into()
            })
            .optional(),
            Column::new("warnings", Unit::Warnings, "what to beware of", |row: &Self| {
                row.estimate.warnings.as_slice().into()
            }),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }

    fn is_starred(&self) -> bool {
        !self.estimate.warnings.is_empty()
    }

    fn span(&self) -> Option<Span> {
        let interval = self.estimate.uncertainty.map(|found| [found.lower, found.upper]);
        Some(Span { estimate: self.estimate.prevalence, interval, warned: self.is_starred() })
    }
}
