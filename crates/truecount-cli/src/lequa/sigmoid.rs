//! Probabilities from scores: p = 1/(1 + exp(−(slope·s + intercept))).

use libsvm_rs::probability::sigmoid_train;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sigmoid {
    slope: f64,
    intercept: f64,
}

impl Sigmoid {
    /// For scores that are log odds already.
    pub const LOGISTIC: Self = Self { slope: 1.0, intercept: 0.0 };

    /// Platt scaling: fitted by maximum likelihood to scores that their classifier has not learnt from, with the targets (n₊ + 1)/(n₊ + 2)
    /// and 1/(n₋ + 2) instead of 1 and 0 (Platt 1999; Lin, Lin and Weng 2007).
    pub fn platt(scores: &[f64], positive: &[bool]) -> Self {
        let labels: Vec<f64> = positive.iter().map(|p| if *p { 1.0 } else { -1.0 }).collect();
        let (a, b) = sigmoid_train(scores, &labels);
        Self { slope: -a, intercept: -b }
    }

    pub fn probabilities(&self, scores: &[f64]) -> Vec<f64> {
        scores.iter().map(|s| (1.0 + (-(self.slope * s + self.intercept)).exp()).recip()).collect()
    }
}
