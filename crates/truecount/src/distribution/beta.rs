//! The beta distribution on (0, 1): f(x) = x^(a−1) (1−x)^(b−1) / B(a, b), F(x) = `I_x(a, b)`.
//!
//! Fit: maximum likelihood. The family is exponential in (ln x, ln(1−x)), so the log-likelihood is
//! concave in (a, b) and Newton's method, started from the moments, finds the only maximum
//! (Johnson, Kotz and Balakrishnan 1995, ch. 25.4).

use super::empirical::mean_and_sd;
use super::{Distribution, OUTER_LANDMARK_TAIL};
use crate::numeric::incomplete_beta::{self, BetaPoint, trigamma};
use crate::numeric::sum::CompensatedSum;
use crate::numeric::{newton, root};
use crate::random::{Bits, RandomBits};
use crate::{Class, Error, Problem};
use rand_distr::Distribution as _;
use serde::{Deserialize, Serialize};
use statrs::function::gamma::digamma;

/// The range of the shape parameters a and b: below it, almost all scores round to 0 or 1; above
/// it, computation is slow.
const MIN_SHAPE: f64 = 0.01;
const MAX_SHAPE: f64 = 1e6;

/// The largest double below 1.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

/// A beta distribution Beta(a, b), for scores that are probabilities; a and b lie in [0.01, 1e6].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BetaParameters", into = "BetaParameters")]
pub struct Beta {
    a: f64,
    b: f64,
}

serialised_parameters!(Beta, BetaParameters { a, b });

impl Beta {
    /// Creates a beta distribution from its shape parameters a and b.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`] unless a and b lie in [0.01, 1e6].
    pub fn new(a: f64, b: f64) -> Result<Self, Error> {
        for shape in [("a", a), ("b", b)] {
            let is_inside = (MIN_SHAPE..=MAX_SHAPE).contains(&shape.1);
            Error::unless_in_domain(is_inside, shape, "between 0.01 and 1000000")?;
        }
        Ok(Self { a, b })
    }

    /// Fits a and b by maximum likelihood.
    ///
    /// # Errors
    /// Returns [`Problem::ScoreOutsideSupport`] if a score is not strictly between 0 and 1,
    /// [`Problem::ClassTooSmall`] for fewer than two scores, [`Problem::ClassVarianceZero`] if all
    /// scores are equal, and [`Problem::ClassOutOfScale`] if a or b would lie outside [0.01, 1e6].
    pub fn fit(class: Class, scores: &[f64]) -> Result<Self, Error> {
        if let Some(&value) = scores.iter().find(|s| !(0.0 < **s && **s < 1.0)) {
            return Err(Problem::ScoreOutsideSupport { class, family: "beta", value, low: 0.0, high: 1.0 }.into());
        }
        let (mean, sd) = mean_and_sd(class, scores, 2, "beta")?;
        let mean_of =
            |f: fn(f64) -> f64| scores.iter().map(|s| f(*s)).collect::<CompensatedSum>().value() / scores.len() as f64;
        let (ln_x, ln_y) = (mean_of(f64::ln), mean_of(|s| (-s).ln_1p()));
        let variance = sd.powi(2);
        // Two scores near 0 and 1 may have a larger variance than any beta distribution.
        let sum = (mean * (1.0 - mean) / variance - 1.0).max(0.1);
        let [a, b] = newton::maximise([mean * sum, (1.0 - mean) * sum], |[a, b]| {
            if a.min(b) <= 0.0 {
                return (f64::NEG_INFINITY, [0.0; 2], [0.0; 3]);
            }
            let (both, curvature) = (digamma(a + b), trigamma(a + b));
            (
                a * ln_x + b * ln_y - incomplete_beta::ln_beta(a, b),
                [ln_x - digamma(a) + both, ln_y - digamma(b) + both],
                [curvature - trigamma(a), curvature, curvature - trigamma(b)],
            )
        });
        Self::new(a, b).map_err(|_| Problem::ClassOutOfScale { class }.into())
    }

    /// Returns a, the exponent of x plus 1.
    pub fn a(&self) -> f64 {
        self.a
    }

    /// Returns b, the exponent of 1 − x plus 1.
    pub fn b(&self) -> f64 {
        self.b
    }

    /// Returns the x at which `tail`, a monotone function, equals `target`.
    ///
    /// If no double in (0, 1) reaches `target`, returns the smallest normal or the largest double in (0, 1).
    fn solve(&self, target: f64, tail: impl Fn(f64) -> f64) -> f64 {
        let score = |logit: f64| {
            let e = (-logit.abs()).exp();
            if logit < 0.0 { e / (1.0 + e) } else { (1.0 / (1.0 + e)).min(BELOW_ONE) }
        };
        let excess = |logit: f64| (tail(score(logit)) / target).ln();
        // The logits of the smallest double and of the largest double below 1.
        let ends = (-744.0, 38.0);
        let (low, high) = (excess(ends.0), excess(ends.1));
        if (low < 0.0) == (high < 0.0) {
            return if low.abs() < high.abs() { f64::MIN_POSITIVE } else { BELOW_ONE };
        }
        let x = score(root::solve_bracketed(excess, (ends.0, low), (ends.1, high)));
        // One step of Newton's method restores the digits that the logistic function lost.
        let step = (tail(x) - target) / self.ln_pdf(x).exp();
        let polished = if low < high { x - step } else { x + step };
        if ((0.5 * x).max(f64::MIN_POSITIVE)..=(2.0 * x).min(BELOW_ONE)).contains(&polished) {
            polished
        } else {
            x.max(f64::MIN_POSITIVE)
        }
    }
}

