//! The variance of one estimate in two parts: from its test scores, and from the labelled scores.
//!
//! The training error comes from the errors e± of two class means, which all estimates by one
//! function share. As a function of the prevalence it is a straight line L(α) = −[α e₊ + (1−α) e₋].
//! The probability that the line is, anywhere, more than z of its standard deviations away from 0
//! is
//!
//! ```text
//! P(max |L(α)|/√V(α) > z) = (φ/π) e^(−z²/2) + 2 Φ(−z),      cos φ = Corr(L(0), L(1))
//! ```
//!
//! (Hotelling 1939, the length of a tube about an arc; exact for normal errors as long as the tube
//! does not meet itself). Training errors are skewed if the scores are, and an error that puts
//! estimates too high goes with an underestimated variance. So the bounds of z standard errors are
//! shifted for skewness (`inference::skewness`), which matters if positives are rare.

use super::mover::Ends;
use super::precision::VarianceBasis;
use super::skewness::{SkewnessCorrection, student_quantile};
use super::{IntervalKind, IntervalOptions, Quadratic, SystematicError};
use crate::PerClass;
use crate::numeric::gauss;
use crate::numeric::root::solve_bracketed;
use std::f64::consts::PI;

/// An estimate with the parts of its variance.
#[derive(Clone, Debug)]
pub(crate) struct VarianceComponents {
    /// The unclipped estimate.
    pub(crate) raw: f64,
    /// The effective number of test scores.
    pub(super) n: f64,
    /// The variance from the test scores, with that of misfit.
    pub(super) test_variance: Quadratic,
    /// The variance of misfit.
    pub(super) misfit_variance: f64,
    pub(super) training_variance: Quadratic,
    pub(super) class_mean_variances: PerClass<f64>,
    pub(super) basis: Option<VarianceBasis>,
}

/// Normal quantile beyond which p-values round to 0.
const MAX_QUANTILE: f64 = 38.0;

impl VarianceComponents {
    /// Variance from the test scores, at least that of an error of half a score.
    pub(crate) fn test_variance(&self, alpha: f64) -> f64 {
        self.test_variance.at(alpha).max((0.5 / self.n).powi(2))
    }

    /// Returns the share of the variance from the test scores that is not due to misfit.
    pub(crate) fn sampling_share(&self, alpha: f64) -> f64 {
        1.0 - self.misfit_variance / self.test_variance(alpha)
    }

    pub(crate) fn training_variance(&self, alpha: f64) -> f64 {
        self.training_variance.at(alpha)
    }

    /// The degrees of freedom of the variance from the labelled scores.
    pub(crate) fn dof(&self, alpha: f64) -> f64 {
        let PerClass { positive, negative } = self.class_mean_variances;
        let classes = PerClass { positive: alpha * alpha * positive, negative: (1.0 - alpha).powi(2) * negative };
        self.basis.map_or(f64::INFINITY, |basis| basis.dof(&classes, self.training_variance(alpha)))
    }

    /// Returns simultaneous bounds on the training errors at all α: downwards and upwards at this
    /// α. The probability is that of an error beyond one of the bounds at some α.
    pub(crate) fn simultaneous_error_bounds(&self, alpha: f64, probability: f64) -> [f64; 2] {
        self.allowance(alpha, tube_quantile(self.angle(), probability))
    }

    /// Returns bounds at z standard errors, shifted for skewness.
    fn allowance(&self, alpha: f64, z: f64) -> [f64; 2] {
        let (variance, z) = (self.training_variance(alpha), student_quantile(z, self.dof(alpha)));
        let without_noise = self.basis.map(|basis| VarianceBasis { n: f64::INFINITY, ..basis });
        let shift = without_noise.map_or(0.0, |basis| SkewnessCorrection::new(&basis, 0.0, alpha).shift(variance, z));
        [z * variance.sqrt() - shift, z * variance.sqrt() + shift]
    }

