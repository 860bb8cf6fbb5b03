//! Columns of a sensitivity analysis: the change of an estimate if a share of a class scores differently from the
//! labelled rows. No check can detect all such contamination, but its effect is bounded.

use super::CheckRow;
use super::column::{CellFormat, ResultColumn};
use super::numbers::percent;
use super::row::ResultRow;
use truecount::quantifier::ContaminationEffect;
use truecount::shift_test::ShiftTally;
use truecount::{Error, LabelledScores, Model, Settings};

/// The effect of contamination of one class on the estimate of one group.
pub struct ContaminationRow {
    group: usize,
    effect: ContaminationEffect,
}

impl ContaminationRow {
    /// Returns two rows for each group with the effects on the estimate by Efficient Sweep: for
    /// contaminated negatives, and for contaminated positives.
    ///
    /// # Errors
    /// Returns an error if Efficient Sweep cannot be fitted, and
    /// [`Problem::ParameterOutOfRange`](truecount::error::Problem::ParameterOutOfRange) if `share` is not
    /// a share.
    pub fn for_groups(
        share: f64,
        labelled: &LabelledScores,
        groups: &[CheckRow],
        tallies: &[&ShiftTally],
    ) -> Result<Vec<Self>, Error> {
        let model = Model::fit(labelled, &Settings::default())?;
        let sweep = model.quantifiers()[0].binned_sweep().expect("the default method counts in bins");
        let mut rows = Vec::with_capacity(2 * groups.len());
        for row in groups {
            let prevalence = row.result.statistics.prevalence.clamp(0.0, 1.0);
            let effects = sweep.contamination(share, prevalence, &tallies[row.group].plain().counts)?;
            rows.extend([effects.negative, effects.positive].map(|effect| Self { group: row.group, effect }));
        }
        Ok(rows)
    }

    /// Returns the title of a table with this row.
    pub fn title(&self) -> String {
        format!(
            "Percentage points by which the estimate would move if {} % of a class scored differently:",
            percent(self.effect.share)
        )
    }
}

impl ResultRow for ContaminationRow {
    const NAME: &'static str = "suppose";

    fn columns() -> Vec<ResultColumn<Self>> {
        let points = |name, meaning, value: fn(&ContaminationEffect) -> f64| {
            Self::share(name, meaning, move |row| value(&row.effect)).shown(CellFormat::Percentage(2))
        };
        vec![
            Self::text("class", "the class", |row| row.effect.class.to_string().into()).shown(CellFormat::AsIs),
            Self::share("supposed", "share of the class that scores differently from the labelled rows", |row| {
                row.effect.share
            }),
            points("down", "largest possible decrease of the estimate", |effect| effect.down),
            points("up", "largest possible increase of the estimate", |effect| effect.up),
            points("typical", "root mean square change if these rows score like the test rows", |effect| {
                effect.typical
            }),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }
}
