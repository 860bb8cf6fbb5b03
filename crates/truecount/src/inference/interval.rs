//! Intervals for the prevalence from an estimate and its variance.
//!
//! An interval holds the values α that the estimate T, clipped to [0, 1], does not contradict:
//! |T − α| ≤ r(α), with r(α) as small as the level allows. Away from 0 and 1 r = z√V(α) with the
//! two-sided quantile z, which gives the Wilson-type interval. Near 0 or 1 T cannot miss α on the
//! far side, so the near side takes all of the error: r = z₁√V(α) with the one-sided z₁. In
//! between, r is the distance of α from 0 or 1. Solved for α, the upper end of the interval is
//! (1 + T)/2 clamped between the two Wilson-type ends, and the lower end is T/2 clamped between the
//! other two. Such an interval is never empty, and does not cover more than its level near 0 and 1.
//!
//! If V is a quadratic (`inference::quadratic`), the ends of |T − α| = z√V(α) have a closed form.
//! Otherwise, as for maximum likelihood, a root finder locates them.
//!
//! z is Student's quantile with the degrees of freedom of V (`inference::variance`). Wilson-type
//! intervals, but not Wald's, add half an error of each class to V and shift the estimate for the
//! skewness of its error (`inference::skewness`).

use super::skewness::{SkewnessCorrection, student_quantile};
use super::{IntervalKind, IntervalOptions, Quadratic, SystematicError, Variance};
use crate::numeric::root::solve_bracketed;

/// The sampling distribution of an estimate about the prevalence.
#[derive(Clone, Debug)]
pub(crate) struct EstimateDistribution {
    /// The unclipped estimate, which may lie outside [0, 1].
    pub(super) raw: f64,
    /// The effective number of test scores.
    pub(super) n: f64,
    /// V at the estimate.
    pub(super) variance: f64,
    /// V(α) with the unseen errors, below and above the estimate. Both are equal for a single
    /// estimate, but not for a sum of several, which can decrease and increase in many ways.
    pub(super) sides: [Quadratic; 2],
    /// The systematic error that misfit adds.
    pub(super) systematic: SystematicError,
    /// The degrees of freedom of V.
    pub(super) dof: f64,
    /// The correction for skewness, if V was estimated from labelled scores.
    pub(super) skewness: Option<SkewnessCorrection>,
}

impl EstimateDistribution {
    /// Distribution of an estimate from n test scores; `fpc` is the finite population correction.
    pub(crate) fn new(raw: f64, n: f64, variance: &Variance, fpc: f64) -> Self {
        let estimate = raw.clamp(0.0, 1.0);
        let side = variance.with_unseen(fpc);
        Self {
            raw,
            n,
            variance: variance.with_sampling(fpc).at(estimate),
            sides: [side, side],
            systematic: SystematicError::NONE,
            dof: variance.dof(estimate, fpc),
            skewness: variance.training_basis.as_ref().map(|basis| SkewnessCorrection::new(basis, fpc, estimate)),
        }
    }

    /// Normal distribution of an estimate with this variance at the estimate, and with `side` as
    /// its variance at any other prevalence.
    pub(crate) fn with_sides(raw: f64, n: f64, variance: f64, side: Quadratic) -> Self {
        let (systematic, dof, skewness) = (SystematicError::NONE, f64::INFINITY, None);
        Self { raw, n, variance, sides: [side; 2], systematic, dof, skewness }
    }

    /// Sets the degrees of freedom of V.
    pub(crate) fn with_dof(self, dof: f64) -> Self {
        Self { dof, ..self }
    }

    /// Sets the systematic error.
    pub(crate) fn with(self, systematic: SystematicError) -> Self {
        Self { systematic, ..self }
    }

    /// V at the estimate.
    pub(crate) fn variance(&self) -> f64 {
        self.variance
    }

    /// The estimate clipped to [0, 1].
    pub(crate) fn estimate(&self) -> f64 {
        self.raw.clamp(0.0, 1.0)
    }

    /// The unclipped estimate.
    pub(crate) fn raw(&self) -> f64 {
        self.raw
    }

    /// The effective number of test scores.
    pub(crate) fn effective_n(&self) -> f64 {
        self.n
    }

