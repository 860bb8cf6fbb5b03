//! The influence of each test score on an estimate, for engines that compute means themselves.

use super::Model;
use crate::design::LabelDesign;
use crate::inference::tangent_projection;
use crate::quantifier::{Estimate, EstimateSource, Quantifier};
use crate::sweep::Separation;
use crate::tally::InfluenceFunction;
use crate::training::{InputKind, Training};
use crate::{Batch, Error, Operation, PerClass};

impl Model {
    /// Returns the influence of each test score on the estimate by the quantifier with this index.
    ///
    /// The mean of these numbers, by the weights of the scores if there are any, is the unclipped
    /// estimate:
    ///
    /// ```text
    /// (g(s) − a₋)/(a₊ − a₋)
    /// ```
    ///
    /// with g the influence function and a± its class means (a₋ = 0 and a₊ = 1 for an uncorrected
    /// count). For Efficient Sweep, g is that of the last step, which depends on the test scores.
    ///
    /// # Errors
    /// Returns [`Operation::Influence`] for a method that is not a mean of a function of the score,
    /// and for an index without a method; and an error for an invalid batch, as
    /// [`Tally::update`](crate::Tally::update) does.
    pub fn influence<'a>(&self, index: usize, batch: impl Into<Batch<'a>>) -> Result<Vec<f64>, Error> {
        let batch = batch.into();
        let (quantifier, function) = self.select_function(index, &batch)?;
        self.influence_by(quantifier, function, &batch)
    }

    /// Returns the influence of each test score on an estimate, as [`influence`](Self::influence) does, by the
    /// function of the estimate: with a sampling design, it may be another one than for independent scores.
    /// The variance of the mean of these values under the design, plus the
    /// [part from the labelled scores](Self::labelled_variance), is se².
    ///
    /// # Errors
    /// Returns [`Operation::Influence`] for an estimate that is not a mean of a function of the score, and an
    /// error for an invalid batch.
    pub fn influence_on<'a>(&self, estimate: &Estimate, batch: impl Into<Batch<'a>>) -> Result<Vec<f64>, Error> {
        let (batch, (quantifier, function)) = (batch.into(), self.function_of(estimate)?);
        self.training().check(&batch, self.unit_interval())?;
        self.influence_by(quantifier, function, &batch)
    }

    /// Returns the part of se² that is due to the labelled scores; 0 for an uncorrected count.
    ///
    /// # Errors
    /// Returns [`Operation::Influence`] for an estimate that is not a mean of a function of the score.
    pub fn labelled_variance(&self, estimate: &Estimate) -> Result<f64, Error> {
        let (quantifier, function) = self.function_of(estimate)?;
        let precision = quantifier.means()[function].estimator().coefficients().precision;
        Ok(precision.map_or(0.0, |precision| precision.training_variance(estimate.prevalence)))
    }

    /// Returns the quantifier of an estimate and the index of its influence function.
    fn function_of(&self, estimate: &Estimate) -> Result<(&Quantifier, usize), Error> {
        let quantifier = self.quantifiers().iter().find(|quantifier| quantifier.method() == estimate.method);
        match (quantifier, &estimate.origin) {
            (Some(quantifier), Some(EstimateSource::Mean { function, .. })) => Ok((quantifier, *function)),
            (Some(quantifier), None) if estimate.method.is_uncorrected() => Ok((quantifier, 0)),
            _ => Err(Operation::Influence.unsupported_by([estimate.method]).into()),
        }
    }

    fn influence_by(&self, quantifier: &Quantifier, function: usize, batch: &Batch<'_>) -> Result<Vec<f64>, Error> {
        let mean = &quantifier.means()[function];
        let rated = mean.estimator().coefficients();
        let corrected = rated.precision.is_some();
        let (negative, distance) = if corrected { (rated.negative, rated.distance) } else { (0.0, 1.0) };
        let mut influence = Vec::with_capacity(batch.scores.len());
        self.0.training.read(batch, quantifier.reads(), |values| {
            influence.extend(values.iter().map(|value| (mean.influence().value(*value) - negative) / distance));
            Ok(())
        })?;
        Ok(influence)
    }

    /// Returns the quantifier with this index, and the index of the influence function that it
    /// selects for these test scores.
    fn select_function(&self, index: usize, batch: &Batch<'_>) -> Result<(&Quantifier, usize), Error> {
        let quantifier = self.quantifiers().get(index);
        let Some(quantifier) = quantifier.filter(|quantifier| quantifier.method().supports_weights()) else {
            return Err(Operation::Influence.unsupported_by([self.method_name(index)]).into());
        };
        self.0.training.check(batch, self.unit_interval())?;
        let weighted = batch.weights.and_then(|_| quantifier.weighted_empty());
        let mut state = weighted.unwrap_or_else(|| quantifier.empty());
        self.add_to(quantifier, &mut state, batch)?;
        Ok((quantifier, quantifier.mean_index(&state)))
    }
}

/// Subtracts the (weighted) mean of each class.
pub(crate) fn centred(design: Option<&LabelDesign>, values: &PerClass<Vec<f64>>) -> PerClass<Vec<f64>> {
    let means = match design {
        Some(design) => design.means(values),
        None => values.map(|values| values.iter().sum::<f64>() / values.len() as f64),
    };
    values.zip_map(&means, |values, mean| values.iter().map(|value| value - mean).collect())
}

/// Projects an influence function on the tangent space of the fitted family, at the labelled
/// scores, and subtracts the mean of each class.
pub(crate) fn projected(
    quantifier: &Quantifier,
    influence: &InfluenceFunction,
    training: &Training,
    separation: &Separation,
) -> Result<PerClass<Vec<f64>>, Error> {
    let transformed = training.column(InputKind::Transformed)?;
    let balanced = quantifier.reads() == InputKind::Balanced;
    let value = |x: f64| influence.value(if balanced { separation.balanced(x) } else { x });
    Ok(centred(None, &tangent_projection(separation, transformed, value)))
}
