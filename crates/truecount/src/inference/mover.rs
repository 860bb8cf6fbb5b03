//! Intervals for the difference and the ratio of two estimates, from the interval of each and their
//! correlation: MOVER, the method of variance estimates recovery (Zou and Donner 2008, *Statistics
//! in Medicine* 27; for a ratio, Donner and Zou 2012, *Statistical Methods in Medical Research*
//! 21).
//!
//! MOVER replaces z standard errors by the distance between the estimate and the end of its
//! interval, in each direction. The pairs (α, β) that the estimates (a, b) do not contradict form a
//! quarter of an ellipse with these semi-axes in each quadrant about (a, b). The ends of the
//! difference are the smallest and the largest α − β among them. If a's lower end and b's upper end
//! decide,
//!
//! ```text
//! L = a − b − √[(a − l)² − 2ρ(a − l)(u′ − b) + (u′ − b)²]
//! ```
//!
//! for estimates a in (l, u) and b in (l′, u′), which is the usual formula. If ρ(a − l) > u′ − b,
//! the difference is smallest where both α and β are low, and b − l′ replaces u′ − b. If instead
//! ρ(u′ − b) > a − l, it is smallest where both are high. (With the usual formula alone, a shared
//! error that is larger upwards than downwards would not cancel.) The interval of a ratio holds the
//! R for which the interval of a − Rb holds 0.

use crate::numeric::root::solve_bracketed;

/// An estimate with the ends of its interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    pub(crate) lower: f64,
    pub(crate) estimate: f64,
    pub(crate) upper: f64,
}

impl Ends {
    pub(crate) fn below(&self) -> f64 {
        self.estimate - self.lower
    }

    pub(crate) fn above(&self) -> f64 {
        self.upper - self.estimate
    }

    fn times(&self, factor: f64) -> Self {
        Self { lower: factor * self.lower, estimate: factor * self.estimate, upper: factor * self.upper }
    }
}

/// Returns the ends of a − b. `correlation` is that of the separate errors in the ends; `shared` is
/// the squared margin of the errors that a and b share.
pub(crate) fn difference(a: &Ends, b: &Ends, correlation: f64, shared: f64) -> (f64, f64) {
    let d = a.estimate - b.estimate;
    let with_shared = |margin: f64| margin.hypot(shared.sqrt());
    (
        d - with_shared(max_sum([a.below(), a.above()], [b.above(), b.below()], correlation)),
        d + with_shared(max_sum([a.above(), a.below()], [b.below(), b.above()], correlation)),
    )
}

/// Returns the largest sum of two errors. Each has a semi-axis in the direction in which the sum
/// grows, and one in the other direction.
fn max_sum([x, x_back]: [f64; 2], [y, y_back]: [f64; 2], correlation: f64) -> f64 {
    if x.max(x_back).max(y).max(y_back).is_infinite() {
        return f64::INFINITY;
    }
    // On the border between two quadrants.
    let mut max = x.max(y) * (1.0 - correlation * correlation).max(0.0).sqrt();
    if x >= correlation * y && y >= correlation * x {
        max = max.max(margin(x, y, correlation));
    }
    if correlation * x > y_back {
        max = max.max(margin(x, y_back, correlation));
    }
    if correlation * y > x_back {
        max = max.max(margin(x_back, y, correlation));
    }
    max
}

/// √(x² − 2ρxy + y²).
fn margin(x: f64, y: f64, correlation: f64) -> f64 {
    ((x - y).powi(2) + 2.0 * (1.0 - correlation) * x * y).max(0.0).sqrt()
}

/// Returns the ends of a/b: the lower one is at least 0, the upper one infinite if b may be 0.
/// `shared(s, t)` is the squared margin of the errors that s a and t b share.
pub(super) fn ratio(a: &Ends, b: &Ends, correlation: f64, shared: impl Fn(f64, f64) -> f64) -> (f64, f64) {
    // t in [0, 1] parametrizes all ratios R = t/(1 − t).
    let at = |t: f64| difference(&a.times(1.0 - t), &b.times(t), correlation, shared(1.0 - t, t));
    let centre = a.estimate / (a.estimate + b.estimate);
    let ratio = |t: f64| t / (1.0 - t);
    let bounded = a.upper.is_finite() && b.upper.is_finite() && a.estimate + b.estimate > 0.0;
    let (lower_at_zero, upper_at_infinity) = (at(0.0).0, at(1.0).1);
    let lower = if bounded && lower_at_zero > 0.0 {
        let solve = || solve_bracketed(|t| at(t).0, (0.0, lower_at_zero), (centre, at(centre).0.min(0.0)));
        let closed = closed_form_ratio((a, a.below()), (b, b.above()), correlation, &shared, RatioEnd::Lower);
        closed.unwrap_or_else(|| ratio(solve()))
    } else {
        0.0
    };
    let upper = if bounded && upper_at_infinity < 0.0 {
        let solve = || solve_bracketed(|t| at(t).1, (centre, at(centre).1.max(0.0)), (1.0, upper_at_infinity));
        let closed = closed_form_ratio((a, a.above()), (b, b.below()), correlation, &shared, RatioEnd::Upper);
        closed.unwrap_or_else(|| ratio(solve()))
    } else {
        f64::INFINITY
    };
    (lower, upper)
}

#[derive(Clone, Copy)]
enum RatioEnd {
    Lower,
    Upper,
}