impl Distribution for Beta {
    fn tails(&self, x: f64) -> (f64, f64) {
        if x <= 0.0 {
            (0.0, 1.0)
        } else if x >= 1.0 {
            (1.0, 0.0)
        } else {
            incomplete_beta::tails(self.a, self.b, BetaPoint::new(self.a, self.b, x))
        }
    }

    fn ln_pdf(&self, x: f64) -> f64 {
        if 0.0 < x && x < 1.0 {
            incomplete_beta::ln_power(self.a, self.b, BetaPoint::new(self.a, self.b, x)) - x.ln() - (-x).ln_1p()
        } else {
            f64::NEG_INFINITY
        }
    }

    fn inverse_cdf(&self, p: f64) -> f64 {
        if p <= 0.5 { self.solve(p, |x| self.tails(x).0) } else { self.solve(1.0 - p, |x| self.tails(x).1) }
    }

    fn inverse_sf(&self, q: f64) -> f64 {
        if q <= 0.5 { self.solve(q, |x| self.tails(x).1) } else { self.solve(1.0 - q, |x| self.tails(x).0) }
    }

    /// Points at most two standard deviations apart, and closer together near 0 and 1.
    ///
    /// Near an end the density is a power of the distance to the end, so this distance changes by at most a factor of
    /// two from point to point. The outer points are where the tails are 1e-12, or the last double below 1.
    fn landmarks(&self) -> Vec<f64> {
        let sum = self.a + self.b;
        let sd = (self.a / sum * (self.b / sum) / (sum + 1.0)).sqrt();
        let (first, last) = (self.inverse_cdf(OUTER_LANDMARK_TAIL), self.inverse_sf(OUTER_LANDMARK_TAIL));
        let mut landmarks = vec![];
        let mut x = first;
        while x < last {
            landmarks.push(x);
            x += (2.0 * sd).min(x).min(0.5 * (1.0 - x));
        }
        landmarks.push(last);
        landmarks
    }

    fn sample(&self, bits: &mut dyn RandomBits) -> f64 {
        let beta = rand_distr::Beta::new(self.a, self.b).expect("the shapes were checked");
        beta.sample(&mut Bits(bits)).clamp(f64::MIN_POSITIVE, BELOW_ONE)
    }

    fn tangents(&self, x: f64) -> Option<[f64; 3]> {
        Some([x.ln(), (-x).ln_1p(), 0.0])
    }

    fn support(&self) -> (f64, f64) {
        (0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::quoted;

    #[test]
    fn tails_and_density_to_full_accuracy() {
        for [a, b, x, lower, upper, ln_pdf] in quoted("beta") {
            let beta = Beta::new(a, b).unwrap();
            let actual = beta.tails(x);
            let (actual, tail) = if lower < upper { (actual.0, lower) } else { (actual.1, upper) };
            assert!((actual / tail - 1.0).abs() < 5e-13, "{a}, {b}, {x}: {actual:e}, not {tail:e}");
            let error = beta.ln_pdf(x) - ln_pdf;
            assert!(error.abs() < 3e-15 * ln_pdf.abs().max(1.0), "{a}, {b}, {x}: {error} off {ln_pdf}");
        }
    }

    #[test]
    fn fit_fails_for_unsuitable_scores() {
        let fit = |scores: &[f64]| Beta::fit(Class::Negative, scores);
        for value in [0.0, 1.0, -0.2, 7.0] {
            let error = fit(&[0.1, 0.3, value]).unwrap_err();
            let expected =
                Problem::ScoreOutsideSupport { class: Class::Negative, family: "beta", value, low: 0.0, high: 1.0 }
                    .into();
            assert_eq!(error, expected);
        }
        assert_eq!(fit(&[0.5, 0.500_001, 0.500_002]).unwrap_err().code(), "class-out-of-scale");
        assert!(Beta::new(0.001, 1.0).is_err());
        assert!(Beta::new(1.0, f64::NAN).is_err());
    }

    #[test]
    fn density_is_zero_outside_the_support() {
        let beta = Beta::new(0.4, 0.6).unwrap();
        assert_eq!((beta.tails(-0.1), beta.tails(0.0)), ((0.0, 1.0), (0.0, 1.0)));
        assert_eq!((beta.tails(1.0), beta.tails(3.0)), ((1.0, 0.0), (1.0, 0.0)));
        assert!([-1.0, 0.0, 1.0, 2.0].iter().all(|x| beta.ln_pdf(*x) == f64::NEG_INFINITY));
    }
}
