//! Cox's test of the calibration of a classifier's probabilities. Under the model
//!
//! ```text
//! logit P(positive | p) = intercept + slope logit p
//! ```
//!
//! calibrated probabilities have slope 1 and intercept 0 (Cox 1958). The likelihood-ratio test of
//! both has two degrees of freedom, the test of slope 1 alone has one. If only the intercept is
//! off, the probabilities are calibrated for another prevalence.

use super::logistic::{self, LogisticLikelihood, log_odds};
use crate::PerClass;
use crate::numeric::gauss;

/// The calibration of a classifier's probabilities, estimated from labels.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CoxCalibration {
    /// The slope: 1 for calibrated probabilities, below 1 for probabilities too close to 0 and 1.
    pub slope: f64,
    /// The intercept: 0 for calibrated probabilities.
    pub intercept: f64,
    /// The p-value of the likelihood-ratio test of slope 1 and intercept 0.
    pub p_value: f64,
    /// The intercept if the slope is fixed at 1.
    pub intercept_at_slope_one: f64,
    /// The p-value of the likelihood-ratio test of slope 1 with any intercept.
    pub slope_p_value: f64,
}

/// The maximum number of Newton steps.
const STEPS: usize = 100;
/// The predicted decrease of the deviance below which the search stops.
const MIN_GAIN: f64 = 1e-9;

impl CoxCalibration {
    /// Fits the model to the probabilities of labelled items by Newton's method.
    pub fn new(probabilities: &PerClass<Vec<f64>>) -> Self {
        let rows = logistic::rows(&probabilities.map(|class| class.iter().map(|p| log_odds(*p)).collect::<Vec<_>>()));
        let calibrated = LogisticLikelihood::new(&rows, [0.0, 1.0]);
        let ([intercept, slope], both) = maximise_likelihood(&rows, &calibrated, true);
        let ([shift, _], one) = maximise_likelihood(&rows, &calibrated, false);
        Self {
            slope,
            intercept,
            p_value: (0.5 * (both - calibrated.deviance)).exp(),
            intercept_at_slope_one: shift,
            slope_p_value: 2.0 * gauss::tails((one - both).max(0.0).sqrt()).1,
        }
    }
}

/// Maximises the likelihood in both coefficients, or in the intercept alone, and returns the
/// coefficients and the deviance.
///
/// If the probabilities separate the classes there is no maximum: the deviance falls towards 0.
fn maximise_likelihood(rows: &[(f64, bool)], from: &LogisticLikelihood, with_slope: bool) -> ([f64; 2], f64) {
    let mut best = *from;
    for _ in 0..STEPS {
        let ([a, ..], [u, v]) = (best.information, best.score);
        let step = if with_slope {
            solve_minimum_norm(best.information, best.score)
        } else {
            [if a > 0.0 { u / a } else { 0.0 }, 0.0]
        };
        // The predicted gain of a full step.
        if step[0] * u + step[1] * v < MIN_GAIN {
            break;
        }
        // A full step may go too far where most probabilities are close to 0 or 1.
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

/// Returns the minimum-norm solution of a symmetric 2 × 2 system.
///
/// The information matrix is singular if all probabilities are equal.
fn solve_minimum_norm([a, b, c]: [f64; 3], [u, v]: [f64; 2]) -> [f64; 2] {
    let determinant = a * c - b * b;
    if determinant > 1e-12 * a * c {
        return [(c * u - b * v) / determinant, (a * v - b * u) / determinant];
    }
    // A matrix of rank one, (a, b; b, c), is (a + c) times the projection on (a, b), the direction
    // of the score vector.
    let length = a * a + b * b;
    let along = if length > 0.0 { (a * u + b * v) / (length * (a + c)) } else { 0.0 };
    [a * along, b * along]
}
