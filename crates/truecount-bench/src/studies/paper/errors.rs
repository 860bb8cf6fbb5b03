//! The errors of an arm's estimates in a setting, with Monte Carlo standard errors.

use crate::studies::{ArmOutcome, Statistics, mean};
use serde::Serialize;
use truecount::evaluation::Mean;

/// Returns the errors e = raw − truth of an arm's m estimates, with their standard errors; as in the
/// paper, estimates are not clipped to [0, 1]. Differences from the errors of the first arm are over
/// the replications in which both have estimates.
pub fn statistics(arm: &[&ArmOutcome], first: &[&ArmOutcome]) -> Statistics {
    let errors: Vec<f64> = arm.iter().filter_map(|outcome| error(outcome)).collect();
    let mean_of = |f: fn(f64) -> f64| some_mean(&errors.iter().map(|e| f(*e)).collect::<Vec<_>>());
    let mean_difference_of = |f: fn(f64) -> f64| {
        let pairs = arm.iter().zip(first).filter_map(|(a, b)| Some((error(a)?, error(b)?)));
        some_mean(&pairs.map(|(a, b)| f(a) - f(b)).collect::<Vec<_>>())
    };
    let (bias, square, absolute) = (mean_of(|e| e), mean_of(|e| e * e), mean_of(f64::abs));
    let (mse, mae) = (mean_difference_of(|e| e * e), mean_difference_of(f64::abs));
    let (root, m) = (square.map(Mean::root), errors.len() as f64);
    let central = |k| bias.and_then(|bias| mean(errors.iter().map(|e| (e - bias.value).powi(k))));
    let spread = central(4).zip(central(2)).filter(|_| m > 1.0);
    let value = |mean: Option<Mean>| mean.map(|mean| mean.value);
    let se = |mean: Option<Mean>| mean.and_then(|mean| mean.std_error);
    Statistics::new(
        [("estimates", errors.len()), ("refused", arm.len() - errors.len())],
        [
            ("bias", value(bias)),
            ("bias_se", se(bias)),
            // Σ(e − bias)²/(m − 1), with the standard error √((m₄ − m₂²)/m) from central moments.
            ("variance", se(bias).map(|se| se * se * m)),
            ("variance_se", spread.map(|(fourth, second)| ((fourth - second * second).max(0.0) / m).sqrt())),
            ("mse", value(square)),
            ("mse_se", se(square)),
            ("rmse", value(root)),
            ("rmse_se", se(root)),
            ("mae", value(absolute)),
            ("mae_se", se(absolute)),
            ("mse_difference", value(mse)),
            ("mse_difference_se", se(mse)),
            ("mae_difference", value(mae)),
            ("mae_difference_se", se(mae)),
        ],
    )
}

/// The measure by which the errors of arms are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ErrorMeasure {
    /// The mean absolute error: what the analysis behind the paper's figures averages.
    Mae,
    /// The root mean squared error: what the paper's text says.
    Rmse,
}

impl ErrorMeasure {
    /// Both measures.
    pub const ALL: [Self; 2] = [Self::Mae, Self::Rmse];

    /// Returns the printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mae => "MAE",
            Self::Rmse => "RMSE",
        }
    }

    /// Returns the name of the statistic.
    pub fn statistic(self) -> &'static str {
        match self {
            Self::Mae => "mae",
            Self::Rmse => "rmse",
        }
    }
}

/// Returns raw − truth.
fn error(outcome: &ArmOutcome) -> Option<f64> {
    let (truth, estimate) = outcome.pair()?;
    estimate.points.map(|[raw, _]| raw - truth)
}

/// Returns the mean with its standard error, or `None` without values.
fn some_mean(values: &[f64]) -> Option<Mean> {
    (!values.is_empty()).then(|| Mean::from_values(values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecount::error::Problem;
    use truecount::{Estimate, Method};

    fn outcome(raw: Option<f64>) -> ArmOutcome {
        let estimate = |raw: f64| Estimate::new(Method::T_MS, 9, raw);
        let result = raw.map(|raw| estimate(raw).into()).ok_or_else(|| Problem::NoTestScores.into());
        ArmOutcome { truth: 0.25, result }
    }

    /// Computed by hand: the arm has errors 0.25, −0.5, none, 0.25 and 1; the first arm 0.25, 0.25,
    /// 0.25, none and −0.5.
    #[test]
    fn statistics_follow_from_the_raw_estimates() {
        let arm = [outcome(Some(0.5)), outcome(Some(-0.25)), outcome(None), outcome(Some(0.5)), outcome(Some(1.25))];
        let first = [Some(0.5), Some(0.5), Some(0.5), None, Some(-0.25)].map(outcome);
        let all = |outcomes: &[ArmOutcome]| {
            statistics(&outcomes.iter().collect::<Vec<_>>(), &first.iter().collect::<Vec<_>>())
        };
        let errors = all(&arm);
        assert_eq!((errors.count("estimates"), errors.count("refused")), (4, 1));
        let close = |name: &str, b: f64| assert!((errors.value(name).unwrap() - b).abs() < 1e-15, "{name} {b}");
        // Deviations 0, −0.75, 0 and 0.75 from the mean: m₂ = 0.28125, m₄ = 0.158203125.
        close("bias", 0.25);
        close("variance", 0.375);
        close("bias_se", (0.375_f64 / 4.0).sqrt());
        close("variance_se", ((0.158_203_125 - 0.28125 * 0.28125_f64) / 4.0).sqrt());
        // Squares 0.0625, 0.25, 0.0625 and 1.
        close("mse", 0.34375);
        close("rmse", 0.34375_f64.sqrt());
        let deviations: f64 = [0.0625, 0.25, 0.0625, 1.0].iter().map(|s| (s - 0.34375_f64).powi(2)).sum();
        close("mse_se", (deviations / 3.0 / 4.0).sqrt());
        close("rmse_se", (deviations / 3.0 / 4.0).sqrt() / (2.0 * 0.34375_f64.sqrt()));
        close("mae", 0.5);
        close("mae_se", (0.375_f64 / 3.0 / 4.0).sqrt());
        // The paired differences are 0, 0.25 and 0.5 for |e|, and 0, 0.1875 and 0.75 for e².
        close("mae_difference", 0.25);
        close("mae_difference_se", (0.125_f64 / 2.0 / 3.0).sqrt());
        close("mse_difference", 0.3125);
        assert_eq!(all(&first).value("mae_difference"), Some(0.0));
    }
}
