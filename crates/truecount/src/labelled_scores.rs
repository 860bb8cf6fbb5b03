//! Labelled scores, to which models are fitted, and batches of test scores.

use crate::design::LabelDesign;
use crate::{Class, Error, PerClass, Problem};
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

impl PerClass<Vec<f64>> {
    pub(crate) fn sizes(&self) -> PerClass<u64> {
        self.map(|values| values.len() as u64)
    }

    /// Returns the largest absolute value of both classes, rounded down to a power of two; 1 if all
    /// values are 0.
    ///
    /// Division by this unit is exact, and sums and products of the quotients do not overflow.
    pub(crate) fn power_of_two(&self) -> f64 {
        let largest = self.positive.iter().chain(&self.negative).fold(0.0, |largest, x| f64::max(largest, x.abs()));
        if largest == 0.0 { 1.0 } else { libm::exp2(f64::from(libm::ilogb(largest))) }
    }
}

/// Finite scores of both classes, where higher means more positive.
///
/// The rows may have a classifier's probabilities, and a sampling design of weights, clusters and
/// strata.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredScores", into = "StoredScores")]
pub struct LabelledScores {
    scores: PerClass<Vec<f64>>,
    probabilities: Option<PerClass<Vec<f64>>>,
    design: Option<LabelDesign>,
}

/// A column of values, or `None` for no such column: anything that is [`AsRef`] to a slice, or an
/// [`Option`] of it.
pub trait OptionalColumn<'a, T> {
    /// Returns the values.
    fn values(self) -> Option<&'a [T]>;
}

impl<'a, T, C: AsRef<[T]> + ?Sized> OptionalColumn<'a, T> for &'a C {
    fn values(self) -> Option<&'a [T]> {
        Some(self.as_ref())
    }
}

impl<'a, T, C: AsRef<[T]> + ?Sized> OptionalColumn<'a, T> for Option<&'a C> {
    fn values(self) -> Option<&'a [T]> {
        self.map(AsRef::as_ref)
    }
}

/// Builder of [`LabelledScores`], from columns of equal length. Each is a reference to a vector, an
/// array or a slice, or an [`Option`] of such a reference.
#[derive(Clone, Copy, Debug)]
pub struct LabelledScoresBuilder<'a> {
    scores: &'a [f64],
    positive: &'a [bool],
    probabilities: Option<&'a [f64]>,
    weights: Option<&'a [f64]>,
    clusters: Option<&'a [u32]>,
    strata: Option<&'a [u32]>,
}

impl<'a> LabelledScoresBuilder<'a> {
    /// Sets a classifier's probabilities of being positive. Methods that need posterior
    /// probabilities use them instead of those computed from the fitted family.
    #[must_use]
    pub fn probabilities(self, probabilities: impl OptionalColumn<'a, f64>) -> Self {
        Self { probabilities: probabilities.values(), ..self }
    }

    /// Sets survey weights: the number of rows of its class that each row stands for, up to a common
    /// factor. Rows of weight 0 are left out. Weights that are equal within each class are ignored.
    #[must_use]
    pub fn weights(self, weights: impl OptionalColumn<'a, f64>) -> Self {
        Self { weights: weights.values(), ..self }
    }

    /// Sets the cluster of each row, any `u32`. Rows that were sampled as one unit, such as all rows
    /// of a person or a day, have the same number, also across the classes.
    #[must_use]
    pub fn clusters(self, clusters: impl OptionalColumn<'a, u32>) -> Self {
        Self { clusters: clusters.values(), ..self }
    }

    /// Sets the stratum of each row, any `u32`, if fixed numbers of rows, or of clusters, were drawn
    /// within strata, such as intervals of the score.
    #[must_use]
    pub fn strata(self, strata: impl OptionalColumn<'a, u32>) -> Self {
        Self { strata: strata.values(), ..self }
    }

