//! The logistic distribution: F(x) = 1/(1 + e^(−z)), f(x) = F (1 − F)/s, z = (x−μ)/s.
//!
//! Fit: maximum likelihood. The log-likelihood is concave in (1/s, −μ/s) (Burridge 1981, for every
//! log-concave density), so Newton's method in these parameters finds the only maximum.

use super::empirical::mean_and_sd;
use super::{Distribution, check_location_and_scale};
use crate::numeric::newton;
use crate::random::{Bits, RandomBits};
use crate::{Class, Error, Problem};
use rand::distr::Open01;
use rand_distr::Distribution as _;
use serde::{Deserialize, Serialize};

/// A logistic distribution with mean `location` and standard deviation π/√3 · `scale`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "LogisticParameters", into = "LogisticParameters")]
pub struct Logistic {
    location: f64,
    scale: f64,
}

serialised_parameters!(Logistic, LogisticParameters { location, scale });

impl Logistic {
    /// Creates a logistic distribution from its location and scale, in units of the score.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`] unless |location| ≤ 1e150 and 1e-150 ≤ scale ≤
    /// 1e150.
    pub fn new(location: f64, scale: f64) -> Result<Self, Error> {
        check_location_and_scale(("location", location), ("scale", scale))?;
        Ok(Self { location, scale })
    }

    /// Fits location and scale by maximum likelihood.
    ///
    /// # Errors
    /// Returns [`Problem::ClassTooSmall`] for fewer than two scores, [`Problem::ClassVarianceZero`]
    /// if all scores are equal, and [`Problem::ClassOutOfScale`] if a double cannot hold the squares of
    /// the scores or resolve their differences.
    pub fn fit(class: Class, scores: &[f64]) -> Result<Self, Error> {
        let (mean, sd) = mean_and_sd(class, scores, 2, "logistic")?;
        let n = scores.len() as f64;
        let standard: Vec<f64> = scores.iter().map(|s| (s - mean) / sd).collect();
        // ln f = ln a + z − 2 ln(1 + e^z) with z = a y + b; its derivative with respect to z is −tanh(z/2).
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
        Self::new(mean - b / a * sd, sd / a).map_err(|_| Problem::ClassOutOfScale { class }.into())
    }

    /// Returns the location μ, in units of the score.
    pub fn location(&self) -> f64 {
        self.location
    }

    /// Returns the scale s, in units of the score.
    pub fn scale(&self) -> f64 {
        self.scale
    }
}

/// Returns the log odds ln(p/(1−p)).
pub(crate) fn logit(p: f64) -> f64 {
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

    fn inverse_cdf(&self, p: f64) -> f64 {
        self.location + self.scale * logit(p)
    }

    fn inverse_sf(&self, q: f64) -> f64 {
        self.location - self.scale * logit(q)
    }

    /// Points 2 s apart, because the density's poles lie π s away from the real line, until the tails are 1e-12.
    fn landmarks(&self) -> Vec<f64> {
        (-14..=14).map(|k| self.location + 2.0 * f64::from(k) * self.scale).collect()
    }

    fn sample(&self, bits: &mut dyn RandomBits) -> f64 {
        let p: f64 = Open01.sample(&mut Bits(bits));
        self.inverse_cdf(p)
    }

    fn tangents(&self, x: f64) -> Option<[f64; 3]> {
        let z = (x - self.location) / self.scale;
        let slope = (0.5 * z).tanh();
        Some([slope, z * slope, 0.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::quoted;

    #[test]
    fn tails_and_density_to_full_accuracy() {
        let standard = Logistic::new(0.0, 1.0).unwrap();
        for [x, tail, ln_pdf] in quoted("logistic") {
            let (lower, upper) = standard.tails(x);
            assert!((lower.min(upper) / tail - 1.0).abs() < 5e-16, "{x}: {:e}, not {tail:e}", lower.min(upper));
            assert!((standard.ln_pdf(x) - ln_pdf).abs() <= 2e-16 * ln_pdf.abs(), "{x}: {}", standard.ln_pdf(x));
        }
    }

    /// The fit of any two scores standardises them to ±t with t tanh(t/2) = 1.
    #[test]
    fn fit_of_two_scores_is_exact() {
        let fit = Logistic::fit(Class::Positive, &[1e6 - 3.0, 1e6 + 3.0]).unwrap();
        let t = 3.0 / fit.scale();
        assert!((t * (0.5 * t).tanh() - 1.0).abs() < 1e-15);
        assert!((fit.location() - 1e6).abs() < 1e-9);
    }
}
