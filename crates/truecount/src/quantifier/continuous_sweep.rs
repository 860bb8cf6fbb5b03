//! Continuous Sweep (Kloos, Karch, Meertens, Scholtus, de Rooij): α̂ = (1/|R|) ∫_R (CC(θ) − F⁻(θ))/J(θ) dθ over
//! R = {θ : J(θ) ≥ `p_Δ`}, computed as mean g − c; anchored in the sample, as (mean g − c₋)/(c₊ − c₋) with the means of g over
//! the labelled scores.

use super::Method;
use super::anchored::{LinearEstimator, RateSource};
use super::anchored_mean::AnchoredMean;
use super::estimate::{Estimate, VarianceSource, to_estimate};
use super::linear::Linear;
use super::method::{FamilyUse, FitOptions, KnownOptions, MethodRow, RatesFrom, SummaryKind, VarianceFrom};
use super::quantify::{Fitted, Quantify};
use super::raw_estimate::RawEstimate;
use crate::inference::{IntervalOptions, Learning};
use crate::sweep::{self, Atoms, ClassMoments, Integrals, PDelta, Region, Separation, breaks, optimal_region};
use crate::tally::{InfluenceFunction, TallyState};
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
        fit: |training, options| fit(training, Threshold::Fixed(PDelta::TRADITIONAL), options),
        known: Some(|separation, options| known(separation, Threshold::Fixed(PDelta::TRADITIONAL), options)),
        ..O_CS
    });

    /// Continuous Sweep: `o-cs` with the optimal threshold, `t-cs` with the traditional ¼, `cs` with another.
    pub fn continuous_sweep(threshold: Threshold) -> Self {
        match threshold {
            Threshold::Optimal => Self::O_CS,
            Threshold::Fixed(PDelta::TRADITIONAL) => Self::T_CS,
            Threshold::Fixed(threshold) => Self::with_threshold(&CS, threshold),
        }
    }
}

const O_CS: MethodRow = MethodRow {
    name: "o-cs",
    aliases: &[],
    summary: "Continuous Sweep, optimal threshold",
    reads: InputKind::Transformed,
    keeps: SummaryKind::Mean,
    family: FamilyUse::Everything,
    rates: RatesFrom::Anchor(RateSource::Model),
    in_model: None,
    takes_design: false,
    variance: VarianceFrom::Formula,
    fit: |training, options| fit(training, Threshold::Optimal, options),
    known: Some(|separation, options| known(separation, Threshold::Optimal, options)),
};

/// Every method of this row has a threshold.
const CS: MethodRow = MethodRow {
    name: "cs",
    summary: "Continuous Sweep",
    fit: |training, options| fit(training, own(options.threshold), options),
    known: Some(|separation, options| known(separation, own(options.threshold), options)),
    ..O_CS
};

fn own(threshold: Option<PDelta>) -> Threshold {
    threshold.map_or(Threshold::Optimal, Threshold::Fixed)
}

fn fit(training: &Training, threshold: Threshold, options: &FitOptions) -> Fitted {
    Ok(Arc::new(ContinuousSweep::fit(training, threshold, options.anchor)?))
}

fn known(separation: &Separation, threshold: Threshold, options: &KnownOptions) -> Fitted {
    Ok(Arc::new(ContinuousSweep::known(separation, threshold, options.optimal_at)?))
}

/// How `p_Δ` is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Threshold {
    /// The least variance at α = ½, unless another α is known.
    Optimal,
    /// This one.
    Fixed(PDelta),
}

impl FromStr for Threshold {
    type Err = Error;

    /// `optimal`, or a number.
    fn from_str(text: &str) -> Result<Self, Error> {
        match text.parse() {
            _ if text == "optimal" => Ok(Self::Optimal),
            Ok(number) => Ok(Self::Fixed(PDelta::new(number)?)),
            Err(_) => Err(Problem::UnknownThreshold { text: text.to_owned() }.into()),
        }
    }
}

