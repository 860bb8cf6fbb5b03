//! The mean of all periods so far, each with its number of scores, and how far noise may have put it off at any look.
//!
//! With S = Σw(a − α) of variance V = Σw²v, Robbins' normal mixture (1970) has |S| below
//!
//! ```text
//! √[(V + r) ln((V + r)/(r a²))]      at all looks together, but for a probability a
//! ```
//!
//! For independent errors that need not be normal or alike it holds asymptotically, with variances that are estimated: an asymptotic
//! confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence
//! sequences", Annals of Statistics 2024; their ρ² is 1/r). r is chosen before the second look, so that the boundary is narrowest, near
//! enough, where V is that of so many periods like the first: r = V/(−2 ln a + ln(1 − 2 ln a)).
//!
//! Weights are numbers of scores, not precisions: the mean is then the share among all scores so far, and variances, which are smaller where
//! estimates happen to be low, do not bias it.

/// The number of periods at which the band is narrowest for its noise.
const PERIODS: f64 = 30.0;

/// The mean so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunningMean {
    /// The probability that noise leaves the band.
    probability: f64,
    weight: f64,
    sum: f64,
    /// V.
    variance: f64,
    /// r, after the first period.
    mixing: Option<f64>,
}

impl RunningMean {
    pub(super) fn new(probability: f64) -> Self {
        Self { probability, weight: 0.0, sum: 0.0, variance: 0.0, mixing: None }
    }

    /// Adds a period.
    pub(super) fn add(&mut self, weight: f64, value: f64, variance: f64) {
        let added = weight * weight * variance;
        self.weight += weight;
        self.sum += weight * value;
        self.variance += added;
        let logarithm = -2.0 * self.probability.ln();
        self.mixing.get_or_insert(PERIODS * added / (logarithm + logarithm.ln_1p()));
    }

    /// The mean.
    pub(super) fn mean(&self) -> f64 {
        self.sum / self.weight
    }

    /// How far it is from the truth at most, but for noise of the probability, at all looks together.
    pub(super) fn off(&self) -> f64 {
        let mixing = self.mixing.expect("a period at least");
        let sum = self.variance + mixing;
        (sum * ((sum / mixing).ln() - 2.0 * self.probability.ln())).sqrt() / self.weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the formula of Waudby-Smith et al. (2024), theorem 2.2, in their notation, with NumPy: 4, 1 and 0.25 for variances, weights alike.
    #[test]
    fn the_boundary_is_that_of_the_paper() {
        let mut running = RunningMean::new(0.025);
        let mut found = Vec::new();
        for (value, variance) in [(1.0, 4.0), (3.0, 1.0), (2.0, 0.25)] {
            running.add(2.0, value, variance);
            found.push((running.mean(), running.off()));
        }
        let expected = [(1.0, 11.280_364_338_717_4), (2.0, 5.829_430_767_874_41), (2.0, 3.917_321_283_881_466)];
        for ((mean, off), (of_mean, of_off)) in found.iter().zip(expected) {
            assert!((mean - of_mean).abs() < 1e-15 && (off - of_off).abs() < 1e-12, "{found:?}");
        }
    }
}
