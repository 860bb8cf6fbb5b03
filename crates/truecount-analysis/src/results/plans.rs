//! Columns of plans: the sizes that a precision needs, or the precision that sizes give.

use super::Mark;
use super::column::{CellFormat, ResultColumn, Unit};
use super::row::ResultRow;
use truecount::Method;
use truecount::plan::{Plan, Size};

/// A plan for a method.
pub struct PlanRow {
    /// The method that is planned for.
    pub method: Method,
    /// The name of the division of the labelled scores between the classes.
    pub split: &'static str,
    /// The sizes with their expected precision.
    pub plan: Plan,
    /// The smallest and the largest size that resamples of the pilot give, apart from a tenth on
    /// either side.
    pub range: Option<(Size, Size)>,
    /// The level of the intervals.
    pub level: f64,
    /// Whether the goal is met, if there is one.
    pub goal_met: Option<bool>,
}

impl ResultRow for PlanRow {
    const NAME: &'static str = "plans";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            ResultColumn::new("method", Unit::Text, "the quantifier planned for", |row: &Self| {
                row.method.to_string().into()
            })
            .shown(CellFormat::AsIs),
            ResultColumn::new(
                "split",
                Unit::Text,
                "how the labelled scores are divided between the classes",
                |row: &Self| row.split.into(),
            )
            .shown(CellFormat::AsIs),
            ResultColumn::new("unlabelled", Unit::Count, "unlabelled scores", |row: &Self| row.plan.unlabelled.into())
                .optional()
                .shown(CellFormat::AsIs),
            ResultColumn::new("labelled", Unit::Count, "labelled scores", |row: &Self| {
                row.plan.labelled_in_all().into()
            })
            .optional()
            .shown(CellFormat::AsIs),
            ResultColumn::new("positive", Unit::Count, "labelled positives", |row: &Self| {
                row.plan.labelled.positive.into()
            })
            .optional()
            .shown(CellFormat::AsIs),
            ResultColumn::new("negative", Unit::Count, "labelled negatives", |row: &Self| {
                row.plan.labelled.negative.into()
            })
            .optional(),
            ResultColumn::new(
                "low",
                Unit::Count,
                "the planned number by the tenth percentile of resamples of the pilot, if there is a goal",
                |row: &Self| row.range.map(|(low, _)| low).into(),
            )
            .optional()
            .heading("range", CellFormat::CountTo("high")),
            ResultColumn::new(
                "high",
                Unit::Count,
                "the planned number by the ninetieth percentile of resamples of the pilot, if there is a goal",
                |row: &Self| row.range.map(|(_, high)| high).into(),
            )
            .optional(),
            ResultColumn::new(
                "se",
                Unit::Share,
                "largest expected standard error over the prevalences planned for",
                |row: &Self| row.plan.se.value.into(),
            )
            .shown(CellFormat::StandardError),
            ResultColumn::new(
                "se_worst_prevalence",
                Unit::Share,
                "the prevalence at which the standard error is largest",
                |row: &Self| row.plan.se.prevalence.into(),
            ),
            ResultColumn::new(
                "half_width",
                Unit::Share,
                "largest expected half-width of the interval over the prevalences planned for",
                |row: &Self| row.plan.half_width.value.into(),
            )
            .heading("half-width", CellFormat::StandardError),
            ResultColumn::new(
                "half_width_worst_prevalence",
                Unit::Share,
                "the prevalence at which the half-width is largest",
                |row: &Self| row.plan.half_width.prevalence.into(),
            ),
            ResultColumn::new("level", Unit::Share, "nominal coverage of the interval", |row: &Self| row.level.into()),
            ResultColumn::new("goal_met", Unit::Flag, "whether the goal is met, if there is one", |row: &Self| {
                row.goal_met.into()
            })
            .optional(),
        ]
    }

    fn mark(&self) -> Mark {
        if self.goal_met == Some(false) { Mark::Star } else { Mark::None }
    }
}