    /// Builds the labelled scores.
    ///
    /// # Errors
    /// * [`Problem::LengthMismatch`] if the columns differ in length;
    /// * [`Problem::ScoreNotFinite`] if a score is NaN or infinite;
    /// * [`Problem::ProbabilityOutOfRange`] if a probability is not in [0, 1];
    /// * [`Problem::WeightOutOfRange`] if a weight is neither 0 nor in [1e-100, 1e100];
    /// * [`Problem::ClassMissing`] if a class has no rows;
    /// * [`Problem::ClassWeightsZero`] if the weights of a class are all 0;
    /// * [`Problem::ClassesInverted`] if positives score lower than negatives in most pairs of rows;
    /// * [`Problem::TooFewClusters`] if the rows of a class are in fewer than two clusters;
    /// * [`Problem::SingleUnitStrata`] if a stratum has a single row or cluster;
    /// * [`Problem::ClustersAcrossStrata`] if rows of a cluster are in several strata.
    pub fn build(self) -> Result<LabelledScores, Error> {
        let Self { scores, positive, probabilities, weights, clusters, strata } = self;
        let lengths = [
            ("scores", Some(scores.len())),
            ("probabilities", probabilities.map(<[f64]>::len)),
            ("weights", weights.map(<[f64]>::len)),
            ("clusters", clusters.map(<[u32]>::len)),
            ("strata", strata.map(<[u32]>::len)),
        ];
        for (column, values) in lengths {
            Error::unless_equal((column, values.unwrap_or(positive.len()), positive.len()))?;
        }
        Error::unless_finite(scores)?;
        probabilities.map_or(Ok(()), Error::unless_probabilities)?;
        weights.map_or(Ok(()), Error::unless_weights)?;
        let splitter = ClassSplitter { positive, weights };
        let class_weights = weights.map(|weights| splitter.split(weights));
        let sizes = PerClass {
            positive: positive.iter().filter(|positive| **positive).count(),
            negative: positive.iter().filter(|positive| !**positive).count(),
        };
        if let Some(class_weights) = &class_weights
            && sizes.positive > 0
            && sizes.negative > 0
        {
            class_weights.try_map(|class, weights| {
                if weights.is_empty() { Err(Problem::ClassWeightsZero { class }) } else { Ok(()) }
            })?;
        }
        LabelledScores::from_columns(StoredScores {
            scores: splitter.split_without_negative_zero(scores),
            probabilities: probabilities.map(|probabilities| splitter.split_without_negative_zero(probabilities)),
            weights: class_weights,
            clusters: clusters.map(|clusters| splitter.split(clusters)),
            strata: strata.map(|strata| splitter.split(strata)),
        })
    }
}

impl LabelledScores {
    /// Returns labelled scores from scores and their labels, which are true for positives.
    ///
    /// # Errors
    /// Returns the errors of [`LabelledScoresBuilder::build`].
    pub fn new(scores: &(impl AsRef<[f64]> + ?Sized), positive: &(impl AsRef<[bool]> + ?Sized)) -> Result<Self, Error> {
        Self::builder(scores, positive).build()
    }

