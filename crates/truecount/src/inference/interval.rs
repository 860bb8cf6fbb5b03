//! From a variance to an interval for the prevalence.
//!
//! Values α that the estimate T, kept inside [0, 1], does not contradict: |T − α| ≤ r(α), with r(α) as small as the level allows.
//! Away from 0 and 1 r = z√V(α), z the two-sided quantile: the Wilson-type interval. Near an end T cannot miss α on the far
//! side, so the near side has all of the error: r = z₁√V(α) with the one-sided z₁, and in between the distance of α from that
//! end. Solved for α the interval's upper end is (1 + T)/2 kept between the two Wilson-type ends, and the lower one is T/2 kept
//! between its two. Such an interval is never empty and does not cover more than it should near 0 and 1.
//!
//! z stands for Student's quantile with the degrees of freedom of V.

use super::{Quadratic, Reporting, Uncertainty, Variance};

/// How an interval follows from the variance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interval {
    /// The values of α that do not contradict the estimate, each judged by its own variance.
    #[default]
    Wilson,
    /// The estimate and so many standard errors on either side, cut at 0 and 1.
    Wald,
}

impl Interval {
    /// Both intervals: name, interval, what it means.
    pub const TABLE: [(&'static str, Self, &'static str); 2] = [
        ("wilson", Self::Wilson, "the prevalences that the estimate does not contradict"),
        ("wald", Self::Wald, "the estimate and so many standard errors on either side"),
    ];
}

/// What the variance says of an estimate in [0, 1] from n test scores.
pub(crate) fn by_formula(estimate: f64, n: f64, variance: &Variance, reporting: &Reporting) -> Uncertainty {
    let whole = variance.of(reporting.target());
    let freedom = variance.freedom(estimate, reporting.target());
    let [two, one] = reporting.quantiles().map(|z| student(z, freedom));
    let ends = match reporting.interval() {
        Interval::Wilson => wilson(&whole, estimate, two, one),
        Interval::Wald => {
            let half = two * whole.at(estimate).sqrt();
            if half.is_nan() { (0.0, 1.0) } else { (estimate - half, estimate + half) }
        }
    };
    Uncertainty::around(estimate, n, whole.at(estimate).sqrt(), ends)
}

impl Uncertainty {
    /// With ends inside [0, 1] that are never nearer to each other than one of n test scores, as far as there is room: no share
    /// is known better than that.
    pub(super) fn around(estimate: f64, n: f64, se: f64, (lower, upper): (f64, f64)) -> Self {
        Self { se, lower: lower.min(estimate - 0.5 / n).max(0.0), upper: upper.max(estimate + 0.5 / n).min(1.0) }
    }
}

fn wilson(variance: &Quadratic, estimate: f64, two: f64, one: f64) -> (f64, f64) {
    let (outer, inner) = (variance.wilson(estimate, two), variance.wilson(estimate, one));
    ((0.5 * estimate).max(outer.0).min(inner.0), (0.5 + 0.5 * estimate).min(outer.1).max(inner.1))
}

/// Student's quantile from the normal's, z ≥ 0, by Cornish and Fisher's expansion (Abramowitz and Stegun 26.7.5): to 1e-4 for ten
/// degrees of freedom or more, 1 % for four.
fn student(z: f64, freedom: f64) -> f64 {
    let (s, f) = (z * z, freedom.recip());
    let terms = [
        z * (s + 1.0) / 4.0,
        z * ((5.0 * s + 16.0) * s + 3.0) / 96.0,
        z * (((3.0 * s + 19.0) * s + 17.0) * s - 15.0) / 384.0,
        z * ((((79.0 * s + 776.0) * s + 1482.0) * s - 1920.0) * s - 945.0) / 92160.0,
    ];
    z + terms.iter().rev().fold(0.0, |sum, term| (sum + term) * f)
}
