//! The normal distribution: f(x) = φ((x−μ)/σ)/σ, with F(x) = Φ((x−μ)/σ).
//!
//! Fit: the sample mean, and the standard deviation with divisor n − 1 (Kloos et al., §4).

use super::empirical::mean_and_sd;
use super::{Distribution, check_location_and_scale};
use crate::numeric::gauss;
use crate::random::{Bits, RandomBits};
use crate::{Class, Error};
use rand_distr::{Distribution as _, StandardNormal};
use serde::{Deserialize, Serialize};

/// A normal distribution N(mean, sd²).
///
/// # Examples
/// ```
/// use truecount::distribution::{Distribution, Normal};
/// let iq = Normal::new(100.0, 15.0).unwrap();
/// let (below, above) = iq.tails(130.0);
/// assert!((above - 0.022750131948179).abs() < 1e-15);
/// assert_eq!(iq.inverse_cdf(0.5), 100.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "NormalParameters", into = "NormalParameters")]
pub struct Normal {
    mean: f64,
    sd: f64,
}

serialised_parameters!(Normal, NormalParameters { mean, sd });

impl Normal {
    /// Creates a normal distribution from its mean and standard deviation, in units of the score.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) unless |mean|
    /// ≤ 1e150 and 1e-150 ≤ sd ≤ 1e150, so that squares neither overflow nor underflow.
    pub fn new(mean: f64, sd: f64) -> Result<Self, Error> {
        check_location_and_scale(("mean", mean), ("sd", sd))?;
        Ok(Self { mean, sd })
    }

    /// Fits the mean and the standard deviation (divisor n − 1) of a class's scores.
    ///
    /// # Errors
    /// Returns [`Problem::ClassTooSmall`](crate::Problem::ClassTooSmall) for fewer than two scores,
    /// [`Problem::ClassVarianceZero`](crate::Problem::ClassVarianceZero) if all scores are equal,
    /// and [`Problem::ClassOutOfScale`](crate::Problem::ClassOutOfScale) if a double cannot hold the squares
    /// of the scores or resolve their differences.
    pub fn fit(class: Class, scores: &[f64]) -> Result<Self, Error> {
        let (mean, sd) = mean_and_sd(class, scores, 2, "normal")?;
        Ok(Self { mean, sd })
    }

    /// Returns the mean μ, in units of the score.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Returns the standard deviation σ, in units of the score.
    pub fn sd(&self) -> f64 {
        self.sd
    }
}

impl Distribution for Normal {
    fn tails(&self, x: f64) -> (f64, f64) {
        gauss::tails((x - self.mean) / self.sd)
    }

    fn ln_pdf(&self, x: f64) -> f64 {
        gauss::ln_pdf((x - self.mean) / self.sd) - self.sd.ln()
    }

    fn inverse_cdf(&self, p: f64) -> f64 {
        self.mean + self.sd * gauss::quantile(p)
    }

    fn inverse_sf(&self, q: f64) -> f64 {
        self.mean - self.sd * gauss::quantile(q)
    }

    fn landmarks(&self) -> Vec<f64> {
        (-4..=4).map(|k| self.mean + 2.0 * f64::from(k) * self.sd).collect()
    }

    fn sample(&self, bits: &mut dyn RandomBits) -> f64 {
        let z: f64 = StandardNormal.sample(&mut Bits(bits));
        self.mean + self.sd * z
    }

    fn tangents(&self, x: f64) -> Option<[f64; 3]> {
        let z = (x - self.mean) / self.sd;
        Some([z, z * z, 0.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fit_is_mean_and_sd_with_n_minus_one() {
        let n = Normal::fit(Class::Positive, &[1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0, 1e9 + 6.0]).unwrap();
        assert_eq!((n.mean(), n.sd()), (1e9 + 3.0, (14.0f64 / 3.0).sqrt()));
    }

    #[test]
    fn scores_and_parameters_out_of_range_are_errors() {
        assert_eq!(Normal::fit(Class::Positive, &[1e-200, 2e-200]).unwrap_err().code(), "class-out-of-scale");
        assert!(Normal::new(0.0, 0.0).is_err());
        assert!(Normal::new(f64::NAN, 1.0).is_err());
        assert!(serde_json::from_str::<Normal>(r#"{"mean": 0, "sd": -1}"#).is_err());
    }
}