    /// Returns a builder from scores and their labels, for rows with more columns.
    ///
    /// # Examples
    /// ```
    /// use truecount::LabelledScores;
    /// # fn main() -> Result<(), truecount::Error> {
    /// // Half of the rows with a score above 1 were labelled, and a tenth of the other rows.
    /// let scores = [2.1, 1.4, 0.9, -0.2, 1.3, -1.1];
    /// let positive = [true, true, true, false, false, false];
    /// let labelled = LabelledScores::builder(&scores, &positive)
    ///     .weights(&[2.0, 2.0, 10.0, 10.0, 2.0, 10.0])
    ///     .build()?;
    /// assert!((labelled.effective_sizes().positive - 14.0 * 14.0 / 108.0).abs() < 1e-12);
    /// # Ok(()) }
    /// ```
    pub fn builder<'a>(
        scores: &'a (impl AsRef<[f64]> + ?Sized),
        positive: &'a (impl AsRef<[bool]> + ?Sized),
    ) -> LabelledScoresBuilder<'a> {
        let (scores, positive) = (scores.as_ref(), positive.as_ref());
        LabelledScoresBuilder { scores, positive, probabilities: None, weights: None, clusters: None, strata: None }
    }

    fn from_columns(columns: StoredScores) -> Result<Self, Error> {
        let StoredScores { scores, probabilities, weights, clusters, strata } = columns;
        if scores.positive.is_empty() || scores.negative.is_empty() {
            return Err(
                Problem::ClassMissing { positive: scores.positive.len(), negative: scores.negative.len() }.into()
            );
        }
        let design = LabelDesign::new(scores.map(Vec::len), weights, clusters.as_ref(), strata.as_ref())?;
        let discordance = discordance(&scores, design.as_ref().and_then(LabelDesign::weights));
        if discordance > 0.5 {
            return Err(Problem::ClassesInverted { discordance, other: None }.into());
        }
        Ok(Self { scores, probabilities, design })
    }

    /// Returns the lowest or highest score if its distance from the nearest other score exceeds the
    /// range of all others.
    pub(crate) fn outlier(&self) -> Option<(Class, f64)> {
        let mut sorted = [self.scores.positive.as_slice(), &self.scores.negative].concat();
        if sorted.len() < MIN_SCORES_FOR_OUTLIER {
            return None;
        }
        sorted.sort_unstable_by(f64::total_cmp);
        let [lowest, second, .., before_last, highest] = sorted.as_slice() else { return None };
        let outlier = if second - lowest > highest - second {
            *lowest
        } else if highest - before_last > before_last - lowest {
            *highest
        } else {
            return None;
        };
        let class = if self.scores.positive.contains(&outlier) { Class::Positive } else { Class::Negative };
        Some((class, outlier))
    }

    /// Returns an outlier that looks like a code for a missing value: a whole number, whereas others
    /// are not.
    pub(crate) fn missing_code(&self) -> Option<(Class, f64)> {
        let is_fraction = |score: &f64| score.fract() != 0.0;
        let has_fractions = self.scores.positive.iter().chain(&self.scores.negative).any(is_fraction);
        self.outlier().filter(|(_, score)| has_fractions && !is_fraction(score) && score.abs() < MAX_CODE)
    }

    /// Returns the scores of the positives in their original order.
    pub fn positive(&self) -> &[f64] {
        &self.scores.positive
    }

    /// Returns the scores of the negatives in their original order.
    pub fn negative(&self) -> &[f64] {
        &self.scores.negative
    }

    /// Returns the scores of both classes in their original order.
    pub fn scores(&self) -> &PerClass<Vec<f64>> {
        &self.scores
    }

    /// Returns the default cutoff, from which on counting methods call a score positive: ½ if at
    /// least 95 % of the scores are in [0, 1], as for probabilities, and otherwise 0, as for
    /// decision functions.
    pub fn cutoff(&self) -> f64 {
        let scores = || self.scores.positive.iter().chain(&self.scores.negative);
        let inside = scores().filter(|score| (0.0..=1.0).contains(*score)).count();
        if inside as f64 >= 0.95 * scores().count() as f64 { 0.5 } else { 0.0 }
    }

    /// Draws a bootstrap sample: as many rows of each class, with replacement and with their
    /// weights.
    ///
    /// # Errors
    /// Returns [`Problem::ClassesInverted`] if the drawn positives score lower than the drawn
    /// negatives.
    pub(crate) fn bootstrap_sample(&self, rng: &mut impl Rng) -> Result<Self, Error> {
        let rows = self.scores.map(|scores| draw_rows(scores.len(), rng));
        let drawn = |column: &PerClass<Vec<f64>>| column.zip_map(&rows, |column, rows| select_rows(column, rows));
        Self::from_columns(StoredScores {
            scores: drawn(&self.scores),
            probabilities: self.probabilities.as_ref().map(drawn),
            weights: self.weights().map(drawn),
            clusters: None,
            strata: None,
        })
    }

    /// Returns the probabilities of both classes, if there are any, in the order of the scores.
    pub fn probabilities(&self) -> Option<&PerClass<Vec<f64>>> {
        self.probabilities.as_ref()
    }

    /// Returns the weights of both classes, which are all above 0, or `None` if the weights are
    /// equal within each class.
    pub fn weights(&self) -> Option<&PerClass<Vec<f64>>> {
        self.design.as_ref()?.weights()
    }

    /// Returns the clusters of both classes, numbered from 0, if there are any.
    pub fn clusters(&self) -> Option<PerClass<Vec<u32>>> {
        self.design.as_ref()?.unit_ids()[0].take()
    }

    /// Returns the strata of both classes, numbered from 0, if there are any.
    pub fn strata(&self) -> Option<PerClass<Vec<u32>>> {
        self.design.as_ref()?.unit_ids()[1].take()
    }

    /// Returns the number of strata, if there are any.
    pub fn stratum_count(&self) -> Option<usize> {
        self.design.as_ref()?.units().stratum_count()
    }

    /// Returns whether the rows of each class are a simple random sample, without weights, clusters
    /// and strata.
    pub fn is_simple_random_sample(&self) -> bool {
        self.design.is_none()
    }

    /// Returns the number of clusters, if there are any.
    pub fn cluster_count(&self) -> Option<usize> {
        self.design.as_ref()?.units().cluster_count()
    }

    /// Effective number of scores of each class, (Σw)²/Σw² (Kish 1965); clusters do not count.
    pub fn effective_sizes(&self) -> PerClass<f64> {
        self.design.as_ref().map_or_else(|| self.scores.map(|scores| scores.len() as f64), LabelDesign::effective_sizes)
    }

    /// Returns the sampling design, or `None` for a simple random sample of each class.
    pub(crate) fn design(&self) -> Option<&LabelDesign> {
        self.design.as_ref()
    }
}