    /// The angle φ of the arc.
    fn angle(&self) -> f64 {
        let [at_0, at_half, at_1] = [0.0, 0.5, 1.0].map(|alpha| self.training_variance(alpha));
        let cosine = (2.0 * at_half - 0.5 * (at_0 + at_1)) / (at_0 * at_1).sqrt();
        if cosine.is_finite() { cosine.clamp(-1.0, 1.0).acos() } else { 0.0 }
    }
}

/// Returns the z that the line exceeds with this probability, for an arc of this angle.
fn tube_quantile(angle: f64, probability: f64) -> f64 {
    let shortfall = |z: f64| probability - angle / PI * gauss::bell(z) - 2.0 * gauss::tails(z).1;
    let min = -gauss::quantile(0.5 * probability);
    solve_bracketed(shortfall, (min, shortfall(min)), (MAX_QUANTILE, shortfall(MAX_QUANTILE)))
}

/// The sampling error that an estimate shares only with estimates from the same test scores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TestSamplingError {
    /// The estimate, clipped to [0, 1].
    pub(crate) estimate: f64,
    /// The effective number of test scores.
    pub(crate) n: f64,
    /// The variance at the estimate.
    pub(crate) variance: f64,
    /// The variance as a function of the prevalence, below and above the estimate, with the unseen
    /// errors.
    pub(crate) sides: [Quadratic; 2],
    /// The systematic error that misfit adds.
    pub(crate) systematic: SystematicError,
    /// The degrees of freedom: infinite, or one less than the number of clusters.
    pub(crate) dof: f64,
}

impl TestSamplingError {
    /// The variance at the estimate.
    pub(crate) fn variance(&self) -> f64 {
        self.variance
    }

    /// Two-sided ends without clipping: an estimate cannot miss on the far side of 0 or 1, but its
    /// difference from another estimate can miss on either side.
    pub(super) fn ends(&self, options: &IntervalOptions) -> Ends {
        let Self { estimate, variance, .. } = *self;
        let z = student_quantile(options.quantiles()[0], self.systematic.dof_with(variance, self.dof));
        let (lower, upper) = match options.interval() {
            IntervalKind::Wilson => {
                let added = Quadratic::constant(self.systematic.variance);
                let [below, above] = self.sides.map(|side| side.plus(&added).wilson_unclipped(estimate, z));
                (below.0, above.1)
            }
            IntervalKind::Wald => {
                let error = z * (variance + self.systematic.variance).sqrt();
                (estimate - error, estimate + error)
            }
        };
        let half_score = 0.5 / self.n;
        Ends { lower: lower.min(estimate - half_score), estimate, upper: upper.max(estimate + half_score) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without an arc the quantile is the normal's. For a quarter of a circle, the largest
    /// projection of ten million normal points on the arc, simulated with NumPy, has its 0.975
    /// quantile at 2.6180 ± 0.0007.
    #[test]
    fn quantiles_along_an_arc_match_a_simulation() {
        assert!((tube_quantile(0.0, 0.05) - 1.959_963_984_540_054).abs() < 1e-9);
        assert!((tube_quantile(0.5 * PI, 0.025) - 2.6180).abs() < 0.002, "{}", tube_quantile(0.5 * PI, 0.025));
    }

    #[test]
    fn ends_are_two_sided_and_not_clipped() {
        let ends = |estimate: f64, variance: f64| {
            let (sides, systematic) = ([Quadratic::constant(variance); 2], SystematicError::NONE);
            let error = TestSamplingError { estimate, n: 100.0, variance, sides, systematic, dof: f64::INFINITY };
            error.ends(&IntervalOptions::default())
        };
        let z = 1.959_963_984_540_054;
        let near_zero = ends(0.05, 0.01);
        assert!((near_zero.lower - (0.05 - 0.1 * z)).abs() < 1e-12);
        assert!((near_zero.upper - (0.05 + 0.1 * z)).abs() < 1e-12);
        // No nearer than half a score.
        let exact = ends(0.0, 0.0);
        assert_eq!((exact.lower, exact.upper), (-0.005, 0.005));
        // Without a variance nothing is excluded.
        let ends = ends(0.3, f64::NAN);
        assert_eq!((ends.lower, ends.upper), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