    /// Returns the standard error and the interval.
    pub(crate) fn interval_estimate(&self, options: &IntervalOptions) -> IntervalEstimate {
        let added = Quadratic::constant(self.systematic.variance);
        let [below, above] = self.sides.map(|side| side.plus(&added));
        self.interval(options, |z| {
            let centre = self.skewness_corrected(self, z);
            (below.wilson(centre, z).0, above.wilson(centre, z).1)
        })
    }

    /// Returns the standard error and the interval, without a correction for skewness, from the
    /// variances below and above the estimate for intervals of z standard errors.
    pub(crate) fn interval_between(
        &self,
        options: &IntervalOptions,
        sides: impl Fn(f64) -> [Quadratic; 2],
    ) -> IntervalEstimate {
        self.interval(options, |z| {
            let [below, above] = sides(z);
            (below.wilson(self.estimate(), z).0, above.wilson(self.estimate(), z).1)
        })
    }

    /// Returns the standard error and the interval, testing each prevalence alpha with the
    /// distribution of an estimate of alpha, `distribution_at(alpha)`.
    pub(crate) fn interval_with(
        &self,
        options: &IntervalOptions,
        distribution_at: impl Fn(f64) -> Self,
    ) -> IntervalEstimate {
        self.interval(options, |z| [0.0, 1.0].map(|edge| self.end(&distribution_at, z, edge)).into())
    }

    /// Returns the interval from the ends of |T − α| = z√V(α) as a function of z.
    fn interval(&self, options: &IntervalOptions, ends: impl Fn(f64) -> (f64, f64)) -> IntervalEstimate {
        let estimate = self.estimate();
        let dof = self.systematic.dof_with(self.variance, self.dof);
        let quantiles = options.quantiles().map(|z| student_quantile(z, dof));
        // A flat likelihood has a variance of 0/0.
        let se = Some(self.variance.sqrt()).filter(|se| !se.is_nan()).unwrap_or(f64::INFINITY);
        let ends = match options.interval() {
            IntervalKind::Wilson => wilson(estimate, quantiles.map(ends)),
            IntervalKind::Wald if se.is_infinite() => (0.0, 1.0),
            IntervalKind::Wald => {
                let error = quantiles[0] * (se * se + self.systematic.variance).sqrt();
                (estimate - error, estimate + error)
            }
        };
        IntervalEstimate::around(estimate, self.n, se, ends)
    }

    /// Returns the estimate, shifted for the skewness of `distribution` (`inference::skewness`) and
    /// clipped to [0, 1], as the centre of an interval of z standard errors.
    fn skewness_corrected(&self, distribution: &Self, z: f64) -> f64 {
        let shift =
            distribution.skewness.map_or(0.0, |skewness| skewness.shift(distribution.variance_with_unseen(), z));
        (self.raw - shift).clamp(0.0, 1.0)
    }

    /// V at the estimate, with the unseen errors.
    fn variance_with_unseen(&self) -> f64 {
        self.sides[0].at(self.estimate())
    }

    /// Returns the end of {α : |T − α| ≤ z√V(α)} towards the edge 0 or 1, with the skewness and V
    /// of `distribution_at(α)`.
    ///
    /// The end is at least half a score away from T, where [`IntervalEstimate::around`] would put
    /// it. It is the edge if V is not a number.
    fn end(&self, distribution_at: &impl Fn(f64) -> Self, z: f64, edge: f64) -> f64 {
        let (estimate, half_score) = (self.estimate(), 0.5 / self.n);
        let distance = edge - estimate;
        if distance.abs() <= half_score {
            return edge;
        }
        let near = estimate + half_score.copysign(distance);
        let beyond = |alpha: f64| {
            let distribution = distribution_at(alpha);
            let variance = distribution.variance_with_unseen() + self.systematic.variance;
            (alpha - self.skewness_corrected(&distribution, z)) * distance.signum() - z * variance.sqrt()
        };
        let (first, last) = (beyond(near), beyond(edge));
        if first >= 0.0 {
            near
        } else if first < 0.0 && last > 0.0 {
            solve_bracketed(beyond, (near, first), (edge, last))
        } else {
            edge
        }
    }
}

