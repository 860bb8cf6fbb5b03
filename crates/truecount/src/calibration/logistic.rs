//! Logistic regression on log odds: logit P(positive | x) = intercept + slope x.

use crate::PerClass;
use crate::numeric::newton;

/// Probabilities are kept so far away from 0 and 1.
const LEAST: f64 = 1e-6;

/// ln p/(1−p), of a probability kept a little away from 0 and 1.
pub(crate) fn log_odds(p: f64) -> f64 {
    let p = p.clamp(LEAST, 1.0 - LEAST);
    p.ln() - (-p).ln_1p()
}

/// What is regressed on, and whether the row is positive.
pub(super) fn rows(values: &PerClass<Vec<f64>>) -> Vec<(f64, bool)> {
    let of = |values: &[f64], positive| values.iter().map(|x| (*x, positive)).collect::<Vec<_>>();
    [of(&values.positive, true), of(&values.negative, false)].concat()
}

/// Intercept and slope with the largest likelihood, where it has a maximum, from such an intercept and slope 0 on.
pub(crate) fn most_likely(values: &PerClass<Vec<f64>>, intercept: f64) -> [f64; 2] {
    let rows = rows(values);
    let n = rows.len() as f64;
    newton::maximise([intercept, 0.0], |at| {
        let (information, score) = information_and_score(&rows, at);
        (-0.5 * deviance(&rows, at) / n, score.map(|of| of / n), information.map(|of| -of / n))
    })
}

/// ln(1 + e^x).
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

pub(super) fn deviance(rows: &[(f64, bool)], [intercept, slope]: [f64; 2]) -> f64 {
    let of = |(x, positive): &(f64, bool)| {
        let eta = intercept + slope * x;
        softplus(if *positive { -eta } else { eta })
    };
    2.0 * rows.iter().map(of).sum::<f64>()
}

/// The information and the score.
pub(super) fn information_and_score(rows: &[(f64, bool)], [intercept, slope]: [f64; 2]) -> ([f64; 3], [f64; 2]) {
    let (mut information, mut score) = ([0.0; 3], [0.0; 2]);
    for (x, positive) in rows {
        let fitted = (1.0 + (-(intercept + slope * x)).exp()).recip();
        let (weight, rest) = (fitted * (1.0 - fitted), f64::from(u8::from(*positive)) - fitted);
        information[0] += weight;
        information[1] += weight * x;
        information[2] += weight * x * x;
        score[0] += rest;
        score[1] += rest * x;
    }
    (information, score)
}