/// Splits columns of rows by class and leaves out rows of weight 0.
struct ClassSplitter<'a> {
    positive: &'a [bool],
    weights: Option<&'a [f64]>,
}

impl ClassSplitter<'_> {
    fn split<T: Copy>(&self, values: &[T]) -> PerClass<Vec<T>> {
        let class_values = |class: bool| {
            let rows = values.iter().zip(self.positive).enumerate();
            let has_weight = |row: usize| self.weights.is_none_or(|weights| weights[row] > 0.0);
            rows.filter(|(row, (_, positive))| **positive == class && has_weight(*row)).map(|(_, (v, _))| *v).collect()
        };
        PerClass { positive: class_values(true), negative: class_values(false) }
    }

    /// Returns the values of each class with 0 instead of -0, so that models do not depend on its
    /// sign.
    fn split_without_negative_zero(&self, values: &[f64]) -> PerClass<Vec<f64>> {
        self.split(values).map(|values| values.iter().map(|value| value + 0.0).collect())
    }
}

/// Draws n of the rows 0 to n − 1 with replacement.
pub(crate) fn draw_rows(n: usize, rng: &mut impl Rng) -> Vec<usize> {
    (0..n).map(|_| rng.random_range(0..n)).collect()
}

pub(crate) fn select_rows(column: &[f64], rows: &[usize]) -> Vec<f64> {
    rows.iter().map(|row| column[*row]).collect()
}

/// The columns of both classes in the text form of a model.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredScores {
    scores: PerClass<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    probabilities: Option<PerClass<Vec<f64>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weights: Option<PerClass<Vec<f64>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clusters: Option<PerClass<Vec<u32>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    strata: Option<PerClass<Vec<u32>>>,
}

impl TryFrom<StoredScores> for LabelledScores {
    type Error = Error;

    fn try_from(columns: StoredScores) -> Result<Self, Error> {
        let StoredScores { scores, probabilities, weights, clusters, strata } = &columns;
        scores.try_map(|_, scores| Error::unless_finite(scores))?;
        let sizes = scores.map(Vec::len);
        let check_sizes = |column, lengths: Option<PerClass<usize>>| match lengths.filter(|lengths| *lengths != sizes) {
            Some(lengths) => Err(Problem::LengthMismatch {
                column,
                values: lengths.positive + lengths.negative,
                others: sizes.positive + sizes.negative,
            }),
            None => Ok(()),
        };
        if let Some(probabilities) = probabilities {
            probabilities.try_map(|_, probabilities| Error::unless_probabilities(probabilities))?;
        }
        if let Some(weights) = weights {
            weights.try_map(|class, weights| {
                Error::unless_weights(weights)?;
                if weights.contains(&0.0) { Err(Error::from(Problem::ClassWeightsZero { class })) } else { Ok(()) }
            })?;
        }
        check_sizes("probabilities", probabilities.as_ref().map(|classes| classes.map(Vec::len)))?;
        check_sizes("weights", weights.as_ref().map(|classes| classes.map(Vec::len)))?;
        check_sizes("clusters", clusters.as_ref().map(|classes| classes.map(Vec::len)))?;
        check_sizes("strata", strata.as_ref().map(|classes| classes.map(Vec::len)))?;
        Self::from_columns(columns)
    }
}

