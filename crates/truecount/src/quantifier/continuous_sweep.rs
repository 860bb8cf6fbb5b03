//! Continuous Sweep (Kloos, Karch, Meertens, Scholtus, de Rooij): α̂ = (1/|R|) ∫_R (CC(θ) − F⁻(θ))/J(θ) dθ over
//! R = {θ : J(θ) ≥ `p_Δ`}, computed as mean g − c.

use super::influence::Influence;
use super::linear::{Anchor, Linear};
use crate::Error;
use crate::inference::Warning;
use crate::model::Separated;
use crate::sweep::{self, Integrals, PDelta, Region, Separation, SweepMoments, optimal_threshold};

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
/// assert!((sweep.threshold().value() - 0.1642).abs() < 1e-4);
/// // The standard error of a thousand scores, half of them positive:
/// assert!(((sweep.moments().variance(0.5) / 1000.0).sqrt() - 0.0364).abs() < 1e-4);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct ContinuousSweep {
    threshold: PDelta,
    region: Region,
    linear: Linear,
}

impl ContinuousSweep {
    /// # Errors
    /// [`Error::ThresholdNotReached`] when a fixed threshold is not below max J.
    pub fn new(separation: &Separation, threshold: Threshold) -> Result<Self, Error> {
        let (threshold, region) = match threshold {
            Threshold::Optimal => optimal_threshold(separation, 0.5),
            Threshold::Fixed(p) => (p, separation.region(p)?),
        };
        let integrals = Integrals::new(separation, &region);
        let influence = Influence::Smooth(sweep::influence(separation, &region, &integrals));
        let linear = Linear::new(influence, Anchor::ClassMeans, integrals.moments());
        Ok(Self { threshold, region, linear })
    }

    /// `p_Δ`.
    pub fn threshold(&self) -> PDelta {
        self.threshold
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

/// The quantifier, warning with every estimate when the labelled sample hardly shows that the classes differ.
pub(super) fn with_fit_warning(sweep: &ContinuousSweep, classes: &Separated) -> Linear {
    let mut linear = sweep.linear.clone();
    let (max_j, noise) = (classes.separation.max_j(), classes.max_j_standard_error());
    if max_j < 3.0 * noise {
        linear.warn(Warning::WeakSeparation { max_j, noise });
    }
    linear
}
