//! The variance of one estimate in two parts: what its own test scores leave uncertain, and what the labelled scores do.
//!
//! The second is the error of two class means, the same for all estimates by the function, and as a function of the prevalence a straight
//! line L(α) = −[α e₊ + (1−α) e₋]. Somewhere on the line it is more than z of its standard deviations off with the probability
//!
//! ```text
//! P(max |L(α)|/√V(α) > z) = (φ/π) e^(−z²/2) + 2 Φ(−z),      cos φ = Corr(L(0), L(1))
//! ```
//!
//! (Hotelling 1939, the length of a tube about an arc; exact for normal errors as long as the tube does not meet itself). What is learnt from labelled scores is skewed as
//! these are, and where it puts estimates too high it finds too small a variance: z standard errors are moved to where the error
//! leans (`inference::skewness`), which for a small share of positives matters much.

use super::mover::Ends;
use super::precision::Basis;
use super::skewness::{SkewnessCorrection, student};
use super::{Interval, IntervalOptions, Quadratic, Systematic};
use crate::PerClass;
use crate::numeric::gauss;
use crate::numeric::root::solve_bracketed;
use std::f64::consts::PI;

/// An estimate with the parts of its variance.
#[derive(Clone, Debug)]
pub(crate) struct VarianceComponents {
    /// The estimator as defined.
    pub(crate) raw: f64,
    /// The effective number of test scores.
    pub(super) n: f64,
    /// What the test scores leave uncertain, with what misfit adds.
    pub(super) noise: Quadratic,
    pub(super) labels: Quadratic,
    /// What the class means leave uncertain of each class.
    pub(super) each: PerClass<f64>,
    pub(super) basis: Option<Basis>,
}

/// The normal quantile beyond which no p-value is told from 0.
const FARTHEST: f64 = 38.0;

impl VarianceComponents {
    /// What its own test scores leave uncertain; as an interval never less than half a score.
    pub(crate) fn noise(&self, alpha: f64) -> f64 {
        self.noise.at(alpha).max((0.5 / self.n).powi(2))
    }

    /// What the labelled scores leave uncertain.
    pub(crate) fn labels(&self, alpha: f64) -> f64 {
        self.labels.at(alpha)
    }

    /// The degrees of freedom with which that is known.
    pub(crate) fn freedom(&self, alpha: f64) -> f64 {
        let PerClass { positive, negative } = self.each;
        let classes = PerClass { positive: alpha * alpha * positive, negative: (1.0 - alpha).powi(2) * negative };
        self.basis.map_or(f64::INFINITY, |basis| basis.freedom(&classes, self.labels(alpha)))
    }

    /// How far the labelled scores may put an estimate of α too low and too high, each but for so small a probability.
    pub(crate) fn allowance_at(&self, alpha: f64, probability: f64) -> [f64; 2] {
        self.allowance(alpha, -gauss::quantile(probability))
    }

    /// How far they may put it too low and too high, but for so small a probability on both sides and at all α together.
    pub(crate) fn allowance_along(&self, alpha: f64, probability: f64) -> [f64; 2] {
        self.allowance(alpha, along(self.angle(), probability))
    }

    /// z standard errors either way, moved to where the error leans.
    fn allowance(&self, alpha: f64, z: f64) -> [f64; 2] {
        let (variance, z) = (self.labels(alpha), student(z, self.freedom(alpha)));
        let without_noise = self.basis.map(|basis| Basis { n: f64::INFINITY, ..basis });
        let lean = without_noise.map_or(0.0, |basis| SkewnessCorrection::new(&basis, 0.0, alpha).at(variance, z));
        [z * variance.sqrt() - lean, z * variance.sqrt() + lean]
    }

