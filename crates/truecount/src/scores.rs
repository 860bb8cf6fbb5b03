//! Labelled scores, from which everything is learnt, and batches of test scores.

use crate::design::Design;
use crate::{Error, PerClass, Problem};
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

impl PerClass<Vec<f64>> {
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

/// Finite scores of both classes, higher meaning more positive; perhaps with a classifier's probabilities, and with what is known of how
/// the rows were drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredScores", into = "StoredScores")]
pub struct LabelledScores {
    scores: PerClass<Vec<f64>>,
    probabilities: Option<PerClass<Vec<f64>>>,
    design: Option<Design>,
}

/// Labelled rows as columns of one length.
#[derive(Clone, Copy, Debug, Default)]
pub struct LabelledRows<'a> {
    /// Scores.
    pub scores: &'a [f64],
    /// Whether each belongs to a positive.
    pub positive: &'a [bool],
    /// A classifier's probabilities of being positive, which the methods that need posterior probabilities then use instead of computing
    /// them from the fitted family.
    pub probabilities: Option<&'a [f64]>,
    /// Survey weights: each row stands for so many of its class, up to a factor. A row of weight 0 counts for nothing. Where all rows
    /// of a class weigh alike, they are as good as none.
    pub weights: Option<&'a [f64]>,
    /// What was drawn as one, such as all rows of a person or a day: rows of the same number belong together.
    pub clusters: Option<&'a [u32]>,
}

impl LabelledScores {
    /// From scores and, in the same order, whether each belongs to a positive.
    ///
    /// # Errors
    /// Those of [`from_rows`](Self::from_rows).
    pub fn new(scores: &[f64], positive: &[bool]) -> Result<Self, Error> {
        Self::from_rows(&LabelledRows { scores, positive, ..LabelledRows::default() })
    }

    /// The same with a classifier's probability of being positive for each score.
    ///
    /// # Errors
    /// Those of [`from_rows`](Self::from_rows).
    pub fn with_probabilities(scores: &[f64], probabilities: &[f64], positive: &[bool]) -> Result<Self, Error> {
        let probabilities = Some(probabilities);
        Self::from_rows(&LabelledRows { scores, positive, probabilities, ..LabelledRows::default() })
    }

    /// From rows with all that is known of them.
    ///
    /// # Errors
    /// [`Problem::LengthMismatch`]; [`Problem::NotFinite`] for a NaN or infinite score; [`Problem::NotAProbability`] outside [0, 1];
    /// [`Problem::NotAWeight`]; [`Problem::MissingClass`] when a class has no score, [`Problem::ClassWeightsZero`] when it has none with a weight
    /// above 0; [`Problem::Inverted`] when positives score lower on the whole (by their mean); [`Problem::TooFewClusters`] below two in a
    /// class.
    ///
    /// # Examples
    /// ```
    /// use truecount::{LabelledRows, LabelledScores};
    /// # fn main() -> Result<(), truecount::Error> {
    /// // Of the rows with a score above 1 one in two was labelled, of the others one in ten.
    /// let labelled = LabelledScores::from_rows(&LabelledRows {
    ///     scores: &[2.1, 1.4, 0.9, -0.2, 1.3, -1.1],
    ///     positive: &[true, true, true, false, false, false],
    ///     weights: Some(&[2.0, 2.0, 10.0, 10.0, 2.0, 10.0]),
    ///     ..LabelledRows::default()
    /// })?;
    /// assert!((labelled.effective_counts().positive - 14.0 * 14.0 / 108.0).abs() < 1e-12);
    /// # Ok(()) }
    /// ```
    pub fn from_rows(rows: &LabelledRows) -> Result<Self, Error> {
        let LabelledRows { scores, positive, probabilities, weights, clusters } = *rows;
        let lengths = [
            ("scores", Some(scores.len())),
            ("probabilities", probabilities.map(<[f64]>::len)),
            ("weights", weights.map(<[f64]>::len)),
            ("clusters", clusters.map(<[u32]>::len)),
        ];
        for (column, values) in lengths {
            if let Some(values) = values.filter(|values| *values != positive.len()) {
                return Err(Problem::LengthMismatch { column, values, others: positive.len() }.into());
            }
        }
        Error::unless_finite(scores)?;
        probabilities.map_or(Ok(()), Error::unless_probabilities)?;
        weights.map_or(Ok(()), Error::unless_weights)?;
        let split = Split { positive, weights };
        let weighed = weights.map(|weights| split.split_by_class(weights));
        let sizes = PerClass {
            positive: positive.iter().filter(|positive| **positive).count(),
            negative: positive.iter().filter(|positive| !**positive).count(),
        };
        if let Some(weighed) = &weighed
            && sizes.positive > 0
            && sizes.negative > 0
        {
            weighed
                .try_map(|class, of| if of.is_empty() { Err(Problem::ClassWeightsZero { class }) } else { Ok(()) })?;
        }
        Self::from_columns(StoredScores {
            scores: split.numbers(scores),
            probabilities: probabilities.map(|given| split.numbers(given)),
            weights: weighed,
            clusters: clusters.map(|clusters| split.split_by_class(clusters)),
        })
    }

