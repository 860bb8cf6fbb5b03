//! Fitted quantifiers.

use super::anchored::RateSource;
use super::anchored_mean::InfluenceMean;
use super::continuous_sweep::ContinuousSweep;
use super::efficient_sweep::BinnedSweep;
use super::estimate::{Estimate, VarianceSource, to_estimate};
use super::method::{FitOptions, KnownOptions, Method};
use super::quantify::Quantify;
use super::score_choice::ScoreChoice;
use crate::design::LabelDesign;
use crate::distribution::Distribution;
use crate::inference::{FEW_LABELLED, IntervalOptions, MisfitAssessment, Precision, Warning};
use crate::plan::{HalfWidth, Planner, WorstCaseSearch};
use crate::sweep::Separation;
use crate::tally::{MethodTally, SampleStatistics};
use crate::training::{InputKind, Training};
use crate::{Class, Error, Operation};
use std::any::Any;
use std::sync::Arc;

/// The number of standard errors by which the labelled classes must differ.
const MIN_SEPARATION: f64 = 3.0;

/// A method that is fitted to labelled scores or to known distributions.
#[derive(Clone, Debug)]
pub struct Quantifier {
    method: Method,
    fitted: Arc<dyn Quantify>,
    trusts_family: bool,
    /// The p-value of the fitted family, if the method trusts the family.
    family_p_value: Option<f64>,
    warnings: Vec<Warning>,
}

impl Quantifier {
    /// Fits a method to the labelled scores. `rates` is the source of the rates, by default that
    /// of the method.
    ///
    /// # Errors
    /// Returns an error if the method does not support the design of the labelled scores or cannot
    /// be fitted to them.
    pub(crate) fn fit(
        method: Method,
        training: &Training,
        cutoff: f64,
        rates: Option<RateSource>,
    ) -> Result<Self, Error> {
        let method = method.anchored(rates);
        method.check_design(training.labelled())?;
        let rates = rates.or(method.default_rates()).unwrap_or(RateSource::Labels);
        let fitted = (method.row().fit)(training, &FitOptions { cutoff, rates, threshold: method.threshold() })?;
        let with_probabilities = training.labelled().probabilities().is_some();
        let mut warnings = fit_warnings(&*fitted, method.rests_on_family(with_probabilities), training);
        if method.needs_calibrated_posteriors()
            && let Some(calibration) = training.cox_calibration()
        {
            warnings.extend(Warning::for_calibration(calibration, training.prior()));
        }
        let trusts_family = method.trusts_family(rates, with_probabilities);
        if trusts_family {
            warnings.extend(training.few_values().map(|values| Warning::FewValues { values }));
        }
        let family_p_value = if trusts_family { training.family_p_value() } else { None };
        Ok(Self { method, fitted, trusts_family, family_p_value, warnings })
    }

    /// Fits a method to two known distributions. `prior` is the prior of posterior probabilities,
    /// and `optimal_at` the prevalence for the optimal threshold.
    ///
    /// # Errors
    /// Returns the error of [`Operation::KnownDistributions`] if the method needs labelled scores,
    /// and the errors of its fit.
    pub(crate) fn known(method: Method, separation: &Separation, prior: f64, optimal_at: f64) -> Result<Self, Error> {
        let method = method.anchored(Some(RateSource::Family));
        let fit = method.row().fit_known.ok_or_else(|| Operation::KnownDistributions.unsupported_by([method]))?;
        let fitted = fit(separation, &KnownOptions { prior, optimal_at, threshold: method.threshold() })?;
        Ok(Self { method, fitted, trusts_family: false, family_p_value: None, warnings: Vec::new() })
    }

    /// Returns the method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Returns threshold and region if the method is a Continuous Sweep.
    pub fn sweep(&self) -> Option<&ContinuousSweep> {
        (&*self.fitted as &dyn Any).downcast_ref()
    }

    /// Returns bins, calibration curve and influence functions if the method is an Efficient Sweep
    /// on bins.
    pub fn binned_sweep(&self) -> Option<&BinnedSweep> {
        (&*self.fitted as &dyn Any).downcast_ref()
    }

