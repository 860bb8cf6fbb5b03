//! Results of the shift check for several test sets, with p-values adjusted for their number (Holm
//! 1979), and the meaning of the results in words.

use super::{AdjustedCountAt, ShiftCheck, ShiftStatistics, ShiftTally};
use crate::Error;
use crate::evaluation::holm;
use crate::inference::Excess;

/// The number of test scores below which the check has hardly any power.
const UNDERPOWERED_BELOW: u64 = 30;

const ADVICE_IF_REJECTED: &str = "More than the prevalence differs between the labelled and the test data, or they \
                                  were not scored alike, so every estimate may be off: look at the cases with these \
                                  scores, and label some.";
const ADVICE_IF_DOUBTFUL: &str = "If so, more than the prevalence differs between the labelled and the test data, or \
                                  they were not scored alike: look at the cases with these scores, and label some.";

/// The check's result for one of several test sets.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShiftVerdict {
    /// The test.
    pub shift: ShiftStatistics,
    /// The p-value adjusted for the number of test sets: comparing it with a level bounds the
    /// probability of any false alarm.
    pub adjusted: f64,
    /// The interval with the most significant excess of test scores over the nearest mixture.
    pub worst: Excess,
    /// Adjusted Count at every threshold.
    pub curve: Vec<AdjustedCountAt>,
}

/// The conclusion from an adjusted p-value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// p ≥ 0.05: a mixture is not rejected.
    Plausible,
    /// p < 0.05.
    Doubtful,
    /// p < 0.01.
    Rejected,
}

impl Verdict {
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
        match self.adjusted {
            p if p < 0.01 => Verdict::Rejected,
            p if p < 0.05 => Verdict::Doubtful,
            _ => Verdict::Plausible,
        }
    }

    /// Returns whether there are too few test scores to detect a shift.
    pub fn is_underpowered(&self) -> bool {
        self.shift.n < UNDERPOWERED_BELOW
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
            Ok(ShiftVerdict { shift, adjusted: shift.p_value, worst: self.worst(tally)?, curve: self.curve(tally)? })
        });
        let mut results = results.collect::<Result<Vec<_>, Error>>()?;
        let adjusted = holm(&results.iter().map(|result| result.shift.p_value).collect::<Vec<_>>());
        results.iter_mut().zip(adjusted).for_each(|(result, p)| result.adjusted = p);
        Ok(results)
    }
}

fn describe_one(result: &ShiftVerdict) -> String {
    match result.verdict() {
        Verdict::Plausible if result.is_underpowered() => {
            format!("{} test scores are too few to tell whether prior probability shift is plausible.", result.shift.n)
        }
        Verdict::Plausible => {
            "The test scores look like a mixture of the labelled classes: prior probability shift is plausible. A \
             change that gives another mixture would not be seen."
                .to_owned()
        }
        Verdict::Doubtful => {
            format!(
                "It is doubtful whether the test scores are a mixture of the labelled classes; too many: {}. \
                 {ADVICE_IF_DOUBTFUL}",
                result.worst
            )
        }
        Verdict::Rejected => {
            format!(
                "The test scores are no mixture of the labelled classes; too many: {}. {ADVICE_IF_REJECTED}",
                result.worst
            )
        }
    }
}

fn describe_all<'a>(results: &(impl Iterator<Item = &'a ShiftVerdict> + Clone)) -> String {
    let count = |verdict| results.clone().filter(|result| result.verdict() == verdict).count();
    let (rejected, doubtful, all) = (count(Verdict::Rejected), count(Verdict::Doubtful), results.clone().count());
    if rejected + doubtful == 0 {
        return format!(
            "In none of the {all} groups do the test scores differ from a mixture of the labelled classes by more than \
             chance allows (p adjusted for their number after Holm): prior probability shift is plausible. A change \
             that gives another mixture would not be seen."
        );
    }
    let advice = if rejected > 0 { ADVICE_IF_REJECTED } else { ADVICE_IF_DOUBTFUL };
    format!(
        "No mixture of the labelled classes: {rejected} of {all} groups; doubtful: {doubtful} (p, adjusted for their \
         number after Holm, below 0.01 and 0.05). {advice}"
    )
}