    fn from_columns(columns: StoredScores) -> Result<Self, Error> {
        let StoredScores { scores, probabilities, weights, clusters } = columns;
        if scores.positive.is_empty() || scores.negative.is_empty() {
            return Err(
                Problem::MissingClass { positive: scores.positive.len(), negative: scores.negative.len() }.into()
            );
        }
        let design = Design::new(scores.map(Vec::len), weights, clusters.as_ref())?;
        let mean = match &design {
            None => scores.map(|s| s.iter().map(|x| x / s.len() as f64).sum::<f64>()),
            Some(design) => design.means(&scores),
        };
        if mean.positive < mean.negative {
            return Err(Problem::Inverted { positive: mean.positive, negative: mean.negative, other: None }.into());
        }
        Ok(Self { scores, probabilities, design })
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

    /// As many rows of each class, drawn with replacement, with their weights.
    ///
    /// # Errors
    /// [`Problem::Inverted`], as it may happen.
    pub(crate) fn resampled(&self, rng: &mut impl Rng) -> Result<Self, Error> {
        let rows = self.scores.map(|scores| rows(scores.len(), rng));
        let drawn = |column: &PerClass<Vec<f64>>| PerClass {
            positive: taken(&column.positive, &rows.positive),
            negative: taken(&column.negative, &rows.negative),
        };
        Self::from_columns(StoredScores {
            scores: drawn(&self.scores),
            probabilities: self.probabilities.as_ref().map(drawn),
            weights: self.weights().map(drawn),
            clusters: None,
        })
    }

    /// Both classes' probabilities, where there are some; in the order of the scores.
    pub fn probabilities(&self) -> Option<&PerClass<Vec<f64>>> {
        self.probabilities.as_ref()
    }

    /// Both classes' weights, none of them 0; none where the rows of each class weigh alike.
    pub fn weights(&self) -> Option<&PerClass<Vec<f64>>> {
        self.design.as_ref()?.weights()
    }

    /// Both classes' clusters, numbered from 0, where there are some.
    pub fn clusters(&self) -> Option<&PerClass<Vec<u32>>> {
        self.design.as_ref()?.clusters()
    }

    /// Whether its rows were drawn one by one and count alike: they have neither weights nor clusters.
    pub fn is_plain(&self) -> bool {
        self.design.is_none()
    }

    /// How many clusters there are, where there are some.
    pub fn cluster_number(&self) -> Option<usize> {
        self.design.as_ref()?.cluster_number()
    }

    /// How many scores of equal weight each class is worth: (Σw)²/Σw² (Kish 1965).
    pub fn effective_counts(&self) -> PerClass<f64> {
        self.design.as_ref().map_or_else(|| self.scores.map(|of| of.len() as f64), Design::effective)
    }

    /// How the rows were drawn, unless it was one by one and they count alike.
    pub(crate) fn design(&self) -> Option<&Design> {
        self.design.as_ref()
    }
}

/// From columns of rows to those of each class.
struct Split<'a> {
    positive: &'a [bool],
    weights: Option<&'a [f64]>,
}

