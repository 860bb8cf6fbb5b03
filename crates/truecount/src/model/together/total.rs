//! The mean of several groups' prevalences, with known weights.

use super::{JointErrors, Overlap};
use crate::inference::{Difference, IntervalOptions, Sum};
use crate::quantifier::EstimateSource;
use crate::{Error, Estimate, Problem};

/// Groups' estimates by one method, added up with weights such as the known sizes of the groups.
///
/// # Examples
/// ```
/// use truecount::{LabelledScores, Method, Model, IntervalOptions, Settings, JointErrors};
/// # fn main() -> Result<(), truecount::Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
/// let reporting = IntervalOptions::default();
/// let together = JointErrors::new(&model, Method::ES)?;
/// let mut total = together.total();
/// for (scores, size) in [([1.7, 0.2, -0.5, 2.2], 3000.0), ([-0.7, 0.2, -0.5, 0.1], 1000.0)] {
///     total.add(&model.estimate(&scores, &reporting)?[0], size)?;
/// }
/// let whole = total.estimate(&reporting);
/// assert_eq!(whole.n, 8);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Total<'a> {
    together: &'a JointErrors,
    sum: Sum,
    n: u64,
    weighted: bool,
    /// ΣWα², for what drawing the weights adds.
    square: f64,
}

impl<'a> Total<'a> {
    pub(super) fn new(together: &'a JointErrors) -> Self {
        Self { together, sum: together.functions.shared.sum(), n: 0, weighted: false, square: 0.0 }
    }

    /// Adds a group with its weight.
    ///
    /// # Errors
    /// [`Operation::Covariance`](crate::Operation::Covariance) for an estimate by another method or model; [`Problem::Parameter`] unless the weight is a finite number, at least 0.
    pub fn add(&mut self, estimate: &Estimate, weight: f64) -> Result<(), Error> {
        self.add_of(0, estimate, weight)
    }

    /// The same for an estimate by the model in that place.
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub fn add_of(&mut self, model: usize, estimate: &Estimate, weight: f64) -> Result<(), Error> {
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(
                Problem::Parameter { name: "the weight of a group", value: weight, domain: "at least 0" }.into()
            );
        }
        let part = self.together.part(model, estimate)?;
        self.sum.add_mean(weight, &part.sum(&self.together.functions.shared));
        self.n += estimate.n;
        self.weighted |= estimate.effective_n.is_some();
        self.square += weight * estimate.prevalence.powi(2);
        Ok(())
    }

    /// The same without a group that was added with this weight.
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub fn without(&self, estimate: &Estimate, weight: f64) -> Result<Self, Error> {
        let mut rest = self.clone();
        let part = self.together.part(0, estimate)?;
        rest.sum.take_mean(weight, &part.sum(&self.together.functions.shared));
        rest.n -= estimate.n;
        rest.square -= weight * estimate.prevalence.powi(2);
        Ok(rest)
    }

    /// How far a group that was added with this weight is from all of them: 1 − w times as far as from the others, w its share of the
    /// weights. `whole` is the estimate of all, if it is not the mean of the groups.
    ///
    /// # Errors
    /// Those of [`JointErrors::difference`].
    pub fn difference(
        &self,
        estimate: &Estimate,
        weight: f64,
        whole: &Estimate,
        reporting: &IntervalOptions,
    ) -> Result<Difference, Error> {
        let rest = self.without(estimate, weight)?.estimate(reporting);
        let from_rest = self.together.difference(estimate, &rest, Overlap::None, reporting)?;
        let told = |of: &Estimate| (of.prevalence, of.uncertainty.map_or(0.0, |found| found.se));
        Ok(from_rest.to_whole(weight / self.weight(), [told(estimate), told(whole)]))
    }

    /// The number of test scores.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The sum of the weights.
    pub fn weight(&self) -> f64 {
        self.sum.weight()
    }

    /// The mean of the groups' prevalences, each with its weight.
    pub fn estimate(&self, reporting: &IntervalOptions) -> Estimate {
        self.estimate_sum(self.sum.clone(), reporting)
    }

    /// The same where the weights are shares of the very sample that the scores are of, drawn as they are: of a population they are
    /// not known exactly, which adds ΣW(α_h − α)²/n.
    ///
    /// # Errors
    /// [`Problem::SmallPopulation`].
    pub fn with_sampled_shares(&self, reporting: &IntervalOptions) -> Result<Estimate, Error> {
        let n = self.sum.effective_n();
        let (mean, square) = (self.sum.raw().clamp(0.0, 1.0), self.square / self.weight());
        let variance = reporting.drawn(self.n)? * (square - mean * mean).max(0.0) / n;
        Ok(self.estimate_sum(self.sum.clone().with_sampled_shares(variance), reporting))
    }

    fn estimate_sum(&self, sum: Sum, reporting: &IntervalOptions) -> Estimate {
        let spread = sum.spread(&self.together.functions.shared);
        let sizes = (self.n, self.weighted.then_some(spread.effective_n()));
        let found = Some(spread.uncertainty(reporting));
        let about = (Vec::new(), Some(EstimateSource::Sum(Box::new(sum))));
        Estimate::with_warnings(self.together.owners[0].method, sizes, spread.raw(), found, reporting, about)
    }
}
