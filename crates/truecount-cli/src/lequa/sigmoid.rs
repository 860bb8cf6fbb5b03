//! Probabilities from scores, by Platt scaling: p = 1/(1 + exp(−(slope·s + intercept))).

use libsvm_rs::probability::sigmoid_train;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sigmoid {
    slope: f64,
    intercept: f64,
}

impl Sigmoid {
    /// Fitted by maximum likelihood to scores that their classifier has not learnt from, with the targets
    /// (n₊ + 1)/(n₊ + 2) and 1/(n₋ + 2) instead of 1 and 0 (Platt 1999; Lin, Lin and Weng 2007).
    pub fn platt(scores: &[f64], positive: &[bool]) -> Self {
        let labels: Vec<f64> = positive.iter().map(|p| if *p { 1.0 } else { -1.0 }).collect();
        let (a, b) = sigmoid_train(scores, &labels);
        Self { slope: -a, intercept: -b }
    }

    pub fn probabilities(&self, scores: &[f64]) -> Vec<f64> {
        scores.iter().map(|s| (1.0 + (-(self.slope * s + self.intercept)).exp()).recip()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_scikit_learn() {
        let scores = [-2.0, -1.0, -0.5, 0.2, 0.4, 1.5, 2.5, -0.1];
        let positive = [false, false, true, false, true, true, true, false];
        let sigmoid = Sigmoid::platt(&scores, &positive);
        // c = sklearn.calibration._SigmoidCalibration().fit(scores, positive); c.predict([-1, 0, 1])
        let expected = [0.296_508_273_727_536_63, 0.480_452_206_101_733_6, 0.669_852_694_406_100_4];
        let found = sigmoid.probabilities(&[-1.0, 0.0, 1.0]);
        // Both stop where the gradient is below about 1e-5.
        assert!(found.iter().zip(expected).all(|(p, e)| (p - e).abs() < 1e-5), "{found:?}");
        assert_eq!(sigmoid.probabilities(&[-1e6, 1e6]), [0.0, 1.0]);
    }
}
