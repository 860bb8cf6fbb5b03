//! Shapes of classifier scores, for studies of whether intervals and alarms hold whatever the shape.
//!
//! Many shapes are not normal on any monotone scale. In all of them positives tend to score higher.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::{Serialize, Serializer};
use std::f64::consts::{FRAC_PI_2, PI};
use truecount::distribution::{Distribution, Normal};
use truecount::{Error, LabelledScores};

/// A shape: the distributions of the scores of both classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// N(1.5, 1) against N(0, 1).
    Normal,
    /// N(0, 1) and N(4, ½) in both classes, 70 % of the positives and 8 % of the negatives at 4.
    TwoPlaces,
    /// Student's t with two degrees of freedom, 2 apart.
    HeavyTails,
    /// The exponentials of N(1.2, 1) and N(0, 0.7).
    Lognormal,
    /// N(1.2, 3) against N(0, 1): the ratio of the densities is high at both ends.
    WidePositives,
    /// Five grades.
    FiveGrades,
    /// Thirteen grades of a language model.
    Judge,
    /// 0 or 1, with sensitivity 0.8 and specificity 0.95.
    Verdict,
    /// 0 or 1, with sensitivity 0.9 and specificity 0.995.
    SharpVerdict,
    /// Cauchy, 2 apart.
    Cauchy,
    /// Calibrated probabilities from beta(½, ½) at equal shares: beta(3/2, ½) against beta(½, 3/2).
    Probabilities,
    /// Gamma with shape 3 against exponential.
    Gamma,
    /// Exactly 0 for half of the negatives and a twentieth of the positives, exponential otherwise.
    Zeros,
    /// Uniform on [0.7, 1.7) against [0, 1).
    HardEdges,
}

const GRADES: [f64; 13] = [0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0];

impl Shape {
    /// All shapes, with their names in results.
    pub const ALL: [(Self, &'static str); 14] = [
        (Self::Normal, "normal"),
        (Self::TwoPlaces, "two places"),
        (Self::HeavyTails, "heavy tails"),
        (Self::Lognormal, "lognormal"),
        (Self::WidePositives, "wide positives"),
        (Self::FiveGrades, "five grades"),
        (Self::Judge, "judge"),
        (Self::Verdict, "verdict"),
        (Self::SharpVerdict, "sharp verdict"),
        (Self::Cauchy, "cauchy"),
        (Self::Probabilities, "probabilities"),
        (Self::Gamma, "gamma"),
        (Self::Zeros, "zeros"),
        (Self::HardEdges, "hard edges"),
    ];

    /// Returns the name in results.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Draws a labelled sample.
    ///
    /// # Errors
    /// Returns an error if the positives score lower than the negatives.
    pub fn draw_labelled(self, positives: u32, negatives: u32, rng: &mut ChaCha8Rng) -> Result<LabelledScores, Error> {
        let labels: Vec<bool> = (0..positives + negatives).map(|row| row < positives).collect();
        let scores: Vec<f64> = labels.iter().map(|label| self.draw(*label, rng)).collect();
        LabelledScores::new(&scores, &labels)
    }

    /// Draws the score of a positive or a negative.
    pub fn draw(self, positive: bool, rng: &mut ChaCha8Rng) -> f64 {
        let side = f64::from(u8::from(positive));
        let by_class =
            |positive_value: f64, negative_value: f64| if positive { positive_value } else { negative_value };
        match self {
            Self::Normal => normal(1.5 * side, 1.0, rng),
            Self::TwoPlaces if rng.random_bool(by_class(0.7, 0.08)) => normal(4.0, 0.5, rng),
            Self::TwoPlaces => normal(0.0, 1.0, rng),
            Self::HeavyTails => {
                let u = uniform(rng);
                (2.0 * u - 1.0) / (2.0 * u * (1.0 - u)).sqrt() + 2.0 * side
            }
            Self::Lognormal => normal(by_class(1.2, 0.0), by_class(1.0, 0.7), rng).exp(),
            Self::WidePositives => normal(by_class(1.2, 0.0), by_class(3.0, 1.0), rng),
            Self::FiveGrades => {
                let weights = if positive { [0.05, 0.1, 0.2, 0.3, 0.35] } else { [0.45, 0.3, 0.15, 0.07, 0.03] };
                1.0 + choice(&weights, rng) as f64
            }
            Self::Judge => {
                let weights = if positive {
                    [0.02, 0.02, 0.02, 0.01, 0.03, 0.03, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.05]
                } else {
                    [0.35, 0.25, 0.15, 0.03, 0.08, 0.05, 0.02, 0.02, 0.02, 0.01, 0.01, 0.008, 0.002]
                };
                GRADES[choice(&weights, rng)]
            }
            Self::Verdict => f64::from(u8::from(rng.random_bool(by_class(0.8, 0.05)))),
            Self::SharpVerdict => f64::from(u8::from(rng.random_bool(by_class(0.9, 0.005)))),
            Self::Cauchy => (PI * (uniform(rng) - 0.5)).tan() + 2.0 * side,
            // Of the probabilities p of the arcsine distribution, p are positive.
            Self::Probabilities => loop {
                let p = (FRAC_PI_2 * uniform(rng)).sin().powi(2);
                if rng.random_bool(p) == positive {
                    return p;
                }
            },
            Self::Gamma if positive => (0..3).map(|_| exponential(rng)).sum(),
            Self::Gamma => exponential(rng),
            Self::Zeros if rng.random_bool(by_class(0.05, 0.5)) => 0.0,
            Self::Zeros => by_class(4.0, 1.0) * exponential(rng),
            Self::HardEdges => uniform(rng) + 0.7 * side,
        }
    }
}

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Draws from the uniform distribution on the open interval (0, 1).
fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    loop {
        let u: f64 = rng.random();
        if u > 0.0 {
            return u;
        }
    }
}

pub(crate) fn normal(mean: f64, sd: f64, rng: &mut ChaCha8Rng) -> f64 {
    Normal::new(mean, sd).expect("a mean and sd of a shape").sample(rng)
}

fn exponential(rng: &mut ChaCha8Rng) -> f64 {
    -uniform(rng).ln()
}

fn choice(weights: &[f64], rng: &mut ChaCha8Rng) -> usize {
    let mut rest = rng.random_range(0.0..weights.iter().sum());
    let is_drawn = |weight: &f64| {
        rest -= weight;
        rest < 0.0
    };
    weights.iter().position(is_drawn).unwrap_or(weights.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// Areas under the ROC curve, with ties counted half, from the formulas of the distributions in Python.
    #[test]
    fn areas_under_the_curve_are_known() {
        let areas =
            [0.8556, 0.8099, 0.8253, 0.8372, 0.6478, 0.8615, 0.9381, 0.875, 0.9475, 0.75, 0.9053, 0.875, 0.8675, 0.955];
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for ((shape, _), area) in Shape::ALL.into_iter().zip(areas) {
            let n = 40_000;
            let pair = |_| {
                let (positive, negative) = (shape.draw(true, &mut rng), shape.draw(false, &mut rng));
                0.5 * (f64::from(u8::from(positive > negative)) + f64::from(u8::from(positive >= negative)))
            };
            let mean = (0..n).map(pair).sum::<f64>() / f64::from(n);
            assert!((mean - area).abs() < 4.0 * (0.25 / f64::from(n)).sqrt(), "{shape:?}: {mean}");
        }
    }
}
