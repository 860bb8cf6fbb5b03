//! Corrections of an interval at z standard errors: for a skewed error, and by Student's quantile for
//! few degrees of freedom.
//!
//! An estimate T contradicts α by the size of T − α beside √V(α). Both have the distance of the class means in the denominator, which
//! cancels: what counts is the numerator, a mean of g over n test scores less means over labelled scores, and its own V. That V is learnt
//! from the labelled scores: where by chance they make T too high they make V too small, if g is skewed. To the second order
//! (Johnson 1978; Hall 1992, §3.10) the interval is that of an estimate less
//!
//! ```text
//! s = [3 z² C + (z² − 1) κ]/(6 V)
//! ```
//!
//! with κ the third cumulant of the numerator, and C the covariance of the estimate of V with minus the numerator. In units of
//! E₊g − E₋g, with h the part of g − Eg that the labelled scores have to tell (its projection on the family's tangent space, or all
//! of it) and α± the share of the class,
//!
//! ```text
//! κ = Σ α± E(g − Eg)³/n² − α±³ Eh³/n±²      (+ α(1−α) [3(t₊ − t₋) + 1 − 2α]/n² for a population)
//! C = Σ α±² [E((g − Eg)² h)/n + α± E(h²(2(g − Eg) − h))/n±]/n±
//! ```
//!
//! t± the class variances of g. The last expectation is the derivative of Eh² when the distribution moves along h, for a sample and
//! for exponential families (normal, beta); other families' own curvature is left out, and so is that g itself was fitted: for these the
//! correction is a good part of the second order, not all of it. For a single sample it is Johnson's t. Where nothing was learnt nothing is
//! moved.

use super::precision::{Basis, Precision, ThirdMoments};
use crate::PerClass;

/// At most this share of half an interval's width is an estimate moved: beyond, the expansion says nothing.
pub(crate) const MOST: f64 = 0.5;

/// What moves an estimate, whatever the quantile.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SkewnessCorrection {
    positive: SkewnessPart,
    negative: SkewnessPart,
    /// What drawing adds to κ n², and n.
    drawing: f64,
    n: f64,
}

/// Of one class.
#[derive(Clone, Copy, Debug, Default)]
struct SkewnessPart {
    /// C.
    covariance: f64,
    /// κ.
    cumulant: f64,
}

impl SkewnessCorrection {
    /// Where the prevalence is alpha, with such a share of the drawing.
    pub(super) fn new(basis: &Basis, drawn: f64, alpha: f64) -> Self {
        let Basis { precision: Precision { test, third: PerClass { positive, negative }, .. }, labelled, n } = *basis;
        let of = |share: f64, third: &ThirdMoments, labelled: u64| {
            let m = labelled as f64;
            SkewnessPart {
                covariance: share * share * (third.of_test / n + share * third.of_training / m) / m,
                cumulant: share * third.whole / (n * n) - share.powi(3) * third.learnt / (m * m),
            }
        };
        Self {
            positive: of(alpha, &positive, labelled.positive),
            negative: of(1.0 - alpha, &negative, labelled.negative),
            drawing: drawn * alpha * (1.0 - alpha) * (3.0 * (test.positive - test.negative) + 1.0 - 2.0 * alpha),
            n,
        }
    }

    /// With independent others, each times a factor: κ and C have the third power of a factor.
    pub(super) fn sum(parts: impl Iterator<Item = (f64, Self)>) -> Self {
        parts.fold(Self { n: 1.0, ..Self::default() }, |mut sum, (factor, part)| {
            let cube = factor.powi(3);
            for (sum, part) in [(&mut sum.positive, part.positive), (&mut sum.negative, part.negative)] {
                sum.covariance += cube * part.covariance;
                sum.cumulant += cube * part.cumulant;
            }
            sum.drawing += cube * part.drawing / (part.n * part.n);
            sum
        })
    }

    /// s for the normal quantile z and V.
    pub(super) fn at(&self, variance: f64, z: f64) -> f64 {
        let of = |part: &SkewnessPart| 3.0 * z * z * part.covariance + (z * z - 1.0) * part.cumulant;
        let classes = of(&self.positive) + of(&self.negative);
        let lean = (classes + (z * z - 1.0) * self.drawing / (self.n * self.n)) / (6.0 * variance);
        let most = MOST * z * variance.sqrt();
        if lean.is_finite() && most.is_finite() { lean.clamp(-most, most) } else { 0.0 }
    }
}

/// Student's quantile from the normal's, z ≥ 0, by Cornish and Fisher's expansion (Abramowitz and Stegun 26.7.5): at a level of 95 % to
/// 1e-4 for ten degrees of freedom or more, 1 % for four, and 11 % too small for one; further out it is less exact.
pub(crate) fn student(z: f64, freedom: f64) -> f64 {
    let f = freedom.recip();
    z + student_terms(z).iter().rev().fold(0.0, |sum, term| (sum + term) * f)
}

/// The coefficients of 1/f, 1/f², … in that expansion.
pub(crate) fn student_terms(z: f64) -> [f64; 4] {
    let s = z * z;
    [
        z * (s + 1.0) / 4.0,
        z * ((5.0 * s + 16.0) * s + 3.0) / 96.0,
        z * (((3.0 * s + 19.0) * s + 17.0) * s - 15.0) / 384.0,
        z * ((((79.0 * s + 776.0) * s + 1482.0) * s - 1920.0) * s - 945.0) / 92160.0,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At α = 0, with test scores without end, T − α = a₋ − (the mean of the labelled negatives): one sample, for which Johnson
    /// moves the mean by μ₃ (1 + 2z²)/(6 s² n).
    #[test]
    fn of_one_sample_it_is_johnsons() {
        let (third, variance, m, z) = (3.5, 2.0, 40, 1.7f64);
        let class = |value: f64| PerClass { positive: 0.0, negative: value };
        let thirds = PerClass { positive: ThirdMoments::default(), negative: ThirdMoments::empirical(third) };
        let labelled = PerClass { positive: 9, negative: m };
        let precision = Precision::new(class(variance), class(variance), thirds, Some(labelled));
        let basis = Basis { precision, labelled, n: f64::INFINITY };
        let n = m as f64;
        let johnson = third * (1.0 + 2.0 * z * z) / (6.0 * variance * n);
        assert!((SkewnessCorrection::new(&basis, 0.0, 0.0).at(variance / n, z) - johnson).abs() < 1e-15);
        // Nothing is moved where there is no variance to compare with.
        assert_eq!(SkewnessCorrection::new(&basis, 0.0, 0.0).at(0.0, z), 0.0);
    }

    #[test]
    fn students_quantiles() {
        // (normal quantile, degrees of freedom, Student's quantile, tolerance); SciPy's stats.t.ppf at 0.975, 0.95 and 0.995.
        let known = [
            (1.959_963_984_540_054, 98.0, 1.984_467_455, 1e-8),
            (1.644_853_626_951_472_7, 49.0, 1.676_550_893, 1e-7),
            (1.959_963_984_540_054, 10.0, 2.228_138_852, 1e-4),
            (2.575_829_303_548_900_4, 10.0, 3.169_272_673, 1e-3),
            (1.959_963_984_540_054, 4.0, 2.776_445_105, 1e-2),
        ];
        for (z, freedom, quantile, tolerance) in known {
            assert!((student(z, freedom) - quantile).abs() < tolerance, "{freedom}: {}", student(z, freedom));
        }
        assert_eq!(student(1.5, f64::INFINITY), 1.5);
    }
}
