//! Variances that are quadratic in the prevalence.

use crate::PerClass;

/// V(α) = a (1−α)² + b α(1−α) + c α², which avoids cancellation at 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quadratic([f64; 3]);

impl Quadratic {
    pub(crate) fn constant(value: f64) -> Self {
        Self([value, 2.0 * value, value])
    }

    /// The quadratic with these values at 0, ½ and 1.
    pub(crate) fn through(at_0: f64, at_half: f64, at_1: f64) -> Self {
        Self([at_0, 4.0 * at_half - at_0 - at_1, at_1])
    }

    /// Binomial variance α(1−α)/n: of the prevalence of a sample of n about that of its population.
    pub(crate) fn binomial(n: f64) -> Self {
        Self::weighted_binomial(n, 0.0)
    }

    /// Variance of the prevalence of a weighted sample about that of its population,
    /// [α² + (α+δ)(1−2α)]/n = Σw²E(y−α)²/(Σw)², with n the effective number of scores and α + δ the
    /// w²-weighted prevalence. Without weights this is α(1−α)/n.
    pub(crate) fn weighted_binomial(n: f64, shift: f64) -> Self {
        Self([shift / n, n.recip(), -shift / n])
    }

    /// Contribution p t + p² w of each class, p its share: t is the variance of a test mean, w that
    /// of a labelled mean. In the first term the share of the positives is α + δ.
    pub(crate) fn from_classes(parts: &PerClass<(f64, f64)>, shift: f64) -> PerClass<Self> {
        let ((t, w), (u, v)) = (parts.positive, parts.negative);
        PerClass {
            positive: Self([0.0, t, t + w]).plus(&Self::constant(t * shift)),
            negative: Self([u + v, u, 0.0]).plus(&Self::constant(-u * shift)),
        }
    }

    /// 2α(1−α) times a covariance of the two class means.
    pub(crate) fn class_covariance(covariance: f64) -> Self {
        Self([0.0, 2.0 * covariance, 0.0])
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    pub(crate) fn times(&self, factor: f64) -> Self {
        Self(self.0.map(|coefficient| factor * coefficient))
    }

    /// V(α), clipped at 0.
    pub(crate) fn at(&self, alpha: f64) -> f64 {
        let [a, b, c] = self.0;
        let beta = 1.0 - alpha;
        let value = beta * beta * a + alpha * beta * b + alpha * alpha * c;
        if value < 0.0 { 0.0 } else { value }
    }

    /// V″/2, the coefficient of α².
    pub(crate) fn curvature(&self) -> f64 {
        let [a, b, c] = self.0;
        a - b + c
    }

    /// The Wilson-type interval {α : (estimate − α)² ≤ z² V(α)}, clipped to [0, 1]. The estimate
    /// must lie in [0, 1].
    pub(crate) fn wilson(&self, estimate: f64, z: f64) -> (f64, f64) {
        let (lower, upper) = self.wilson_unclipped(estimate, z);
        (lower.clamp(0.0, 1.0), upper.clamp(0.0, 1.0))
    }

    /// The Wilson-type interval without clipping to [0, 1].
    ///
    /// With δ = α − estimate and V″/2 = a − b + c it holds the δ for which
    ///
    /// ```text
    /// (1 − z²V″/2) δ² − z²V′(estimate) δ − z²V(estimate) ≤ 0
    /// ```
    ///
    /// The interval is unbounded if 1 ≤ z²V″/2 (the labelled scores do not separate the classes, as
    /// in Fieller's theorem) or if V is not a number.
    pub(crate) fn wilson_unclipped(&self, estimate: f64, z: f64) -> (f64, f64) {
        let [a, b, c] = self.0;
        let square = 1.0 - z * z * self.curvature();
        let slope = z * z * (2.0 * c * estimate + b * (1.0 - 2.0 * estimate) - 2.0 * a * (1.0 - estimate));
        let root = (slope * slope + 4.0 * square * z * z * self.at(estimate)).sqrt();
        if square <= 0.0 || !root.is_finite() {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        let end = |delta: f64| estimate + delta / (2.0 * square);
        (end(slope - root), end(slope + root))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_ends_solve_the_equation() {
        let v = Quadratic([4e-4, 11e-4, 7e-4]).plus(&Quadratic::binomial(700.0));
        let (lower, upper) = v.wilson(0.4, 2.5);
        for end in [lower, upper] {
            assert!(((0.4 - end).powi(2) - 6.25 * v.at(end)).abs() < 1e-16);
        }
        assert_eq!(Quadratic([9.0, 18.0, 10.0]).wilson(0.4, 1.96), (0.0, 1.0));
        // Terms far below the rounding error of α(1−α)/n survive at 0 and 1.
        let small = Quadratic([1e-30, 1e-30, 3e-30]).plus(&Quadratic::binomial(9.0));
        assert_eq!((small.at(0.0), small.at(1.0)), (1e-30, 3e-30));
        assert_eq!(Quadratic([f64::NAN, 0.0, 0.0]).wilson(0.4, 1.96), (0.0, 1.0));
    }
}
