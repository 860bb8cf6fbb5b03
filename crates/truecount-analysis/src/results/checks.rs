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
            ResultColumn::new("n", Unit::Count, "test scores", |row: &Self| row.result.statistics.n.into())
                .shown(CellFormat::AsIs),
            ResultColumn::new(
                "statistic",
                Unit::Number,
                "distance T from the nearest mix of the labelled classes, divided by what chance explains",
                |row: &Self| row.result.statistics.statistic.into(),
            )
            .shown(CellFormat::Decimals(2)),
            ResultColumn::new(
                "p_value",
                Unit::PValue,
                "p-value for the hypothesis that the scores are a mix of the labelled classes",
                |row: &Self| row.result.statistics.p_value.into(),
            )
            .heading("p", CellFormat::PValue),
            ResultColumn::new(
                "p_value_holm",
                Unit::PValue,
                "p_value with Holm's correction for the number of groups",
                |row: &Self| row.result.adjusted_p_value.into(),
            )
            .heading("p (Holm)", CellFormat::PValue),
            ResultColumn::new(
                "verdict",
                Unit::Text,
                "plausible, doubtful (p below 0.05) or rejected (p below 0.01)",
                |row: &Self| row.result.verdict().name().into(),
            ),
            ResultColumn::new(
                "unexplained",
                Unit::Share,
                "share of the scores that no mix of the labelled classes explains, beyond chance",
                |row: &Self| row.result.statistics.misfit.unexplained.into(),
            )
            .shown(CellFormat::Percent(1)),
            ResultColumn::new(
                "prevalence",
                Unit::Share,
                "share of positives in the nearest mix of the labelled classes",
                |row: &Self| row.result.statistics.prevalence.into(),
            ),
            ResultColumn::new(
                "from",
                Unit::Score,
                "lower end of the range with the clearest excess of scores; missing: −∞",
                move |row: &Self| finite(row.result.most_significant_excess.from).into(),
            )
            .optional(),
            ResultColumn::new("to", Unit::Score, "upper end of that range; missing: ∞", move |row: &Self| {
                finite(row.result.most_significant_excess.to).into()
            })
            .optional(),
            ResultColumn::new(
                "share",
                Unit::Share,
                "excess of scores in that range, as a share of all scores",
                |row: &Self| row.result.most_significant_excess.share.into(),
            ),
            ResultColumn::new("se", Unit::Share, "standard error of that share", |row: &Self| {
                row.result.most_significant_excess.se.into()
            }),
            ResultColumn::new(
                "too_many",
                Unit::Text,
                "that excess in words, if the verdict is doubtful or rejected",
                |row: &Self| {
                    let words = match row.result.verdict() {
                        Verdict::Plausible => String::new(),
                        Verdict::Doubtful | Verdict::Rejected => row.result.most_significant_excess.to_string(),
                    };
                    words.into()
                },
            )
            .heading("too many", CellFormat::AsIs),
            ResultColumn::new(
                "causes",
                Unit::Text,
                "known causes of the deviation: range, rounded, labelled rounded, folds",
                |row: &Self| row.causes.iter().map(Cause::name).collect::<Vec<_>>().join(", ").into(),
            ),
            ResultColumn::new("adjusted_count", Unit::Nested, "Adjusted Count at every threshold", |row: &Self| {
                let point = |at: &AdjustedCountAt| {
                    let AdjustedCountAt { theta, prevalence, se, .. } = at;
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
