//! Tallies of rows that several classifiers have scored, such as those of the folds of a
//! cross-fitted classifier.
//!
//! If row i counts with the mean Σ_k u_k g_ik over its classifiers instead of with g_iκ of one that
//! is drawn with the probabilities u_k, the expectation is the same, and the variance is smaller by
//! the variance within rows:
//!
//! ```text
//! Var(Σ_k u_k g_ik) = Var(g_iκ) − E Σ_k u_k (g_ik − Σ_l u_l g_il)²
//! ```
//!
//! This holds for all rows, and for those of one class. So the variance within the new rows corrects
//! both variances of a drawn score, for the sample and for the population. The variance for the sample
//! is estimated from the labelled rows, each scored by one classifier.

use super::{Model, Tally};
use crate::numeric::sum::CompensatedSum;
use crate::quantifier::RowSums;
use crate::tally::{InfluenceFunction, MethodTally};
use crate::{Batch, Error, Problem};

/// A tally of rows that several classifiers have scored, in which each score is weighted by the share
/// of its classifier.
#[derive(Clone, Debug)]
pub struct PooledTally {
    model: Model,
    /// One tally for each method. The weight of a score is that of its row times the share of its
    /// classifier; the effective number is that of the rows.
    pub(super) methods: Vec<MethodTally>,
    /// The input values for each method by each classifier.
    inputs: Vec<Vec<Vec<f64>>>,
    weights: Option<Vec<f64>>,
    /// The shares of the classifiers, with the sum 1.
    shares: Vec<f64>,
}

impl PooledTally {
    /// Tallies the scores of the same rows by several classifiers. `shares` has the share of each
    /// classifier, such as the number of labelled rows that it has scored; only ratios matter.
    ///
    /// # Errors
    /// * [`Problem::LengthMismatch`] unless there is a share for each classifier, and a score by each
    ///   for each row;
    /// * [`Problem::NoTestScores`] without classifiers;
    /// * [`Problem::ParameterOutOfRange`] for a share that is not positive and finite;
    /// * the errors of [`Tally::update`] and of [`Tally::weighted`].
    pub fn new(model: &Model, classifiers: &[Batch], shares: &[f64]) -> Result<Self, Error> {
        let rows = classifiers.first().map_or(0, |batch| batch.scores.len());
        let lengths = classifiers.iter().map(|batch| ("scores", batch.scores.len(), rows));
        let mut lengths = lengths.chain([("shares", shares.len(), classifiers.len())]);
        lengths.try_for_each(Error::unless_equal)?;
        if let Some(value) = shares.iter().copied().find(|share| !(share.is_finite() && *share > 0.0)) {
            let name = "the share of a classifier";
            return Err(Problem::ParameterOutOfRange { name, value, domain: "positive and finite" }.into());
        }
        if classifiers.is_empty() {
            return Err(Problem::NoTestScores.into());
        }
        let total: f64 = shares.iter().sum();
        let shares: Vec<f64> = shares.iter().map(|share| share / total).collect();
        let weights = classifiers.first().and_then(|batch| batch.weights).map(<[f64]>::to_vec);
        let mut tally = Tally::weighted(model)?.without_shift();
        let mut inputs = vec![Vec::with_capacity(classifiers.len()); tally.methods.len()];
        for (batch, share) in classifiers.iter().zip(&shares) {
            let score_weights = match batch.weights {
                Some(weights) => weights.iter().map(|weight| weight * share).collect(),
                None => vec![*share; rows],
            };
            tally.update(Batch { weights: Some(&score_weights), ..*batch })?;
            for (quantifier, columns) in model.quantifiers().iter().zip(&mut inputs) {
                let mut column = Vec::with_capacity(rows);
                model.training().read(batch, quantifier.reads(), |values| {
                    column.extend_from_slice(values);
                    Ok(())
                })?;
                columns.push(column);
            }
        }
        let mut pooled = Self { model: model.clone(), methods: tally.methods, inputs, weights, shares };
        let ratio = pooled.smallest_variance_ratio();
        pooled.methods.iter_mut().for_each(|tally| tally.scale_squares(ratio.recip()));
        Ok(pooled)
    }

    /// Returns [`Problem::TallyModelMismatch`] unless the tally is of this model.
    pub(super) fn check_model(&self, model: &Model) -> Result<(), Error> {
        if model.is_equal(&self.model) { Ok(()) } else { Err(Problem::TallyModelMismatch.into()) }
    }

    /// Returns the sums over the rows of a function of the method with this index.
    pub(super) fn row_sums(&self, method: usize, function: &InfluenceFunction) -> RowSums {
        let columns = &self.inputs[method];
        let rows = columns.first().map_or(0, Vec::len);
        let mut values = vec![0.0; columns.len()];
        let mut sums = [CompensatedSum::default(); 3];
        for row in 0..rows {
            values.iter_mut().zip(columns).for_each(|(value, column)| *value = function.value(column[row]));
            let mean: f64 = values.iter().zip(&self.shares).map(|(value, share)| share * value).sum();
            let variance: f64 =
                values.iter().zip(&self.shares).map(|(value, share)| share * (value - mean).powi(2)).sum();
            let square = self.weights.as_ref().map_or(1.0, |weights| weights[row] * weights[row]);
            sums.iter_mut().zip([square, square * mean, square * variance]).for_each(|(sum, term)| sum.add(term));
        }
        let [squares, means, variances] = sums.map(|sum| sum.value());
        RowSums { squares, means, variances }
    }

    /// Returns Σu², the smallest ratio of the variance of a row's mean to that of one of its scores.
    pub(super) fn smallest_variance_ratio(&self) -> f64 {
        self.shares.iter().map(|share| share * share).sum()
    }
}
