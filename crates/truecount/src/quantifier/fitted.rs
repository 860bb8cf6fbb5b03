//! A method after fitting.

use super::anchored::RateSource;
use super::anchored_mean::AnchoredMean;
use super::continuous_sweep::ContinuousSweep;
use super::efficient_sweep::BinnedSweep;
use super::estimate::{Estimate, VarianceSource, to_estimate};
use super::method::{FitOptions, KnownOptions, Method};
use super::quantify::Quantify;
use crate::design::Design;
use crate::inference::{Assessed, FEW_LABELLED, IntervalOptions, Planner, Precision, Warning};
use crate::sweep::Separation;
use crate::tally::TallyState;
use crate::training::{InputKind, Training};
use crate::{Class, Error, Operation, PerClass};
use std::any::Any;
use std::sync::Arc;

/// A method after fitting.
#[derive(Clone, Debug)]
pub struct Quantifier {
    method: Method,
    fitted: Arc<dyn Quantify>,
    trusts_family: bool,
    warnings: Vec<Warning>,
}

impl Quantifier {
    /// Fits one method to the labelled scores; with the anchor of its own unless another is asked for.
    pub(crate) fn fit(
        method: Method,
        training: &Training,
        cutoff: f64,
        anchor: Option<RateSource>,
    ) -> Result<Self, Error> {
        let method = method.anchored(anchor);
        method.check_design(training.labelled())?;
        let anchor = anchor.or(method.default_anchor()).unwrap_or(RateSource::Sample);
        let fitted = (method.row().fit)(training, &FitOptions { cutoff, anchor, threshold: method.threshold() })?;
        let with_probabilities = training.labelled().probabilities().is_some();
        let mut warnings = fit_warnings(&*fitted, method.rests_on_family(with_probabilities), training);
        if method.trusts_posteriors()
            && let Some(given) = training.cox_calibration()
        {
            warnings.extend(Warning::for_calibration(given, training.prior()));
        }
        let trusts_family = method.trusts_family(anchor, with_probabilities);
        if trusts_family {
            warnings.extend(training.few_values().map(|values| Warning::FewValues { values }));
        }
        Ok(Self { method, fitted, trusts_family, warnings })
    }

    /// One method for two known distributions: posterior probabilities are at the prior, the optimal threshold at the
    /// prevalence `optimal_at`.
    pub(crate) fn known(method: Method, separation: &Separation, prior: f64, optimal_at: f64) -> Result<Self, Error> {
        let method = method.anchored(Some(RateSource::Model));
        let known = method.row().known.ok_or_else(|| Operation::KnownDistributions.not_possible([method]))?;
        let fitted = known(separation, &KnownOptions { prior, optimal_at, threshold: method.threshold() })?;
        Ok(Self { method, fitted, trusts_family: false, warnings: Vec::new() })
    }

    /// Which method it is.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Threshold and region, for a Continuous Sweep.
    pub fn sweep(&self) -> Option<&ContinuousSweep> {
        (&*self.fitted as &dyn Any).downcast_ref()
    }

    /// Bins, calibration curve and weights, for an Efficient Sweep on bins.
    pub fn binned_sweep(&self) -> Option<&BinnedSweep> {
        (&*self.fitted as &dyn Any).downcast_ref()
    }

