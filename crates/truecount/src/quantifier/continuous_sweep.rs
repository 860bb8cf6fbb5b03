//! Continuous Sweep (Kloos, Karch, Meertens, Scholtus, de Rooij): α̂ = (1/|R|) ∫_R (CC(θ) − F⁻(θ))/J(θ) dθ over
//! R = {θ : J(θ) ≥ `p_Δ`}, computed as mean g − c.

use super::influence::Influence;
use super::linear::{Anchor, Linear};
use crate::Error;
use crate::inference::Warning;
use crate::sweep::{self, Integrals, PDelta, Region, Separation, SweepMoments, optimal_region};

/// How `p_Δ` is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// The least variance at α = ½.
    Optimal,
    /// This one.
    Fixed(PDelta),
}

/// A Continuous Sweep for two known distributions.
///
/// # Examples
/// ```
/// use truecount::distribution::{Normal, ScoreDistribution};
/// use truecount::quantifier::{ContinuousSweep, Threshold};
/// use truecount::sweep::Separation;
/// # fn main() -> Result<(), truecount::Error> {
/// let normal = |mean| Normal::new(mean, 1.0).map(ScoreDistribution::Normal);
/// let sweep = ContinuousSweep::new(&Separation::new(normal(1.0)?, normal(0.0)?)?, Threshold::Optimal)?;
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
    /// # Errors
    /// [`Error::ThresholdNotReached`] when a fixed threshold is not below max J; see also [`optimal_region`].
    pub fn new(separation: &Separation, threshold: Threshold) -> Result<Self, Error> {
        let region = match threshold {
            Threshold::Optimal => optimal_region(separation, 0.5)?,
            Threshold::Fixed(p) => separation.region(p)?,
        };
        let integrals = Integrals::new(separation, &region);
        let influence = Influence::Smooth(sweep::influence(separation, &region, &integrals));
        let linear = Linear::new(influence, Anchor::ClassMeans, integrals.moments());
        Ok(Self { region, linear })
    }

    /// Attaches warnings about the fit, repeated with every estimate.
    pub(super) fn warning(self, warnings: Vec<Warning>) -> Self {
        Self { linear: self.linear.warning(warnings), ..self }
    }

    /// `p_Δ`.
    pub fn threshold(&self) -> PDelta {
        self.region.threshold()
    }

    /// R.
    pub fn region(&self) -> &Region {
        &self.region
    }

    /// Mean and variance of g in both classes; c is the mean among negatives.
    pub fn moments(&self) -> &SweepMoments {
        self.linear.moments()
    }

    /// What tallies and estimates.
    pub fn linear(&self) -> &Linear {
        &self.linear
    }
}
