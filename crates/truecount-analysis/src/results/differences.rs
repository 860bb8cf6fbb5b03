//! The columns of differences between groups, methods or samples.

use super::Note;
use super::cell::Cell;
use super::column::{Column, Look, Unit};
use super::row::Row;
use truecount::evaluation::holm;
use truecount::inference::Difference;
use truecount::{Estimate, Method};

/// One difference: of a group and what it is compared with, by one method.
pub struct DifferenceRow {
    /// The group's index among the keys.
    pub group: usize,
    /// What it is compared with, in words.
    pub against: String,
    /// The quantifier.
    pub method: Method,
    /// The prevalence of the group, and of what it is compared with.
    pub prevalences: [f64; 2],
    /// What was found.
    pub found: Difference,
    /// The p-value adjusted for all differences by the method.
    pub holm: f64,
    /// Nominal coverage of the intervals.
    pub level: f64,
}

impl DifferenceRow {
    /// How far two estimates are apart, before the p-value is adjusted.
    pub fn new(group: usize, against: String, of: &Estimate, other: f64, found: Difference) -> Self {
        let (prevalences, holm) = ([of.prevalence, other], found.p_value);
        Self { group, against, method: of.method, prevalences, found, holm, level: of.level }
    }

    /// Adjusts the p-values for all these differences (Holm 1979).
    pub fn adjust(rows: &mut [Self]) {
        let p_values: Vec<f64> = rows.iter().map(|row| row.found.p_value).collect();
        for (row, holm) in rows.iter_mut().zip(holm(&p_values)) {
            row.holm = holm;
        }
    }

    /// What people need to know of ratios without an upper end, if there are any.
    pub fn note(rows: &[Self]) -> Option<Note> {
        let unlimited = rows.iter().any(|row| row.found.ratio.upper.is_infinite());
        let words = "∞: the prevalence that is compared with may be 0, and the ratio as large as it likes";
        unlimited.then(|| Note::new(words))
    }
}

impl Row for DifferenceRow {
    const NAME: &'static str = "differences";

    fn columns() -> Vec<Column<Self>> {
        vec![
            Column::new("reference", Unit::Text, "what the group is compared with", |row: &Self| {
                row.against.as_str().into()
            })
            .shown(Look::AsIs),
            Column::new("method", Unit::Text, "the quantifier", |row: &Self| row.method.to_string().into())
                .shown(Look::AsIs),
            Column::new("prevalence", Unit::Share, "the estimated share of positives in the group", |row: &Self| {
                row.prevalences[0].into()
            }),
            Column::new("prevalence_reference", Unit::Share, "that of what it is compared with", |row: &Self| {
                row.prevalences[1].into()
            }),
            Column::new("difference", Unit::Share, "the first prevalence less the second", |row: &Self| {
                row.found.difference.into()
            })
            .shown(Look::Signed),
            Column::new(
                "se",
                Unit::Share,
                "its standard error; what both estimates rest on is not counted twice",
                |row: &Self| row.found.se.into(),
            ),
            Column::new("lower", Unit::Share, "lower end of the difference's interval", |row: &Self| {
                row.found.lower.into()
            })
            .heading("interval", Look::SignedIntervalTo("upper")),
            Column::new("upper", Unit::Share, "upper end of the difference's interval", |row: &Self| {
                row.found.upper.into()
            }),
            Column::new(
                "ratio",
                Unit::Number,
                "the first prevalence over the second; less 1 the relative change",
                |row: &Self| row.found.ratio.value.into(),
            )
            .optional()
            .shown(Look::Decimals(2)),
            Column::new("ratio_lower", Unit::Number, "lower end of the ratio's interval", |row: &Self| {
                row.found.ratio.lower.into()
            })
            .heading("interval", Look::RatioTo("ratio_upper")),
            Column::new(
                "ratio_upper",
                Unit::Number,
                "upper end of the ratio's interval; none where the second prevalence may be 0",
                |row: &Self| match row.found.ratio.upper {
                    upper if upper.is_finite() => upper.into(),
                    _ => Cell::Unlimited,
                },
            )
            .optional(),
            Column::new(
                "p_value",
                Unit::PValue,
                "probability of so large a difference if there is none: 1 less the highest level whose interval leaves 0 out",
                |row: &Self| row.found.p_value.into(),
            ),
            Column::new(
                "p_value_holm",
                Unit::PValue,
                "the same adjusted for the number of differences",
                |row: &Self| row.holm.into(),
            )
            .heading("p (Holm)", Look::PValue),
            Column::new("correlation", Unit::Number, "of the two estimates", |row: &Self| row.found.correlation.into()),
            Column::new("level", Unit::Share, "nominal coverage of the intervals", |row: &Self| row.level.into()),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }
}
