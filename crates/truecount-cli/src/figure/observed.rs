//! The observed against the fitted distribution function of a class: a PP plot.

use truecount::distribution::ScoreDistribution;

/// The most points of a curve.
const POINTS: usize = 400;

/// At scores in ascending order, (F(x₍ᵢ₎), (i − ½)/n).
pub fn observed(fitted: &ScoreDistribution, sorted: &[f64]) -> Vec<(f64, f64)> {
    let n = sorted.len();
    let at = |(i, x): (usize, &f64)| (fitted.tails(*x).0, (i as f64 + 0.5) / n as f64);
    sorted.iter().enumerate().step_by(n.div_ceil(POINTS)).map(at).collect()
}
