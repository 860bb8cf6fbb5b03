//! The interface of fitted quantifiers.

use super::anchored_mean::InfluenceMean;
use super::raw_estimate::RawEstimate;
use super::score_choice::ScoreChoice;
use crate::Error;
use crate::inference::{FamilyError, Precision, Variance, Warning};
use crate::numeric::edges::Edges;
use crate::tally::{MethodTally, SampleStatistics, WeightedMoments};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// A fitted quantifier.
pub(super) trait Quantify: Any + Debug + Send + Sync {
    /// Returns an empty state of a tally; by default, of counts.
    fn empty_state(&self) -> MethodTally {
        MethodTally::empty_counts(self.edges().expect("a quantifier that needs only counts"))
    }

    /// Adds input values of test scores to a state that began as
    /// [`empty_state`](Self::empty_state).
    ///
    /// # Errors
    /// Returns [`Problem::NotFinite`](crate::Problem::NotFinite) for a score that is not finite,
    /// and leaves the state unchanged. Only untransformed scores can fail; all other inputs are
    /// computed from checked scores.
    fn update(&self, state: &mut MethodTally, values: &[f64]) -> Result<(), Error> {
        state.count(self.edges().expect("a quantifier that needs only counts"), values)
    }

    /// Returns the estimate from a state that is not empty. The state may be weighted only if the
    /// quantifier has [`anchored_means`](Self::anchored_means).
    fn estimate(&self, state: &MethodTally) -> RawEstimate;

    /// Returns the estimate by the function that is best for n independent scores, if there are
    /// several.
    fn estimate_for_size(&self, state: &MethodTally, _n: f64) -> RawEstimate {
        self.estimate(state)
    }

    /// Returns the variance as a function of the prevalence, for a quantifier whose
    /// [`estimate`](Self::estimate) has the variance only at the estimate itself.
    fn variance_function<'a>(&'a self, _state: &'a MethodTally, _raw: f64) -> Option<VarianceFunction<'a>> {
        None
    }

    /// Returns an empty state of weighted scores, or `None` if the quantifier takes no weights.
    fn empty_weighted_state(&self) -> Option<MethodTally> {
        let functions = self.anchored_means().len();
        (functions > 0).then(|| MethodTally::Weighted(WeightedMoments::new(functions).into()))
    }

    /// Adds checked values with their weights to a state that began as
    /// [`empty_weighted_state`](Self::empty_weighted_state).
    fn update_weighted(&self, state: &mut MethodTally, values: &[f64], weights: &[f64]) {
        let MethodTally::Weighted(weighted) = state else { unreachable!("a weighted tally of this quantifier") };
        weighted.update(self.anchored_means().iter().map(InfluenceMean::influence), values, weights);
    }

    /// Returns the names and values of the fitted parameters.
    fn parameters(&self) -> Vec<(&'static str, f64)>;

    /// Returns the functions of the score whose means determine the estimate; empty for a
    /// quantifier that needs more than means.
    fn anchored_means(&self) -> &[InfluenceMean] {
        &[]
    }

    /// Returns the index of the function whose mean gives the estimate from a state.
    fn mean_index(&self, _: &MethodTally) -> usize {
        0
    }

    /// Returns the variance with the function of the first step, or `None` for a quantifier with a
    /// single function.
    fn first_step_variance(&self, _: &MethodTally) -> Option<Variance> {
        None
    }

    /// Returns the rule that chooses among several functions; `None` for a quantifier with one.
    fn score_choice(&self) -> Option<&ScoreChoice> {
        None
    }

    /// Returns the statistics of one function over the test scores.
    fn sample_statistics(&self, state: &MethodTally, index: usize) -> SampleStatistics {
        state.statistics(index)
    }

    /// Returns the inner edges of the bins of a quantifier that needs only counts. The bins are [a,
    /// b), the last one [a, 1].
    fn bin_edges(&self) -> Vec<f64> {
        self.edges().map_or_else(Vec::new, |edges| edges.iter().collect())
    }

    /// Returns the inner edges of the bins that test scores are counted in.
    fn edges(&self) -> Option<&Edges> {
        None
    }

    /// Describes the errors that the variance includes, or returns `None` without a formula for it.
    fn variance_description(&self) -> Option<&'static str> {
        InfluenceMean::nearest(self.anchored_means(), 0.5).map(|mean| mean.estimator().variance_description())
    }

    /// Returns the variance near a prevalence for n test scores by source, or `None` for a
    /// quantifier that is biased or has no formula.
    fn precision(&self, alpha: f64, _: f64) -> Option<Precision> {
        InfluenceMean::nearest(self.anchored_means(), alpha)?.estimator().precision()
    }

    /// Returns the precision of every function that an estimate near a prevalence may use. The one used
    /// has nearly the smallest variance.
    fn precisions(&self, alpha: f64) -> Vec<Precision> {
        self.precision(alpha, f64::INFINITY).into_iter().collect()
    }

    /// Returns the precision at ascending prevalences, for a quantifier whose intervals use at each
    /// prevalence the variance near it.
    fn precision_grid(&self) -> Option<Vec<(f64, Precision)>> {
        None
    }

    /// Returns the bias of an estimate that the labelled scores show in the rates of a fitted
    /// family, or `None` if the rates do not come from a family.
    fn family_bias(&self, prevalence: f64) -> Option<FamilyError> {
        InfluenceMean::nearest(self.anchored_means(), prevalence)?.estimator().family_bias(prevalence)
    }

    /// Returns the difference between the labelled classes and its standard error; by default the
    /// difference for the fitted family, `by_family`.
    fn class_difference(&self, by_family: Option<(f64, f64)>) -> Option<(f64, f64)> {
        by_family
    }

    /// Returns the warnings about the labelled scores that only this quantifier has.
    fn fit_warnings(&self) -> Vec<Warning> {
        Vec::new()
    }
}

pub(super) type VarianceFunction<'a> = Box<dyn Fn(f64) -> Variance + 'a>;

/// The result of fitting a quantifier.
pub(super) type FitResult = Result<Arc<dyn Quantify>, Error>;