impl Threshold {
    /// The region that the threshold cuts out, the optimal one at the prevalence alpha.
    pub(super) fn region(self, separation: &Separation, alpha: f64) -> Result<Region, Error> {
        match self {
            Self::Optimal => optimal_region(separation, alpha),
            Self::Fixed(p) => separation.region(p),
        }
    }
}

/// A Continuous Sweep.
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
/// // The standard error of a thousand scores, half of them positive:
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
    /// For two known distributions.
    ///
    /// # Errors
    /// [`Problem::ThresholdNotReached`] when a fixed threshold is not below max J; see also [`optimal_region`].
    pub fn new(separation: &Separation, threshold: Threshold) -> Result<Self, Error> {
        Self::known(separation, threshold, 0.5)
    }

    /// For two known distributions, with the optimal threshold at the prevalence alpha.
    fn known(separation: &Separation, threshold: Threshold, alpha: f64) -> Result<Self, Error> {
        let region = threshold.region(separation, alpha)?;
        let (influence, integrals) = Self::integrated(separation, &region);
        let anchored = LinearEstimator::known(integrals.moments());
        Ok(Self { threshold, region, linear: Linear::new(influence, anchored) })
    }

    fn fit(training: &Training, threshold: Threshold, anchor: RateSource) -> Result<Self, Error> {
        let separation = training.separation()?;
        let region = match threshold {
            Threshold::Optimal => training.optimal_region()?.clone(),
            Threshold::Fixed(p) => separation.region(p)?,
        };
        let (influence, integrals) = Self::integrated(separation, &region);
        let anchored = match anchor {
            RateSource::Model => {
                let learning = Learning::new(separation, Atoms::new(separation, &breaks(separation, &region), 1));
                let g: Vec<f64> = learning.atoms().scores().iter().map(|x| influence.value(*x)).collect();
                LinearEstimator::in_model(integrals.moments(), learning.project(&g), training.sizes())
                    .beside(&influence, training.column(InputKind::Transformed)?)
            }
            RateSource::Sample => LinearEstimator::in_sample(&influence, training.column(InputKind::Transformed)?)?,
        };
        if anchored.distance() <= 0.0 {
            return Err(Problem::NoSeparation { max_j: separation.max_j() }.into());
        }
        Ok(Self { threshold, region, linear: Linear::new(influence, anchored) })
    }

    fn integrated(separation: &Separation, region: &Region) -> (InfluenceFunction, Integrals) {
        let integrals = Integrals::new(separation, region);
        let influence = InfluenceFunction::Smooth(sweep::influence(separation, region, &integrals));
        (influence, integrals)
    }

    /// `p_Δ`.
    pub fn threshold(&self) -> PDelta {
        self.region.threshold()
    }

    /// R, in units of the (transformed) score.
    pub fn region(&self) -> &Region {
        &self.region
    }

    /// Mean and variance of g in both classes; anchored in the model, c is the mean among negatives.
    pub fn moments(&self) -> &PerClass<ClassMoments> {
        self.linear.moments()
    }

    /// The value a score adds, g(s): 0 on the far left and non-decreasing.
    pub fn influence(&self, score: f64) -> f64 {
        self.linear.influence(score)
    }

    /// The prevalence among these scores, with standard error and interval.
    ///
    /// # Errors
    /// [`Problem::NotFinite`] for a NaN or infinite score, [`Problem::NoTestScores`] for none.
    pub fn estimate(&self, scores: &[f64], reporting: &IntervalOptions) -> Result<Estimate, Error> {
        let mut state = self.empty();
        self.update(&mut state, scores)?;
        to_estimate(
            Method::continuous_sweep(self.threshold),
            self,
            &state,
            &[],
            VarianceSource::Formula,
            None,
            reporting,
        )
    }
}

impl Quantify for ContinuousSweep {
    fn empty(&self) -> TallyState {
        self.linear.empty()
    }

    fn update(&self, state: &mut TallyState, values: &[f64]) -> Result<(), Error> {
        self.linear.update(state, values)
    }

    fn estimate(&self, state: &TallyState) -> RawEstimate {
        self.linear.estimate(state)
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        self.linear.parameters()
    }

    fn means(&self) -> &[AnchoredMean] {
        self.linear.means()
    }
}
