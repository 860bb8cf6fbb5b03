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
//! A share of few positives or of few negatives is discrete, and its interval also holds the one-sided
//! intervals of Clopper and Pearson (1934), whose lower end for n rows is the (1 − level) quantile of
//! Beta(T n, n − T n + 1). From V(α) = α(1−α)/n follows the number n of independent rows (Korn and
//! Graubard 1998). For a finite target, of whose rows a fraction f is labelled, the distances of these
//! ends from T are multiplied by √(1−f), plus half a row of the target. At a level of 95 %, few
//! positives are covered by at least 93 % (92 % in a finite target), and by 80 % without these ends.
//!
//! If V is a quadratic (`inference::quadratic`), the ends of |T − α| = z√V(α) have a closed form.
//! Otherwise, as for maximum likelihood, a root finder locates them.
//!
//! z is Student's quantile with the degrees of freedom of V (`inference::variance`). Wilson-type
//! intervals, but not Wald's, add half an error of each class to V and shift the estimate for the
//! skewness of its error (`inference::skewness`).

use super::skewness::{SkewnessCorrection, student_quantile};
use super::{IntervalKind, IntervalOptions, Quadratic, SystematicError, Variance};
use crate::numeric::gauss;
use crate::numeric::incomplete_beta::{self, BetaPoint};
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
    /// For a share of labelled rows, which is discrete: V as a fraction of that for the population.
    pub(super) share_fraction: Option<f64>,
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
            share_fraction: None,
        }
    }

    /// Distribution of a share of labelled rows with this variance at the estimate, and with `side` as
    /// its variance at any other prevalence, which is `fraction` times that for the population.
    pub(crate) fn of_share(raw: f64, n: f64, variance: f64, side: Quadratic, fraction: f64) -> Self {
        let (systematic, dof, skewness) = (SystematicError::NONE, f64::INFINITY, None);
        Self { raw, n, variance, sides: [side; 2], systematic, dof, skewness, share_fraction: Some(fraction) }
    }

    /// Adds to V below and above the estimate.
    pub(crate) fn with_sides(self, added: [Quadratic; 2]) -> Self {
        let [below, above] = self.sides;
        Self { sides: [below.plus(&added[0]), above.plus(&added[1])], ..self }
    }

    /// Sets the degrees of freedom of V.
    pub(crate) fn with_dof(self, dof: f64) -> Self {
        Self { dof, ..self }
    }

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
            IntervalKind::Wilson => {
                let (lower, upper) = wilson(estimate, quantiles.map(ends));
                let (least, greatest) = self.exact_ends(options.quantiles()[1], quantiles[1]);
                (lower.min(least), upper.max(greatest))
            }
            IntervalKind::Wald if se.is_infinite() => (0.0, 1.0),
            IntervalKind::Wald => {
                let error = quantiles[0] * (se * se + self.systematic.variance).sqrt();
                (estimate - error, estimate + error)
            }
        };
        IntervalEstimate::around(estimate, self.n, se, ends)
    }

    /// Returns the [exact ends](exact_ends) of a share for a one-sided normal quantile and Student's
    /// quantile of the same level. Both are the estimate unless it is a share of labelled rows.
    fn exact_ends(&self, quantile: f64, student: f64) -> (f64, f64) {
        let estimate = self.estimate();
        let Some(fraction) = self.share_fraction else { return (estimate, estimate) };
        // Without positives or negatives V is 0, and its factor is that of any other share.
        let share = Some(estimate).filter(|share| *share > 0.0 && *share < 1.0).unwrap_or(0.5);
        let rows = fraction * share * (1.0 - share) / self.sides[0].at(share) * (quantile / student).powi(2);
        exact_ends(estimate, rows, fraction, gauss::tails(quantile).1)
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
    pub(crate) std_error: f64,
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
        self.std_error * n.sqrt() < NO_SPREAD
    }

    /// Creates an interval in [0, 1] that extends by half a score or more to either side of the
    /// estimate, if [0, 1] has room, as no share of n scores is known better than to one score.
    pub(crate) fn around(estimate: f64, n: f64, se: f64, (lower, upper): (f64, f64)) -> Self {
        Self {
            std_error: se,
            lower: lower.min(estimate - 0.5 / n).max(0.0),
            upper: upper.max(estimate + 0.5 / n).min(1.0),
        }
    }
}

