//! Efficient Sweep, the weighted sweep ∫ w(θ) AC(θ) dθ with the smallest variance.
//!
//! The estimate is a mean of the efficient score of the mixture at α₀,
//!
//! ```text
//! ψ(s) = (f⁺ − f⁻)/(α₀ f⁺ + (1−α₀) f⁻),    I = ∫ (f⁺ − f⁻)²/(α₀ f⁺ + (1−α₀) f⁻),    α̂ = α₀ + mean ψ / I,
//! ```
//!
//! It is unbiased for every α, and its variance at α = α₀ is the Cramér–Rao bound, 1/(nI). The
//! estimate has two steps: the first with α₀ = ½, the second with the α₀ nearest to the first
//! estimate. The tally has the statistics of ψ at a few α₀, so that the scores are read only once.
//!
//! There are two versions: [`binned`], the default, has a step function ψ of the score and the
//! rates of the labelled scores. [`fitted`] has ψ and the rates of a family.

mod allocation;
mod binned;
mod fitted;
mod suppose;

pub use allocation::{Allocation, LabelInterval};
pub use binned::{BinnedSweep, CalibrationBin};
pub use suppose::ContaminationEffect;

use super::Method;
use super::anchored::RateSource;
use super::anchored_mean::InfluenceMean;
use super::method::{FamilyUse, MethodRow, RatesOrigin, SummaryKind, VarianceOrigin};
use super::raw_estimate::{EstimateSource, RawEstimate};
use crate::tally::SampleStatistics;
use crate::training::InputKind;
use crate::{Error, PerClass, Problem};
use std::sync::Arc;

impl Method {
    /// Efficient Sweep, `es`: the weighted sweep with the smallest variance.
    pub const ES: Self = Self::from_row(&ES);
}

const ES: MethodRow = MethodRow {
    summary: "Efficient Sweep",
    input: InputKind::Score,
    summary_kind: SummaryKind::ScoreBins,
    family_use: FamilyUse::Unused,
    takes_label_design: true,
    model_rates: Some(&ES_WITH_MODEL_RATES),
    fit: |training, _| Ok(Arc::new(binned::fit(training)?)),
    ..ES_WITH_MODEL_RATES
};

/// Efficient Sweep with the rates of a fitted family.
const ES_WITH_MODEL_RATES: MethodRow = MethodRow {
    name: "es",
    aliases: &[],
    summary: "Efficient Sweep with the rates of a fitted family",
    input: InputKind::Balanced,
    summary_kind: SummaryKind::Means,
    family_use: FamilyUse::All,
    rates: RatesOrigin::Choice(RateSource::Labels),
    model_rates: None,
    takes_label_design: false,
    variance: VarianceOrigin::Formula,
    fit: |training, _| Ok(Arc::new(fitted::fit(training)?)),
    fit_known: Some(|separation, _| Ok(Arc::new(fitted::known(separation)))),
};

/// The α₀ of the second step, spaced about evenly in log odds, so that at the nearest one the
/// variance is within about 2 % of the bound.
const ALPHAS: [f64; 11] = [0.03, 0.06, 0.11, 0.2, 0.35, FIRST_ALPHA, 0.65, 0.8, 0.89, 0.94, 0.97];

/// The α₀ of the first step.
const FIRST_ALPHA: f64 = 0.5;

/// The α₀ for rates of the labelled scores.
///
/// The outermost [`ALPHAS`] are omitted, as their rates would depend on a handful of scores. With
/// them, intervals for 100 labels a class and a prevalence of 0.02 had a lower coverage. With up to
/// 1100 labels the errors were no smaller, down to a prevalence of 0.004.
const SAMPLE_RATE_ALPHAS: &[f64] = ALPHAS.split_at(1).1.split_at(9).0;

/// The number of standard errors by which the labelled class means of ψ must differ.
const MIN_DIFFERENCE: f64 = 3.0;

/// ψ at every α₀, with its estimators.
#[derive(Clone, Debug)]
struct Steps(Vec<InfluenceMean>);

impl Steps {
    /// Returns the steps without those whose class means are too uncertain.
    ///
    /// For α₀ far from ½, ψ is large at a few scores, and small labelled samples determine its
    /// class means badly. Such a step would increase the variance.
    ///
    /// # Errors
    /// Returns [`Problem::NoSeparationInMean`] if the mean of ψ at α₀ = ½ is not higher for the
    /// positives.
    fn new(steps: Vec<InfluenceMean>) -> Result<Self, Error> {
        let is_certain = |step: &InfluenceMean| {
            step.estimator().class_difference().is_none_or(|(difference, noise)| difference > MIN_DIFFERENCE * noise)
        };
        let steps = Self(steps.into_iter().filter(|step| step.best_at() == FIRST_ALPHA || is_certain(step)).collect());
        let PerClass { positive, negative } = steps.first().estimator().moments().map(|m| m.mean);
        if positive > negative {
            Ok(steps)
        } else {
            Err(Problem::NoSeparationInMean { what: "the efficient score", positive, negative }.into())
        }
    }

    fn first(&self) -> &InfluenceMean {
        &self.0[self.nearest(FIRST_ALPHA)]
    }

    /// Returns the index of the step nearest to a prevalence.
    fn nearest(&self, alpha: f64) -> usize {
        InfluenceMean::nearest_index(&self.0, alpha).expect("there is a first step")
    }

    /// Returns the index of the second step, from the statistics of ψ at the index of a step.
    fn second_step(&self, statistics: impl Fn(usize) -> SampleStatistics) -> usize {
        let first = self.nearest(FIRST_ALPHA);
        self.nearest(self.0[first].estimator().raw(&statistics(first)))
    }

    /// Returns the estimate of the second step.
    fn estimate(&self, statistics: impl Fn(usize) -> SampleStatistics) -> RawEstimate {
        let second = self.second_step(&statistics);
        let mut estimate = self.0[second].estimator().estimate(&statistics(second));
        if let Some(EstimateSource::Mean { function: place, .. }) = &mut estimate.origin {
            *place = second;
        }
        estimate
    }

    /// Returns the difference of the class means of ψ at the first step and its standard error, if
    /// the rates are estimated.
    fn class_difference(&self) -> Option<(f64, f64)> {
        self.first().estimator().class_difference()
    }

    /// Returns the information at α₀ = ½.
    fn parameters(&self) -> Vec<(&'static str, f64)> {
        vec![("information", self.first().estimator().mean_difference())]
    }
}
