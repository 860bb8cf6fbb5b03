//! Labelled scores, from which everything is learnt, and batches of test scores.

use crate::{Error, PerClass};
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

impl PerClass<Vec<f64>> {
    fn split(values: &[f64], positive: &[bool]) -> Self {
        let of = |class: bool| values.iter().zip(positive).filter(|(_, p)| **p == class).map(|(v, _)| *v).collect();
        Self { positive: of(true), negative: of(false) }
    }

    /// How many of each class.
    pub(crate) fn sizes(&self) -> PerClass<u64> {
        self.map(|values| values.len() as u64)
    }

    /// The size of the largest value of either class, rounded down to a power of two: in units of it, which changes no digit, values are
    /// neither too large nor too small for sums and products.
    pub(crate) fn power_of_two(&self) -> f64 {
        let largest = self.positive.iter().chain(&self.negative).fold(0.0, |largest, x| f64::max(largest, x.abs()));
        if largest == 0.0 { 1.0 } else { libm::exp2(f64::from(libm::ilogb(largest))) }
    }
}

/// Finite scores of both classes, higher meaning more positive; perhaps with a classifier's probabilities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts", into = "Parts")]
pub struct LabelledScores {
    scores: PerClass<Vec<f64>>,
    probabilities: Option<PerClass<Vec<f64>>>,
}

impl LabelledScores {
    /// From scores and, in the same order, whether each belongs to a positive.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`]; [`Error::NotFinite`] for a NaN or infinite score; [`Error::MissingClass`] when a class
    /// has no score; [`Error::Inverted`] when positives score lower on the whole (by their mean).
    pub fn new(scores: &[f64], positive: &[bool]) -> Result<Self, Error> {
        if scores.len() != positive.len() {
            return Err(Error::LengthMismatch { column: "scores", values: scores.len(), others: positive.len() });
        }
        Error::unless_finite(scores)?;
        Self::of(PerClass::split(scores, positive), None)
    }

    /// The same with a classifier's probability of being positive for each score, which the methods that need
    /// posterior probabilities then use instead of computing them from the fitted family.
    ///
    /// # Errors
    /// Those of [`new`](Self::new), and [`Error::NotAProbability`] outside [0, 1].
    pub fn with_probabilities(scores: &[f64], probabilities: &[f64], positive: &[bool]) -> Result<Self, Error> {
        if probabilities.len() != positive.len() {
            let (values, others) = (probabilities.len(), positive.len());
            return Err(Error::LengthMismatch { column: "probabilities", values, others });
        }
        Error::unless_probabilities(probabilities)?;
        let labelled = Self::new(scores, positive)?;
        Ok(Self { probabilities: Some(PerClass::split(probabilities, positive)), ..labelled })
    }

    fn of(scores: PerClass<Vec<f64>>, probabilities: Option<PerClass<Vec<f64>>>) -> Result<Self, Error> {
        if scores.positive.is_empty() || scores.negative.is_empty() {
            return Err(Error::MissingClass { positive: scores.positive.len(), negative: scores.negative.len() });
        }
        let mean = scores.map(|s| s.iter().map(|x| x / s.len() as f64).sum::<f64>());
        if mean.positive < mean.negative {
            return Err(Error::Inverted { positive: mean.positive, negative: mean.negative, other: None });
        }
        Ok(Self { scores, probabilities })
    }

    /// The positives' scores, in their order.
    pub fn positive(&self) -> &[f64] {
        &self.scores.positive
    }

    /// The negatives' scores, in their order.
    pub fn negative(&self) -> &[f64] {
        &self.scores.negative
    }

    /// Both classes' scores.
    pub fn scores(&self) -> &PerClass<Vec<f64>> {
        &self.scores
    }

    /// Where a count calls a score positive if nobody says where: ½ if all scores lie between 0 and 1, as probabilities do, and
    /// otherwise 0, as decision functions have it.
    pub fn cutoff(&self) -> f64 {
        let all = |scores: &[f64]| scores.iter().all(|score| (0.0..=1.0).contains(score));
        if all(&self.scores.positive) && all(&self.scores.negative) { 0.5 } else { 0.0 }
    }

    /// As many of each class, drawn with replacement.
    ///
    /// # Errors
    /// [`Error::Inverted`], as it may happen.
    pub(crate) fn resampled(&self, rng: &mut impl Rng) -> Result<Self, Error> {
        let rows = self.scores.map(|scores| rows(scores.len(), rng));
        let drawn = |column: &PerClass<Vec<f64>>| PerClass {
            positive: taken(&column.positive, &rows.positive),
            negative: taken(&column.negative, &rows.negative),
        };
        Self::of(drawn(&self.scores), self.probabilities.as_ref().map(drawn))
    }

    /// Both classes' probabilities, where there are some; in the order of the scores.
    pub fn probabilities(&self) -> Option<&PerClass<Vec<f64>>> {
        self.probabilities.as_ref()
    }
}

/// n of the rows 0 to n − 1, drawn with replacement.
pub(crate) fn rows(n: usize, rng: &mut impl Rng) -> Vec<usize> {
    (0..n).map(|_| rng.random_range(0..n)).collect()
}

/// The values of these rows.
pub(crate) fn taken(column: &[f64], rows: &[usize]) -> Vec<f64> {
    rows.iter().map(|row| column[*row]).collect()
}

/// The text form of labelled scores.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    scores: PerClass<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    probabilities: Option<PerClass<Vec<f64>>>,
}

