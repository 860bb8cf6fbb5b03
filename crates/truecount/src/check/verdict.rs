//! What the check says of many test sets, with p-values adjusted for their number (Holm 1979), and what it means in words.

use super::{AdjustedCountAt, Shift, ShiftCheck, ShiftTally};
use crate::Error;
use crate::evaluation::holm;
use crate::inference::Excess;

/// Test scores below which the check sees next to nothing.
const FEW: u64 = 30;

const WHAT_IT_MEANS: &str = "More than the prevalence differs between the labelled and the test data, or they were not scored \
                             alike, so every estimate may be off: look at the cases with these scores, and label some.";
const WHAT_IT_MAY_MEAN: &str = "If so, more than the prevalence differs between the labelled and the test data, or they were not \
                                scored alike: look at the cases with these scores, and label some.";

/// What the check says of one test set among others.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Checked {
    /// The test.
    pub shift: Shift,
    /// The p-value adjusted so that one false alarm among all test sets has the probability of the level.
    pub adjusted: f64,
    /// Where the test scores are most clearly too many.
    pub worst: Excess,
    /// Adjusted Count at every threshold.
    pub curve: Vec<AdjustedCountAt>,
}

/// What an adjusted p-value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Nothing speaks against a mixture.
    Mixture,
    /// p < 0.05.
    Doubtful,
    /// p < 0.01.
    NoMixture,
}

impl Verdict {
    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mixture => "mixture",
            Self::Doubtful => "doubtful",
            Self::NoMixture => "no mixture",
        }
    }
}

impl Checked {
    /// What the adjusted p-value says.
    pub fn verdict(&self) -> Verdict {
        match self.adjusted {
            p if p < 0.01 => Verdict::NoMixture,
            p if p < 0.05 => Verdict::Doubtful,
            _ => Verdict::Mixture,
        }
    }

    /// What was found in several test sets that were checked together, in a sentence or two; nothing of none.
    pub fn meaning(together: &[Self]) -> Option<String> {
        match together {
            [] => None,
            [only] => Some(one(only)),
            several => Some(all(several)),
        }
    }
}

impl ShiftCheck {
    /// Tests several sets together.
    ///
    /// # Errors
    /// Those of [`test`](Self::test), of any of them.
    pub fn test_all<'a>(&self, tallies: impl IntoIterator<Item = &'a ShiftTally>) -> Result<Vec<Checked>, Error> {
        let each = tallies.into_iter().map(|tally| {
            let shift = self.test(tally)?;
            Ok(Checked { shift, adjusted: shift.p_value, worst: self.worst(tally)?, curve: self.curve(tally)? })
        });
        let mut checked = each.collect::<Result<Vec<_>, Error>>()?;
        let adjusted = holm(&checked.iter().map(|one| one.shift.p_value).collect::<Vec<_>>());
        checked.iter_mut().zip(adjusted).for_each(|(one, p)| one.adjusted = p);
        Ok(checked)
    }
}

fn one(checked: &Checked) -> String {
    match checked.verdict() {
        Verdict::Mixture if checked.shift.n < FEW => {
            format!("{} test scores are too few to tell whether prior probability shift is plausible.", checked.shift.n)
        }
        Verdict::Mixture => "The test scores look like a mixture of the labelled classes: prior probability shift is \
                             plausible. A change that gives another mixture would not be seen."
            .to_owned(),
        Verdict::Doubtful => {
            format!(
                "It is doubtful whether the test scores are a mixture of the labelled classes; too many: {}. {WHAT_IT_MAY_MEAN}",
                checked.worst
            )
        }
        Verdict::NoMixture => {
            format!(
                "The test scores are no mixture of the labelled classes; too many: {}. {WHAT_IT_MEANS}",
                checked.worst
            )
        }
    }
}

fn all(several: &[Checked]) -> String {
    let count = |verdict| several.iter().filter(|checked| checked.verdict() == verdict).count();
    let (no, doubtful, all) = (count(Verdict::NoMixture), count(Verdict::Doubtful), several.len());
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
