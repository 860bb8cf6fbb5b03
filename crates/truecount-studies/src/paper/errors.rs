//! What is computed of an arm's estimates in a setting: their errors, with Monte Carlo standard errors.

use crate::study::{count, mean};
use crate::{Outcome, Statistics};
use serde::{Deserialize, Serialize};
use truecount::Warning;

/// The errors e = raw − truth of an arm's m estimates, which are not kept inside [0, 1], as in the paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Errors {
    /// m, the replications with an estimate.
    pub estimates: u32,
    /// Of these, how many found no score in the sweep and are an Adjusted Count at one cut.
    pub at_one_cut: u32,
    /// Replications without an estimate.
    pub refused: u32,
    /// Mean e.
    pub bias: Option<f64>,
    /// sd/√m.
    pub bias_error: Option<f64>,
    /// Σ(e − bias)²/(m − 1).
    pub variance: Option<f64>,
    /// √((m₄ − m₂²)/m) with the central moments m₂ and m₄.
    pub variance_error: Option<f64>,
    /// Mean e².
    pub mse: Option<f64>,
    /// sd(e²)/√m.
    pub mse_error: Option<f64>,
    /// √MSE.
    pub rmse: Option<f64>,
    /// The MSE's over 2 RMSE.
    pub rmse_error: Option<f64>,
    /// Mean |e|.
    pub mae: Option<f64>,
    /// sd|e|/√m.
    pub mae_error: Option<f64>,
    /// The MSE less that of the first arm in the replications where both have estimates.
    pub mse_difference: Option<f64>,
    /// Its standard error, from the differences in each replication.
    pub mse_difference_error: Option<f64>,
    /// The same of the MAE.
    pub mae_difference: Option<f64>,
    /// The same of the MAE.
    pub mae_difference_error: Option<f64>,
}

impl Statistics for Errors {
    fn new(arm: &[&Outcome], first: &[&Outcome]) -> Self {
        let errors: Vec<f64> = arm.iter().filter_map(|outcome| error(outcome)).collect();
        let of_each = |f: fn(f64) -> f64| Mean::of(&errors.iter().map(|e| f(*e)).collect::<Vec<_>>());
        let of_pairs = |f: fn(f64) -> f64| {
            let pairs = arm.iter().zip(first).filter_map(|(a, b)| Some((error(a)?, error(b)?)));
            Mean::of(&pairs.map(|(a, b)| f(a) - f(b)).collect::<Vec<_>>())
        };
        let (bias, square, absolute) = (of_each(|e| e), of_each(|e| e * e), of_each(f64::abs));
        let (mse, mae) = (of_pairs(|e| e * e), of_pairs(f64::abs));
        let central = |k| bias.mean.and_then(|bias| mean(errors.iter().map(|e| (e - bias).powi(k))));
        let m = errors.len() as f64;
        let fourth = central(4).zip(central(2)).filter(|_| m > 1.0);
        let rmse = square.mean.map(f64::sqrt);
        let at_one_cut = |outcome: &&&Outcome| {
            outcome
                .found
                .as_ref()
                .is_ok_and(|found| found.warnings.iter().any(|warning| matches!(warning, Warning::NoThreshold { .. })))
        };
        Self {
            estimates: count(errors.len()),
            at_one_cut: count(arm.iter().filter(at_one_cut).count()),
            refused: count(arm.len() - errors.len()),
            bias: bias.mean,
            bias_error: bias.error,
            variance: bias.error.map(|error| error * error * m),
            variance_error: fourth.map(|(fourth, second)| ((fourth - second * second).max(0.0) / m).sqrt()),
            mse: square.mean,
            mse_error: square.error,
            rmse,
            rmse_error: rmse.zip(square.error).map(|(rmse, error)| error / (2.0 * rmse)),
            mae: absolute.mean,
            mae_error: absolute.error,
            mse_difference: mse.mean,
            mse_difference_error: mse.error,
            mae_difference: mae.mean,
            mae_difference_error: mae.error,
        }
    }
}

/// What the errors of arms are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// The mean absolute error: what the analysis behind the paper's figures averages.
    Mae,
    /// The root mean squared error: what the paper's text says.
    Rmse,
}

impl Measure {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Mae, Self::Rmse];

    /// Its name in print.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mae => "MAE",
            Self::Rmse => "RMSE",
        }
    }

    /// Its value, where there are estimates.
    pub fn of(self, errors: &Errors) -> Option<f64> {
        match self {
            Self::Mae => errors.mae,
            Self::Rmse => errors.rmse,
        }
    }
}

/// raw − truth.
fn error(outcome: &Outcome) -> Option<f64> {
    outcome.found.as_ref().ok().map(|estimate| estimate.raw - outcome.truth)
}

/// A mean with its standard error.
struct Mean {
    mean: Option<f64>,
    error: Option<f64>,
}

impl Mean {
    fn of(values: &[f64]) -> Self {
        let centre = mean(values.iter().copied());
        let m = values.len() as f64;
        let squares = centre.map(|centre| values.iter().map(|value| (value - centre).powi(2)).sum::<f64>());
        Self { mean: centre, error: squares.filter(|_| m > 1.0).map(|squares| (squares / (m - 1.0) / m).sqrt()) }
    }
}
