//! Where an estimate's error leans, and what that does to an interval.
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

use super::precision::{Basis, Precision};
use super::reporting::Target;
use super::third_moments::ThirdMoments;
use crate::PerClass;

/// At most this share of half an interval's width is an estimate moved: beyond, the expansion says nothing.
pub(crate) const MOST: f64 = 0.5;

/// s for the normal quantile z where the prevalence is alpha.
pub(super) fn lean(basis: &Basis, target: Target, alpha: f64, variance: f64, z: f64) -> f64 {
    let Basis { precision: Precision { test, third: PerClass { positive, negative }, .. }, labelled, n } = *basis;
    let of = |share: f64, third: &ThirdMoments, labelled: u64| {
        let m = labelled as f64;
        let cumulant = share * third.whole / (n * n) - share.powi(3) * third.learnt / (m * m);
        let covariance = share * share * (third.of_test / n + share * third.of_training / m) / m;
        3.0 * z * z * covariance + (z * z - 1.0) * cumulant
    };
    let drawing = match target {
        Target::Sample => 0.0,
        Target::Population => alpha * (1.0 - alpha) * (3.0 * (test.positive - test.negative) + 1.0 - 2.0 * alpha),
    };
    let classes = of(alpha, &positive, labelled.positive) + of(1.0 - alpha, &negative, labelled.negative);
    let lean = (classes + (z * z - 1.0) * drawing / (n * n)) / (6.0 * variance);
    let most = MOST * z * variance.sqrt();
    if lean.is_finite() && most.is_finite() { lean.clamp(-most, most) } else { 0.0 }
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
        assert!((lean(&basis, Target::Sample, 0.0, variance / n, z) - johnson).abs() < 1e-15);
        // Nothing is moved where there is no variance to compare with.
        assert_eq!(lean(&basis, Target::Sample, 0.0, 0.0, z), 0.0);
    }
}
