//! Continuous Sweep (Kloos, Karch, Meertens, Scholtus, de Rooij).
//!
//! ```text
//! α̂ = (1/|R|) ∫_R (CC(θ) − F⁻(θ))/J(θ) dθ,    R = {θ : J(θ) ≥ p_Δ}
//! ```
//!
//! With the rates of the family the estimate is computed as mean g − c. With the rates of the
//! labelled scores it is (mean g − c₋)/(c₊ − c₋), where c± are the means of g over the labelled
//! scores.

use super::Method;
use super::anchored::{LinearEstimator, RateSource};
use super::anchored_mean::InfluenceMean;
use super::estimate::{Estimate, VarianceSource, to_estimate};
use super::linear::Linear;
use super::method::{FamilyUse, FitOptions, KnownOptions, MethodRow, RatesOrigin, VarianceOrigin};
use super::quantify::{FitResult, Quantify};
use super::raw_estimate::RawEstimate;
use crate::inference::{IntervalOptions, TangentSpaces};
use crate::sweep::{self, Atoms, ClassMoments, Integrals, MinSeparation, Region, Separation, breaks, optimal_region};
use crate::tally::{InfluenceFunction, MethodTally};
use crate::training::{InputKind, Training};
use crate::{Error, PerClass, Problem};
use std::str::FromStr;
use std::sync::Arc;

impl Method {
    /// Continuous Sweep with the optimal threshold.
    pub const O_CS: Self = Self::from_row(&O_CS);
    /// Continuous Sweep with the traditional threshold ¼.
    pub const T_CS: Self = Self::from_row(&MethodRow {
        name: "t-cs",
        summary: "Continuous Sweep, traditional threshold 1/4",
        fit: |training, options| fit(training, Threshold::Fixed(MinSeparation::TRADITIONAL), options),
        fit_known: Some(|separation, options| known(separation, Threshold::Fixed(MinSeparation::TRADITIONAL), options)),
        ..O_CS
    });

    /// Returns Continuous Sweep with this threshold: `o-cs` for the optimal threshold, `t-cs` for
    /// the traditional ¼, and `cs` for any other.
    pub fn continuous_sweep(threshold: Threshold) -> Self {
        match threshold {
            Threshold::Optimal => Self::O_CS,
            Threshold::Fixed(MinSeparation::TRADITIONAL) => Self::T_CS,
            Threshold::Fixed(threshold) => Self::with_threshold(&CS, threshold),
        }
    }
}

const O_CS: MethodRow = MethodRow {
    input: InputKind::Transformed,
    family_use: FamilyUse::All,
    rates: RatesOrigin::Choice(RateSource::Family),
    variance: VarianceOrigin::Formula,
    fit_known: Some(|separation, options| known(separation, Threshold::Optimal, options)),
    ..MethodRow::new("o-cs", "Continuous Sweep, optimal threshold", |training, options| {
        fit(training, Threshold::Optimal, options)
    })
};

/// The row of Continuous Sweep with a fixed threshold, which is in the options.
const CS: MethodRow = MethodRow {
    name: "cs",
    summary: "Continuous Sweep",
    fit: |training, options| fit(training, fixed_or_optimal(options.threshold), options),
    fit_known: Some(|separation, options| known(separation, fixed_or_optimal(options.threshold), options)),
    ..O_CS
};

fn fixed_or_optimal(threshold: Option<MinSeparation>) -> Threshold {
    threshold.map_or(Threshold::Optimal, Threshold::Fixed)
}

fn fit(training: &Training, threshold: Threshold, options: &FitOptions) -> FitResult {
    Ok(Arc::new(ContinuousSweep::fit(training, threshold, options.rates)?))
}

fn known(separation: &Separation, threshold: Threshold, options: &KnownOptions) -> FitResult {
    Ok(Arc::new(ContinuousSweep::known(separation, threshold, options.optimal_at)?))
}

/// The choice of `p_Δ`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Threshold {
    /// The threshold with the smallest variance, at α = ½ unless another α is given.
    Optimal,
    /// A fixed threshold.
    Fixed(MinSeparation),
}

impl FromStr for Threshold {
    type Err = Error;

    /// Parses `optimal` or a number.
    ///
    /// # Errors
    /// Returns [`Problem::ThresholdUnknown`] for any other text, and
    /// [`Problem::ParameterOutOfRange`] for a number outside [1e-6, 1).
    fn from_str(text: &str) -> Result<Self, Error> {
        match text.parse() {
            _ if text == "optimal" => Ok(Self::Optimal),
            Ok(number) => Ok(Self::Fixed(MinSeparation::new(number)?)),
            Err(_) => Err(Problem::ThresholdUnknown { text: text.to_owned() }.into()),
        }
    }
}

impl Threshold {
    /// Returns the region where J is at least the threshold; the optimal threshold is that for the
    /// prevalence alpha.
    pub(super) fn region(self, separation: &Separation, alpha: f64) -> Result<Region, Error> {
        match self {
            Self::Optimal => optimal_region(separation, alpha),
            Self::Fixed(p) => separation.region(p),
        }
    }
}

