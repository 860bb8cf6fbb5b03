//! The influence of each test score on an estimate, for engines that compute means themselves, and of
//! each labelled score on its error.
//!
//! To first order an estimate α̂ = (mean g − a₋)/(a₊ − a₋) is off by the sum, over the labelled scores, of
//!
//! ```text
//! − α (w/Σw) (g − a₊)/(a₊ − a₋)    of a positive,    − (1−α) (w/Σw) (g − a₋)/(a₊ − a₋)    of a negative
//! ```
//!
//! with w/Σw = 1/n± without weights: w ∂α̂/∂w, the infinitesimal jackknife (Jaeckel 1972). g is as the rates see it: for Efficient
//! Sweep on bins that of curves which have not seen the score. Where rates are those of a fitted family, the projection of g on the
//! family's tangent space (`inference::training_variance`) stands for g − a±.

use super::Model;
use crate::design::Design;
use crate::inference::tangent_projection;
use crate::quantifier::{Estimate, EstimateSource, Quantifier};
use crate::sweep::Separation;
use crate::tally::InfluenceFunction;
use crate::training::{InputKind, Training};
use crate::{Batch, Error, Operation, PerClass};

impl Model {
    /// Of the quantifier in that place one number for each test score, whose mean, of weighted scores by their weights, is the
    /// estimator as defined:
    ///
    /// ```text
    /// (g(s) − a₋)/(a₊ − a₋)
    /// ```
    ///
    /// with g the influence function and a± its class means (0 and 1 for an uncorrected count). Of Efficient Sweep g is that of the
    /// second step, which these very scores decide.
    ///
    /// # Errors
    /// [`Operation::Influence`] of a method that is no mean of a function of the score, and of a place without a method; those of
    /// [`update`](Self::update) for the batch.
    ///
    /// # Examples
    /// ```
    /// use truecount::{LabelledScores, Model, IntervalOptions, Settings};
    /// # fn main() -> Result<(), truecount::Error> {
    /// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
    /// let labels = [true, true, true, true, false, false, false, false];
    /// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
    /// let each = model.influence(0, &[1.7, 0.2, -0.5, 2.2])?;
    /// let estimate = &model.estimate(&[1.7, 0.2, -0.5, 2.2], &IntervalOptions::default())?[0];
    /// assert!((each.iter().sum::<f64>() / 4.0 - estimate.raw).abs() < 1e-14);
    /// # Ok(()) }
    /// ```
    pub fn influence<'a>(&self, place: usize, batch: impl Into<Batch<'a>>) -> Result<Vec<f64>, Error> {
        let batch = batch.into();
        let (quantifier, mean) = self.decided(place, &batch)?;
        let mean = &quantifier.means()[mean];
        let rated = mean.anchored().rated();
        let corrected = rated.precision.is_some();
        let (negative, distance) = if corrected { (rated.negative, rated.distance) } else { (0.0, 1.0) };
        let mut each = Vec::with_capacity(batch.scores.len());
        self.training.read(&batch, quantifier.reads(), |values| {
            each.extend(values.iter().map(|value| (mean.influence().value(*value) - negative) / distance));
            Ok(())
        })?;
        Ok(each)
    }

    /// The quantifier in that place, and the place among its functions of the one that these scores decide on.
    pub(super) fn decided(&self, place: usize, batch: &Batch<'_>) -> Result<(&Quantifier, usize), Error> {
        let quantifier = self.quantifiers().get(place);
        let Some(quantifier) = quantifier.filter(|quantifier| quantifier.method().takes_weights()) else {
            return Err(Operation::Influence.not_possible([self.name_of(place)]).into());
        };
        self.training.check(batch, self.unit_interval())?;
        let weighted = batch.weights.and_then(|_| quantifier.weighted_empty());
        let mut state = weighted.unwrap_or_else(|| quantifier.empty());
        self.add_to(quantifier, &mut state, batch)?;
        Ok((quantifier, quantifier.place_of_mean(&state)))
    }
}

