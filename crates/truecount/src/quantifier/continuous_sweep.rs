//! Continuous Sweep (Kloos, Karch, Meertens, Scholtus, de Rooij): α̂ = (1/|R|) ∫_R (CC(θ) − F⁻(θ))/J(θ) dθ over
//! R = {θ : J(θ) ≥ `p_Δ`}, computed as mean g − c; anchored in the sample, as (mean g − c₋)/(c₊ − c₋) with the means of g over
//! the labelled scores.

use super::anchored::{Anchor, Anchored};
use super::linear::Linear;
use crate::inference::Learning;
use crate::sweep::{self, Atoms, ClassMoments, Integrals, PDelta, Region, Separation, breaks, optimal_region};
use crate::tally::Influence;
use crate::training::{Column, Training};
use crate::{Error, PerClass};

/// How `p_Δ` is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// The least variance at α = ½, unless another α is known.
    Optimal,
    /// This one.
    Fixed(PDelta),
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
    region: Region,
    linear: Linear,
}

impl ContinuousSweep {
    /// For two known distributions.
    ///
    /// # Errors
    /// [`Error::ThresholdNotReached`] when a fixed threshold is not below max J; see also [`optimal_region`].
    pub fn new(separation: &Separation, threshold: Threshold) -> Result<Self, Error> {
        Ok(Self::known(separation, threshold.region(separation, 0.5)?))
    }

    /// For two known distributions.
    pub(super) fn known(separation: &Separation, region: Region) -> Self {
        let (influence, integrals) = Self::influence(separation, &region);
        let anchored = Anchored::known(integrals.moments());
        Self { region, linear: Linear::new(Column::Transformed, influence, anchored) }
    }

    pub(super) fn fit(training: &Training, threshold: Threshold, anchor: Anchor) -> Result<Self, Error> {
        let separation = training.separation()?;
        let region = match threshold {
            Threshold::Optimal => training.optimal_region()?.clone(),
            Threshold::Fixed(p) => separation.region(p)?,
        };
        let (influence, integrals) = Self::influence(separation, &region);
        let anchored = match anchor {
            Anchor::Model => {
                let learning = Learning::new(separation, Atoms::new(separation, &breaks(separation, &region), 1));
                let g: Vec<f64> = learning.atoms().scores().iter().map(|x| influence.value(*x)).collect();
                Anchored::in_model(integrals.moments(), learning.of(&g), training.sizes())
            }
            Anchor::Sample => Anchored::in_sample(&influence, training.column(Column::Transformed)?)?,
        };
        if anchored.distance() <= 0.0 {
            return Err(Error::NoSeparation { max_j: separation.max_j() });
        }
        Ok(Self { region, linear: Linear::new(Column::Transformed, influence, anchored) })
    }

    fn influence(separation: &Separation, region: &Region) -> (Influence, Integrals) {
        let integrals = Integrals::new(separation, region);
        let influence = Influence::Smooth(sweep::influence(separation, region, &integrals));
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

    /// What tallies and estimates.
    pub fn linear(&self) -> &Linear {
        &self.linear
    }
}