/// Returns the ends of the two one-sided intervals of Clopper and Pearson for a share of n rows, each
/// with this probability of an error. The variance for the target is `fraction` times that for the
/// population. If n is not finite, both ends are the share.
pub(crate) fn exact_ends(share: f64, n: f64, fraction: f64, probability: f64) -> (f64, f64) {
    if !n.is_finite() {
        return (share, share);
    }
    let lower = |share: f64| {
        if share <= 0.0 {
            return 0.0;
        }
        let (a, b) = (share * n, (1.0 - share) * n + 1.0);
        let excess = |p: f64| incomplete_beta::tails(a, b, BetaPoint::new(a, b, p)).0 - probability;
        let end = solve_bracketed(excess, (0.0, -probability), (1.0, 1.0 - probability));
        share - fraction.sqrt() * (share - end) - 0.5 * (1.0 - fraction) / n
    };
    (lower(share), 1.0 - lower(1.0 - share))
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
                    assert!(
                        error < 1e-14 && solved.std_error == closed.std_error,
                        "{information}, {raw}: {solved:?} {closed:?}"
                    );
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

    /// Exact coverage of shares of n rows, by binomial sums, at expected counts from 0.1 to 6.
    #[test]
    fn intervals_of_few_positives_cover() {
        for n in [20_i32, 50, 199, 1000] {
            let size = f64::from(n);
            let most = n.min(40);
            let interval = |positives: i32| {
                let share = f64::from(positives) / size;
                EstimateDistribution::of_share(share, 1e9, share * (1.0 - share) / size, Quadratic::binomial(size), 1.0)
                    .interval_estimate(&IntervalOptions::default())
                    .interval()
            };
            let intervals: Vec<Interval> = (0..=most).map(interval).collect();
            let coverage = |p: f64| {
                let mut probability = (1.0 - p).powi(n);
                let mut sum = 0.0;
                for (positives, interval) in (0..).zip(&intervals) {
                    sum += if interval.contains(p) { probability } else { 0.0 };
                    probability *= (size - f64::from(positives)) / (f64::from(positives) + 1.0) * p / (1.0 - p);
                }
                sum
            };
            let even = (0..=590).map(|step| (0.1 + 0.01 * f64::from(step)) / size);
            let mean = even.map(coverage).sum::<f64>() / 591.0;
            let inside = |end: &f64| (0.1..6.0).contains(&(end * size));
            let ends = intervals.iter().flat_map(|interval| [interval.lower, interval.upper]).filter(inside);
            let next_to_ends = ends.flat_map(|end| [end * (1.0 - 1e-9), end * (1.0 + 1e-9)]);
            let least = next_to_ends.map(coverage).fold(1.0, f64::min);
            println!("{n} rows: {:.2} % on average, {:.2} % at least", 100.0 * mean, 100.0 * least);
            assert!(mean > 0.95 && least > 0.925, "{n}: {mean} {least}");
        }
    }

    /// R 4.2.2: `qbeta(0.05, 2, 198)`, `qbeta(0.95, 3, 197)`, and `qbeta(0.05, 1.625, 5.875)`; by hand, 1 − 0.05.
    #[test]
    fn exact_ends_are_quantiles_of_a_beta_distribution() {
        let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
        close(exact_ends(2.0 / 199.0, 199.0, 1.0, 0.05).0, 0.001_788_639_137_983_262_5);
        close(exact_ends(2.0 / 199.0, 199.0, 1.0, 0.05).1, 0.031_297_404_687_320_45);
        close(exact_ends(0.25, 6.5, 1.0, 0.05).0, 0.034_441_340_306_783_086);
        assert_eq!(exact_ends(0.0, 1.0, 1.0, 0.05).0, 0.0);
        close(exact_ends(0.0, 1.0, 1.0, 0.05).1, 0.95);
        assert_eq!(exact_ends(0.3, f64::INFINITY, 1.0, 0.05), (0.3, 0.3));
    }
}
