//! Columns of the shift check's results for groups of test scores.

use super::column::{CellFormat, ResultColumn, Unit};
use super::row::ResultRow;
use serde_json::{Value, json};
use truecount::shift_test::{AdjustedCountAt, Cause, ShiftVerdict, Verdict};

/// The shift check's result for one group.
pub struct CheckRow {
    /// The group's index among the keys.
    pub group: usize,
    /// The result of the check.
    pub result: ShiftVerdict,
    /// The known causes of the deviation from a mix of the classes.
    pub causes: Vec<Cause>,
}

impl ResultRow for CheckRow {
    const NAME: &'static str = "shift";

    fn columns() -> Vec<ResultColumn<Self>> {
        let finite = |x: f64| x.is_finite().then_some(x);
        vec![
            Self::count("n", "test scores", |row| row.result.statistics.n).shown(CellFormat::AsIs),
            Self::number(
                "statistic",
                "distance T from the nearest mix of the labelled classes, divided by what chance explains",
                |row| row.result.statistics.statistic,
            )
            .shown(CellFormat::Decimals(2)),
            Self::p_value(
                "p_value",
                "p-value for the hypothesis that the scores are a mix of the labelled classes",
                |row| row.result.statistics.p_value,
            )
            .heading("p", CellFormat::PValue),
            Self::p_value("p_value_holm", "p_value with Holm's correction for the number of groups", |row| {
                row.result.adjusted_p_value
            })
            .heading("p (Holm)", CellFormat::PValue),
            Self::text("verdict", "plausible, doubtful (p below 0.05) or rejected (p below 0.01)", |row| {
                row.result.verdict().name().into()
            }),
            Self::share(
                "unexplained",
                "share of the scores that no mix of the labelled classes explains, beyond chance",
                |row| row.result.statistics.misfit.unexplained,
            )
            .shown(CellFormat::Percent(1)),
            Self::share("prevalence", "share of positives in the nearest mix of the labelled classes", |row| {
                row.result.statistics.prevalence
            }),
            Self::score(
                "from",
                "lower end of the range with the clearest excess of scores; missing: −∞",
                move |row| finite(row.result.most_significant_excess.from),
            ),
            Self::score("to", "upper end of that range; missing: ∞", move |row| {
                finite(row.result.most_significant_excess.to)
            }),
            Self::share("share", "excess of scores in that range, as a share of all scores", |row| {
                row.result.most_significant_excess.share
            }),
            Self::share("se", "standard error of that share", |row| row.result.most_significant_excess.std_error),
            Self::text("too_many", "that excess in words, if the verdict is doubtful or rejected", |row| {
                let words = match row.result.verdict() {
                    Verdict::Plausible => String::new(),
                    Verdict::Doubtful | Verdict::Rejected => row.result.most_significant_excess.to_string(),
                };
                words.into()
            })
            .heading("too many", CellFormat::AsIs),
            Self::text("causes", "known causes of the deviation: range, rounded, labelled rounded, folds", |row| {
                row.causes.iter().map(Cause::name).collect::<Vec<_>>().join(", ").into()
            }),
            ResultColumn::new("adjusted_count", Unit::Nested, "Adjusted Count at every threshold", |row: &Self| {
                let point = |at: &AdjustedCountAt| {
                    let AdjustedCountAt { theta, prevalence, std_error: se, .. } = at;
                    json!({ "theta": theta, "prevalence": prevalence, "se": se })
                };
                row.result.adjusted_counts.iter().map(point).collect::<Value>().into()
            }),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }
}
