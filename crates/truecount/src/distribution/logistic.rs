//! The logistic distribution: F(x) = 1/(1 + e^(−z)), f(x) = F (1 − F)/s, z = (x−μ)/s.
//!
//! Fit: maximum likelihood. The log-likelihood is concave in (1/s, −μ/s) (Burridge 1981, for every log-concave density), so
//! Newton's method in these finds the one maximum.

use super::{Distribution, moments};
use crate::numeric::newton;
use crate::{Class, Error};
use rand::Rng;
use rand::distr::Open01;
use rand_distr::Distribution as _;
use serde::{Deserialize, Serialize};

/// The largest location and scale, and the inverse of the smallest scale.
const LARGEST: f64 = 1e150;

/// The logistic distribution with mean `location` and standard deviation π/√3 · `scale`.
///
/// # Examples
/// ```
/// use truecount::distribution::{Distribution, Logistic};
/// let logits = Logistic::new(1.0, 0.5).unwrap();
/// let (below, above) = logits.tails(2.0);
/// assert!((above - 1.0 / (1.0 + 2f64.exp())).abs() < 1e-16);
/// assert_eq!(logits.quantile(0.5), 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct Logistic {
    location: f64,
    scale: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    location: f64,
    scale: f64,
}

impl TryFrom<Parameters> for Logistic {
    type Error = Error;

    fn try_from(p: Parameters) -> Result<Self, Error> {
        Self::new(p.location, p.scale)
    }
}

impl From<Logistic> for Parameters {
    fn from(l: Logistic) -> Self {
        Self { location: l.location, scale: l.scale }
    }
}

impl Logistic {
    /// # Errors
    /// [`Error::Parameter`] unless |location| ≤ 1e150 and 1e-150 ≤ scale ≤ 1e150.
    pub fn new(location: f64, scale: f64) -> Result<Self, Error> {
        if location.is_nan() || location.abs() > LARGEST {
            return Err(Error::Parameter { name: "location", value: location, domain: "between -1e150 and 1e150" });
        }
        if !(LARGEST.recip()..=LARGEST).contains(&scale) {
            return Err(Error::Parameter { name: "scale", value: scale, domain: "between 1e-150 and 1e150" });
        }
        Ok(Self { location, scale })
    }

    /// The maximum of the likelihood.
    ///
    /// # Errors
    /// [`Error::ClassTooSmall`] below two scores; [`Error::NoSpread`] when all are equal; [`Error::OutOfScale`] when a
    /// double cannot hold their squares or tell them apart.
    pub fn fit(class: Class, scores: &[f64]) -> Result<Self, Error> {
        let moments = moments(class, scores, 2, "logistic")?;
        let n = scores.len() as f64;
        let standard: Vec<f64> = scores.iter().map(|s| (s - moments.mean()) / moments.sd()).collect();
        // ln f = ln a + z − 2 ln(1 + e^z) with z = a y + b; its slope in z is −tanh(z/2).
        let [a, b] = newton::maximise([3f64.sqrt().recip() * std::f64::consts::PI, 0.0], |[a, b]| {
            let (mut value, mut gradient, mut hessian) = (n * a.ln(), [n / a, 0.0], [-n / (a * a), 0.0, 0.0]);
            for y in &standard {
                let z = a * y + b;
                let slope = (0.5 * z).tanh();
                let curvature = 0.5 * (1.0 - slope * slope);
                value -= z.abs() + 2.0 * (-z.abs()).exp().ln_1p();
                gradient[0] -= slope * y;
                gradient[1] -= slope;
                hessian[0] -= curvature * y * y;
                hessian[1] -= curvature * y;
                hessian[2] -= curvature;
            }
            (value / n, gradient.map(|g| g / n), hessian.map(|h| h / n))
        });
        Self::new(moments.mean() - b / a * moments.sd(), moments.sd() / a).map_err(|_| Error::OutOfScale { class })
    }

    /// μ, in units of the score.
    pub fn location(&self) -> f64 {
        self.location
    }

    /// s, in units of the score.
    pub fn scale(&self) -> f64 {
        self.scale
    }
}

/// ln(p/(1−p)).
fn logit(p: f64) -> f64 {
    p.ln() - (-p).ln_1p()
}

impl Distribution for Logistic {
    fn tails(&self, x: f64) -> (f64, f64) {
        let z = (x - self.location) / self.scale;
        let e = (-z.abs()).exp();
        let (small, large) = (e / (1.0 + e), 1.0 / (1.0 + e));
        if z < 0.0 { (small, large) } else { (large, small) }
    }

    fn ln_pdf(&self, x: f64) -> f64 {
        let z = ((x - self.location) / self.scale).abs();
        -z - 2.0 * (-z).exp().ln_1p() - self.scale.ln()
    }

    fn quantile(&self, p: f64) -> f64 {
        self.location + self.scale * logit(p)
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.location - self.scale * logit(q)
    }

    /// Every 2 s, the poles of the density being π s away from the line, as far as the tails are 1e-12.
    fn landmarks(&self) -> Vec<f64> {
        (-14..=14).map(|k| self.location + 2.0 * f64::from(k) * self.scale).collect()
    }

    fn sample(&self, rng: &mut dyn Rng) -> f64 {
        let p: f64 = Open01.sample(rng);
        self.quantile(p)
    }
}
