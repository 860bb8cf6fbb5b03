//! Columns of plans: the sizes that a precision needs, or the precision that sizes give.

use super::Mark;
use super::column::{CellFormat, ResultColumn};
use super::differences::CLASS;
use super::row::ResultRow;
use truecount::plan::{Plan, Size};

/// A plan for a method.
pub struct PlanRow {
    /// The name of the method that is planned for.
    pub method: &'static str,
    /// The class that is planned for, if there are several.
    pub class: Option<String>,
    /// The name of the division of the labelled scores between the classes.
    pub split: &'static str,
    /// The sizes with their expected precision.
    pub plan: Plan,
    /// The smallest and the largest size that resamples of the pilot give, apart from a tenth on either side.
    pub range: Option<(Size, Size)>,
    /// The probability that the difference is found or that an alarm is raised, if that is planned for.
    pub power: Option<f64>,
    /// The periods of the alarm, if one is planned for.
    pub alarm: Option<AlarmForecast>,
    /// The level of the intervals.
    pub level: f64,
    /// Whether the goal is met, if there is one.
    pub goal_met: Option<bool>,
}

/// Alarms within a number of periods.
pub struct AlarmForecast {
    /// The number of periods.
    pub periods: usize,
    /// The probability of an alarm within these periods while the prevalence stays at the bound.
    pub false_alarm: f64,
}

impl ResultRow for PlanRow {
    const NAME: &'static str = "plans";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            Self::text(CLASS, "the class planned for, if there are several", |row| row.class.as_deref().into())
                .optional()
                .shown(CellFormat::AsIs),
            Self::text("method", "the quantifier planned for", |row| row.method.into()).shown(CellFormat::AsIs),
            Self::text("split", "how the labelled scores are divided between the classes", |row| row.split.into())
                .shown(CellFormat::AsIs),
            Self::count("unlabelled", "unlabelled scores", |row| row.plan.unlabelled).shown(CellFormat::AsIs),
            Self::count("labelled", "labelled scores", |row| row.plan.labelled_in_all()).shown(CellFormat::AsIs),
            Self::count("positive", "labelled positives", |row| row.plan.labelled.positive).shown(CellFormat::AsIs),
            Self::count("negative", "labelled negatives", |row| row.plan.labelled.negative),
            Self::count(
                "low",
                "the planned number by the tenth percentile of resamples of the pilot, if there is a goal",
                |row| row.range.map(|(low, _)| low),
            )
            .heading("range", CellFormat::CountTo("high")),
            Self::count(
                "high",
                "the planned number by the ninetieth percentile of resamples of the pilot, if there is a goal",
                |row| row.range.map(|(_, high)| high),
            ),
            Self::share("se", "largest expected standard error over the prevalences planned for", |row| {
                row.plan.std_error.value
            })
            .shown(CellFormat::StandardError),
            Self::share("se_worst_prevalence", "the prevalence at which the standard error is largest", |row| {
                row.plan.std_error.prevalence
            }),
            Self::share(
                "half_width",
                "largest expected half-width of the interval over the prevalences planned for",
                |row| row.plan.half_width.value,
            )
            .heading("half-width", CellFormat::StandardError),
            Self::share("half_width_worst_prevalence", "the prevalence at which the half-width is largest", |row| {
                row.plan.half_width.prevalence
            }),
            Self::count(
                "periods",
                "the number of periods within which an alarm is raised, if one is planned for",
                |row| row.alarm.as_ref().map(|alarm| alarm.periods as u64),
            )
            .shown(CellFormat::AsIs),
            Self::share("power", "the probability that the difference is found, or of an alarm", |row| row.power)
                .shown(CellFormat::Decimals(3)),
            Self::share("false_alarm", "the probability of an alarm while the prevalence stays at the bound", |row| {
                row.alarm.as_ref().map(|alarm| alarm.false_alarm)
            })
            .heading("false alarm", CellFormat::Decimals(3)),
            Self::share("level", "nominal coverage of the interval", |row| row.level),
            Self::flag("goal_met", "whether the goal is met, if there is one", |row| row.goal_met),
        ]
    }

    fn mark(&self) -> Mark {
        if self.goal_met == Some(false) { Mark::Star } else { Mark::None }
    }
}