impl Split<'_> {
    /// The values of each class, without those of weight 0.
    fn split_by_class<T: Copy>(&self, values: &[T]) -> PerClass<Vec<T>> {
        let of = |class: bool| {
            let rows = values.iter().zip(self.positive).enumerate();
            let counted = |row: usize| self.weights.is_none_or(|weights| weights[row] > 0.0);
            rows.filter(|(row, (_, positive))| **positive == class && counted(*row)).map(|(_, (v, _))| *v).collect()
        };
        PerClass { positive: of(true), negative: of(false) }
    }

    /// Adding 0 makes -0 the same as 0: nothing that is learnt has its sign.
    fn numbers(&self, values: &[f64]) -> PerClass<Vec<f64>> {
        self.split_by_class(values).map(|of| of.iter().map(|value| value + 0.0).collect())
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

/// The columns of both classes, as they stand in a model's text.
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
}

impl TryFrom<StoredScores> for LabelledScores {
    type Error = Error;

    fn try_from(columns: StoredScores) -> Result<Self, Error> {
        let StoredScores { scores, probabilities, weights, clusters } = &columns;
        scores.try_map(|_, scores| Error::unless_finite(scores))?;
        let sizes = scores.map(Vec::len);
        let beside = |column, of: Option<PerClass<usize>>| match of.filter(|of| *of != sizes) {
            Some(of) => Err(Problem::LengthMismatch {
                column,
                values: of.positive + of.negative,
                others: sizes.positive + sizes.negative,
            }),
            None => Ok(()),
        };
        if let Some(given) = probabilities {
            given.try_map(|_, given| Error::unless_probabilities(given))?;
        }
        if let Some(weights) = weights {
            weights.try_map(|class, of| {
                Error::unless_weights(of)?;
                if of.contains(&0.0) { Err(Error::from(Problem::ClassWeightsZero { class })) } else { Ok(()) }
            })?;
        }
        beside("probabilities", probabilities.as_ref().map(|of| of.map(Vec::len)))?;
        beside("weights", weights.as_ref().map(|of| of.map(Vec::len)))?;
        beside("clusters", clusters.as_ref().map(|of| of.map(Vec::len)))?;
        Self::from_columns(columns)
    }
}

impl From<LabelledScores> for StoredScores {
    fn from(labelled: LabelledScores) -> Self {
        let (weights, clusters) = (labelled.weights().cloned(), labelled.clusters().cloned());
        Self { scores: labelled.scores, probabilities: labelled.probabilities, weights, clusters }
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
    /// [`Problem::LengthMismatch`].
    pub fn with_probabilities(scores: &'a [f64], probabilities: &'a [f64]) -> Result<Self, Error> {
        if scores.len() != probabilities.len() {
            let (values, others) = (probabilities.len(), scores.len());
            return Err(Problem::LengthMismatch { column: "probabilities", values, others }.into());
        }
        Ok(Self { scores, probabilities: Some(probabilities), weights: None })
    }

    /// The same with survey weights in the same order: each score stands for so many, up to a common factor. A score of weight 0
    /// counts for nothing.
    ///
    /// # Errors
    /// [`Problem::LengthMismatch`].
    pub fn with_weights(self, weights: &'a [f64]) -> Result<Self, Error> {
        if self.scores.len() != weights.len() {
            let (values, others) = (weights.len(), self.scores.len());
            return Err(Problem::LengthMismatch { column: "weights", values, others }.into());
        }
        Ok(Self { weights: Some(weights), ..self })
    }

    /// Refuses what no quantifier can use.
    ///
    /// # Errors
    /// [`Problem::NotFinite`], [`Problem::NotAProbability`], [`Problem::NotAWeight`].
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
        assert_eq!(error(&[1.0], &[]), Problem::LengthMismatch { column: "scores", values: 1, others: 0 }.into());
        let not_finite = error(&[1.0, f64::NAN], &[true, false]);
        assert_eq!((not_finite.code(), not_finite.location().row), ("score-not-finite", Some(1)));
        assert_eq!(error(&[1.0, 2.0], &[true, true]), Problem::MissingClass { positive: 2, negative: 0 }.into());
        assert_eq!(
            error(&[1.0, 2.0], &[true, false]),
            Problem::Inverted { positive: 1.0, negative: 2.0, other: None }.into()
        );
        for bad in [-0.1, 1.5, f64::NAN] {
            let with = LabelledScores::with_probabilities(&[2.0, 1.0], &[0.5, bad], &[true, false]);
            let error = with.unwrap_err();
            assert_eq!((error.code(), error.location().row), ("probability-out-of-range", Some(1)));
        }
    }
}
