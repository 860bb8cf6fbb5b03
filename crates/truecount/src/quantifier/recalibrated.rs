//! Posterior probabilities recalibrated on the labelled ones by bias-corrected temperature scaling (Alexandari, Kundaje & Shrikumar 2020),
//! which for two classes is logistic regression on their log odds:
//!
//! ```text
//! logit p′ = a x + b,  x = logit p,  Σ ln p′ over positives + Σ ln (1 − p′) over negatives is largest
//! ```
//!
//! Where no negative lies above any positive the likelihood has no maximum: a grows for ever. In its limit p′ is 1 above and 0 below the middle
//! between both, in log odds (the direction with the largest margin: Soudry et al. 2018), and between labelled scores that are all at it
//! their share of positives.
//!
//! The score function of a mixture, S(α) = mean (f⁺ − f⁻)/h with h = α f⁺ + (1−α) f⁻, moves with a and b by
//!
//! ```text
//! d = ∫ f⁺f⁻/h (1, x) = mean over labelled scores of p′(1−p′)/[π(1−π)] / (α p′/π + (1−α)(1−p′)/(1−π)) (1, x)
//! ```
//!
//! and these are known up to M⁻¹ Σ (y − p′)(1, x), M = Σ p′(1−p′)(1, x)(1, x)ᵀ, of which the class sizes are fixed (Prentice & Pyke 1979): the
//! variance of S is the sum over classes of n times the variance within the class of dᵀM⁻¹ (y − p′)(1, x), and that of α̂ has it over I².

use crate::calibration::{fit_logistic, log_odds};
use crate::numeric::sum::CompensatedSum;
use crate::{Error, PerClass, Problem};

/// A map of posterior probabilities, with the labelled ones.
#[derive(Clone, Debug)]
pub(super) struct Recalibration {
    map: Map,
    /// The log odds of the labelled posteriors, as they were.
    labelled: PerClass<Vec<f64>>,
    /// The share of positives among them.
    prior: f64,
}

/// From log odds to the recalibrated probability.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Map {
    Line { slope: f64, intercept: f64 },
    Cut { at: f64, there: f64 },
}

impl Map {
    fn apply(self, x: f64) -> f64 {
        match self {
            Self::Line { slope, intercept } => (1.0 + (-(slope * x + intercept)).exp()).recip(),
            Self::Cut { at, there } if x == at => there,
            Self::Cut { at, .. } => f64::from(u8::from(x > at)),
        }
    }
}

impl Recalibration {
    /// # Errors
    /// [`Problem::NoSeparationInMean`] where log odds of positives have no higher mean than those of negatives: the slope would not be above 0.
    pub(super) fn new(posteriors: &PerClass<Vec<f64>>) -> Result<Self, Error> {
        let labelled = posteriors.map(|of| of.iter().map(|p| log_odds(*p)).collect::<Vec<_>>());
        let PerClass { positive, negative } = labelled.map(|of| mean(of.iter().copied()));
        if positive <= negative {
            return Err(Problem::NoSeparationInMean { what: "log odds", positive, negative }.into());
        }
        let n = labelled.map(|of| of.len() as f64);
        let prior = n.positive / (n.positive + n.negative);
        let least = labelled.positive.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = labelled.negative.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let map = if least >= largest {
            cut(&labelled, least, largest)
        } else {
            let [intercept, slope] = fit_logistic(&labelled, log_odds(prior));
            Map::Line { slope, intercept }
        };
        Ok(Self { map, labelled, prior })
    }

    /// The share of positives among the labelled scores.
    pub(super) fn prior(&self) -> f64 {
        self.prior
    }

    pub(super) fn apply(&self, p: f64) -> f64 {
        self.map.apply(log_odds(p))
    }

    /// What learning the map adds to the variance of S(α).
    pub(super) fn score_variance(&self, alpha: f64) -> f64 {
        let Map::Line { .. } = self.map else { return 0.0 };
        let prior = self.prior;
        let all = || self.labelled.positive.iter().chain(&self.labelled.negative).map(|x| (*x, self.map.apply(*x)));
        let moment = |weight: &dyn Fn(f64) -> f64, power: i32| {
            all().map(|(x, p)| weight(p) * x.powi(power)).collect::<CompensatedSum>().value()
        };
        let spread = |p: f64| p * (1.0 - p);
        let moved = |p: f64| {
            let mixture = alpha * p / prior + (1.0 - alpha) * (1.0 - p) / (1.0 - prior);
            spread(p) / (prior * (1.0 - prior)) / mixture
        };
        let [a, b, c] = [0, 1, 2].map(|power| moment(&spread, power));
        let n = (self.labelled.positive.len() + self.labelled.negative.len()) as f64;
        let [u, v] = [0, 1].map(|power| moment(&moved, power) / n);
        let determinant = a * c - b * b;
        let (constant, linear) = ((c * u - b * v) / determinant, (a * v - b * u) / determinant);
        let of = |xs: &[f64], y: f64| {
            let add = |x: &f64| (y - self.map.apply(*x)) * (constant + linear * x);
            let mean = mean(xs.iter().map(add));
            let squares = xs.iter().map(|x| (add(x) - mean).powi(2)).collect::<CompensatedSum>().value();
            let n = xs.len() as f64;
            squares * n / (n - 1.0).max(1.0)
        };
        of(&self.labelled.positive, 1.0) + of(&self.labelled.negative, 0.0)
    }

    pub(super) fn parameters(&self) -> Vec<(&'static str, f64)> {
        let map = match self.map {
            Map::Line { slope, intercept } => vec![("slope", slope), ("intercept", intercept)],
            Map::Cut { at, .. } => vec![("cut_of_log_odds", at)],
        };
        [("training_prevalence", self.prior)].into_iter().chain(map).collect()
    }
}

/// The limit for log odds none of whose negatives, at most `largest`, lies above a positive, at least `least`.
fn cut(labelled: &PerClass<Vec<f64>>, least: f64, largest: f64) -> Map {
    let at = 0.5 * (least + largest);
    let there = labelled.map(|of| of.iter().filter(|x| **x == at).count() as f64);
    let number = there.positive + there.negative;
    Map::Cut { at, there: if number > 0.0 { there.positive / number } else { 0.5 } }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len() as f64;
    values.collect::<CompensatedSum>().value() / n
}
