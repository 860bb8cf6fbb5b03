//! Logistic regression on log odds: logit P(positive | x) = intercept + slope x.

use crate::PerClass;
use crate::numeric::newton;

/// The smallest distance of a probability from 0 and 1; closer ones are clipped.
const MIN_PROBABILITY: f64 = 1e-6;

/// Returns the log odds ln p/(1−p) of a probability, clipped to [1e-6, 1 − 1e-6].
pub(crate) fn log_odds(p: f64) -> f64 {
    let p = p.clamp(MIN_PROBABILITY, 1.0 - MIN_PROBABILITY);
    p.ln() - (-p).ln_1p()
}

/// Returns each row's regressor and whether the row is positive.
pub(super) fn rows(values: &PerClass<Vec<f64>>) -> Vec<(f64, bool)> {
    let class_rows = |values: &[f64], positive| values.iter().map(|x| (*x, positive)).collect::<Vec<_>>();
    [class_rows(&values.positive, true), class_rows(&values.negative, false)].concat()
}

/// Returns the maximum-likelihood intercept and slope, if there is a maximum.
///
/// The search begins at the given intercept and slope 0.
pub(crate) fn fit_logistic(values: &PerClass<Vec<f64>>, intercept: f64) -> [f64; 2] {
    let rows = rows(values);
    let n = rows.len() as f64;
    newton::maximise([intercept, 0.0], |at| {
        let LogisticLikelihood { deviance, information, score, .. } = LogisticLikelihood::new(&rows, at);
        (-0.5 * deviance / n, score.map(|sum| sum / n), information.map(|sum| -sum / n))
    })
}

/// The deviance, the score vector and the information matrix at an intercept and a slope.
#[derive(Clone, Copy)]
pub(super) struct LogisticLikelihood {
    pub(super) at: [f64; 2],
    pub(super) deviance: f64,
    pub(super) information: [f64; 3],
    pub(super) score: [f64; 2],
}

impl LogisticLikelihood {
    /// Evaluates the likelihood in one pass over the rows.
    pub(super) fn new(rows: &[(f64, bool)], [intercept, slope]: [f64; 2]) -> Self {
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
