//! The calibration curve: η_b = ln f⁺/f⁻ in bin b, from the counts p_b and n_b of labelled
//! positives and negatives there.
//!
//! ```text
//! maximise Σ_b p_b ln π_b + n_b ln(1 − π_b) − ½ ηᵀ(λS₃ + κS₂ + ρI)η,  logit π_b = η_b + ln(n₊/n₋)
//! ```
//!
//! by Newton's method, with a least-squares problem in each step. λ maximises λ times Laplace's
//! approximation to the marginal likelihood (MacKay 1992; Wood 2011). The factor λ favours smooth
//! curves; without it, the curve follows thirty labels a class too closely.

use super::bins::Bins;
use super::least_squares::LeastSquares;
use super::penalty::Penalty;
use crate::PerClass;

/// The number of values of λ, half a decade apart, from 10⁻⁴ to 10⁴.
const STEPS: i32 = 17;

/// The largest change of η in a bin in one Newton step.
const MAX_STEP: f64 = 3.0;

/// The step size at which Newton's method stops; the remaining error is the square of the step.
const CONVERGED: f64 = 1e-9;

/// The maximum number of Newton steps, more than ever needed.
const MAX_ITERATIONS: u32 = 200;

/// A calibration curve, with its smoothing parameter λ and η in each bin.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    pub(crate) lambda: f64,
    pub(crate) eta: Vec<f64>,
}

impl Curve {
    /// Fits the curve with the best λ to labelled scores counted in bins.
    pub(crate) fn new(bins: &Bins) -> Self {
        Self::fit(&Penalty::new(bins.len()), &bins.effective_counts())
    }

    /// Fits the curve with the best λ to the counts.
    pub(super) fn fit(penalty: &Penalty, counts: &PerClass<Vec<f64>>) -> Self {
        let mut best: Option<(f64, Self)> = None;
        for (evidence, curve) in Self::fit_each_lambda(penalty, counts) {
            if best.as_ref().is_none_or(|(largest, _)| evidence > *largest) {
                best = Some((evidence, curve));
            }
        }
        best.expect("at least one λ").1
    }

    /// Fits the curve of each λ, and computes the logarithm of the criterion for λ, up to a
    /// constant.
    fn fit_each_lambda(penalty: &Penalty, counts: &PerClass<Vec<f64>>) -> impl Iterator<Item = (f64, Self)> {
        let mut system = LeastSquares::new(penalty.bins());
        let mut eta = vec![[0.0]; penalty.bins()];
        (0..STEPS).map(move |step| {
            let lambda = 10f64.powf(-4.0 + 0.5 * f64::from(step));
            maximise(penalty, lambda, [counts], &mut system, &mut eta);
            let eta: Vec<f64> = eta.iter().map(|[eta]| *eta).collect();
            let [half_ln_determinant] = system.half_ln_determinants();
            let evidence = log_likelihood(counts, &eta) - 0.5 * penalty.value(lambda, &eta)
                + penalty.half_ln_determinant(lambda)
                - half_ln_determinant
                + lambda.ln();
            (evidence, Self { lambda, eta })
        })
    }

    /// Fits curves to N other sets of counts with the same λ.
    pub(super) fn refit<const N: usize>(&self, penalty: &Penalty, counts: &[PerClass<Vec<f64>>; N]) -> [Vec<f64>; N] {
        let mut eta: Vec<[f64; N]> = self.eta.iter().map(|eta| [*eta; N]).collect();
        maximise(penalty, self.lambda, counts.each_ref(), &mut LeastSquares::new(penalty.bins()), &mut eta);
        std::array::from_fn(|n| eta.iter().map(|eta| eta[n]).collect())
    }
}