    /// φ.
    fn angle(&self) -> f64 {
        let [at_0, at_half, at_1] = [0.0, 0.5, 1.0].map(|alpha| self.labels(alpha));
        let cosine = (2.0 * at_half - 0.5 * (at_0 + at_1)) / (at_0 * at_1).sqrt();
        if cosine.is_finite() { cosine.clamp(-1.0, 1.0).acos() } else { 0.0 }
    }
}

/// z for such a probability.
fn along(angle: f64, probability: f64) -> f64 {
    let beyond = |z: f64| probability - angle / PI * gauss::bell(z) - 2.0 * gauss::tails(z).1;
    let least = -gauss::quantile(0.5 * probability);
    solve_bracketed(beyond, (least, beyond(least)), (FARTHEST, beyond(FARTHEST)))
}

/// The part of an estimate's spread that it shares with no other of other test scores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TestSamplingError {
    /// Inside [0, 1].
    pub(super) estimate: f64,
    /// The effective number of test scores.
    pub(super) n: f64,
    /// Its variance at the estimate.
    pub(super) variance: f64,
    /// The variance as a function of the prevalence, below the estimate and above it, with what labelled scores cannot have shown.
    pub(super) sides: [Quadratic; 2],
    /// What misfit adds to all of it.
    pub(super) systematic: Systematic,
    /// The degrees of freedom: infinite, or one less than the clusters.
    pub(super) freedom: f64,
}

impl TestSamplingError {
    /// The variance at the estimate.
    pub(crate) fn variance(&self) -> f64 {
        self.variance
    }

    /// Two-sided ends wherever they lie: that one estimate cannot miss on the far side of 0 or 1 does not keep its difference to
    /// another from doing so.
    pub(super) fn ends(&self, reporting: &IntervalOptions) -> Ends {
        let Self { estimate, variance, .. } = *self;
        let z = student(reporting.quantiles()[0], self.systematic.freedom_with(variance, self.freedom));
        let (lower, upper) = match reporting.interval() {
            Interval::Wilson => {
                let added = Quadratic::constant(self.systematic.variance);
                let [below, above] = self.sides.map(|side| side.plus(&added).wilson_uncut(estimate, z));
                (below.0, above.1)
            }
            Interval::Wald => {
                let error = z * (variance + self.systematic.variance).sqrt();
                (estimate - error, estimate + error)
            }
        };
        let least = 0.5 / self.n;
        Ends { lower: lower.min(estimate - least), estimate, upper: upper.max(estimate + least) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No arc has the normal's own quantile; for a quarter of a circle the probability is that of the largest projection of a normal
    /// point on it, simulated with NumPy, ten million points: 0.025 of them lie beyond 2.6180 ± 0.0007.
    #[test]
    fn quantiles_along_an_arc() {
        assert!((along(0.0, 0.05) - 1.959_963_984_540_054).abs() < 1e-9);
        assert!((along(0.5 * PI, 0.025) - 2.6180).abs() < 0.002, "{}", along(0.5 * PI, 0.025));
    }

    /// Near 0 the ends are as far apart as anywhere; a variance that is no number excludes nothing.
    #[test]
    fn ends_are_two_sided_wherever_they_lie() {
        let of = |estimate: f64, variance: f64| {
            let sides = [Quadratic::constant(variance); 2];
            let own = TestSamplingError {
                estimate,
                n: 100.0,
                variance,
                sides,
                systematic: Systematic::NONE,
                freedom: f64::INFINITY,
            };
            own.ends(&IntervalOptions::default())
        };
        let z = 1.959_963_984_540_054;
        let ends = of(0.05, 0.01);
        assert!((ends.lower - (0.05 - 0.1 * z)).abs() < 1e-12 && (ends.upper - (0.05 + 0.1 * z)).abs() < 1e-12);
        // No nearer than half a score.
        let ends = of(0.0, 0.0);
        assert_eq!((ends.lower, ends.upper), (-0.005, 0.005));
        let ends = of(0.3, f64::NAN);
        assert_eq!((ends.lower, ends.upper), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
