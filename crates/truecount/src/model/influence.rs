//! What each test score adds to an estimate, for engines that compute means themselves.

use super::Model;
use crate::quantifier::Quantifier;
use crate::{Batch, Error, Operation};

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
    /// [`push`](Self::push) for the batch.
    ///
    /// # Examples
    /// ```
    /// use truecount::{LabelledScores, Model, Reporting, Settings};
    /// # fn main() -> Result<(), truecount::Error> {
    /// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
    /// let labels = [true, true, true, true, false, false, false, false];
    /// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
    /// let each = model.influence(0, &[1.7, 0.2, -0.5, 2.2])?;
    /// let estimate = &model.estimate(&[1.7, 0.2, -0.5, 2.2], &Reporting::default())?[0];
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
