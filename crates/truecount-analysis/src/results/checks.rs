//! The columns of the shift check's results for groups of test scores.

use super::column::{Column, Look, Unit};
use super::row::Row;
use serde_json::{Value, json};
use truecount::check::{Cause, Checked, Verdict};

/// The shift check's result for one group.
pub struct CheckRow {
    /// The group's index among the keys.
    pub group: usize,
    /// What the check found.
    pub checked: Checked,
    /// What is known to make the scores no mixture.
    pub causes: Vec<Cause>,
}

impl Row for CheckRow {
    const NAME: &'static str = "shift";

    fn columns() -> Vec<Column<Self>> {
        let end = |x: f64| x.is_finite().then_some(x);
        vec![
            Column::new("n", Unit::Count, "test scores", |row: &Self| row.checked.shift.n.into()).shown(Look::AsIs),
            Column::new(
                "statistic",
                Unit::Number,
                "the deviation T from the nearest mixture over what chance explains",
                |row: &Self| row.checked.shift.statistic.into(),
            )
            .shown(Look::Decimals(2)),
            Column::new("p_value", Unit::PValue, "of scores as far from a mixture, if they were one", |row: &Self| {
                row.checked.shift.p_value.into()
            })
            .heading("p", Look::PValue),
            Column::new("p_value_holm", Unit::PValue, "the same adjusted for the number of groups", |row: &Self| {
                row.checked.adjusted.into()
            })
            .heading("p (Holm)", Look::PValue),
            Column::new(
                "verdict",
                Unit::Text,
                "mixture, doubtful (p below 0.05) or no mixture (below 0.01)",
                |row: &Self| row.checked.verdict().name().into(),
            ),
            Column::new(
                "unexplained",
                Unit::Share,
                "scores that no mixture of the labelled classes explains, beyond chance",
                |row: &Self| row.checked.shift.misfit.unexplained.into(),
            )
            .shown(Look::Percent(1)),
            Column::new("prevalence", Unit::Share, "of the nearest mixture", |row: &Self| {
                row.checked.shift.prevalence.into()
            }),
            Column::new(
                "from",
                Unit::Score,
                "where the scores are most clearly too many; nothing: from −∞",
                move |row: &Self| end(row.checked.worst.from).into(),
            )
            .optional(),
            Column::new("to", Unit::Score, "up to where; nothing: to ∞", move |row: &Self| {
                end(row.checked.worst.to).into()
            })
            .optional(),
            Column::new("share", Unit::Share, "of all scores, how many there are too many", |row: &Self| {
                row.checked.worst.share.into()
            }),
            Column::new("se", Unit::Share, "standard error of that share", |row: &Self| row.checked.worst.se.into()),
            Column::new("too_many", Unit::Text, "the same in words, where there is doubt", |row: &Self| {
                let words = match row.checked.verdict() {
                    Verdict::Plausible => String::new(),
                    Verdict::Doubtful | Verdict::Rejected => row.checked.worst.to_string(),
                };
                words.into()
            })
            .heading("too many", Look::AsIs),
            Column::new(
                "causes",
                Unit::Text,
                "what is known to make them so: range, rounded, labelled rounded, folds",
                |row: &Self| row.causes.iter().map(Cause::name).collect::<Vec<_>>().join(", ").into(),
            ),
            Column::new("adjusted_count", Unit::Nested, "Adjusted Count at every threshold", |row: &Self| {
                let at = |at: &truecount::check::AdjustedCountAt| json!({ "theta": at.theta, "prevalence": at.prevalence, "se": at.se });
                row.checked.curve.iter().map(at).collect::<Value>().into()
            }),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }
}
