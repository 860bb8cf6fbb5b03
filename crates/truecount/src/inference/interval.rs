//! From a variance to an interval for the prevalence.
//!
//! Values α that the estimate T, kept inside [0, 1], does not contradict: |T − α| ≤ r(α), with r(α) as small as the level allows.
//! Away from 0 and 1 r = z√V(α), z the two-sided quantile: the Wilson-type interval. Near an end T cannot miss α on the far
//! side, so the near side has all of the error: r = z₁√V(α) with the one-sided z₁, and in between the distance of α from that
//! end. Solved for α the interval's upper end is (1 + T)/2 kept between the two Wilson-type ends, and the lower one is T/2 kept
//! between its two. Such an interval is never empty and does not cover more than it should near 0 and 1.
//!
//! Where V is a quadratic (`inference::quadratic`) the ends of |T − α| = z√V(α) have a closed form; otherwise, as for a maximum of
//! likelihood, they are searched for.
//!
//! z is Student's quantile with the degrees of freedom of V (`inference::variance`). For the two Wilson-type ends, not for Wald's
//! interval, V has half an error of each class added, and the estimate is moved to where its error leans (`inference::skewness`).

use super::skewness::{SkewnessCorrection, student};
use super::{Interval, IntervalOptions, Quadratic, Systematic, Variance};
use crate::numeric::root::solve_bracketed;

/// How an estimate is spread about the prevalence.
#[derive(Clone, Debug)]
pub(crate) struct EstimateDistribution {
    /// The estimator as defined, which may lie outside [0, 1].
    pub(super) raw: f64,
    /// The effective number of test scores.
    pub(super) n: f64,
    /// V at the estimate.
    pub(super) variance: f64,
    /// V(α) with what labelled scores cannot have shown, below the estimate and above it: the same for one estimate, not for a sum
    /// of several, which can become smaller and larger in many ways.
    pub(super) sides: [Quadratic; 2],
    /// What misfit adds to all of it.
    pub(super) systematic: Systematic,
    /// The degrees of freedom with which V is known.
    pub(super) freedom: f64,
    /// Where the error leans, if anything was learnt.
    pub(super) lean: Option<SkewnessCorrection>,
}

impl EstimateDistribution {
    /// Of an estimate from n test scores, with such a share of the drawing.
    pub(crate) fn new(raw: f64, n: f64, variance: &Variance, drawn: f64) -> Self {
        let estimate = raw.clamp(0.0, 1.0);
        let whole = variance.whole(drawn);
        Self {
            raw,
            n,
            variance: variance.with_sampling(drawn).at(estimate),
            sides: [whole, whole],
            systematic: Systematic::NONE,
            freedom: variance.freedom(estimate, drawn),
            lean: variance.learnt.as_ref().map(|basis| SkewnessCorrection::new(basis, drawn, estimate)),
        }
    }

    /// Of an estimate whose variance is no function of it, and the same as a function of the prevalence; normal.
    pub(crate) fn with_sides(raw: f64, n: f64, variance: f64, side: Quadratic) -> Self {
        let (systematic, freedom, lean) = (Systematic::NONE, f64::INFINITY, None);
        Self { raw, n, variance, sides: [side; 2], systematic, freedom, lean }
    }

    /// The same with a systematic error.
    pub(crate) fn with(self, systematic: Systematic) -> Self {
        Self { systematic, ..self }
    }

    /// V at the estimate.
    pub(crate) fn variance(&self) -> f64 {
        self.variance
    }

    /// The estimate kept inside [0, 1].
    pub(crate) fn estimate(&self) -> f64 {
        self.raw.clamp(0.0, 1.0)
    }

    /// The estimator as defined.
    pub(crate) fn raw(&self) -> f64 {
        self.raw
    }

    /// The effective number of test scores.
    pub(crate) fn effective_n(&self) -> f64 {
        self.n
    }

    /// What is reported of it.
    pub(crate) fn uncertainty(&self, reporting: &IntervalOptions) -> IntervalEstimate {
        let added = Quadratic::constant(self.systematic.variance);
        let [below, above] = self.sides.map(|side| side.plus(&added));
        self.between(reporting, |z| {
            let moved = self.moved(self, z);
            (below.wilson(moved, z).0, above.wilson(moved, z).1)
        })
    }

    /// The same where each prevalence is judged by how an estimate of it is spread.
    pub(crate) fn uncertainty_among(
        &self,
        reporting: &IntervalOptions,
        spread_of: impl Fn(f64) -> Self,
    ) -> IntervalEstimate {
        self.between(reporting, |z| [0.0, 1.0].map(|edge| self.end(&spread_of, z, edge)).into())
    }

    /// With the ends of |T − α| = z√V(α), from z.
    fn between(&self, reporting: &IntervalOptions, ends: impl Fn(f64) -> (f64, f64)) -> IntervalEstimate {
        let estimate = self.estimate();
        let freedom = self.systematic.freedom_with(self.variance, self.freedom);
        let quantiles = reporting.quantiles().map(|z| student(z, freedom));
        // A flat likelihood has a variance of 0/0.
        let se = Some(self.variance.sqrt()).filter(|se| !se.is_nan()).unwrap_or(f64::INFINITY);
        let ends = match reporting.interval() {
            Interval::Wilson => wilson(estimate, quantiles.map(ends)),
            Interval::Wald if se.is_infinite() => (0.0, 1.0),
            Interval::Wald => {
                let error = quantiles[0] * (se * se + self.systematic.variance).sqrt();
                (estimate - error, estimate + error)
            }
        };
        IntervalEstimate::around(estimate, self.n, se, ends)
    }

