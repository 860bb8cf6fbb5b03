//! The weighted mean of several groups' prevalences.

use super::{JointErrors, Overlap};
use crate::inference::{
    Difference, EstimateDistribution, IntervalEstimate, IntervalOptions, Misfit, SystematicError, WeightedSum,
};
use crate::quantifier::EstimateSource;
use crate::{Error, Estimate};

/// A weighted mean of groups' estimates by one method, with weights such as the sizes of the
/// groups.
///
/// # Examples
/// ```
/// use truecount::compare::JointErrors;
/// use truecount::{IntervalOptions, LabelledScores, Method, Model, Settings};
/// # fn main() -> Result<(), truecount::Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
/// let joint = JointErrors::new(&model, Method::ES)?;
/// let mut total = joint.total();
/// for (scores, size) in [([1.7, 0.2, -0.5, 2.2], 3000.0), ([-0.7, 0.2, -0.5, 0.1], 1000.0)] {
///     total.add(&model.estimate(&scores)?[0], size)?;
/// }
/// assert_eq!(total.estimate(&IntervalOptions::default()).n, 8);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Total<'a> {
    joint: &'a JointErrors,
    sum: WeightedSum,
    n: u64,
    weighted: bool,
    /// ΣWα², for the variance from sampled weights.
    square: f64,
    /// `None` if a group has not been checked for misfit.
    misfit: Option<MisfitTotals>,
}

/// Sums over the groups, with W the weight of a group.
#[derive(Clone, Copy, Debug, Default)]
struct MisfitTotals {
    /// ΣW²(S² − 1)V: the variance that the misfit adds if it is as large as the check found it.
    excess: f64,
    /// ΣWu, u the share of a group's scores that no mixture explains.
    unexplained: f64,
}

impl MisfitTotals {
    /// Returns the contribution of a group; `None` if it has not been checked.
    fn from_group(estimate: &Estimate, weight: f64) -> Option<Self> {
        let Misfit { scale, unexplained, .. } = estimate.misfit?;
        let se = weight * estimate.std_error.unwrap_or(0.0);
        Some(Self { excess: (scale * scale - 1.0) * se * se, unexplained: weight * unexplained })
    }

    fn plus(self, other: Self, sign: f64) -> Self {
        Self { excess: self.excess + sign * other.excess, unexplained: self.unexplained + sign * other.unexplained }
    }
}

impl<'a> Total<'a> {
    pub(super) fn new(joint: &'a JointErrors) -> Self {
        let misfit = Some(MisfitTotals::default());
        Self { joint, sum: joint.functions.blocks.empty_sum(), n: 0, weighted: false, square: 0.0, misfit }
    }

    /// Adds a group with its weight.
    ///
    /// # Errors
    /// Returns [`Operation::Covariance`](crate::Operation::Covariance) for an estimate by another
    /// method or model, and [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) for a weight
    /// that is negative or not finite.
    pub fn add(&mut self, estimate: &Estimate, weight: f64) -> Result<(), Error> {
        self.add_from_model(0, estimate, weight)
    }

    /// Adds a group whose estimate is from the model with this index.
    ///
    /// # Errors
    /// Returns [`Operation::Covariance`](crate::Operation::Covariance) for an estimate by another
    /// method or model, and [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) for a weight
    /// that is negative or not finite.
    pub fn add_from_model(&mut self, model: usize, estimate: &Estimate, weight: f64) -> Result<(), Error> {
        let is_possible = weight >= 0.0 && weight.is_finite();
        Error::unless_in_domain(is_possible, ("the weight of a group", weight), "at least 0")?;
        let summand = self.joint.summand(model, estimate)?;
        self.sum.add_mean(weight, &summand.sum(&self.joint.functions.blocks));
        self.n += estimate.n;
        self.weighted |= estimate.effective_n.is_some();
        self.square += weight * estimate.prevalence.powi(2);
        let misfit = self.misfit.zip(MisfitTotals::from_group(estimate, weight));
        self.misfit = misfit.map(|(sums, group)| sums.plus(group, 1.0));
        Ok(())
    }

