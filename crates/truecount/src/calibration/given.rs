//! Can given probabilities be taken at their word? The labels say so: under the model
//!
//! ```text
//! logit P(positive | p) = intercept + slope logit p
//! ```
//!
//! calibrated probabilities have slope 1 and intercept 0 (Cox 1958). The likelihood-ratio test of both has two degrees of freedom;
//! that of slope 1 alone one: where only the intercept is off, probabilities are those of another share of positives.

use crate::PerClass;
use crate::numeric::gauss;

/// What the labels say of given probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GivenCalibration {
    /// 1 for calibrated probabilities, below 1 for those too near to 0 and 1.
    pub slope: f64,
    /// 0 for calibrated probabilities.
    pub intercept: f64,
    /// Of the likelihood-ratio test of slope 1 and intercept 0.
    pub p_value: f64,
    /// The intercept with slope 1.
    pub shift: f64,
    /// Of the likelihood-ratio test of slope 1 alone.
    pub p_value_of_slope: f64,
}

/// Probabilities are kept so far away from 0 and 1.
const LEAST: f64 = 1e-6;
const STEPS: usize = 100;
/// A step that would gain less is not made.
const GAIN: f64 = 1e-9;

impl GivenCalibration {
    /// Of the probabilities of labelled items: by Newton's method, which needs few steps.
    pub fn new(probabilities: &PerClass<Vec<f64>>) -> Self {
        let rows: Vec<(f64, bool)> = [(&probabilities.positive, true), (&probabilities.negative, false)]
            .into_iter()
            .flat_map(|(of, positive)| of.iter().map(move |p| (logit(p.clamp(LEAST, 1.0 - LEAST)), positive)))
            .collect();
        let word = Look::new(&rows, [0.0, 1.0]);
        let ([intercept, slope], both) = fit(&rows, &word, true);
        let ([shift, _], one) = fit(&rows, &word, false);
        Self {
            slope,
            intercept,
            p_value: (0.5 * (both - word.deviance)).exp(),
            shift,
            p_value_of_slope: 2.0 * gauss::tails((one - both).max(0.0).sqrt()).1,
        }
    }
}

fn logit(p: f64) -> f64 {
    p.ln() - (-p).ln_1p()
}

/// What the labels say at an intercept and a slope.
#[derive(Clone, Copy)]
struct Look {
    at: [f64; 2],
    deviance: f64,
    information: [f64; 3],
    score: [f64; 2],
}

impl Look {
    fn new(rows: &[(f64, bool)], [intercept, slope]: [f64; 2]) -> Self {
        let (mut sum, mut information, mut score) = (0.0, [0.0; 3], [0.0; 2]);
        for (x, positive) in rows {
            let eta = intercept + slope * x;
            let small = (-eta.abs()).exp();
            // ln(1 + e^∓η).
            sum += (if *positive { -eta } else { eta }).max(0.0) + small.ln_1p();
            let odds_against = if eta < 0.0 { (-eta).exp() } else { small };
            let fitted = (1.0 + odds_against).recip();
            let (weight, rest) = (fitted * (1.0 - fitted), f64::from(u8::from(*positive)) - fitted);
            information[0] += weight;
            information[1] += weight * x;
            information[2] += weight * x * x;
            score[0] += rest;
            score[1] += rest * x;
        }
        Self { at: [intercept, slope], deviance: 2.0 * sum, information, score }
    }
}

/// The maximum of the likelihood in both coefficients, or in the intercept alone, with its deviance. Where the probabilities separate
/// the classes there is none: the deviance falls to 0.
fn fit(rows: &[(f64, bool)], from: &Look, with_slope: bool) -> ([f64; 2], f64) {
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
            let next = Look::new(rows, [best.at[0] + part * step[0], best.at[1] + part * step[1]]);
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
