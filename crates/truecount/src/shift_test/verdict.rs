//! Results of the shift check for several test sets, with p-values adjusted for their number (Holm
//! 1979), and the meaning of the results in words.

use super::{AdjustedCountAt, ShiftCheck, ShiftStatistics, ShiftTally};
use crate::Error;
use crate::evaluation::holm;
use crate::inference::{Excess, ParallelShift};
use crate::numeric::p_values::combined;

/// The number of test scores below which the check has hardly any power.
const UNDERPOWERED_BELOW: u64 = 30;

/// The p-value below which a mixture is rejected.
const REJECTED_BELOW: f64 = 0.01;

const LIMITS: &str = "it is plausible that only the share of positives has changed. A change that looks like another \
                      mix cannot be detected.";
const CAUSES: &str = "more than the share of positives has changed, or the rows were scored differently, so the \
                      estimate may be off. Look at the rows with these scores, and label some.";

/// The check's result for one of several test sets.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShiftVerdict {
    /// The test.
    pub statistics: ShiftStatistics,
    /// The p-value adjusted for the number of test sets: comparing it with a level bounds the
    /// probability of any false alarm.
    pub adjusted_p_value: f64,
    /// The interval with the most significant excess of test scores over the nearest mixture.
    pub most_significant_excess: Excess,
    /// Adjusted Count at the thresholds of [`ShiftCheck::curve`].
    pub adjusted_counts: Vec<AdjustedCountAt>,
}

/// The conclusion from an adjusted p-value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// p ≥ 0.05: a mixture is not rejected.
    Plausible,
    /// 0.01 ≤ p < 0.05.
    Doubtful,
    /// p < 0.01.
    Rejected,
}

impl Verdict {
    /// Returns the conclusion from a p-value that is adjusted for the number of tests.
    pub fn from_p_value(adjusted: f64) -> Self {
        match adjusted {
            p if p < REJECTED_BELOW => Self::Rejected,
            p if p < 0.05 => Self::Doubtful,
            _ => Self::Plausible,
        }
    }

    /// Returns the verdict in a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plausible => "plausible",
            Self::Doubtful => "doubtful",
            Self::Rejected => "rejected",
        }
    }
}

impl ShiftVerdict {
    /// Returns the conclusion from the adjusted p-value.
    pub fn verdict(&self) -> Verdict {
        Verdict::from_p_value(self.adjusted_p_value)
    }

    /// Returns whether there are too few test scores to detect a shift.
    pub fn is_underpowered(&self) -> bool {
        self.statistics.n < UNDERPOWERED_BELOW
    }

    /// Returns the meaning of the results in a sentence or two; `None` if there are no test sets.
    pub fn meaning<'a>(results: impl IntoIterator<Item = &'a Self, IntoIter: Clone>) -> Option<String> {
        let results = results.into_iter();
        let mut first_two = results.clone();
        match (first_two.next(), first_two.next()) {
            (None, _) => None,
            (Some(only), None) => Some(describe_one(only)),
            _ => Some(describe_all(&results)),
        }
    }
}

impl ShiftCheck {
    /// Tests several test sets and adjusts the p-values for their number.
    ///
    /// # Errors
    /// Returns the first error of [`test`](Self::test).
    pub fn test_all<'a>(&self, tallies: impl IntoIterator<Item = &'a ShiftTally>) -> Result<Vec<ShiftVerdict>, Error> {
        let results = tallies.into_iter().map(|tally| {
            let shift = self.test(tally)?;
            Ok(ShiftVerdict {
                statistics: shift,
                adjusted_p_value: shift.p_value,
                most_significant_excess: self.worst(tally)?,
                adjusted_counts: self.curve(tally)?,
            })
        });
        let mut results = results.collect::<Result<Vec<_>, Error>>()?;
        let adjusted = holm(&results.iter().map(|result| result.statistics.p_value).collect::<Vec<_>>());
        results.iter_mut().zip(adjusted).for_each(|(result, p)| result.adjusted_p_value = p);
        Ok(results)
    }
}

fn describe_one(result: &ShiftVerdict) -> String {
    let excess = result.most_significant_excess;
    match result.verdict() {
        Verdict::Plausible if result.is_underpowered() => {
            format!(
                "The {} new scores are too few to test whether only the share of positives has changed.",
                result.statistics.n
            )
        }
        Verdict::Plausible => format!("The new scores fit a mix of the labelled classes: {LIMITS}"),
        Verdict::Doubtful => format!(
            "It is doubtful whether the new scores fit any mix of the labelled classes (too many: {excess}). If they \
             do not, {CAUSES}"
        ),
        Verdict::Rejected => {
            format!("The new scores do not fit any mix of the labelled classes (too many: {excess}): {CAUSES}")
        }
    }
}

fn describe_all<'a>(results: &(impl Iterator<Item = &'a ShiftVerdict> + Clone)) -> String {
    let p_values = results.clone().flat_map(|ShiftVerdict { statistics, .. }| {
        let shift = statistics.misfit.parallel_shift.as_ref();
        [statistics.p_value, shift.map_or(1.0, ParallelShift::p_value)]
    });
    let together = combined(p_values);
    let p = if together < 0.001 { "below 0.001".to_owned() } else { format!("{together:.3}") };
    let count = |verdict| results.clone().filter(|result| result.verdict() == verdict).count();
    let (rejected, doubtful, all) = (count(Verdict::Rejected), count(Verdict::Doubtful), results.clone().count());
    match (rejected, doubtful) {
        (0, 0) if together < REJECTED_BELOW => format!(
            "The new scores of each of the {all} groups fit a mix of the labelled classes, but together they do not (p \
             {p}): both classes may have moved a little in many groups, and each estimate may be off. Label some rows."
        ),
        (0, 0) => {
            format!("The new scores of all {all} groups fit a mix of the labelled classes (together p {p}): {LIMITS}")
        }
        (0, _) => format!(
            "It is doubtful whether the new scores of {doubtful} of {all} groups fit any mix of the labelled classes \
             (p (Holm) below 0.05). If they do not, {CAUSES}"
        ),
        _ => {
            let also =
                if doubtful > 0 { format!("; for {doubtful} more it is doubtful (below 0.05)") } else { String::new() };
            format!(
                "The new scores of {rejected} of {all} groups do not fit any mix of the labelled classes (p (Holm) \
                 below 0.01){also}: {CAUSES}"
            )
        }
    }
}
