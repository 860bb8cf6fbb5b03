//! Intervals for the difference and the ratio of two estimates, from the interval of each and their correlation: MOVER, the method of
//! variance estimates recovery (Zou and Donner 2008, *Statistics in Medicine* 27; of a ratio, Donner and Zou 2012, *Statistical
//! Methods in Medical Research* 21).
//!
//! The distance of an end from its estimate takes the place of so many standard errors, at that end:
//!
//! ```text
//! L = d − √[(a − l)² − 2ρ(a − l)(u′ − b) + (u′ − b)²],    U = d + √[(u − a)² − 2ρ(u − a)(b − l′) + (b − l′)²],    d = a − b
//! ```
//!
//! for estimates a in (l, u) and b in (l′, u′). A ratio R is not contradicted as long as the interval of a − Rb holds 0.

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
}

/// The ends for a − b.
pub(super) fn difference(a: &Ends, b: &Ends, correlation: f64) -> (f64, f64) {
    let d = a.estimate - b.estimate;
    (d - apart(a.below(), b.above(), correlation), d + apart(a.above(), b.below(), correlation))
}

/// √(x² − 2ρxy + y²).
fn apart(x: f64, y: f64, correlation: f64) -> f64 {
    ((x - y).powi(2) + 2.0 * (1.0 - correlation) * x * y).max(0.0).sqrt()
}

/// The ends for a/b: infinite where b may be 0.
pub(super) fn ratio(a: &Ends, b: &Ends, correlation: f64) -> (f64, f64) {
    let product = a.estimate * b.estimate;
    // L² u′(2b − u′) − 2L[ab − ρ(a − l)(u′ − b)] + l(2a − l) = 0, and the same for U with the other ends.
    let middle = product - correlation * a.below() * b.above();
    let (square, constant) = (b.upper * (2.0 * b.estimate - b.upper), a.lower * (2.0 * a.estimate - a.lower));
    let root = (middle * middle - square * constant).max(0.0).sqrt();
    let lower = if constant > 0.0 { constant / (middle + root) } else { 0.0 };
    let middle = product - correlation * a.above() * b.below();
    let (square, constant) = (b.lower * (2.0 * b.estimate - b.lower), a.upper * (2.0 * a.estimate - a.upper));
    let root = (middle * middle - square * constant).max(0.0).sqrt();
    let upper = if square > 0.0 { (middle + root) / square } else { f64::INFINITY };
    (lower, upper)
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
        let (lower, upper) = difference(&wilson(56.0, 70.0), &wilson(48.0, 80.0), 0.0);
        assert!((lower - 0.0524).abs() < 5e-5 && (upper - 0.3339).abs() < 5e-5, "{lower} {upper}");
        // 10/10 − 0/20: 0.6791 to 1.
        let (lower, upper) = difference(&wilson(10.0, 10.0), &wilson(0.0, 20.0), 0.0);
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
                let (lower, upper) = ratio(&a, &b, correlation);
                assert!(difference(&a, &times(lower), correlation).0.abs() < 1e-12);
                assert!(difference(&a, &times(upper), correlation).1.abs() < 1e-12);
                assert!(lower <= a.estimate / b.estimate && a.estimate / b.estimate <= upper);
            }
        }
        assert_eq!(ratio(&ends(0.1, 0.2, 0.3), &ends(0.0, 0.1, 0.2), 0.0).1, f64::INFINITY);
        assert_eq!(ratio(&ends(0.0, 0.2, 0.3), &ends(0.05, 0.1, 0.2), 0.0).0, 0.0);
    }

    #[test]
    fn what_moves_together_is_not_apart() {
        let a = ends(0.1, 0.2, 0.3);
        assert_eq!(difference(&a, &a, 1.0), (0.0, 0.0));
    }
}
