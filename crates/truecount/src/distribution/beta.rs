//! The beta distribution on (0, 1): f(x) = x^(a−1) (1−x)^(b−1) / B(a, b), F(x) = `I_x(a, b)`.
//!
//! Fit: maximum likelihood. It is an exponential family in (ln x, ln(1−x)), so the log-likelihood is concave in (a, b) and
//! Newton's method, started from the moments, finds the one maximum (Johnson, Kotz and Balakrishnan 1995, ch. 25.4).

use super::{Distribution, moments};
use crate::numeric::incomplete_beta::{self, Point, trigamma};
use crate::numeric::sum::Sum;
use crate::numeric::{newton, root};
use crate::{Class, Error};
use rand::Rng;
use rand_distr::Distribution as _;
use serde::{Deserialize, Serialize};
use statrs::function::gamma::digamma;

/// The shapes there are: with a smaller one hardly any score can be told from 0 or 1, a larger one takes long.
const LEAST: f64 = 0.01;
const MOST: f64 = 1e6;

/// The probability beyond an outer landmark: J out there is a millionth of the smallest threshold, 1e-6.
const NEGLIGIBLE: f64 = 1e-12;

/// The largest double below 1.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

/// Beta(a, b), for scores that are probabilities. The shapes lie in [0.01, 1e6].
///
/// # Examples
/// ```
/// use truecount::distribution::{Beta, Distribution};
/// let beta = Beta::new(2.0, 1.0).unwrap();
/// let (below, above) = beta.tails(0.1);
/// assert!((below - 0.01).abs() < 1e-16);
/// assert_eq!(beta.support(), (0.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct Beta {
    a: f64,
    b: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    a: f64,
    b: f64,
}

impl TryFrom<Parameters> for Beta {
    type Error = Error;

    fn try_from(p: Parameters) -> Result<Self, Error> {
        Self::new(p.a, p.b)
    }
}

impl From<Beta> for Parameters {
    fn from(beta: Beta) -> Self {
        Self { a: beta.a, b: beta.b }
    }
}

impl Beta {
    /// # Errors
    /// [`Error::Parameter`] unless a and b lie in [0.01, 1e6].
    pub fn new(a: f64, b: f64) -> Result<Self, Error> {
        for (name, value) in [("a", a), ("b", b)] {
            if !(LEAST..=MOST).contains(&value) {
                return Err(Error::Parameter { name, value, domain: "between 0.01 and 1000000" });
            }
        }
        Ok(Self { a, b })
    }

    /// The maximum of the likelihood.
    ///
    /// # Errors
    /// [`Error::OutsideSupport`] for a score that is not between 0 and 1; [`Error::ClassTooSmall`] below two scores;
    /// [`Error::NoSpread`] when all are equal; [`Error::OutOfScale`] when a or b would lie outside [0.01, 1e6].
    pub fn fit(class: Class, scores: &[f64]) -> Result<Self, Error> {
        if let Some(&value) = scores.iter().find(|s| !(0.0 < **s && **s < 1.0)) {
            return Err(Error::OutsideSupport { class, family: "beta", value, low: 0.0, high: 1.0 });
        }
        let moments = moments(class, scores, 2, "beta")?;
        let mean_of = |f: fn(f64) -> f64| scores.iter().map(|s| f(*s)).collect::<Sum>().value() / scores.len() as f64;
        let (ln_x, ln_y) = (mean_of(f64::ln), mean_of(|s| (-s).ln_1p()));
        let (mean, variance) = (moments.mean(), moments.sd().powi(2));
        // Two scores near 0 and 1 may vary more than any beta does.
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
        Self::new(a, b).map_err(|_| Error::OutOfScale { class })
    }

    /// The exponent of x, plus 1.
    pub fn a(&self) -> f64 {
        self.a
    }

    /// The exponent of 1 − x, plus 1.
    pub fn b(&self) -> f64 {
        self.b
    }

    /// The point where `tail`, a monotone function of x, is `target`: an end of the support where that is nearest.
    fn solve(&self, target: f64, tail: impl Fn(f64) -> f64) -> f64 {
        let score = |logit: f64| {
            let e = (-logit.abs()).exp();
            if logit < 0.0 { e / (1.0 + e) } else { (1.0 / (1.0 + e)).min(BELOW_ONE) }
        };
        let excess = |logit: f64| (tail(score(logit)) / target).ln();
        // From the smallest double to the largest below 1.
        let ends = (-744.0, 38.0);
        let (low, high) = (excess(ends.0), excess(ends.1));
        if (low < 0.0) == (high < 0.0) {
            return if low.abs() < high.abs() { 0.0 } else { 1.0 };
        }
        let x = score(root::bracketed(excess, (ends.0, low), (ends.1, high)));
        // One step of Newton's method for the digits that the logistic function lost.
        let step = (tail(x) - target) / self.ln_pdf(x).exp();
        let polished = if low < high { x - step } else { x + step };
        if (0.5 * x..=(2.0 * x).min(BELOW_ONE)).contains(&polished) { polished } else { x }
    }
}

impl Distribution for Beta {
    fn tails(&self, x: f64) -> (f64, f64) {
        if x <= 0.0 {
            (0.0, 1.0)
        } else if x >= 1.0 {
            (1.0, 0.0)
        } else {
            incomplete_beta::tails(self.a, self.b, Point::new(self.a, self.b, x))
        }
    }

    fn ln_pdf(&self, x: f64) -> f64 {
        if 0.0 < x && x < 1.0 {
            incomplete_beta::ln_power(self.a, self.b, Point::new(self.a, self.b, x)) - x.ln() - (-x).ln_1p()
        } else {
            f64::NEG_INFINITY
        }
    }

    fn quantile(&self, p: f64) -> f64 {
        if p <= 0.5 { self.solve(p, |x| self.tails(x).0) } else { self.solve(1.0 - p, |x| self.tails(x).1) }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if q <= 0.5 { self.solve(q, |x| self.tails(x).1) } else { self.solve(1.0 - q, |x| self.tails(x).0) }
    }

    /// Two standard deviations apart, and towards 0 and 1, where the density is a power of the distance, at most twice or
    /// half as far as the one before. They end where the tails are 1e-12, or at the last double below 1.
    fn landmarks(&self) -> Vec<f64> {
        let sum = self.a + self.b;
        let sd = (self.a / sum * (self.b / sum) / (sum + 1.0)).sqrt();
        let first = self.quantile(NEGLIGIBLE).max(f64::MIN_POSITIVE);
        let last = self.upper_quantile(NEGLIGIBLE).min(BELOW_ONE);
        let mut landmarks = vec![];
        let mut x = first;
        while x < last {
            landmarks.push(x);
            x += (2.0 * sd).min(x).min(0.5 * (1.0 - x));
        }
        landmarks.push(last);
        landmarks
    }

    fn sample(&self, rng: &mut dyn Rng) -> f64 {
        let beta = rand_distr::Beta::new(self.a, self.b).expect("the shapes were checked");
        beta.sample(rng).clamp(f64::MIN_POSITIVE, BELOW_ONE)
    }

    fn support(&self) -> (f64, f64) {
        (0.0, 1.0)
    }
}
