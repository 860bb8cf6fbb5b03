//! Intervals for the difference and the ratio of two estimates, from the interval of each and their correlation: MOVER, the method of
//! variance estimates recovery (Zou and Donner 2008, *Statistics in Medicine* 27; of a ratio, Donner and Zou 2012, *Statistical
//! Methods in Medical Research* 21).
//!
//! The distance of an end from its estimate takes the place of so many standard errors, in that direction: the pairs (α, β) that the
//! estimates (a, b) do not contradict are the ellipse with these semi-axes, another one in each quadrant about (a, b). An end of the
//! difference is where α − β is least or largest among them. Where it is a's lower end and b's upper one that count,
//!
//! ```text
//! L = a − b − √[(a − l)² − 2ρ(a − l)(u′ − b) + (u′ − b)²]
//! ```
//!
//! for estimates a in (l, u) and b in (l′, u′), which is the usual formula. With ρ(a − l) > u′ − b both are lower where the difference
//! is least, and it takes b − l′ for u′ − b; with ρ(u′ − b) > a − l both are larger. (With the formula as it stands an error that two
//! estimates share, as large for both but larger upwards than downwards, would not cancel.) A ratio R is not contradicted as long as the
//! interval of a − Rb holds 0.

use crate::numeric::root::solve_bracketed;

/// An estimate between the ends of its interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub(super) lower: f64,
    pub(super) estimate: f64,
    pub(super) upper: f64,
}

impl Ends {
    fn below(&self) -> f64 {
        self.estimate - self.lower
    }

    fn above(&self) -> f64 {
        self.upper - self.estimate
    }

    fn times(&self, factor: f64) -> Self {
        Self { lower: factor * self.lower, estimate: factor * self.estimate, upper: factor * self.upper }
    }
}

/// The ends for a − b, whose own errors are correlated, and which have another error of this square in common.
pub(super) fn difference(a: &Ends, b: &Ends, correlation: f64, shared: f64) -> (f64, f64) {
    let d = a.estimate - b.estimate;
    let with_shared = |own: f64| own.hypot(shared.sqrt());
    (
        d - with_shared(farthest([a.below(), a.above()], [b.above(), b.below()], correlation)),
        d + with_shared(farthest([a.above(), a.below()], [b.below(), b.above()], correlation)),
    )
}

/// The largest x + y of two errors: each has a semi-axis in the direction in which the sum grows, and one in the other.
fn farthest([x, x_back]: [f64; 2], [y, y_back]: [f64; 2], correlation: f64) -> f64 {
    if x.max(x_back).max(y).max(y_back).is_infinite() {
        return f64::INFINITY;
    }
    // Between two quadrants.
    let mut most = x.max(y) * (1.0 - correlation * correlation).max(0.0).sqrt();
    if x >= correlation * y && y >= correlation * x {
        most = most.max(apart(x, y, correlation));
    }
    if correlation * x > y_back {
        most = most.max(apart(x, y_back, correlation));
    }
    if correlation * y > x_back {
        most = most.max(apart(x_back, y, correlation));
    }
    most
}

/// √(x² − 2ρxy + y²).
fn apart(x: f64, y: f64, correlation: f64) -> f64 {
    ((x - y).powi(2) + 2.0 * (1.0 - correlation) * x * y).max(0.0).sqrt()
}

/// The ends for a/b, at least 0: infinite where b may be 0. Of what is shared the square is given for a and b so many times.
pub(super) fn ratio(a: &Ends, b: &Ends, correlation: f64, shared: impl Fn(f64, f64) -> f64) -> (f64, f64) {
    // R = t/(1 − t), so that no ratio is out of reach.
    let at = |t: f64| difference(&a.times(1.0 - t), &b.times(t), correlation, shared(1.0 - t, t));
    let here = a.estimate / (a.estimate + b.estimate);
    let ratio = |t: f64| t / (1.0 - t);
    let bounded = a.upper.is_finite() && b.upper.is_finite() && a.estimate + b.estimate > 0.0;
    let (nothing, everything) = (at(0.0).0, at(1.0).1);
    let lower = if bounded && nothing > 0.0 {
        let low = usual(a, a.below(), b, b.above(), correlation, &shared, -1.0);
        low.unwrap_or_else(|| ratio(solve_bracketed(|t| at(t).0, (0.0, nothing), (here, at(here).0.min(0.0)))))
    } else {
        0.0
    };
    let upper = if bounded && everything < 0.0 {
        let high = usual(a, a.above(), b, b.below(), correlation, &shared, 1.0);
        high.unwrap_or_else(|| ratio(solve_bracketed(|t| at(t).1, (here, at(here).1.max(0.0)), (1.0, everything))))
    } else {
        f64::INFINITY
    };
    (lower, upper)
}

