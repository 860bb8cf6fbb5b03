//! Efficient Sweep: of all weighted sweeps ∫ w(θ) AC(θ) dθ the one with the least variance.
//!
//! It is the mean of the efficient score of the mixture at α₀,
//!
//! ```text
//! ψ(s) = (f⁺ − f⁻)/(α₀ f⁺ + (1−α₀) f⁻),    I = ∫ (f⁺ − f⁻)²/(α₀ f⁺ + (1−α₀) f⁻),    α̂ = α₀ + mean ψ / I,
//! ```
//!
//! unbiased for every α and of variance 1/(nI) at α = α₀, the Cramér–Rao bound. Two steps: α₀ = ½ first, then the α₀
//! nearest to that first estimate. The tally keeps what ψ needs at a few α₀, so nothing is read twice.
//!
//! Two of them: [`binned`], the default, whose ψ is a step function of the score and which takes its rates from the labelled
//! scores; and [`fitted`], which takes both from a family.

mod allocation;
mod binned;
mod fitted;
mod suppose;

pub use allocation::{Allocation, LabelInterval};
pub use binned::{BinnedSweep, CalibrationBin};
pub use suppose::Supposed;

use super::Method;
use super::anchored::RateSource;
use super::anchored_mean::AnchoredMean;
use super::method::{FamilyUse, MethodRow, RatesOrigin, SummaryKind, VarianceOrigin};
use super::raw_estimate::{EstimateSource, RawEstimate};
use crate::tally::SampleStatistics;
use crate::training::InputKind;
use crate::{Error, PerClass, Problem};
use std::sync::Arc;

impl Method {
    /// Efficient Sweep, `es`: the weighted sweep of least variance.
    pub const ES: Self = Self::from_row(&ES);
}

const ES: MethodRow = MethodRow {
    summary: "Efficient Sweep",
    input: InputKind::Score,
    summary_kind: SummaryKind::ScoreBins,
    family_use: FamilyUse::Unused,
    takes_label_design: true,
    model_rates: Some(&IN_MODEL),
    fit: |training, _| Ok(Arc::new(binned::fit(training)?)),
    ..IN_MODEL
};

/// With the rates of a fitted family.
const IN_MODEL: MethodRow = MethodRow {
    name: "es",
    aliases: &[],
    summary: "Efficient Sweep with the rates of a fitted family",
    input: InputKind::Balanced,
    summary_kind: SummaryKind::Means,
    family_use: FamilyUse::All,
    rates: RatesOrigin::Choice(RateSource::Sample),
    model_rates: None,
    takes_label_design: false,
    variance: VarianceOrigin::Formula,
    fit: |training, _| Ok(Arc::new(fitted::fit(training)?)),
    fit_known: Some(|separation, _| Ok(Arc::new(fitted::known(separation)))),
};

/// The α₀ of the second step; the first is ½. Evenly apart in log odds, roughly: at the nearest one the variance is within
/// about 2 % of the bound.
const STEPS: [f64; 11] = [0.03, 0.06, 0.11, 0.2, 0.35, FIRST, 0.65, 0.8, 0.89, 0.94, 0.97];
const FIRST: f64 = 0.5;

/// Those of rates taken from labelled scores. The outermost would rest on a handful of them: with 100 labels a class and a prevalence
/// of 0.02 intervals held less often for it, and with up to 1100 the error was no smaller, down to a prevalence of 0.004.
const LEARNT_STEPS: &[f64] = STEPS.split_at(1).1.split_at(9).0;

/// How many standard errors apart the labelled classes' means of ψ must be.
const SOUND: f64 = 3.0;

/// ψ at every α₀, with its rates.
#[derive(Clone, Debug)]
struct Steps(Vec<AnchoredMean>);

impl Steps {
    /// Far from ½, ψ is large for a few scores, and small labelled samples cannot tell its class means: such a step would add more
    /// noise than it takes away, and is left out.
    ///
    /// # Errors
    /// [`Problem::NoSeparationInMean`].
    fn sound(steps: Vec<AnchoredMean>) -> Result<Self, Error> {
        let is_sound = |step: &AnchoredMean| {
            step.anchored().class_difference().is_none_or(|(difference, noise)| difference > SOUND * noise)
        };
        let steps = Self(steps.into_iter().filter(|step| step.best_at() == FIRST || is_sound(step)).collect());
        let PerClass { positive, negative } = steps.first().anchored().moments().map(|m| m.mean);
        if positive > negative {
            Ok(steps)
        } else {
            Err(Problem::NoSeparationInMean { what: "the efficient score", positive, negative }.into())
        }
    }

    fn first(&self) -> &AnchoredMean {
        &self.0[self.nearest(FIRST)]
    }

    /// The step nearest to a prevalence, by its place.
    fn nearest(&self, alpha: f64) -> usize {
        AnchoredMean::nearest_index(&self.0, alpha).expect("the first step is one of them")
    }

    /// The second step, by its place, from what scores say of each.
    fn second(&self, sampled: impl Fn(usize) -> SampleStatistics) -> usize {
        let first = self.nearest(FIRST);
        self.nearest(self.0[first].anchored().raw(&sampled(first)))
    }

    /// What the second step finds.
    fn estimate(&self, sampled: impl Fn(usize) -> SampleStatistics) -> RawEstimate {
        let second = self.second(&sampled);
        let mut found = self.0[second].anchored().estimate(&sampled(second));
        if let Some(EstimateSource::Mean { place, .. }) = &mut found.origin {
            *place = second;
        }
        found
    }

    /// By how much the first step tells the labelled classes apart, if there are labelled scores.
    fn class_difference(&self) -> Option<(f64, f64)> {
        self.first().anchored().class_difference()
    }

    /// What the first step tells of the classes.
    fn learnt(&self) -> Vec<(&'static str, f64)> {
        vec![("information", self.first().anchored().mean_difference())]
    }
}