impl From<LabelledScores> for StoredScores {
    fn from(labelled: LabelledScores) -> Self {
        let (weights, clusters, strata) = (labelled.weights().cloned(), labelled.clusters(), labelled.strata());
        Self { scores: labelled.scores, probabilities: labelled.probabilities, weights, clusters, strata }
    }
}

/// Test scores, with a classifier's probabilities and survey weights if there are any.
///
/// A reference to a vector, an array or a slice of scores converts into a batch:
/// `tally.update(&scores)`. With weights it is `Batch::new(&scores).with_weights(&weights)?`.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    pub(crate) scores: &'a [f64],
    pub(crate) probabilities: Option<&'a [f64]>,
    pub(crate) weights: Option<&'a [f64]>,
}

impl<'a> Batch<'a> {
    /// Returns a batch of scores.
    pub fn new(scores: &'a (impl AsRef<[f64]> + ?Sized)) -> Self {
        Self { scores: scores.as_ref(), probabilities: None, weights: None }
    }

    /// Adds a classifier's probabilities of being positive, in the same order.
    ///
    /// # Errors
    /// Returns [`Problem::LengthMismatch`] if the numbers of scores and probabilities differ.
    pub fn with_probabilities(self, probabilities: impl OptionalColumn<'a, f64>) -> Result<Self, Error> {
        let probabilities = self.checked_length("probabilities", probabilities.values())?;
        Ok(Self { probabilities, ..self })
    }

    /// Adds survey weights in the same order: the number of items that each score stands for, up to
    /// a common factor. Scores of weight 0 are left out.
    ///
    /// # Errors
    /// Returns [`Problem::LengthMismatch`] if the numbers of scores and weights differ.
    pub fn with_weights(self, weights: impl OptionalColumn<'a, f64>) -> Result<Self, Error> {
        let weights = self.checked_length("weights", weights.values())?;
        Ok(Self { weights, ..self })
    }

    /// Returns a column if it has one value for each score.
    fn checked_length(&self, column: &'static str, values: Option<&'a [f64]>) -> Result<Option<&'a [f64]>, Error> {
        let (n, others) = (values.map_or(self.scores.len(), <[f64]>::len), self.scores.len());
        Error::unless_equal((column, n, others)).map(|()| values)
    }

    /// Checks that every value is in its range.
    ///
    /// # Errors
    /// Returns [`Problem::ScoreNotFinite`], [`Problem::ProbabilityOutOfRange`] or
    /// [`Problem::WeightOutOfRange`] for the first value that is not.
    pub fn check(&self) -> Result<(), Error> {
        Error::unless_finite(self.scores)?;
        self.probabilities.map_or(Ok(()), Error::unless_probabilities)?;
        self.weights.map_or(Ok(()), Error::unless_weights)
    }
}

impl<'a, T: AsRef<[f64]> + ?Sized> From<&'a T> for Batch<'a> {
    fn from(scores: &'a T) -> Self {
        Self::new(scores)
    }
}

/// The number of scores from which on a single one may be an outlier.
const MIN_SCORES_FOR_OUTLIER: usize = 10;

/// The absolute value from which on a whole number is no code for a missing value.
const MAX_CODE: f64 = 1e9;

