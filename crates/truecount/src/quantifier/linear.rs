//! Every quantifier that is the mean of an influence function, anchored at two rates:
//!
//! ```text
//! α̂ = (mean g − a₋) / (a₊ − a₋)
//! ```
//!
//! Continuous Sweep has the anchors E₋g = c and E₊g = c + 1; Adjusted Count has the false and true positive rate;
//! Classify & Count trusts the classifier and has 0 and 1.

use super::Tally;
use super::influence::Influence;
use crate::Error;
use crate::inference::{Estimate, Quadratic, Reporting, Warning};
use crate::sweep::SweepMoments;

/// A fitted linear quantifier: push test scores into a [`Tally`], then [`estimate`](Self::estimate).
#[derive(Clone, Debug)]
pub struct Linear {
    influence: Influence,
    anchor: Anchor,
    moments: SweepMoments,
    warnings: Vec<Warning>,
}

/// Where a₋ and a₊ come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    /// The means of g in the two classes: unbiased under prior probability shift.
    ClassMeans,
    /// 0 and 1, as if g told the classes apart without error.
    ZeroAndOne,
}

impl Linear {
    pub(super) fn new(influence: Influence, anchor: Anchor, moments: SweepMoments) -> Self {
        Self { influence, anchor, moments, warnings: Vec::new() }
    }

    /// Attaches warnings about the fit, repeated with every estimate.
    pub(super) fn warning(self, warnings: Vec<Warning>) -> Self {
        Self { warnings, ..self }
    }

    /// g(s), what one test score adds: 0 on the far left, non-decreasing.
    pub fn influence(&self, score: f64) -> f64 {
        self.influence.value(score)
    }

    /// Mean and variance of g in both classes.
    pub fn moments(&self) -> &SweepMoments {
        &self.moments
    }

    /// Adds test scores to a tally of this quantifier, in any number of slices and in any order.
    ///
    /// # Errors
    /// [`Error::NotFinite`] names the first NaN or infinite score; the tally is then as it was.
    pub fn push(&self, tally: &mut Tally, scores: &[f64]) -> Result<(), Error> {
        self.influence.push(tally, scores)
    }

    /// The prevalence among the scores of the tally, with standard error and interval.
    ///
    /// The variance is the paper's (Theorem 2 for Continuous Sweep, §2 for the counts), `[α v₊ + (1−α) v₋]/n` over
    /// the squared distance of the anchors, at the estimated α: the fitted distributions are taken as known.
    ///
    /// # Errors
    /// [`Error::NoTestScores`] for an empty tally.
    pub fn estimate(&self, tally: &Tally, reporting: &Reporting) -> Result<Estimate, Error> {
        if tally.n() == 0 {
            return Err(Error::NoTestScores);
        }
        let mean = tally.sum() / tally.n() as f64;
        let raw = match self.anchor {
            Anchor::ClassMeans => (mean - self.moments.negative.mean) / self.distance(),
            Anchor::ZeroAndOne => mean,
        };
        Ok(Estimate::new(tally.n(), raw, &self.variance(mean, tally.n()), reporting, self.warnings(tally)))
    }

    /// V(α) of the test sample as a quadratic in α (here a line).
    ///
    /// An uncorrected quantifier estimates not α but E g, so its variance cannot be a function of its own estimate:
    /// it is held at the α that the corrected one would give.
    fn variance(&self, mean: f64, n: u64) -> Quadratic {
        let SweepMoments { positive, negative } = self.moments;
        match self.anchor {
            Anchor::ClassMeans => {
                let scale = (n as f64 * self.distance().powi(2)).recip();
                Quadratic::new(negative.variance * scale, (positive.variance - negative.variance) * scale, 0.0)
            }
            Anchor::ZeroAndOne => {
                // Where the classes do not differ their variances do not either, and any α will do.
                let corrected = (mean - negative.mean) / self.distance();
                let alpha = if corrected.is_finite() { corrected.clamp(0.0, 1.0) } else { 0.5 };
                Quadratic::new(self.moments.variance(alpha) / n as f64, 0.0, 0.0)
            }
        }
    }

    /// E₊g − E₋g.
    fn distance(&self) -> f64 {
        self.moments.positive.mean - self.moments.negative.mean
    }

    fn warnings(&self, tally: &Tally) -> Vec<Warning> {
        let mut warnings = self.warnings.clone();
        if tally.n() == 1 {
            warnings.push(Warning::SingleScore);
        } else if let Influence::Smooth(_) = self.influence {
            let (n, largest) = (tally.n() as f64, self.influence.largest());
            let nothing = 1e-12 * n * largest * largest;
            // Σ g (g(∞) − g) is 0 only if every score lies beyond an end of R.
            if largest * tally.sum() - tally.sum_squares() <= nothing {
                warnings.push(Warning::NoneInRegion);
            } else if tally.sum_squares() - tally.sum() * tally.sum() / n <= nothing {
                warnings.push(Warning::NoSpread);
            }
        }
        warnings
    }
}
