//! The mean of all periods so far, weighted by their numbers of scores, with a time-uniform bound
//! on its noise.
//!
//! Let S = Σw(a − α), with the variance V = Σw²v. By Robbins' normal mixture (1970), |S| stays
//! below
//!
//! ```text
//! √[(V + r) ln((V + r)/(r a²))]      at all looks simultaneously, with probability 1 − a
//! ```
//!
//! With estimated variances, and errors that are independent but need not be normal or identically
//! distributed, this holds asymptotically: an asymptotic confidence sequence (Waudby-Smith, Arbour,
//! Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence
//! sequences", Annals of Statistics 2024; their ρ² is 1/r). r is fixed after the first period. With
//! V the variance after [`PERIODS`] periods like the first, r = V/(−2 ln a + ln(1 − 2 ln a)) makes
//! the boundary narrowest there, approximately.
//!
//! Weights are numbers of scores rather than precisions. The mean is then the share among all
//! scores so far, and it is not biased by variances that are smaller where estimates happen to be
//! low.

/// The number of periods for which the band is narrowest.
const PERIODS: f64 = 30.0;

/// The running mean and the state of its bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunningMean {
    /// The probability that the noise ever exceeds the bound, a.
    probability: f64,
    weight: f64,
    sum: f64,
    /// The variance of the weighted sum, V.
    variance: f64,
    /// r, set by the first period.
    mixing: Option<f64>,
}

impl RunningMean {
    pub(super) fn new(probability: f64) -> Self {
        Self { probability, weight: 0.0, sum: 0.0, variance: 0.0, mixing: None }
    }

    pub(super) fn add(&mut self, weight: f64, value: f64, variance: f64) {
        let added = weight * weight * variance;
        self.weight += weight;
        self.sum += weight * value;
        self.variance += added;
        let logarithm = -2.0 * self.probability.ln();
        self.mixing.get_or_insert(PERIODS * added / (logarithm + logarithm.ln_1p()));
    }

    /// Returns the mean of all periods so far.
    pub(super) fn mean(&self) -> f64 {
        self.sum / self.weight
    }

    /// Returns the largest error of the mean from noise, valid at all looks simultaneously.
    pub(super) fn noise_bound(&self) -> f64 {
        let mixing = self.mixing.expect("at least one period");
        let sum = self.variance + mixing;
        (sum * ((sum / mixing).ln() - 2.0 * self.probability.ln())).sqrt() / self.weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NumPy, by the formula of Waudby-Smith et al. (2024), theorem 2.2, in their notation, for
    /// equal weights and the variances 4, 1 and 0.25.
    #[test]
    fn bound_agrees_with_the_paper() {
        let mut running = RunningMean::new(0.025);
        let mut actual = Vec::new();
        for (value, variance) in [(1.0, 4.0), (3.0, 1.0), (2.0, 0.25)] {
            running.add(2.0, value, variance);
            actual.push((running.mean(), running.noise_bound()));
        }
        let expected = [(1.0, 11.280_364_338_717_4), (2.0, 5.829_430_767_874_41), (2.0, 3.917_321_283_881_466)];
        for ((mean, bound), (expected_mean, expected_bound)) in actual.iter().zip(expected) {
            assert!((mean - expected_mean).abs() < 1e-15 && (bound - expected_bound).abs() < 1e-12, "{actual:?}");
        }
    }
}
