//! Efficient Sweep, the weighted sweep ∫ w(θ) AC(θ) dθ with the smallest variance.
//!
//! The estimate is a mean of the efficient score of the mixture with a share q of positives,
//!
//! ```text
//! ψ(s) = (f⁺ − f⁻)/(q f⁺ + (1−q) f⁻),    I = ∫ (f⁺ − f⁻)²/(q f⁺ + (1−q) f⁻),    α̂ = q + mean ψ / I,
//! ```
//!
//! It is unbiased for every α. With known classes its variance at α = q is the Cramér–Rao bound,
//! 1/(nI). With rates of labelled scores another q is best, which also depends on the numbers of new
//! and labelled rows ([`super::score_choice`]). The estimate has three steps: the first with q = ½, the
//! others with the q that is best at the estimate of the step before. The tally has the statistics
//! of ψ at a few q, so that the scores are read only once.
//!
//! There are two versions: [`binned`], the default, has a step function ψ of the score and the
//! rates of the labelled scores. [`fitted`] has ψ and the rates of a family, and q = α.

mod allocation;
mod binned;
mod class_shares;
mod contamination;
mod fitted;

pub use allocation::{Allocation, LabelInterval};
pub use binned::{BinnedSweep, CalibrationBin};
pub use contamination::ContaminationEffect;

use super::Method;
use super::anchored::RateSource;
use super::anchored_mean::InfluenceMean;
use super::method::{FamilyUse, MethodRow, RatesOrigin, SummaryKind, VarianceOrigin};
use super::raw_estimate::{EstimateSource, RawEstimate};
use super::score_choice::{FIRST_Q, ScoreChoice};
use crate::inference::{Precision, Variance};
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
    input: InputKind::Balanced,
    summary_kind: SummaryKind::Means,
    family_use: FamilyUse::All,
    rates: RatesOrigin::Choice(RateSource::Labels),
    variance: VarianceOrigin::Formula,
    fit_known: Some(|separation, _| Ok(Arc::new(fitted::known(separation)))),
    ..MethodRow::new("es", "Efficient Sweep with the rates of a fitted family", |training, _| {
        Ok(Arc::new(fitted::fit(training)?))
    })
};

/// The number of standard errors by which the labelled class means of ψ must differ.
const MIN_DIFFERENCE: f64 = 3.0;

/// The score functions ψ, one for each q, with their estimators.
#[derive(Clone, Debug)]
struct ScoreFunctions {
    means: Vec<InfluenceMean>,
    choice: ScoreChoice,
}

impl ScoreFunctions {
    /// Creates the functions. `labelled` are the effective numbers of labelled scores, or `None` if
    /// the rates do not come from them.
    fn new(means: Vec<InfluenceMean>, labelled: Option<PerClass<f64>>) -> Self {
        let qs: Vec<f64> = means.iter().map(InfluenceMean::q).collect();
        Self { means, choice: ScoreChoice::new(&qs, labelled) }
    }

    /// Creates the functions, without those whose class means differ by too few standard errors.
    ///
    /// For q far from ½, ψ is large at a few scores, and small labelled samples determine its class
    /// means badly. Such a function would increase the variance.
    ///
    /// # Errors
    /// Returns [`Problem::ClassesNotSeparatedInMean`] if the mean of ψ at q = ½ is not higher for the
    /// positives.
    fn separated(means: Vec<InfluenceMean>, labelled: Option<PerClass<f64>>) -> Result<Self, Error> {
        let is_separated = |mean: &InfluenceMean| {
            mean.estimator().class_difference().is_none_or(|(difference, noise)| difference > MIN_DIFFERENCE * noise)
        };
        let separated = means.into_iter().filter(|mean| mean.q() == FIRST_Q || is_separated(mean)).collect();
        let functions = Self::new(separated, labelled);
        let PerClass { positive, negative } = functions.first().estimator().moments().map(|m| m.mean);
        if positive > negative {
            Ok(functions)
        } else {
            Err(Problem::ClassesNotSeparatedInMean { what: "the efficient score", positive, negative }.into())
        }
    }

    fn first(&self) -> &InfluenceMean {
        &self.means[self.choice.first()]
    }

    /// Returns the function for an estimate from n test scores.
    fn at(&self, estimate: f64, n: f64) -> &InfluenceMean {
        &self.means[self.choice.function_for(estimate, n)]
    }

    /// Returns the index of the function of the last step. `statistics` returns the test statistics
    /// of the function with an index, and n is the effective number of test scores if their design
    /// changes it.
    fn final_function(&self, statistics: impl Fn(usize) -> SampleStatistics, n: Option<f64>) -> usize {
        (0..ScoreChoice::LATER_STEPS).fold(self.choice.first(), |function, _| {
            let statistics = statistics(function);
            let n = n.unwrap_or(statistics.effective_size);
            self.choice.function_for(self.means[function].estimator().raw(&statistics), n)
        })
    }

    /// Returns the estimate of the last step.
    fn estimate(&self, statistics: impl Fn(usize) -> SampleStatistics, n: Option<f64>) -> RawEstimate {
        let last = self.final_function(&statistics, n);
        let mut estimate = self.means[last].estimator().estimate(&statistics(last));
        if let Some(EstimateSource::Mean { function, .. }) = &mut estimate.origin {
            *function = last;
        }
        estimate
    }

    /// Returns the variance with the function of the first step.
    fn first_step_variance(&self, statistics: impl Fn(usize) -> SampleStatistics) -> Option<Variance> {
        self.first().estimator().estimate(&statistics(self.choice.first())).variance
    }

    /// Returns the precision of every function, if it has one.
    fn precisions(&self) -> Vec<Precision> {
        self.means.iter().filter_map(|mean| mean.estimator().precision()).collect()
    }

    /// Returns the difference of the class means of ψ at the first step and its standard error, if
    /// the rates are estimated.
    fn class_difference(&self) -> Option<(f64, f64)> {
        self.first().estimator().class_difference()
    }

    /// Returns the information at q = ½.
    fn parameters(&self) -> Vec<(&'static str, f64)> {
        vec![("information", self.first().estimator().mean_difference())]
    }
}
