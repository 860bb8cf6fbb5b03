//! The columns of plans: the sizes that a precision needs, or the precision that sizes give.

use super::Mark;
use super::column::{Column, Look, Unit};
use super::row::Row;
use truecount::Method;
use truecount::inference::Plan;

/// One plan.
pub struct PlanRow {
    /// The quantifier planned for.
    pub method: Method,
    /// How the labelled scores divide into the classes.
    pub split: &'static str,
    /// The sizes, and what to expect of them.
    pub plan: Plan,
    /// The level of the intervals.
    pub level: f64,
    /// Whether the goal is reached, if there is one.
    pub reached: Option<bool>,
}

impl Row for PlanRow {
    const NAME: &'static str = "plans";

    fn columns() -> Vec<Column<Self>> {
        vec![
            Column::new("method", Unit::Text, "the quantifier planned for", |row: &Self| row.method.to_string().into())
                .shown(Look::AsIs),
            Column::new("split", Unit::Text, "how the labelled scores fall into the classes", |row: &Self| {
                row.split.into()
            })
            .shown(Look::AsIs),
            Column::new("unlabelled", Unit::Count, "unlabelled scores", |row: &Self| row.plan.unlabelled.into())
                .optional()
                .shown(Look::AsIs),
            Column::new("labelled", Unit::Count, "labelled scores", |row: &Self| row.plan.labelled_in_all().into())
                .optional()
                .shown(Look::AsIs),
            Column::new("positive", Unit::Count, "labelled positives", |row: &Self| row.plan.labelled.positive.into())
                .optional()
                .shown(Look::AsIs),
            Column::new("negative", Unit::Count, "labelled negatives", |row: &Self| row.plan.labelled.negative.into())
                .optional(),
            Column::new("se", Unit::Share, "standard error to be expected, at its worst", |row: &Self| {
                row.plan.se.value.into()
            })
            .shown(Look::StandardError),
            Column::new("se_worst_prevalence", Unit::Share, "the prevalence where it is that large", |row: &Self| {
                row.plan.se.prevalence.into()
            }),
            Column::new(
                "half_width",
                Unit::Share,
                "half of the interval to be expected, at its worst",
                |row: &Self| row.plan.half_width.value.into(),
            )
            .heading("half-width", Look::StandardError),
            Column::new("half_width_at", Unit::Share, "the prevalence where it is that large", |row: &Self| {
                row.plan.half_width.prevalence.into()
            }),
            Column::new("level", Unit::Share, "nominal coverage of the interval", |row: &Self| row.level.into()),
            Column::new("goal_met", Unit::Flag, "whether the goal is reached, if there is one", |row: &Self| {
                row.reached.into()
            })
            .optional(),
        ]
    }

    fn mark(&self) -> Mark {
        if self.reached == Some(false) { Mark::Star } else { Mark::None }
    }
}