    /// What the standard error and interval account for; none where there is no formula yet.
    pub fn variance_of(&self) -> Option<&'static str> {
        self.fitted.variance_of()
    }

    /// What decides the variance of its estimates where the prevalence is near alpha; none where there is no formula, and for the
    /// uncorrected counts, which are biased by more than they vary.
    pub fn precision(&self, alpha: f64) -> Option<Precision> {
        self.fitted.precision(alpha)
    }

    /// Sizes for a precision to be reached, these labelled scores being the pilot: at one prevalence, or at the worst.
    ///
    /// # Errors
    /// [`Operation::Plan`] for a method without; [`Problem::Parameter`](crate::Problem::Parameter) for a prevalence outside [0, 1]; [`Problem::NoSeparation`](crate::Problem::NoSeparation)
    /// where the precision is not finite.
    pub fn planner(&self, prevalence: Option<f64>, reporting: &IntervalOptions) -> Result<Planner, Error> {
        self.method.check_precision()?;
        if self.precision(0.5).is_none() {
            return Err(self
                .method
                .no_precision("takes given probabilities at their word, and learns nothing from labels"));
        }
        let at = |alpha| self.precision(alpha).expect("a method with a precision has it at every prevalence");
        Ok(Planner::new(at, prevalence, reporting)?.judging_by(self.fitted.precisions()))
    }

    /// What the labelled scores themselves give reason to warn about.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// What was learnt from the labelled scores: names and values.
    pub fn parameters(&self) -> Vec<(&'static str, f64)> {
        self.fitted.parameters()
    }

    /// Whether its rates or densities are those of the fitted family, so that it is biased where the family is wrong.
    pub fn trusts_family(&self) -> bool {
        self.trusts_family
    }

    /// What it reads of a test score.
    pub(crate) fn reads(&self) -> InputKind {
        self.method.row().reads
    }

    pub(crate) fn empty(&self) -> TallyState {
        self.fitted.empty()
    }

    /// The functions whose means it is found from; none if it is not.
    pub(crate) fn means(&self) -> &[AnchoredMean] {
        self.fitted.means()
    }

    /// The place among them of the one that the estimate in a tally is found from.
    pub(crate) fn place_of_mean(&self, state: &TallyState) -> usize {
        self.fitted.place_of_mean(state)
    }

    /// What the rates of the function in that place are means of: its values for the labelled scores, in the order of their class.
    ///
    /// # Errors
    /// Those of what it reads.
    pub(crate) fn labelled_values(&self, place: usize, training: &Training) -> Result<PerClass<Vec<f64>>, Error> {
        if let Some(values) = self.fitted.out_of_fold(place, training.labelled()) {
            return Ok(values);
        }
        let influence = self.means()[place].influence();
        Ok(training.column(self.reads())?.map(|read| read.iter().map(|value| influence.value(*value)).collect()))
    }

    /// The inner edges of its bins, if it is found from counts in bins.
    pub(crate) fn bin_edges(&self) -> Vec<f64> {
        self.fitted.bin_edges()
    }

    /// An empty state of weighted scores; none where weights are not possible.
    pub(crate) fn weighted_empty(&self) -> Option<TallyState> {
        self.fitted.weighted_empty()
    }

    pub(crate) fn update(&self, state: &mut TallyState, values: &[f64]) -> Result<(), Error> {
        self.fitted.update(state, values)
    }

    /// Adds checked values with their weights.
    pub(crate) fn push_weighted(&self, state: &mut TallyState, values: &[f64], weights: &[f64]) {
        self.fitted.push_weighted(state, values, weights);
    }

    /// The estimate in a tally, with what the check finds in its scores.
    pub(crate) fn estimate(
        &self,
        state: &TallyState,
        spreading: VarianceSource,
        assessed: Option<&Assessed>,
        reporting: &IntervalOptions,
    ) -> Result<Estimate, Error> {
        to_estimate(self.method, &*self.fitted, state, &self.warnings, spreading, assessed, reporting)
    }

    /// The estimator as defined, alone.
    pub(crate) fn raw(&self, state: &TallyState) -> f64 {
        self.fitted.estimate(state).raw
    }
}

/// What the labelled sample itself gives reason to warn about.
fn fit_warnings(fitted: &dyn Quantify, rests_on_family: bool, training: &Training) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let sizes = training.sizes();
    let n = sizes.positive.min(sizes.negative);
    if n < FEW_LABELLED {
        warnings.push(Warning::FewLabelled { n });
    } else if let Some((n, effective)) = training.labelled().design().map(Design::smallest_class)
        && effective < FEW_LABELLED as f64
    {
        warnings.push(Warning::FewLabelledUnits { n, effective });
    }
    if rests_on_family && let Some(separation) = training.fitted() {
        for (class, distribution) in
            [(Class::Positive, separation.positive()), (Class::Negative, separation.negative())]
        {
            warnings.extend(distribution.boundary().map(|limit| Warning::AtLimit { class, limit }));
        }
    }
    let by_family = if rests_on_family { training.max_j_and_its_standard_error() } else { None };
    if let Some((difference, noise)) = fitted.separated(by_family)
        && difference < 3.0 * noise
    {
        warnings.push(Warning::WeakSeparation { difference, noise });
    }
    warnings.extend(fitted.fit_warnings());
    warnings
}