/// An interval of prevalences, in [0, 1], or of differences, in [−1, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

impl Interval {
    /// Returns whether a value lies in the interval, ends included.
    pub fn contains(&self, value: f64) -> bool {
        (self.lower..=self.upper).contains(&value)
    }

    /// The distance between both ends.
    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }
}

/// The standard error and the interval of an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct IntervalEstimate {
    /// √V at the prevalence, or the standard deviation of bootstrap replicates.
    pub(crate) se: f64,
    /// Lower end of the interval, in [0, 1].
    pub(crate) lower: f64,
    /// Upper end of the interval, in [0, 1].
    pub(crate) upper: f64,
}

/// Standard deviation of one score's contribution below which a standard error is not credible.
pub(crate) const NO_SPREAD: f64 = 1e-4;

impl IntervalEstimate {
    /// The interval without the standard error.
    pub(crate) fn interval(&self) -> Interval {
        Interval { lower: self.lower, upper: self.upper }
    }

    /// Returns whether the standard error from n scores is too small to be credible.
    pub(crate) fn is_without_spread(&self, n: f64) -> bool {
        self.se * n.sqrt() < NO_SPREAD
    }

    /// Creates an interval in [0, 1] that extends by half a score or more to either side of the
    /// estimate, if [0, 1] has room, as no share of n scores is known better than to one score.
    pub(crate) fn around(estimate: f64, n: f64, se: f64, (lower, upper): (f64, f64)) -> Self {
        Self { se, lower: lower.min(estimate - 0.5 / n).max(0.0), upper: upper.max(estimate + 0.5 / n).min(1.0) }
    }
}

/// Combines the ends at the two-sided quantile with those at the one-sided quantile.
fn wilson(estimate: f64, [outer, inner]: [(f64, f64); 2]) -> (f64, f64) {
    ((0.5 * estimate).max(outer.0).min(inner.0), (0.5 + 0.5 * estimate).min(outer.1).max(inner.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::Target;

    #[test]
    fn root_finding_and_the_closed_form_agree() {
        for information in [0.3, 2.0, 50.0] {
            let variance = Variance::observed(information, 80.0);
            for raw in [0.0, 0.013, 0.3, 0.62, 1.0] {
                for options in [0.5, 0.8, 0.99].map(|level| IntervalOptions::new(level, Target::Population).unwrap()) {
                    let distribution = |alpha: f64| EstimateDistribution::new(alpha, 80.0, &variance, 1.0);
                    let solved = distribution(raw).interval_with(&options, distribution);
                    let closed = distribution(raw).interval_estimate(&options);
                    let error = (solved.lower - closed.lower).abs().max((solved.upper - closed.upper).abs());
                    assert!(error < 1e-14 && solved.se == closed.se, "{information}, {raw}: {solved:?} {closed:?}");
                }
            }
        }
    }

    #[test]
    fn a_flat_likelihood_excludes_nothing() {
        let flat = |alpha: f64| EstimateDistribution::new(alpha, 80.0, &Variance::observed(f64::NAN, 80.0), 0.0);
        let interval = flat(0.4).interval_with(&IntervalOptions::default(), flat);
        assert_eq!((interval.lower, interval.upper), (0.0, 1.0));
    }

    /// With a constant variance, the near side takes all of the error close to 0, and half of it
    /// far from 0.
    #[test]
    fn near_zero_the_quantile_is_one_sided() {
        let variance = Quadratic::constant(0.01);
        let ends = |estimate: f64| wilson(estimate, [2.0, 1.5].map(|z| variance.wilson(estimate, z)));
        let close = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).abs().max((a.1 - b.1).abs()) < 1e-15;
        assert!(close(ends(0.5), (0.3, 0.7)));
        // Only estimates above 0.25 reject 0.1: 0.26 does, and 0.24 does not.
        assert!(close(ends(0.26), (0.11, 0.46)));
        assert!(close(ends(0.24), (0.09, 0.44)));
        // In between, the end is half-way between 0 and the estimate.
        assert!(close(ends(0.36), (0.18, 0.56)));
        assert!(close(ends(0.0), (0.0, 0.2)));
        assert!(close(ends(1.0), (0.8, 1.0)));
    }
}