    /// Returns the total without a group that [`add`](Self::add) added with this weight.
    ///
    /// # Errors
    /// Returns [`Operation::Covariance`](crate::Operation::Covariance) for an estimate by another
    /// method or model.
    pub fn without(&self, estimate: &Estimate, weight: f64) -> Result<Self, Error> {
        let mut rest = self.clone();
        let summand = self.joint.summand(0, estimate)?;
        rest.sum.subtract_mean(weight, &summand.sum(&self.joint.functions.blocks));
        rest.n -= estimate.n;
        rest.square -= weight * estimate.prevalence.powi(2);
        let misfit = self.misfit.zip(MisfitTotals::from_group(estimate, weight));
        rest.misfit = misfit.map(|(sums, group)| sums.plus(group, -1.0));
        Ok(rest)
    }

    /// Returns the difference of a group, which was added with this weight, from all groups.
    ///
    /// It is 1 − w times the difference from the other groups, w the group's share of the weights,
    /// and so are its standard error and the ends of its interval. `whole` is the total's estimate;
    /// its standard error gives the correlation.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`JointErrors::difference`].
    pub fn difference(
        &self,
        estimate: &Estimate,
        weight: f64,
        whole: &Estimate,
        options: &IntervalOptions,
    ) -> Result<Difference, Error> {
        let rest = self.without(estimate, weight)?.estimate(options);
        let from_rest = self.joint.difference(estimate, &rest, Overlap::None, options)?;
        let std_errors = [estimate, whole].map(|estimate| estimate.std_error.unwrap_or(0.0));
        let difference = from_rest.to_whole(weight / self.weight(), std_errors);
        if estimate.prevalence == estimate.raw && whole.prevalence == whole.raw {
            return Ok(difference);
        }
        // The others' share follows from the unclipped share of the group.
        Ok(difference.with_difference(estimate.prevalence - whole.prevalence))
    }

    /// The number of test scores.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The sum of the weights.
    pub fn weight(&self) -> f64 {
        self.sum.weight()
    }

    /// Estimates the weighted mean of the groups' prevalences.
    pub fn estimate(&self, options: &IntervalOptions) -> Estimate {
        self.estimate_sum(self.sum.clone(), options)
    }

    /// Estimates the weighted mean for weights that are shares of the same random sample as the
    /// scores. The population's shares are then uncertain: this adds the variance of the groups'
    /// prevalences, weighted by the groups' shares, over the number of scores.
    ///
    /// # Errors
    /// Returns [`Problem::SmallPopulation`](crate::Problem::SmallPopulation) for more scores than the
    /// population has items.
    pub fn estimate_with_sampled_weights(&self, options: &IntervalOptions) -> Result<Estimate, Error> {
        let n = self.sum.effective_n();
        let (mean, square) = (self.sum.raw().clamp(0.0, 1.0), self.square / self.weight());
        let variance = options.finite_population_correction(self.n)? * (square - mean * mean).max(0.0) / n;
        Ok(self.estimate_sum(self.sum.clone().with_sampled_weights(variance), options))
    }

    fn estimate_sum(&self, sum: WeightedSum, options: &IntervalOptions) -> Estimate {
        let distribution = sum.distribution(&self.joint.functions.blocks);
        let sizes = (self.n, self.weighted.then_some(distribution.effective_n()));
        let uncertainty = distribution.interval_estimate(options);
        let misfit = self.misfit.map(|sums| self.mean_misfit(sums, &distribution, &uncertainty, options));
        let about = (Vec::new(), Some(EstimateSource::Sum(Box::new(sum))));
        let (method, uncertainty) = (self.joint.methods[0].method, Some(uncertainty));
        let estimate = Estimate::with_warnings(method, sizes, distribution.raw(), uncertainty, options, about);
        Estimate { misfit, ..estimate }
    }

    /// Returns the misfit of the mean: its scale factor adds up the groups' systematic errors as
    /// independent.
    fn mean_misfit(
        &self,
        sums: MisfitTotals,
        distribution: &EstimateDistribution,
        widened: &IntervalEstimate,
        options: &IntervalOptions,
    ) -> Misfit {
        let excess = sums.excess / (self.weight().powi(2) * distribution.variance());
        let narrow = distribution.clone().with(SystematicError::NONE).interval_estimate(options);
        Misfit {
            scale: if sums.excess > 0.0 { (1.0 + excess).sqrt() } else { 1.0 },
            unexplained: sums.unexplained / self.weight(),
            widening: 0.5 * (widened.interval().width() - narrow.interval().width()),
            parallel_shift: None,
        }
    }
}