impl TryFrom<Parts> for LabelledScores {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<Self, Error> {
        let Parts { scores, probabilities } = parts;
        scores.try_map(|_, scores| Error::unless_finite(scores))?;
        if let Some(given) = &probabilities {
            given.try_map(|_, given| Error::unless_probabilities(given))?;
            if given.sizes() != scores.sizes() {
                let total = |column: &PerClass<Vec<f64>>| column.positive.len() + column.negative.len();
                let (values, others) = (total(given), total(&scores));
                return Err(Error::LengthMismatch { column: "probabilities", values, others });
            }
        }
        Self::of(scores, probabilities)
    }
}

impl From<LabelledScores> for Parts {
    fn from(labelled: LabelledScores) -> Self {
        Self { scores: labelled.scores, probabilities: labelled.probabilities }
    }
}

/// Test scores, perhaps with the probabilities that a classifier gave with them.
///
/// A slice of scores is a batch: `model.push(&mut tallies, &scores)`.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    pub(crate) scores: &'a [f64],
    pub(crate) probabilities: Option<&'a [f64]>,
    pub(crate) weights: Option<&'a [f64]>,
}

impl<'a> Batch<'a> {
    /// Scores with probabilities in the same order.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`].
    pub fn with_probabilities(scores: &'a [f64], probabilities: &'a [f64]) -> Result<Self, Error> {
        if scores.len() != probabilities.len() {
            let (values, others) = (probabilities.len(), scores.len());
            return Err(Error::LengthMismatch { column: "probabilities", values, others });
        }
        Ok(Self { scores, probabilities: Some(probabilities), weights: None })
    }

    /// The same with survey weights in the same order: each score stands for so many, up to a common factor. A score of weight 0
    /// counts for nothing.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`].
    pub fn with_weights(self, weights: &'a [f64]) -> Result<Self, Error> {
        if self.scores.len() != weights.len() {
            let (values, others) = (weights.len(), self.scores.len());
            return Err(Error::LengthMismatch { column: "weights", values, others });
        }
        Ok(Self { weights: Some(weights), ..self })
    }

    /// Refuses what no quantifier can use.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::NotAProbability`], [`Error::NotAWeight`].
    pub fn check(&self) -> Result<(), Error> {
        Error::unless_finite(self.scores)?;
        self.probabilities.map_or(Ok(()), Error::unless_probabilities)?;
        self.weights.map_or(Ok(()), Error::unless_weights)
    }
}

impl<'a, T: AsRef<[f64]> + ?Sized> From<&'a T> for Batch<'a> {
    fn from(scores: &'a T) -> Self {
        Self { scores: scores.as_ref(), probabilities: None, weights: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn keeps_classes_apart_and_in_order() {
        let train = LabelledScores::new(&[3.0, 0.0, 2.0, 1.0], &[true, false, true, false]).unwrap();
        assert_eq!((train.positive(), train.negative()), ([3.0, 2.0].as_slice(), [0.0, 1.0].as_slice()));
        let with = LabelledScores::with_probabilities(&[3.0, 0.0], &[0.9, 0.2], &[true, false]).unwrap();
        assert_eq!(with.probabilities(), Some(&PerClass { positive: vec![0.9], negative: vec![0.2] }));
    }

    #[test]
    fn resamples_rows_within_the_classes() {
        let scores: Vec<f64> = (0..60).map(f64::from).collect();
        let halves: Vec<f64> = scores.iter().map(|s| s / 100.0).collect();
        let positive: Vec<bool> = (0..60).map(|i| i >= 20).collect();
        let labelled = LabelledScores::with_probabilities(&scores, &halves, &positive).unwrap();
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut seen = [0_u32; 60];
        for _ in 0..600 {
            let drawn = labelled.resampled(&mut rng).unwrap();
            assert_eq!((drawn.positive().len(), drawn.negative().len()), (40, 20));
            assert!(drawn.positive().iter().all(|s| *s >= 20.0) && drawn.negative().iter().all(|s| *s < 20.0));
            let given = drawn.probabilities().unwrap();
            let pairs = [(drawn.positive(), &given.positive), (drawn.negative(), &given.negative)];
            assert!(pairs.iter().all(|(scores, given)| scores.iter().zip(*given).all(|(s, p)| s / 100.0 == *p)));
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // scores are whole numbers
            drawn.positive().iter().chain(drawn.negative()).for_each(|s| seen[*s as usize] += 1);
        }
        // Each row once a resample on average, with the spread of 600 binomials: five standard deviations.
        assert!(seen.iter().all(|times| (f64::from(*times) - 600.0).abs() < 5.0 * 600.0_f64.sqrt()), "{seen:?}");
    }

    #[test]
    fn refuses_what_cannot_be_learnt_from() {
        let error = |scores: &[f64], labels: &[bool]| LabelledScores::new(scores, labels).unwrap_err();
        assert_eq!(error(&[1.0], &[]), Error::LengthMismatch { column: "scores", values: 1, others: 0 });
        assert!(matches!(error(&[1.0, f64::NAN], &[true, false]), Error::NotFinite { row: 1, .. }));
        assert_eq!(error(&[1.0, 2.0], &[true, true]), Error::MissingClass { positive: 2, negative: 0 });
        assert_eq!(error(&[1.0, 2.0], &[true, false]), Error::Inverted { positive: 1.0, negative: 2.0, other: None });
        for bad in [-0.1, 1.5, f64::NAN] {
            let with = LabelledScores::with_probabilities(&[2.0, 1.0], &[0.5, bad], &[true, false]);
            assert!(matches!(with, Err(Error::NotAProbability { row: 1, .. })));
        }
    }
}
