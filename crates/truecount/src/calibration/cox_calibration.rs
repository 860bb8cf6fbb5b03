//! Can given probabilities be taken at their word? The labels say so: under the model
//!
//! ```text
//! logit P(positive | p) = intercept + slope logit p
//! ```
//!
//! calibrated probabilities have slope 1 and intercept 0 (Cox 1958). The likelihood-ratio test of both has two degrees of freedom;
//! that of slope 1 alone one: where only the intercept is off, probabilities are those of another share of positives.

use super::logistic::{self, LogisticLikelihood, log_odds};
use crate::PerClass;
use crate::numeric::gauss;

/// What the labels say of given probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CoxCalibration {
    /// 1 for calibrated probabilities, below 1 for those too near to 0 and 1.
    pub slope: f64,
    /// 0 for calibrated probabilities.
    pub intercept: f64,
    /// Of the likelihood-ratio test of slope 1 and intercept 0.
    pub p_value: f64,
    /// The intercept with slope 1.
    pub intercept_at_slope_one: f64,
    /// Of the likelihood-ratio test of slope 1 alone.
    pub slope_p_value: f64,
}

const STEPS: usize = 100;
/// A step that would gain less is not made.
const GAIN: f64 = 1e-9;

impl CoxCalibration {
    /// Of the probabilities of labelled items: by Newton's method, which needs few steps.
    pub fn new(probabilities: &PerClass<Vec<f64>>) -> Self {
        let rows = logistic::rows(&probabilities.map(|of| of.iter().map(|p| log_odds(*p)).collect::<Vec<_>>()));
        let calibrated = LogisticLikelihood::new(&rows, [0.0, 1.0]);
        let ([intercept, slope], both) = fit(&rows, &calibrated, true);
        let ([shift, _], one) = fit(&rows, &calibrated, false);
        Self {
            slope,
            intercept,
            p_value: (0.5 * (both - calibrated.deviance)).exp(),
            intercept_at_slope_one: shift,
            slope_p_value: 2.0 * gauss::tails((one - both).max(0.0).sqrt()).1,
        }
    }
}

/// The maximum of the likelihood in both coefficients, or in the intercept alone, with its deviance. Where the probabilities separate
/// the classes there is none: the deviance falls to 0.
fn fit(rows: &[(f64, bool)], from: &LogisticLikelihood, with_slope: bool) -> ([f64; 2], f64) {
    let mut best = *from;
    for _ in 0..STEPS {
        let ([a, ..], [u, v]) = (best.information, best.score);
        let step =
            if with_slope { solve(best.information, best.score) } else { [if a > 0.0 { u / a } else { 0.0 }, 0.0] };
        // What a full step would gain.
        if step[0] * u + step[1] * v < GAIN {
            break;
        }
        // A full step may go too far from where most probabilities are near to 0 or 1.
        let mut part = 1.0;
        best = loop {
            let next = LogisticLikelihood::new(rows, [best.at[0] + part * step[0], best.at[1] + part * step[1]]);
            if next.deviance <= best.deviance || part < f64::EPSILON {
                break next;
            }
            part *= 0.5;
        };
    }
    (best.at, best.deviance)
}

/// The solution of least length, as the information is singular where all probabilities are one number.
fn solve([a, b, c]: [f64; 3], [u, v]: [f64; 2]) -> [f64; 2] {
    let determinant = a * c - b * b;
    if determinant > 1e-12 * a * c {
        return [(c * u - b * v) / determinant, (a * v - b * u) / determinant];
    }
    // Of rank one: (a, b; b, c) is (a + c) times the projection on (a, b), which the score lies along.
    let length = a * a + b * b;
    let along = if length > 0.0 { (a * u + b * v) / (length * (a + c)) } else { 0.0 };
    [a * along, b * along]
}