/// Moves the η of each of N sets of counts to its maximum at λ.
///
/// Afterwards, `system` holds the least-squares systems of the last step.
fn maximise<const N: usize>(
    penalty: &Penalty,
    lambda: f64,
    counts: [&PerClass<Vec<f64>>; N],
    system: &mut LeastSquares<N>,
    eta: &mut [[f64; N]],
) {
    let offset = counts.map(prior_log_odds);
    let mut solution = vec![[0.0; N]; eta.len()];
    let mut largest_step = [f64::INFINITY; N];
    for _ in 0..MAX_ITERATIONS {
        penalty.fill(system, lambda, |bin, n| {
            let (eta, offset) = (eta[bin][n], offset[n]);
            let (p, n) = (counts[n].positive[bin], counts[n].negative[bin]);
            // π and 1 − π are computed separately, so that both keep their digits.
            let odds = (-(eta + offset)).exp();
            let (share, rest) = (1.0 / (1.0 + odds), 1.0 / (1.0 + odds.recip()));
            let weight = (p + n) * share * rest;
            (weight, weight * eta + (p * rest - n * share))
        });
        system.solve(&mut solution);
        // A converged curve no longer changes, so its result does not depend on the other curves.
        for n in 0..N {
            if largest_step[n] < CONVERGED {
                continue;
            }
            largest_step[n] = 0.0;
            for (eta, solution) in eta.iter_mut().zip(&solution) {
                let step = (solution[n] - eta[n]).clamp(-MAX_STEP, MAX_STEP);
                largest_step[n] = largest_step[n].max(step.abs());
                eta[n] += step;
            }
        }
        if largest_step.iter().all(|largest_step| *largest_step < CONVERGED) {
            break;
        }
    }
}

/// Returns the prior log odds ln(n₊/n₋).
fn prior_log_odds(counts: &PerClass<Vec<f64>>) -> f64 {
    let total = |counts: &[f64]| counts.iter().sum::<f64>();
    (total(&counts.positive) / total(&counts.negative)).ln()
}

/// Returns the log-likelihood Σ_b p_b ln π_b + n_b ln(1 − π_b).
fn log_likelihood(counts: &PerClass<Vec<f64>>, eta: &[f64]) -> f64 {
    let offset = prior_log_odds(counts);
    let each = counts.positive.iter().zip(&counts.negative).zip(eta);
    each.map(|((p, n), eta)| {
        // −ln π and −ln(1 − π) are ln(1 + e^∓x) for the log odds x.
        let odds = eta + offset;
        let common = (-odds.abs()).exp().ln_1p();
        -p * ((-odds).max(0.0) + common) - n * (odds.max(0.0) + common)
    })
    .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::numbers;
    use serde_json::Value;

    const GOLDEN: &str = include_str!("../../tests/golden/calibration_curve.json");

    #[test]
    fn curve_is_the_maximum() {
        let golden: Value = serde_json::from_str(GOLDEN).unwrap();
        for case in golden["cases"].as_array().unwrap() {
            let counts = PerClass { positive: numbers(&case["positive"]), negative: numbers(&case["negative"]) };
            let (name, expected) = (&case["name"], numbers(&case["eta"]));
            let penalty = Penalty::new(expected.len());
            let curve = Curve::fit(&penalty, &counts);
            // Up to a constant.
            let evidence = numbers(&case["evidence"]);
            let each: Vec<f64> = Curve::fit_each_lambda(&penalty, &counts).map(|(evidence, _)| evidence).collect();
            for (actual, expected) in each.iter().zip(&evidence) {
                let (actual, expected) = (actual - each[0], expected - evidence[0]);
                assert!((actual - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{name}: {actual}, not {expected}");
            }
            assert!((curve.lambda / case["lambda"].as_f64().unwrap() - 1.0).abs() < 1e-12, "{name}: {}", curve.lambda);
            for (bin, (actual, expected)) in curve.eta.iter().zip(&expected).enumerate() {
                assert!((actual - expected).abs() < 1e-8, "{name}, bin {bin}: {actual}, not {expected}");
            }
        }
    }
}
