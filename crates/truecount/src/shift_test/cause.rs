//! Measured differences between labelled and test scores that explain why prior probability shift
//! fails and are unlikely to be chance.

use super::score_profile::MIN_SHARE;
use super::{FoldComparison, ScoreProfile, ScoreProfileCounts, ShiftCheck, ShiftTally, ShiftVerdict, Verdict};
use crate::Error;
use std::fmt::{self, Display, Formatter};

/// The smallest number of test scores for which causes are reported. If half of a mixture's scores
/// have a property, the probability that none of ten scores has it is below 0.001.
const MIN_SCORES: u64 = 10;

/// A measured difference between labelled and test scores that explains a rejected prior
/// probability shift.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// Most test scores lie outside the range of the labelled scores.
    Range {
        /// The share of the test scores outside the range.
        share: f64,
        /// The smallest and the largest labelled score.
        labelled: (f64, f64),
    },
    /// Test scores have few decimals, and most labelled scores have more.
    Rounded {
        /// The largest number of decimals of a test score.
        decimals: usize,
        /// The share of the labelled scores with more decimals, in the class where it is smaller.
        share: f64,
    },
    /// Labelled scores have few decimals, and most test scores have more.
    LabelledRounded {
        /// The largest number of decimals of a labelled score.
        decimals: usize,
        /// The share of the test scores with more decimals.
        share: f64,
    },
    /// The labelled scores come from the classifiers of the folds, which score differently.
    Folds {
        /// The number of folds.
        folds: usize,
    },
}

impl Cause {
    /// Returns the cause in a word or two.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Range { .. } => "range",
            Self::Rounded { .. } => "rounded",
            Self::LabelledRounded { .. } => "labelled rounded",
            Self::Folds { .. } => "folds",
        }
    }
}

impl Display for Cause {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        let at_most = |decimals: usize| match decimals {
            0 => "are whole numbers".to_owned(),
            1 => "have at most 1 decimal".to_owned(),
            more => format!("have at most {more} decimals"),
        };
        match self {
            Self::Range { share, labelled: (from, to) } => write!(
                f,
                "{} of the new scores lie outside the range of the labelled scores ({from:.4} to {to:.4}): use the \
                 same classifier version and the same scale for both.",
                percent(*share)
            ),
            Self::Rounded { decimals, share } => write!(
                f,
                "The new scores {}, but {} of the labelled scores in each class have more: write the new scores with \
                 all digits, or round both to the same number of decimals.",
                at_most(*decimals),
                percent(*share)
            ),
            Self::LabelledRounded { decimals, share } => write!(
                f,
                "The labelled scores {}, but {} of the new scores have more: write the labelled scores with all \
                 digits, or round both to the same number of decimals.",
                at_most(*decimals),
                percent(*share)
            ),
            Self::Folds { folds } => write!(
                f,
                "The labelled scores come from {folds} classifiers that score differently, and this difference can \
                 explain the misfit of the new scores: score each new row with the classifier of one fold, drawn at \
                 random in proportion to the labelled rows of the fold (ensemble=True in the Python estimators). \
                 Scores of a classifier fitted to all rows, or means of the folds' scores, are distributed \
                 differently."
            ),
        }
    }
}

impl ShiftCheck {
    /// Returns the measured causes of a doubtful or rejected prior probability shift.
    ///
    /// # Errors
    /// Returns [`Problem::NoTestScores`](crate::Problem::NoTestScores) for an empty tally and
    /// [`Problem::TallyModelMismatch`](crate::Problem::TallyModelMismatch) for a tally of another
    /// check.
    pub fn causes(
        &self,
        result: &ShiftVerdict,
        tally: &ShiftTally,
        (profile, counts): (&ScoreProfile, &ScoreProfileCounts),
        folds: Option<&FoldComparison>,
    ) -> Result<Vec<Cause>, Error> {
        if result.verdict() == Verdict::Plausible {
            return Ok(Vec::new());
        }
        let mut causes: Vec<Cause> = profile.causes(counts).collect();
        if let Some(folds) = folds
            && self.is_explained_by_folds(tally, folds)?
        {
            causes.push(Cause::Folds { folds: folds.folds });
        }
        Ok(causes)
    }
}

impl ScoreProfile {
    /// Returns the causes that the range and the decimals of the test scores show.
    fn causes(&self, counts: &ScoreProfileCounts) -> impl Iterator<Item = Cause> {
        let ScoreProfileCounts { n, outside, finer, decimals } = *counts;
        let share = |count: u64| count as f64 / n as f64;
        let max_decimals = self.max_decimals();
        let rounded = (decimals < max_decimals).then(|| Cause::Rounded { decimals, share: self.share_finer(decimals) });
        let labelled_rounded =
            (decimals > max_decimals).then(|| Cause::LabelledRounded { decimals: max_decimals, share: share(finer) });
        let range = Cause::Range { share: share(outside), labelled: self.range };
        [Some(range), rounded, labelled_rounded].into_iter().flatten().filter(move |cause| match cause {
            _ if n < MIN_SCORES => false,
            Cause::Range { share, .. } | Cause::Rounded { share, .. } | Cause::LabelledRounded { share, .. } => {
                *share > MIN_SHARE
            }
            Cause::Folds { .. } => true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PerClass;

    fn causes(labelled: &[f64], test: &[f64]) -> Vec<Cause> {
        let profile = ScoreProfile::new(&PerClass { positive: labelled.to_vec(), negative: labelled.to_vec() });
        let mut counts = ScoreProfileCounts::default();
        profile.update(&mut counts, test, None);
        profile.causes(&counts).collect()
    }

    #[test]
    fn rounding_and_range_are_reported() {
        let fine: Vec<f64> = (0..40).map(|k| f64::from(k * k) / 1601.0).collect();
        let coarse: Vec<f64> = fine.iter().map(|s| (s * 100.0).round() / 100.0).collect();
        assert_eq!(causes(&fine, &fine), []);
        assert_eq!(causes(&coarse, &coarse), []);
        let names = |causes: Vec<Cause>| causes.iter().map(Cause::name).collect::<Vec<_>>();
        assert_eq!(names(causes(&fine, &coarse)), ["rounded"]);
        assert_eq!(names(causes(&coarse, &fine)), ["labelled rounded"]);
        let far: Vec<f64> = fine.iter().map(|s| 10.0 * s).collect();
        assert_eq!(names(causes(&fine, &far)), ["range"]);
        // Nine scores are fewer than MIN_SCORES.
        assert_eq!(names(causes(&fine, &coarse[..9])), [""; 0]);
    }
}
