//! The calibration curve: η_b = ln f⁺/f⁻ in bin b, from the counts p_b and n_b of labelled positives and negatives there.
//!
//! ```text
//! maximise Σ_b p_b ln π_b + n_b ln(1 − π_b) − ½ ηᵀ(λS₃ + κS₂ + ρI)η,    logit π_b = η_b + ln(n₊/n₋)
//! ```
//!
//! by Newton's method, each step a problem of least squares. λ maximises λ times Laplace's approximation to the marginal likelihood
//! (MacKay 1992; Wood 2011): without that lean to smoothness thirty labels a class are followed too closely.

use super::least_squares::LeastSquares;
use super::penalty::Penalty;
use crate::PerClass;

/// The steps of λ, half a decade each, from 10⁻⁴ on.
const STEPS: i32 = 17;

/// A step of Newton's method is at most so long in any bin.
const LONGEST: f64 = 3.0;

/// Steps below this leave an error of their square.
const SMALL: f64 = 1e-9;

/// Newton's method has never needed so many.
const MOST: u32 = 200;

/// A fitted curve.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub(super) lambda: f64,
    pub(super) eta: Vec<f64>,
}

impl Curve {
    /// The curve of the λ that explains the counts best.
    pub(super) fn fit(penalty: &Penalty, counts: &PerClass<Vec<f64>>) -> Self {
        let mut best: Option<(f64, Self)> = None;
        for (evidence, curve) in Self::each(penalty, counts) {
            if best.as_ref().is_none_or(|(most, _)| evidence > *most) {
                best = Some((evidence, curve));
            }
        }
        best.expect("there are steps").1
    }

    /// The curve of each λ, with the logarithm of what is maximised, but for a constant.
    fn each(penalty: &Penalty, counts: &PerClass<Vec<f64>>) -> impl Iterator<Item = (f64, Self)> {
        let mut system = LeastSquares::new(penalty.bins());
        let mut eta = vec![0.0; penalty.bins()];
        (0..STEPS).map(move |step| {
            let lambda = 10f64.powf(-4.0 + 0.5 * f64::from(step));
            let log_likelihood = maximise(penalty, lambda, counts, &mut system, &mut eta);
            let evidence = log_likelihood - 0.5 * penalty.of(lambda, &eta) + penalty.half_ln_determinant(lambda)
                - system.half_ln_determinant()
                + lambda.ln();
            (evidence, Self { lambda, eta: eta.clone() })
        })
    }

    /// The curve of other counts with the same λ.
    pub(super) fn refit(&self, penalty: &Penalty, counts: &PerClass<Vec<f64>>) -> Vec<f64> {
        let mut eta = self.eta.clone();
        maximise(penalty, self.lambda, counts, &mut LeastSquares::new(penalty.bins()), &mut eta);
        eta
    }
}

/// Moves η to the maximum at λ, leaves the last step's system behind, and gives the binomial log-likelihood.
fn maximise(
    penalty: &Penalty,
    lambda: f64,
    counts: &PerClass<Vec<f64>>,
    system: &mut LeastSquares,
    eta: &mut [f64],
) -> f64 {
    let total = |counts: &Vec<f64>| counts.iter().sum::<f64>();
    let offset = (total(&counts.positive) / total(&counts.negative)).ln();
    let mut found = vec![0.0; eta.len()];
    for _ in 0..MOST {
        penalty.fill(system, lambda, |bin| {
            let (p, n) = (counts.positive[bin], counts.negative[bin]);
            // π and 1 − π, neither from the other.
            let odds = (-(eta[bin] + offset)).exp();
            let (share, rest) = (1.0 / (1.0 + odds), 1.0 / (1.0 + odds.recip()));
            let weight = (p + n) * share * rest;
            (weight, weight * eta[bin] + (p * rest - n * share))
        });
        system.solve(&mut found);
        let mut longest = 0.0f64;
        for (eta, found) in eta.iter_mut().zip(&found) {
            let step = (found - *eta).clamp(-LONGEST, LONGEST);
            longest = longest.max(step.abs());
            *eta += step;
        }
        if longest < SMALL {
            break;
        }
    }
    let each = counts.positive.iter().zip(&counts.negative).zip(&*eta);
    each.map(|((p, n), eta)| -p * ln_1p_exp(-(eta + offset)) - n * ln_1p_exp(eta + offset)).sum()
}

/// ln(1 + eˣ).
fn ln_1p_exp(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    const GOLDEN: &str = include_str!("../../tests/golden/calibration_curve.json");

    fn numbers(value: &Value) -> Vec<f64> {
        let number =
            |value: &Value| value.as_str().map_or_else(|| value.as_f64().unwrap(), |text| text.parse().unwrap());
        value.as_array().unwrap().iter().map(number).collect()
    }

    #[test]
    fn is_the_maximum() {
        let golden: Value = serde_json::from_str(GOLDEN).unwrap();
        for case in golden["cases"].as_array().unwrap() {
            let counts = PerClass { positive: numbers(&case["positive"]), negative: numbers(&case["negative"]) };
            let (name, expected) = (&case["name"], numbers(&case["eta"]));
            let penalty = Penalty::new(expected.len());
            let curve = Curve::fit(&penalty, &counts);
            // But for a constant.
            let evidence = numbers(&case["evidence"]);
            let each: Vec<f64> = Curve::each(&penalty, &counts).map(|(evidence, _)| evidence).collect();
            for (found, expected) in each.iter().zip(&evidence) {
                let (found, expected) = (found - each[0], expected - evidence[0]);
                assert!((found - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{name}: {found}, not {expected}");
            }
            assert!((curve.lambda / case["lambda"].as_f64().unwrap() - 1.0).abs() < 1e-12, "{name}: {}", curve.lambda);
            for (bin, (found, expected)) in curve.eta.iter().zip(&expected).enumerate() {
                assert!((found - expected).abs() < 1e-8, "{name}, bin {bin}: {found}, not {expected}");
            }
        }
    }
}
