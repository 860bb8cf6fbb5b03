//! What every fitted quantifier does: it has an empty tally, adds values to it, and finds an estimate in it.

use super::anchored_mean::AnchoredMean;
use super::raw_estimate::RawEstimate;
use crate::inference::{Off, Precision, Variance, Warning};
use crate::tally::{SampleStatistics, TallyState, WeightedMoments};
use crate::{Error, LabelledScores, PerClass};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// A fitted quantifier.
pub(super) trait Quantify: Any + Debug + Send + Sync {
    /// An empty state of a tally.
    fn empty(&self) -> TallyState;

    /// Adds values of what the method reads to a state that began as [`empty`](Self::empty).
    ///
    /// # Errors
    /// [`Problem::NotFinite`](crate::Problem::NotFinite) for a score as it is that is not a finite number; the state is then as it was. All else that
    /// methods read is made from checked scores.
    fn update(&self, state: &mut TallyState, values: &[f64]) -> Result<(), Error>;

    /// The estimate from a tally that is not empty, and weighted only if there are [`means`](Self::means).
    fn estimate(&self, state: &TallyState) -> RawEstimate;

    /// V as it is right at each prevalence, of a quantifier that finds it as it is right at the estimate it found.
    fn variance_function<'a>(&'a self, _state: &'a TallyState, _raw: f64) -> Option<Elsewhere<'a>> {
        None
    }

    /// An empty state of weighted scores; none where weights are not possible.
    fn weighted_empty(&self) -> Option<TallyState> {
        let functions = self.means().len();
        (functions > 0).then(|| TallyState::Weighted(WeightedMoments::new(functions)))
    }

    /// Adds checked values with their weights to a state that began as [`weighted_empty`](Self::weighted_empty).
    fn push_weighted(&self, state: &mut TallyState, values: &[f64], weights: &[f64]) {
        let TallyState::Weighted(weighted) = state else { unreachable!("a weighted tally of this quantifier") };
        weighted.update(self.means().iter().map(AnchoredMean::influence), values, weights);
    }

    /// What was learnt, for people: names and values.
    fn parameters(&self) -> Vec<(&'static str, f64)>;

    /// The functions whose means are all that it needs to know of test scores, so that weighted means will do too; none for a
    /// quantifier that needs more.
    fn means(&self) -> &[AnchoredMean] {
        &[]
    }

    /// Of these functions the place of the one that finds the estimate in a tally.
    fn place_of_mean(&self, _: &TallyState) -> usize {
        0
    }

    /// What the rates of the function in that place are means of, for every labelled score; none where that is the function itself.
    fn out_of_fold(&self, _place: usize, _labelled: &LabelledScores) -> Option<PerClass<Vec<f64>>> {
        None
    }

    /// What the scores say of the function in that place.
    fn sampled(&self, state: &TallyState, place: usize) -> SampleStatistics {
        state.statistics(place)
    }

    /// The inner edges of the bins it counts in, of a quantifier that needs nothing but counts: [a, b), the last one [a, 1].
    fn bin_edges(&self) -> Vec<f64> {
        Vec::new()
    }

    /// What the variance accounts for; none without a formula for it.
    fn variance_of(&self) -> Option<&'static str> {
        AnchoredMean::nearest(self.means(), 0.5).map(|mean| mean.anchored().variance_of())
    }

    /// What decides the variance near a prevalence, of a quantifier that estimates it without bias and has a formula.
    fn precision(&self, alpha: f64) -> Option<Precision> {
        AnchoredMean::nearest(self.means(), alpha)?.anchored().precision()
    }

    /// The same at rising prevalences, of a quantifier whose intervals judge each by that near it.
    fn precisions(&self) -> Option<Vec<(f64, Precision)>> {
        None
    }

    /// By how much an estimate is off because the labelled scores contradict a fitted family; none where no family's rates are taken.
    fn off(&self, prevalence: f64) -> Option<Off> {
        AnchoredMean::nearest(self.means(), prevalence)?.anchored().off(prevalence)
    }

    /// By how much it tells the labelled classes apart, and the standard error of that: by default, what the fitted family says.
    fn separated(&self, by_family: Option<(f64, f64)>) -> Option<(f64, f64)> {
        by_family
    }

    /// What, of its own, the labelled scores give reason to warn about.
    fn fit_warnings(&self) -> Vec<Warning> {
        Vec::new()
    }
}

/// V from a prevalence, to be taken there.
pub(super) type Elsewhere<'a> = Box<dyn Fn(f64) -> Variance + 'a>;

/// What fitting a quantifier gives.
pub(super) type Fitted = Result<Arc<dyn Quantify>, Error>;
