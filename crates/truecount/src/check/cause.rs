//! What is known to make test scores no mixture: facts that are measured, and would hardly be so by chance.

use super::score_profile::ProfileCounts;
use super::{Folds, ScoreProfile, ShiftCheck, ShiftTally, ShiftVerdict, Verdict};
use crate::Error;
use std::fmt::{self, Display, Formatter};

/// Of the scores, so many are not as the others for it to be said; of ten scores of a mixture none is one with probability below 0.001.
const HALF: f64 = 0.5;
const LEAST: u64 = 10;

/// A measured difference between labelled and test scores that is enough to make them no mixture.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// Most test scores lie where no labelled score does.
    Range {
        /// The share of the test scores that do.
        share: f64,
        /// The least and the largest labelled score.
        labelled: (f64, f64),
    },
    /// Test scores have few decimals, most labelled ones more.
    Rounded {
        /// The most decimals of a test score.
        decimals: usize,
        /// The share of the labelled scores with more, in the class where it is smaller.
        share: f64,
    },
    /// Labelled scores have few decimals, most test scores more.
    LabelledRounded {
        /// The most decimals of a labelled score.
        decimals: usize,
        /// The share of the test scores with more.
        share: f64,
    },
    /// The labelled scores are of classifiers that do not score alike.
    Folds {
        /// How many there are.
        folds: usize,
    },
}

impl Cause {
    /// The cause in a word or two.
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
                "{} of the test scores lie outside the range of the labelled ones, {from:.4} to {to:.4}: score both with the same \
                 version, on the same scale.",
                percent(*share)
            ),
            Self::Rounded { decimals, share } => write!(
                f,
                "The test scores {}, and {} of the labelled ones in each class have more: write the test scores with all their digits, or round both alike.",
                at_most(*decimals),
                percent(*share)
            ),
            Self::LabelledRounded { decimals, share } => write!(
                f,
                "The labelled scores {}, and {} of the test scores have more: write the labelled scores with all their digits, or round both alike.",
                at_most(*decimals),
                percent(*share)
            ),
            Self::Folds { folds } => write!(
                f,
                "The labelled scores are of {folds} classifiers that do not score alike, and the test scores are off by no more than those of \
                 another such classifier may be: score each test row with the classifier of one fold, drawn at random in proportion to the labelled rows \
                 of each, as the Python estimators do with ensemble=True; neither a classifier fitted to all rows nor the mean of the \
                 folds' scores is like them."
            ),
        }
    }
}

impl ShiftCheck {
    /// What is known to make these test scores no mixture, where they are doubtful or none.
    ///
    /// # Errors
    /// [`Problem::NoTestScores`](crate::Problem::NoTestScores), [`Problem::OtherTally`](crate::Problem::OtherTally).
    pub fn causes(
        &self,
        checked: &ShiftVerdict,
        tally: &ShiftTally,
        (look, seen): (&ScoreProfile, &ProfileCounts),
        folds: Option<&Folds>,
    ) -> Result<Vec<Cause>, Error> {
        if checked.verdict() == Verdict::Plausible {
            return Ok(Vec::new());
        }
        let mut causes: Vec<Cause> = look.causes(seen).collect();
        if let Some(folds) = folds
            && self.is_explained(tally, folds)?
        {
            causes.push(Cause::Folds { folds: folds.folds });
        }
        Ok(causes)
    }
}

impl ScoreProfile {
    /// How test scores differ from labelled ones as numbers.
    fn causes(&self, seen: &ProfileCounts) -> impl Iterator<Item = Cause> {
        let ProfileCounts { n, outside, finer, decimals } = *seen;
        let share = |of: u64| of as f64 / n as f64;
        let most = self.most();
        let rounded = (decimals < most).then(|| Cause::Rounded { decimals, share: self.finer(decimals) });
        let of_labelled = (decimals > most).then(|| Cause::LabelledRounded { decimals: most, share: share(finer) });
        let range = Cause::Range { share: share(outside), labelled: self.range };
        [Some(range), rounded, of_labelled].into_iter().flatten().filter(move |cause| match cause {
            _ if n < LEAST => false,
            Cause::Range { share, .. } | Cause::Rounded { share, .. } | Cause::LabelledRounded { share, .. } => {
                *share > HALF
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
        let look = ScoreProfile::new(&PerClass { positive: labelled.to_vec(), negative: labelled.to_vec() });
        let mut seen = ProfileCounts::default();
        look.see(&mut seen, test, None);
        look.causes(&seen).collect()
    }

    #[test]
    fn what_can_be_seen_is_named() {
        let fine: Vec<f64> = (0..40).map(|k| f64::from(k * k) / 1601.0).collect();
        let coarse: Vec<f64> = fine.iter().map(|s| (s * 100.0).round() / 100.0).collect();
        assert_eq!(causes(&fine, &fine), []);
        assert_eq!(causes(&coarse, &coarse), []);
        let names = |causes: Vec<Cause>| causes.iter().map(Cause::name).collect::<Vec<_>>();
        assert_eq!(names(causes(&fine, &coarse)), ["rounded"]);
        assert_eq!(names(causes(&coarse, &fine)), ["labelled rounded"]);
        let far: Vec<f64> = fine.iter().map(|s| 10.0 * s).collect();
        assert_eq!(names(causes(&fine, &far)), ["range"]);
        // Few scores are too few to tell.
        assert_eq!(names(causes(&fine, &coarse[..9])), [""; 0]);
    }
}