/// Returns an end of a ratio by the usual formula, from the estimates a and b with their distances
/// x and y to the ends that decide. Returns `None` if other ends decide.
///
/// The end is a root of (a − Rb)² = x² − 2ρRxy + R²y² + `shared(1, R)`, which is a quadratic in R.
fn closed_form_ratio(
    (a, x): (&Ends, f64),
    (b, y): (&Ends, f64),
    correlation: f64,
    shared: impl Fn(f64, f64) -> f64,
    end: RatioEnd,
) -> Option<f64> {
    let (shared_a, shared_b) = (shared(1.0, 0.0), shared(0.0, 1.0));
    let both = 0.5 * (shared_a + shared_b - shared(1.0, 1.0));
    let middle = a.estimate * b.estimate - correlation * x * y - both;
    let (square, constant) = (b.estimate.powi(2) - y * y - shared_b, a.estimate.powi(2) - x * x - shared_a);
    let root = (middle * middle - square * constant).sqrt();
    let ratio = match end {
        // This form of the smaller root avoids cancellation.
        RatioEnd::Lower => constant / (middle + root),
        RatioEnd::Upper => (middle + root) / square,
    };
    let is_usual = x >= correlation * ratio * y && ratio * y >= correlation * x;
    (ratio.is_finite() && ratio >= 0.0 && is_usual).then_some(ratio)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden;

    fn ends(lower: f64, estimate: f64, upper: f64) -> Ends {
        Ends { lower, estimate, upper }
    }

    /// Newcombe (1998), method 10, table II: for independent samples with Wilson's intervals,
    /// 56/70 − 48/80 lies in 0.0524 to 0.3339.
    #[test]
    fn the_difference_of_two_proportions_is_newcombes() {
        let wilson = |k: f64, n: f64| {
            let [lower, upper] = golden::wilson(k / n, n, 1.959_963_984_540_054);
            ends(lower, k / n, upper)
        };
        let (lower, upper) = difference(&wilson(56.0, 70.0), &wilson(48.0, 80.0), 0.0, 0.0);
        assert!((lower - 0.0524).abs() < 5e-5 && (upper - 0.3339).abs() < 5e-5, "{lower} {upper}");
        // 10/10 − 0/20: 0.6791 to 1.
        let (lower, upper) = difference(&wilson(10.0, 10.0), &wilson(0.0, 20.0), 0.0, 0.0);
        assert!((lower - 0.6791).abs() < 5e-5 && (upper - 1.0).abs() < 5e-5, "{lower} {upper}");
    }

    /// At the ends R of a ratio, the interval of a − Rb just excludes 0.
    #[test]
    fn the_ends_of_a_ratio_solve_its_equation() {
        for (a, b) in [
            (ends(0.1, 0.2, 0.35), ends(0.4, 0.5, 0.58)),
            (ends(0.0, 0.01, 0.08), ends(0.05, 0.3, 0.7)),
            (ends(0.3, 0.31, 0.32), ends(0.01, 0.02, 0.4)),
            (ends(0.0, 0.0, 0.1), ends(0.3, 0.4, 0.5)),
        ] {
            for correlation in [-0.4, 0.0, 0.7] {
                let times = |r: f64| ends(r * b.lower, r * b.estimate, r * b.upper);
                let (lower, upper) = ratio(&a, &b, correlation, |_, _| 0.0);
                assert!(difference(&a, &times(lower), correlation, 0.0).0.abs() < 1e-12);
                assert!(difference(&a, &times(upper), correlation, 0.0).1.abs() < 1e-12);
                assert!(lower <= a.estimate / b.estimate && a.estimate / b.estimate <= upper);
            }
        }
        let unbounded = ends(f64::NEG_INFINITY, 0.2, f64::INFINITY);
        assert_eq!(ratio(&ends(0.1, 0.2, 0.3), &unbounded, 0.5, |_, _| 0.0), (0.0, f64::INFINITY));
        assert_eq!(ratio(&unbounded, &ends(0.1, 0.2, 0.3), 0.5, |_, _| 0.0), (0.0, f64::INFINITY));
        assert_eq!(ratio(&ends(0.1, 0.2, 0.3), &ends(0.0, 0.1, 0.2), 0.0, |_, _| 0.0).1, f64::INFINITY);
        assert_eq!(ratio(&ends(0.0, 0.2, 0.3), &ends(0.05, 0.1, 0.2), 0.0, |_, _| 0.0).0, 0.0);
    }

    /// Compares with the smallest and the largest α − β among many points of the border.
    #[test]
    fn the_ends_are_the_extremes_of_the_region() {
        for (a, b) in [
            (ends(0.1, 0.2, 0.35), ends(0.4, 0.5, 0.58)),
            (ends(-0.1, 0.01, 0.08), ends(0.29, 0.3, 0.7)),
            (ends(0.3, 0.31, 0.32), ends(0.01, 0.02, 0.4)),
        ] {
            for correlation in [-0.9_f64, -0.4, 0.0, 0.3, 0.7, 0.95] {
                let point = |k: u32| {
                    // u² − 2ρuv + v² = 1 − ρ².
                    let angle = f64::from(k) * 1e-5 * std::f64::consts::TAU;
                    let (u, v) =
                        (angle.cos(), correlation * angle.cos() + (1.0 - correlation.powi(2)).sqrt() * angle.sin());
                    let side = |u: f64, ends: &Ends| u * if u > 0.0 { ends.above() } else { ends.below() };
                    (a.estimate - b.estimate) + side(u, &a) - side(v, &b)
                };
                let border: Vec<f64> = (0..100_000).map(point).collect();
                let min = border.iter().copied().fold(f64::INFINITY, f64::min);
                let max = border.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let (lower, upper) = difference(&a, &b, correlation, 0.0);
                assert!(
                    (lower - min).abs() < 1e-5 && (upper - max).abs() < 1e-5,
                    "{correlation}: {lower} {min} {upper} {max}"
                );
            }
        }
    }
}
