//! The check's results for many test sets, with p-values adjusted for their number (Holm 1979), and their meaning in
//! words.

use super::{AdjustedCountAt, ShiftCheck, ShiftStatistics, ShiftTally};
use crate::Error;
use crate::evaluation::holm;
use crate::inference::Excess;

/// With fewer test scores than this, the check can hardly detect anything.
const FEW: u64 = 30;

const WHAT_IT_MEANS: &str = "More than the prevalence differs between the labelled and the test data, or they were not scored \
                             alike, so every estimate may be off: look at the cases with these scores, and label some.";
const WHAT_IT_MAY_MEAN: &str = "If so, more than the prevalence differs between the labelled and the test data, or they were not \
                                scored alike: look at the cases with these scores, and label some.";

/// The check's result for one test set among others.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShiftVerdict {
    /// The test.
    pub shift: ShiftStatistics,
    /// The p-value adjusted for the number of test sets: the level bounds the probability of any false alarm among
    /// them.
    pub adjusted: f64,
    /// The interval most clearly holding more test scores than the nearest mixture predicts.
    pub worst: Excess,
    /// Adjusted Count at every threshold.
    pub curve: Vec<AdjustedCountAt>,
}

/// The conclusion from an adjusted p-value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Nothing speaks against a mixture.
    Plausible,
    /// p < 0.05.
    Doubtful,
    /// p < 0.01.
    Rejected,
}

impl Verdict {
    /// The verdict in a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plausible => "plausible",
            Self::Doubtful => "doubtful",
            Self::Rejected => "rejected",
        }
    }
}

impl ShiftVerdict {
    /// The conclusion from the adjusted p-value.
    pub fn verdict(&self) -> Verdict {
        match self.adjusted {
            p if p < 0.01 => Verdict::Rejected,
            p if p < 0.05 => Verdict::Doubtful,
            _ => Verdict::Plausible,
        }
    }

    /// Whether there are too few test scores to detect anything.
    pub fn is_underpowered(&self) -> bool {
        self.shift.n < FEW
    }

    /// The results of test sets checked together, in a sentence or two; `None` if there are no test sets.
    pub fn meaning<'a>(together: impl IntoIterator<Item = &'a Self, IntoIter: Clone>) -> Option<String> {
        let several = together.into_iter();
        let mut each = several.clone();
        match (each.next(), each.next()) {
            (None, _) => None,
            (Some(only), None) => Some(one(only)),
            _ => Some(all(&several)),
        }
    }
}

impl ShiftCheck {
    /// Tests several sets together.
    ///
    /// # Errors
    /// Those of [`test`](Self::test), for any of them.
    pub fn test_all<'a>(&self, tallies: impl IntoIterator<Item = &'a ShiftTally>) -> Result<Vec<ShiftVerdict>, Error> {
        let each = tallies.into_iter().map(|tally| {
            let shift = self.test(tally)?;
            Ok(ShiftVerdict { shift, adjusted: shift.p_value, worst: self.worst(tally)?, curve: self.curve(tally)? })
        });
        let mut checked = each.collect::<Result<Vec<_>, Error>>()?;
        let adjusted = holm(&checked.iter().map(|one| one.shift.p_value).collect::<Vec<_>>());
        checked.iter_mut().zip(adjusted).for_each(|(one, p)| one.adjusted = p);
        Ok(checked)
    }
}

fn one(checked: &ShiftVerdict) -> String {
    match checked.verdict() {
        Verdict::Plausible if checked.is_underpowered() => {
            format!("{} test scores are too few to tell whether prior probability shift is plausible.", checked.shift.n)
        }
        Verdict::Plausible => {
            "The test scores look like a mixture of the labelled classes: prior probability shift is \
                             plausible. A change that gives another mixture would not be seen."
                .to_owned()
        }
        Verdict::Doubtful => {
            format!(
                "It is doubtful whether the test scores are a mixture of the labelled classes; too many: {}. {WHAT_IT_MAY_MEAN}",
                checked.worst
            )
        }
        Verdict::Rejected => {
            format!(
                "The test scores are no mixture of the labelled classes; too many: {}. {WHAT_IT_MEANS}",
                checked.worst
            )
        }
    }
}

fn all<'a>(several: &(impl Iterator<Item = &'a ShiftVerdict> + Clone)) -> String {
    let count = |verdict| several.clone().filter(|checked| checked.verdict() == verdict).count();
    let (no, doubtful, all) = (count(Verdict::Rejected), count(Verdict::Doubtful), several.clone().count());
    if no + doubtful == 0 {
        return format!(
            "In none of the {all} groups do the test scores differ from a mixture of the labelled classes by more than chance \
             allows (p adjusted for their number after Holm): prior probability shift is plausible. A change that gives \
             another mixture would not be seen."
        );
    }
    let meaning = if no > 0 { WHAT_IT_MEANS } else { WHAT_IT_MAY_MEAN };
    format!(
        "No mixture of the labelled classes: {no} of {all} groups; doubtful: {doubtful} (p, adjusted for their number after Holm, \
         below 0.01 and 0.05). {meaning}"
    )
}