    /// Describes the errors that the standard error and the interval include, or returns `None` if
    /// there is no formula.
    pub fn variance_sources(&self) -> Option<&'static str> {
        self.fitted.variance_description()
    }

    /// Returns the variance of estimates near the prevalence alpha from n test scores by source.
    ///
    /// Returns `None` if there is no formula, and for the uncorrected counts, whose bias can exceed
    /// their standard error.
    pub fn precision(&self, alpha: f64, n: f64) -> Option<Precision> {
        self.fitted.precision(alpha, n)
    }

    /// Returns a planner of sample sizes with these labelled scores as the pilot sample, at one
    /// prevalence or at the worst.
    ///
    /// # Errors
    /// * The error of [`Operation::Plan`] if sizes cannot be planned for the method;
    /// * [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) if the prevalence is
    ///   not in [0, 1];
    /// * [`Problem::ClassesNotSeparated`](crate::Problem::ClassesNotSeparated) if the precision is not finite.
    pub fn planner(&self, prevalence: Option<f64>, options: &IntervalOptions) -> Result<Planner, Error> {
        self.planner_with((prevalence, WorstCaseSearch::Exact), options)
    }

    /// Returns a planner that searches for the worst prevalence in a coarse grid, for the many plans
    /// of resamples.
    ///
    /// # Errors
    /// Returns the errors of [`planner`](Self::planner).
    pub fn rough_planner(&self, prevalence: Option<f64>, options: &IntervalOptions) -> Result<Planner, Error> {
        self.planner_with((prevalence, WorstCaseSearch::Rough), options)
    }

    fn planner_with(
        &self,
        prevalences: (Option<f64>, WorstCaseSearch),
        options: &IntervalOptions,
    ) -> Result<Planner, Error> {
        self.method.check_precision()?;
        if self.fitted.precisions(0.5).is_empty() {
            return Err(self
                .method
                .no_precision("relies on the given probabilities, so that its error does not depend on the labels"));
        }
        Ok(Planner::new(|alpha| self.fitted.precisions(alpha), prevalences, options)?
            .with_half_width(HalfWidth::Interval(self.fitted.precision_grid())))
    }

    /// Returns the warnings about the labelled scores and the fit.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns the names and values of the fitted parameters.
    pub fn parameters(&self) -> Vec<(&'static str, f64)> {
        self.fitted.parameters()
    }

    /// Returns whether the rates or densities come from the fitted family, so that a wrong family
    /// biases the estimates.
    pub fn trusts_family(&self) -> bool {
        self.trusts_family
    }

    /// Returns the kind of value that the method reads for each test score.
    pub(crate) fn reads(&self) -> InputKind {
        self.method.row().input
    }

    /// Returns an empty state of a tally.
    pub(crate) fn empty(&self) -> MethodTally {
        self.fitted.empty_state()
    }

    /// Returns the functions of the score whose means determine the estimate; empty if the method
    /// needs more than means.
    pub(crate) fn means(&self) -> &[InfluenceMean] {
        self.fitted.anchored_means()
    }

    /// Returns the rule that chooses among several functions; `None` for a method with one.
    pub(crate) fn score_choice(&self) -> Option<&ScoreChoice> {
        self.fitted.score_choice()
    }

    /// Returns the index of the function whose mean gives the estimate from a state.
    pub(crate) fn mean_index(&self, state: &MethodTally) -> usize {
        self.fitted.mean_index(state)
    }

    /// Returns the statistics of one function over the test scores.
    pub(crate) fn sample_statistics(&self, state: &MethodTally, index: usize) -> SampleStatistics {
        self.fitted.sample_statistics(state, index)
    }

    /// Returns the inner edges of the bins, if the method needs only counts in bins.
    pub(crate) fn bin_edges(&self) -> Vec<f64> {
        self.fitted.bin_edges()
    }

    /// Returns an empty state of weighted scores, or `None` if the method takes no weights.
    pub(crate) fn weighted_empty(&self) -> Option<MethodTally> {
        self.fitted.empty_weighted_state()
    }

    /// Adds input values of test scores to a state.
    pub(crate) fn update(&self, state: &mut MethodTally, values: &[f64]) -> Result<(), Error> {
        self.fitted.update(state, values)
    }

    /// Adds checked input values with their weights to a weighted state.
    pub(crate) fn push_weighted(&self, state: &mut MethodTally, values: &[f64], weights: &[f64]) {
        self.fitted.update_weighted(state, values, weights);
    }

    /// Returns the estimate from the state of a tally. `assessed` is the result of the shift check.
    pub(crate) fn estimate(
        &self,
        state: &MethodTally,
        variance_source: VarianceSource,
        assessed: Option<&MisfitAssessment>,
        options: &IntervalOptions,
    ) -> Result<Estimate, Error> {
        let known = (&self.warnings[..], self.family_p_value);
        to_estimate(self.method, &*self.fitted, state, known, variance_source, assessed, options)
    }

    /// Returns the unclipped estimate.
    pub(crate) fn raw(&self, state: &MethodTally) -> f64 {
        self.fitted.estimate(state).raw
    }
}

/// Returns the number and the effective number of the labelled scores of the class with fewer, if
/// they are fewer than ten or if their weights are as uneven as those of test scores that have a
/// warning. Clusters count as units.
fn few_effective_labels(design: &LabelDesign) -> Option<(u64, f64)> {
    let (sizes, units, effective) =
        (design.normalized_weights().sizes(), design.class_units(), design.effective_sizes());
    let few = |n: u64, units: f64, effective: f64| {
        let smaller = units.min(effective);
        let is_few = smaller < FEW_LABELLED as f64 || Warning::for_weights(n, effective).is_some();
        is_few.then_some((n, smaller))
    };
    let positive = few(sizes.positive, units.positive, effective.positive);
    let negative = few(sizes.negative, units.negative, effective.negative);
    positive.into_iter().chain(negative).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Returns the warnings about the labelled scores and the fit.
fn fit_warnings(fitted: &dyn Quantify, rests_on_family: bool, training: &Training) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let sizes = training.sizes();
    let n = sizes.positive.min(sizes.negative);
    if n < FEW_LABELLED {
        warnings.push(Warning::FewLabelled { n });
    } else if let Some((n, effective)) = training.labelled().design().and_then(few_effective_labels) {
        warnings.push(Warning::FewLabelledUnits { n, effective });
    }
    if training.labelled().clusters().is_none() {
        warnings.extend(training.copies().map(|times| Warning::CopiedLabels { times }));
    }
    if training.is_perfectly_separated() {
        warnings.push(Warning::PerfectSeparation);
    }
    let code = training.labelled().missing_code();
    warnings.extend(code.map(|(class, value)| Warning::MissingCode { class, value }));
    if rests_on_family && let Some(separation) = training.fitted() {
        for (class, distribution) in
            [(Class::Positive, separation.positive()), (Class::Negative, separation.negative())]
        {
            warnings.extend(distribution.boundary().map(|limit| Warning::BoundaryFit { class, limit }));
        }
    }
    let by_family = if rests_on_family { training.max_j_and_its_standard_error() } else { None };
    if let Some((difference, noise)) = fitted.class_difference(by_family)
        && difference < MIN_SEPARATION * noise
    {
        warnings.push(Warning::WeakSeparation { difference, noise });
    }
    warnings.extend(fitted.fit_warnings());
    warnings
}
