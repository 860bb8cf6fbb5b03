//! Recalibration of posterior probabilities on the labelled ones by bias-corrected temperature
//! scaling (Alexandari, Kundaje & Shrikumar 2020).
//!
//! For two classes this is logistic regression on the log odds:
//!
//! ```text
//! logit p′ = a x + b,  x = logit p,  maximising Σ ln p′ over positives + Σ ln (1 − p′) over negatives
//! ```
//!
//! If no negative lies above a positive, the likelihood has no maximum: a grows without bound. In
//! the limit p′ is 1 above and 0 below the midpoint, in log odds, between the lowest positive and
//! the highest negative (the maximum-margin direction: Soudry et al. 2018). At the midpoint itself
//! p′ is the share of positives among the labelled scores there.
//!
//! The score function of a mixture is S(α) = mean (f⁺ − f⁻)/h with h = α f⁺ + (1−α) f⁻. Its
//! derivative with respect to (b, a) is
//!
//! ```text
//! d = ∫ f⁺f⁻/h (1, x)
//!   = mean over labelled scores of p′(1−p′)/[π(1−π)] / (α p′/π + (1−α)(1−p′)/(1−π)) (1, x)
//! ```
//!
//! The error of (b, a) is M⁻¹ Σ (y − p′)(1, x) with M = Σ p′(1−p′)(1, x)(1, x)ᵀ, for fixed class
//! sizes (Prentice & Pyke 1979). The variance that it adds to S is therefore the sum over classes
//! of n times the variance of dᵀM⁻¹ (y − p′)(1, x) within the class, and the variance that it adds
//! to α̂ is this divided by I².

use crate::calibration::{fit_logistic, log_odds};
use crate::numeric::sum::CompensatedSum;
use crate::{Error, PerClass, Problem};

/// A fitted recalibration of posterior probabilities.
#[derive(Clone, Debug)]
pub(super) struct Recalibration {
    map: Map,
    /// The log odds of the labelled posteriors before recalibration.
    labelled: PerClass<Vec<f64>>,
    /// The share of positives among the labelled scores.
    prior: f64,
}

/// A map from log odds to recalibrated probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Map {
    Line {
        slope: f64,
        intercept: f64,
    },
    /// 0 below the cut, `probability` at the cut, and 1 above.
    Cut {
        at: f64,
        probability: f64,
    },
}

impl Map {
    fn apply(self, x: f64) -> f64 {
        match self {
            Self::Line { slope, intercept } => (1.0 + (-(slope * x + intercept)).exp()).recip(),
            Self::Cut { at, probability } if x == at => probability,
            Self::Cut { at, .. } => f64::from(u8::from(x > at)),
        }
    }
}

impl Recalibration {
    /// Fits the recalibration to labelled posteriors.
    ///
    /// # Errors
    /// Returns [`Problem::ClassesNotSeparatedInMean`] if the mean log odds of the positives are not above
    /// those of the negatives, so that the slope would not be positive.
    pub(super) fn new(posteriors: &PerClass<Vec<f64>>) -> Result<Self, Error> {
        let labelled = posteriors.map(|posteriors| posteriors.iter().map(|p| log_odds(*p)).collect::<Vec<_>>());
        let PerClass { positive, negative } = labelled.map(|log_odds| mean(log_odds.iter().copied()));
        if positive <= negative {
            return Err(Problem::ClassesNotSeparatedInMean { what: "log odds", positive, negative }.into());
        }
        let n = labelled.map(|log_odds| log_odds.len() as f64);
        let prior = n.positive / (n.positive + n.negative);
        let lowest_positive = labelled.positive.iter().copied().fold(f64::INFINITY, f64::min);
        let highest_negative = labelled.negative.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let map = if lowest_positive >= highest_negative {
            cut(&labelled, 0.5 * (lowest_positive + highest_negative))
        } else {
            let [intercept, slope] = fit_logistic(&labelled, log_odds(prior));
            Map::Line { slope, intercept }
        };
        Ok(Self { map, labelled, prior })
    }

    /// Returns the share of positives among the labelled scores.
    pub(super) fn prior(&self) -> f64 {
        self.prior
    }

    /// Returns the recalibrated probability.
    pub(super) fn apply(&self, p: f64) -> f64 {
        self.map.apply(log_odds(p))
    }

    /// Returns the variance that the estimated map adds to S(α).
    pub(super) fn score_variance(&self, alpha: f64) -> f64 {
        let Map::Line { .. } = self.map else { return 0.0 };
        let prior = self.prior;
        let all_scores =
            || self.labelled.positive.iter().chain(&self.labelled.negative).map(|x| (*x, self.map.apply(*x)));
        let moment = |weight: &dyn Fn(f64) -> f64, power: i32| {
            all_scores().map(|(x, p)| weight(p) * x.powi(power)).collect::<CompensatedSum>().value()
        };
        let variance = |p: f64| p * (1.0 - p);
        let derivative = |p: f64| {
            let mixture = alpha * p / prior + (1.0 - alpha) * (1.0 - p) / (1.0 - prior);
            variance(p) / (prior * (1.0 - prior)) / mixture
        };
        // M = (a, b; b, c) and d = (u, v).
        let [a, b, c] = [0, 1, 2].map(|power| moment(&variance, power));
        let n = (self.labelled.positive.len() + self.labelled.negative.len()) as f64;
        let [u, v] = [0, 1].map(|power| moment(&derivative, power) / n);
        let determinant = a * c - b * b;
        let (constant, linear) = ((c * u - b * v) / determinant, (a * v - b * u) / determinant);
        let class_variance = |xs: &[f64], y: f64| {
            let term = |x: &f64| (y - self.map.apply(*x)) * (constant + linear * x);
            let mean = mean(xs.iter().map(term));
            let squares = xs.iter().map(|x| (term(x) - mean).powi(2)).collect::<CompensatedSum>().value();
            let n = xs.len() as f64;
            squares * n / (n - 1.0).max(1.0)
        };
        class_variance(&self.labelled.positive, 1.0) + class_variance(&self.labelled.negative, 0.0)
    }

    pub(super) fn parameters(&self) -> Vec<(&'static str, f64)> {
        let map = match self.map {
            Map::Line { slope, intercept } => vec![("slope", slope), ("intercept", intercept)],
            Map::Cut { at, .. } => vec![("cut_of_log_odds", at)],
        };
        [("training_prevalence", self.prior)].into_iter().chain(map).collect()
    }
}

/// Returns the map in the limit, for classes that are separated at this cut.
fn cut(labelled: &PerClass<Vec<f64>>, at: f64) -> Map {
    let counts = labelled.map(|log_odds| log_odds.iter().filter(|x| **x == at).count() as f64);
    let n = counts.positive + counts.negative;
    Map::Cut { at, probability: if n > 0.0 { counts.positive / n } else { 0.5 } }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len() as f64;
    values.collect::<CompensatedSum>().value() / n
}
