//! The check's results for many test sets, with p-values adjusted for their number (Holm 1979), and their meaning in
//! words.

use super::{AdjustedCountAt, ShiftCheck, ShiftStatistics, ShiftTally};
use crate::Error;
use crate::evaluation::holm;
use crate::inference::Excess;

/// With fewer test scores than this, the check can hardly detect anything.
const FEW: u64 = 30;

const LIMITS: &str = "it is plausible that only the share of positives has changed. A change that looks like another mix \
                      cannot be seen.";
const CAUSES: &str = "more than the share of positives has changed, or the rows were scored differently, so the estimate \
                      may be off. Look at the rows with these scores, and label some.";

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
    let worst = checked.worst;
    match checked.verdict() {
        Verdict::Plausible if checked.is_underpowered() => {
            format!(
                "The {} new scores are too few to test whether only the share of positives has changed.",
                checked.shift.n
            )
        }
        Verdict::Plausible => format!("The new scores fit a mix of the labelled classes: {LIMITS}"),
        Verdict::Doubtful => format!(
            "It is doubtful whether the new scores fit any mix of the labelled classes (too many: {worst}). If they do not, \
             {CAUSES}"
        ),
        Verdict::Rejected => {
            format!("The new scores do not fit any mix of the labelled classes (too many: {worst}): {CAUSES}")
        }
    }
}

fn all<'a>(several: &(impl Iterator<Item = &'a ShiftVerdict> + Clone)) -> String {
    let count = |verdict| several.clone().filter(|checked| checked.verdict() == verdict).count();
    let (rejected, doubtful, all) = (count(Verdict::Rejected), count(Verdict::Doubtful), several.clone().count());
    match (rejected, doubtful) {
        (0, 0) => format!("The new scores of all {all} groups fit a mix of the labelled classes: {LIMITS}"),
        (0, _) => format!(
            "It is doubtful whether the new scores of {doubtful} of {all} groups fit any mix of the labelled classes (p (Holm) \
             below 0.05). If they do not, {CAUSES}"
        ),
        _ => {
            let also =
                if doubtful > 0 { format!("; for {doubtful} more it is doubtful (below 0.05)") } else { String::new() };
            format!(
                "The new scores of {rejected} of {all} groups do not fit any mix of the labelled classes (p (Holm) below \
                 0.01){also}: {CAUSES}"
            )
        }
    }
}