impl Model {
    /// What each labelled score, in the order of its class, adds to the error of an estimate by the quantifier in that place:
    ///
    /// ```text
    /// − α (w/Σw) (g − a₊)/(a₊ − a₋)    of a positive,    − (1−α) (w/Σw) (g − a₋)/(a₊ − a₋)    of a negative
    /// ```
    ///
    /// with w/Σw = 1/n± where rows have no weights. They add up to 0 in each class. Where rates are those of the labelled scores, the
    /// sum of their squares, those of each class times n±/(n± − 1), is the part of se² that is learnt; of rows in C clusters it is that of
    /// the squared sums over clusters, times C/(C − 1). Where rates are those of a fitted family it is so in expectation, if
    /// the family is right.
    ///
    /// # Errors
    /// [`Operation::LabelledInfluence`] of a method that is no unbiased mean of a function of the score, of a place without a method, and of an
    /// estimate that is not one by that method alone.
    ///
    /// # Examples
    /// ```
    /// use truecount::{LabelledScores, Method, Model, IntervalOptions, Settings};
    /// # fn main() -> Result<(), truecount::Error> {
    /// let scores = [2.1, 1.4, 0.3, 1.8, -0.2, 0.9, -1.1, -0.4];
    /// let labels = [true, true, true, true, false, false, false, false];
    /// let settings = Settings { methods: vec![Method::AC], cutoff: Some(0.5), ..Settings::default() };
    /// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &settings)?;
    /// let estimate = &model.estimate(&[1.7, 0.2, -0.5, 2.2], &IntervalOptions::default())?[0];
    /// assert_eq!(estimate.prevalence, 0.5);
    /// // A positive below the cutoff makes the true positive rate smaller, and so the estimate larger.
    /// let each = model.labelled_influence(0, estimate)?;
    /// assert_eq!(each.positive, [-0.0625, -0.0625, 0.1875, -0.0625]);
    /// # Ok(()) }
    /// ```
    pub fn labelled_influence(&self, place: usize, estimate: &Estimate) -> Result<PerClass<Vec<f64>>, Error> {
        let refused = || Operation::LabelledInfluence.not_possible([self.name_of(place)]);
        let quantifier = self.quantifiers().get(place).filter(|quantifier| quantifier.method() == estimate.method);
        let (Some(quantifier), Some(EstimateSource::Mean { place, .. })) = (quantifier, &estimate.origin) else {
            return Err(refused().into());
        };
        let mean = quantifier.means().get(*place).ok_or_else(refused)?;
        let (training, design) = (self.training(), self.labelled().design());
        let apart = match training.fitted().filter(|_| mean.anchored().is_of_family()) {
            None => centred(design, quantifier.labelled_values(*place, training)?),
            Some(separation) => projected(quantifier, mean.influence(), training, separation)?,
        };
        let (alpha, distance) = (estimate.prevalence, mean.anchored().rated().distance);
        let shares = match design {
            Some(design) => design.shares().clone(),
            None => apart.map(|of| vec![1.0 / of.len() as f64; of.len()]),
        };
        let each = |apart: &[f64], shares: &[f64], alpha: f64| {
            // From 0, so that there is no negative one.
            apart.iter().zip(shares).map(|(apart, share)| 0.0 - alpha * share * apart / distance).collect()
        };
        Ok(PerClass {
            positive: each(&apart.positive, &shares.positive, alpha),
            negative: each(&apart.negative, &shares.negative, 1.0 - alpha),
        })
    }

    /// What [`influence`](Self::influence) is of each labelled score, in the order of its class, where these test scores decide on g:
    ///
    /// ```text
    /// (g(s) − a₋)/(a₊ − a₋)
    /// ```
    ///
    /// Where rates are those of the labelled scores, the means of these numbers are 1 and 0, weighted ones by their weights. Among parts
    /// of a class, such as the several classes that are the rest of one, they need not be: the rates of each part.
    ///
    /// # Errors
    /// [`Operation::LabelledInfluence`] of a method that is no unbiased mean of a function of the score, and of a place without a method; those
    /// of [`influence`](Self::influence).
    ///
    /// # Examples
    /// ```
    /// use truecount::{LabelledScores, Model, Settings};
    /// # fn main() -> Result<(), truecount::Error> {
    /// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
    /// let labels = [true, true, true, true, false, false, false, false];
    /// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
    /// let each = model.influence_of_labelled(0, &[1.7, 0.2, -0.5, 2.2])?;
    /// assert!((each.positive.iter().sum::<f64>() / 4.0 - 1.0).abs() < 1e-14);
    /// assert!(each.negative.iter().sum::<f64>().abs() < 1e-14);
    /// # Ok(()) }
    /// ```
    pub fn influence_of_labelled<'a>(
        &self,
        place: usize,
        batch: impl Into<Batch<'a>>,
    ) -> Result<PerClass<Vec<f64>>, Error> {
        if !self.quantifiers().get(place).is_some_and(|quantifier| quantifier.method().is_unbiased_mean()) {
            return Err(Operation::LabelledInfluence.not_possible([self.name_of(place)]).into());
        }
        let (quantifier, mean) = self.decided(place, &batch.into())?;
        let rated = quantifier.means()[mean].anchored().rated();
        let values = quantifier.labelled_values(mean, self.training())?;
        Ok(values.map(|of| of.iter().map(|value| (value - rated.negative) / rated.distance).collect()))
    }
}

/// Less their mean in each class.
pub(super) fn centred(design: Option<&Design>, values: PerClass<Vec<f64>>) -> PerClass<Vec<f64>> {
    let means = match design {
        Some(design) => design.means(&values),
        None => values.map(|values| values.iter().sum::<f64>() / values.len() as f64),
    };
    let less = |values: Vec<f64>, mean: f64| values.into_iter().map(|value| value - mean).collect();
    PerClass { positive: less(values.positive, means.positive), negative: less(values.negative, means.negative) }
}

/// What each labelled score tells of the means of g under the fitted family, less its mean in each class.
pub(super) fn projected(
    quantifier: &Quantifier,
    influence: &InfluenceFunction,
    training: &Training,
    separation: &Separation,
) -> Result<PerClass<Vec<f64>>, Error> {
    let transformed = training.column(InputKind::Transformed)?;
    let balanced = quantifier.reads() == InputKind::Balanced;
    let value = |x: f64| influence.value(if balanced { separation.balanced(x) } else { x });
    Ok(centred(None, tangent_projection(separation, transformed, value)))
}