/// The end of a ratio where the usual pair of ends counts: the root of (a − Rb)² = x² − 2ρRxy + R²y² + what is shared, which is a
/// quadratic of R. None where another pair does.
fn usual(
    a: &Ends,
    x: f64,
    b: &Ends,
    y: f64,
    correlation: f64,
    shared: impl Fn(f64, f64) -> f64,
    sign: f64,
) -> Option<f64> {
    let (of_a, of_b) = (shared(1.0, 0.0), shared(0.0, 1.0));
    let both = 0.5 * (of_a + of_b - shared(1.0, 1.0));
    let middle = a.estimate * b.estimate - correlation * x * y - both;
    let (square, constant) = (b.estimate.powi(2) - y * y - of_b, a.estimate.powi(2) - x * x - of_a);
    let root = (middle * middle - square * constant).sqrt();
    // The smaller root without a difference of like numbers.
    let ratio = if sign < 0.0 { constant / (middle + root) } else { (middle + root) / square };
    let is_usual = x >= correlation * ratio * y && ratio * y >= correlation * x;
    (ratio.is_finite() && ratio >= 0.0 && is_usual).then_some(ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(lower: f64, estimate: f64, upper: f64) -> Ends {
        Ends { lower, estimate, upper }
    }

    /// Newcombe (1998), method 10, table II: 56/70 − 48/80 with Wilson's intervals is 0.0524 to 0.3339; independent.
    #[test]
    fn of_two_proportions_it_is_newcombes() {
        let wilson = |k: f64, n: f64| {
            let (p, z2) = (k / n, 1.959_963_984_540_054_f64.powi(2));
            let half = (z2 * (p * (1.0 - p) / n + z2 / (4.0 * n * n))).sqrt();
            let (centre, scale) = (p + z2 / (2.0 * n), 1.0 + z2 / n);
            ends((centre - half) / scale, p, (centre + half) / scale)
        };
        let (lower, upper) = difference(&wilson(56.0, 70.0), &wilson(48.0, 80.0), 0.0, 0.0);
        assert!((lower - 0.0524).abs() < 5e-5 && (upper - 0.3339).abs() < 5e-5, "{lower} {upper}");
        // 10/10 − 0/20: 0.6791 to 1.
        let (lower, upper) = difference(&wilson(10.0, 10.0), &wilson(0.0, 20.0), 0.0, 0.0);
        assert!((lower - 0.6791).abs() < 5e-5 && (upper - 1.0).abs() < 5e-5, "{lower} {upper}");
    }

    /// At its ends the difference a − Rb just leaves 0 out.
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
        let nothing = ends(f64::NEG_INFINITY, 0.2, f64::INFINITY);
        assert_eq!(ratio(&ends(0.1, 0.2, 0.3), &nothing, 0.5, |_, _| 0.0), (0.0, f64::INFINITY));
        assert_eq!(ratio(&nothing, &ends(0.1, 0.2, 0.3), 0.5, |_, _| 0.0), (0.0, f64::INFINITY));
        assert_eq!(ratio(&ends(0.1, 0.2, 0.3), &ends(0.0, 0.1, 0.2), 0.0, |_, _| 0.0).1, f64::INFINITY);
        assert_eq!(ratio(&ends(0.0, 0.2, 0.3), &ends(0.05, 0.1, 0.2), 0.0, |_, _| 0.0).0, 0.0);
    }

    /// Also where it is known better downwards than upwards.
    #[test]
    fn what_moves_together_is_not_apart() {
        for a in [ends(0.1, 0.2, 0.3), ends(0.1, 0.2, 0.5)] {
            assert_eq!(difference(&a, &a, 1.0, 0.0), (0.0, 0.0));
            let (lower, upper) = ratio(&a, &a, 1.0, |_, _| 0.0);
            assert!((lower - 1.0).abs() < 1e-12 && (upper - 1.0).abs() < 1e-12, "{lower} {upper}");
        }
    }

    /// The least and the largest α − β among many points of the border.
    #[test]
    fn the_ends_are_those_of_the_region() {
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
                    let side = |u: f64, of: &Ends| u * if u > 0.0 { of.above() } else { of.below() };
                    (a.estimate - b.estimate) + side(u, &a) - side(v, &b)
                };
                let border: Vec<f64> = (0..100_000).map(point).collect();
                let least = border.iter().copied().fold(f64::INFINITY, f64::min);
                let largest = border.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let (lower, upper) = difference(&a, &b, correlation, 0.0);
                assert!(
                    (lower - least).abs() < 1e-5 && (upper - largest).abs() < 1e-5,
                    "{correlation}: {lower} {least} {upper} {largest}"
                );
            }
        }
    }
}