/// A fitted Continuous Sweep.
///
/// # Examples
/// ```
/// use truecount::distribution::Normal;
/// use truecount::quantifier::{ContinuousSweep, Threshold};
/// use truecount::sweep::Separation;
/// # fn main() -> Result<(), truecount::Error> {
/// let normal = |mean| Normal::new(mean, 1.0);
/// let sweep = ContinuousSweep::new(&Separation::new(normal(1.0)?.into(), normal(0.0)?.into())?, Threshold::Optimal)?;
/// assert!((sweep.threshold().value() - 0.16218).abs() < 1e-5);
/// // The standard error from a thousand scores, half of them positive:
/// assert!(((sweep.moments().variance(0.5) / 1000.0).sqrt() - 0.031522).abs() < 1e-6);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct ContinuousSweep {
    threshold: Threshold,
    region: Region,
    linear: Linear,
}

impl ContinuousSweep {
    /// Returns the sweep for two known distributions.
    ///
    /// # Errors
    /// Returns [`Problem::ThresholdNotReached`] if a fixed threshold is not below max J, and the
    /// errors of [`optimal_region`] for the optimal threshold.
    pub fn new(separation: &Separation, threshold: Threshold) -> Result<Self, Error> {
        Self::known(separation, threshold, 0.5)
    }

    /// Returns the sweep for two known distributions; an optimal threshold is that for the
    /// prevalence alpha.
    fn known(separation: &Separation, threshold: Threshold, alpha: f64) -> Result<Self, Error> {
        let region = threshold.region(separation, alpha)?;
        let (influence, integrals) = Self::integrate(separation, &region);
        let estimator = LinearEstimator::with_known_rates(integrals.moments());
        Ok(Self { threshold, region, linear: Linear::new(influence, estimator) })
    }

    fn fit(training: &Training, threshold: Threshold, rates: RateSource) -> Result<Self, Error> {
        let separation = training.separation()?;
        let region = match threshold {
            Threshold::Optimal => training.optimal_region()?.clone(),
            Threshold::Fixed(p) => separation.region(p)?,
        };
        let (influence, integrals) = Self::integrate(separation, &region);
        let estimator = match rates {
            RateSource::Family => {
                let learning = TangentSpaces::new(separation, Atoms::new(separation, &breaks(separation, &region), 1));
                let g: Vec<f64> = learning.atoms().scores().iter().map(|x| influence.value(*x)).collect();
                LinearEstimator::with_model_rates(integrals.moments(), learning.project(&g), training.sizes())
                    .with_misfit(&influence, training.column(InputKind::Transformed)?)
            }
            RateSource::Labels => {
                LinearEstimator::with_sample_rates(&influence, training.column(InputKind::Transformed)?)?
            }
        };
        if estimator.mean_difference() <= 0.0 {
            return Err(Problem::ClassesNotSeparated { max_j: separation.max_j() }.into());
        }
        Ok(Self { threshold, region, linear: Linear::new(influence, estimator) })
    }

    fn integrate(separation: &Separation, region: &Region) -> (InfluenceFunction, Integrals) {
        let integrals = Integrals::new(separation, region);
        let influence = InfluenceFunction::Smooth(sweep::influence(separation, region, &integrals));
        (influence, integrals)
    }

    /// Returns `p_Δ`.
    pub fn threshold(&self) -> MinSeparation {
        self.region.threshold()
    }

    /// Returns R, in units of the (transformed) score.
    pub fn region(&self) -> &Region {
        &self.region
    }

    /// Returns the mean and the variance of g in both classes. With the rates of the family, c is
    /// the mean among the negatives.
    pub fn moments(&self) -> &PerClass<ClassMoments> {
        self.linear.moments()
    }

    /// Returns g(s), which is non-decreasing, and 0 for small scores.
    pub fn influence(&self, score: f64) -> f64 {
        self.linear.influence(score)
    }

    /// Returns the prevalence among these scores, with standard error and interval.
    ///
    /// # Errors
    /// Returns [`Problem::ScoreNotFinite`] if a score is NaN or infinite, and
    /// [`Problem::NoTestScores`] if there are no scores.
    pub fn estimate(&self, scores: &[f64], options: &IntervalOptions) -> Result<Estimate, Error> {
        let mut state = self.empty_state();
        self.update(&mut state, scores)?;
        to_estimate(
            Method::continuous_sweep(self.threshold),
            self,
            &state,
            (&[], None),
            VarianceSource::Formula,
            None,
            options,
        )
    }
}

impl Quantify for ContinuousSweep {
    fn empty_state(&self) -> MethodTally {
        self.linear.empty_state()
    }

    fn update(&self, state: &mut MethodTally, values: &[f64]) -> Result<(), Error> {
        self.linear.update(state, values)
    }

    fn estimate(&self, state: &MethodTally) -> RawEstimate {
        self.linear.estimate(state)
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        self.linear.parameters()
    }

    fn anchored_means(&self) -> &[InfluenceMean] {
        self.linear.anchored_means()
    }
}