    /// Where the estimate is moved to, inside [0, 1], for an interval of so many standard errors (`inference::skewness`) if it is
    /// spread like another.
    fn moved(&self, like: &Self, z: f64) -> f64 {
        (self.raw - like.lean.map_or(0.0, |lean| lean.at(like.whole(), z))).clamp(0.0, 1.0)
    }

    /// V at the estimate, with what labelled scores cannot have shown.
    fn whole(&self) -> f64 {
        self.sides[0].at(self.estimate())
    }

    /// The end of {α : |T − α| ≤ z√V(α)} towards 0 or 1, the edge, with T moved and V as an estimate of α is spread; no nearer to T than
    /// half a score, where [`IntervalEstimate::around`] would put it. Where V is not a number, nothing is excluded.
    fn end(&self, spread_of: &impl Fn(f64) -> Self, z: f64, edge: f64) -> f64 {
        let (estimate, least) = (self.estimate(), 0.5 / self.n);
        let distance = edge - estimate;
        if distance.abs() <= least {
            return edge;
        }
        let near = estimate + least.copysign(distance);
        let beyond = |alpha: f64| {
            let there = spread_of(alpha);
            (alpha - self.moved(&there, z)) * distance.signum() - z * (there.whole() + self.systematic.variance).sqrt()
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

/// How far off an estimate may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalEstimate {
    /// √V at the prevalence, or the standard deviation of bootstrap replicates.
    pub se: f64,
    /// Lower end of the interval, in [0, 1].
    pub lower: f64,
    /// Upper end of the interval, in [0, 1].
    pub upper: f64,
}

/// Standard deviation of one score's contribution below which the formula is not believed.
pub(super) const NO_SPREAD: f64 = 1e-4;

impl IntervalEstimate {
    /// How far the ends are apart.
    pub(crate) fn width(&self) -> f64 {
        self.upper - self.lower
    }

    /// Whether the standard error of n scores is too small to be believed.
    pub(crate) fn is_without_spread(&self, n: f64) -> bool {
        self.se * n.sqrt() < NO_SPREAD
    }

    /// With ends inside [0, 1] that are never nearer to each other than one of n test scores, as far as there is room: no share
    /// is known better than that.
    pub(crate) fn around(estimate: f64, n: f64, se: f64, (lower, upper): (f64, f64)) -> Self {
        Self { se, lower: lower.min(estimate - 0.5 / n).max(0.0), upper: upper.max(estimate + 0.5 / n).min(1.0) }
    }
}

/// From the ends for two sides and for one.
fn wilson(estimate: f64, [outer, inner]: [(f64, f64); 2]) -> (f64, f64) {
    ((0.5 * estimate).max(outer.0).min(inner.0), (0.5 + 0.5 * estimate).min(outer.1).max(inner.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::Target;

    /// Of a quadratic the ends that are searched for are those of the closed form.
    #[test]
    fn ends_that_are_searched_for() {
        for information in [0.3, 2.0, 50.0] {
            let variance = Variance::observed(information, 80.0);
            for raw in [0.0, 0.013, 0.3, 0.62, 1.0] {
                for reporting in [0.5, 0.8, 0.99].map(|level| IntervalOptions::new(level, Target::Population).unwrap())
                {
                    let spread = |alpha: f64| EstimateDistribution::new(alpha, 80.0, &variance, 1.0);
                    let (found, known) =
                        (spread(raw).uncertainty_among(&reporting, spread), spread(raw).uncertainty(&reporting));
                    let off = (found.lower - known.lower).abs().max((found.upper - known.upper).abs());
                    assert!(off < 1e-14 && found.se == known.se, "{information}, {raw}: {found:?} {known:?}");
                }
            }
        }
        // A likelihood that is flat excludes nothing.
        let flat = |alpha: f64| EstimateDistribution::new(alpha, 80.0, &Variance::observed(f64::NAN, 80.0), 0.0);
        let found = flat(0.4).uncertainty_among(&IntervalOptions::default(), flat);
        assert_eq!((found.lower, found.upper), (0.0, 1.0));
    }

    /// A constant variance: near 0 all of the error is on the near side, far from it half of it.
    #[test]
    fn an_end_that_the_estimate_cannot_pass_takes_no_error() {
        let variance = Quadratic::constant(0.01);
        let ends = |estimate: f64| wilson(estimate, [2.0, 1.5].map(|z| variance.wilson(estimate, z)));
        let close = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).abs().max((a.1 - b.1).abs()) < 1e-15;
        assert!(close(ends(0.5), (0.3, 0.7)));
        // 0.1 is rejected only by estimates above 0.25, so 0.26 rejects it, and 0.24 does not.
        assert!(close(ends(0.26), (0.11, 0.46)));
        assert!(close(ends(0.24), (0.09, 0.44)));
        // Between, α is as far from 0 as the estimate from α.
        assert!(close(ends(0.36), (0.18, 0.56)));
        assert!(close(ends(0.0), (0.0, 0.2)));
        assert!(close(ends(1.0), (0.8, 1.0)));
    }
}