/// Returns the (weighted) share of pairs of a positive and a negative in which the positive scores
/// lower, ties counted as half: 1 − U/(n₊n₋) with the statistic U of Mann and Whitney (1947).
fn discordance(scores: &PerClass<Vec<f64>>, weights: Option<&PerClass<Vec<f64>>>) -> f64 {
    let weighted = |class: Class| {
        let weights = weights.map(|weights| weights.get(class));
        let weight = move |row: usize| weights.map_or(1.0, |weights| weights[row]);
        scores.get(class).iter().enumerate().map(move |(row, score)| (*score, class, weight(row)))
    };
    let mut rows: Vec<(f64, Class, f64)> = weighted(Class::Positive).chain(weighted(Class::Negative)).collect();
    rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    // The weights of the positives and negatives up to a score, and of the pairs.
    let (mut below, mut negatives, mut pairs) = (0.0, 0.0, 0.0);
    for equal in rows.chunk_by(|a, b| a.0 == b.0) {
        let weight = |of: Class| equal.iter().filter(|(_, class, _)| *class == of).map(|(.., w)| w).sum::<f64>();
        let (positive, negative) = (weight(Class::Positive), weight(Class::Negative));
        pairs += negative * (below + 0.5 * positive);
        below += positive;
        negatives += negative;
    }
    pairs / below / negatives
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few scores outside [0, 1] do not make probabilities decision functions.
    #[test]
    fn the_cutoff_is_a_half_for_near_probabilities() {
        let cutoff = |outside: usize| {
            let scores: Vec<f64> = (0..100).map(|i| if i < 100 - outside { i as f64 / 100.0 } else { 1.01 }).collect();
            let labels: Vec<bool> = (0..100).map(|i| i >= 50).collect();
            LabelledScores::new(&scores, &labels).unwrap().cutoff()
        };
        assert_eq!([0, 5, 6, 50].map(cutoff), [0.5, 0.5, 0.0, 0.0]);
    }

    /// The positive scores lower in one of six pairs and equal in another, so the share is 1.5/6. With
    /// weights it is (2·3 + ½·2·1)/(3·6).
    #[test]
    fn the_order_of_the_classes_is_that_of_most_pairs() {
        let scores = PerClass { positive: vec![1.0, 5.0], negative: vec![0.0, 2.0, 1.0] };
        assert!((discordance(&scores, None) - 1.5 / 6.0).abs() < 1e-15);
        let weights = PerClass { positive: vec![2.0, 1.0], negative: vec![2.0, 3.0, 1.0] };
        assert!((discordance(&scores, Some(&weights)) - 7.0 / 18.0).abs() < 1e-15);
    }

    /// A mean depends on a single score, and a rank does not.
    #[test]
    fn a_code_for_a_missing_value_does_not_invert_the_classes() {
        let mut scores: Vec<f64> = (0..20).map(|row| f64::from(row) / 20.0).collect();
        scores[15] = -1000.0;
        let labels: Vec<bool> = (0..20).map(|row| row >= 10).collect();
        let labelled = LabelledScores::new(&scores, &labels).unwrap();
        assert_eq!(labelled.missing_code(), Some((Class::Positive, -1000.0)));
        scores[15] = -1000.5;
        let labelled = LabelledScores::new(&scores, &labels).unwrap();
        assert_eq!((labelled.missing_code(), labelled.outlier()), (None, Some((Class::Positive, -1000.5))));
        let others: Vec<bool> = labels.iter().map(|label| !label).collect();
        assert_eq!(LabelledScores::new(&scores, &others).unwrap_err().code(), "classes-inverted");
    }

    #[test]
    fn invalid_labelled_rows_are_errors() {
        let error = |scores: &[f64], labels: &[bool]| LabelledScores::new(scores, labels).unwrap_err();
        assert_eq!(error(&[1.0], &[]), Problem::LengthMismatch { column: "scores", values: 1, others: 0 }.into());
        let not_finite = error(&[1.0, f64::NAN], &[true, false]);
        assert_eq!((not_finite.code(), not_finite.location().row), ("score-not-finite", Some(1)));
        assert_eq!(error(&[1.0, 2.0], &[true, true]), Problem::ClassMissing { positive: 2, negative: 0 }.into());
        assert_eq!(
            error(&[1.0, 2.0], &[true, false]),
            Problem::ClassesInverted { discordance: 1.0, other: None }.into()
        );
        for invalid in [-0.1, 1.5, f64::NAN] {
            let result = LabelledScores::builder(&[2.0, 1.0], &[true, false]).probabilities(&[0.5, invalid]).build();
            let error = result.unwrap_err();
            assert_eq!((error.code(), error.location().row), ("probability-out-of-range", Some(1)));
        }
    }
}
