//! The statistics of a method's replications in a setting: its intervals, plain and widened.

use crate::Statistics;
use crate::study::{count, mean};
use serde::{Deserialize, Serialize};
use truecount::{Error, Estimate, Uncertainty, Warning};

/// The normal quantile of the nominal 95 % intervals.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// The result of a method in one replication.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The true prevalence.
    pub truth: f64,
    /// What was found, or why nothing.
    pub found: Result<Found, Error>,
}

/// An estimate with both of its intervals.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    estimate: f64,
    plain: Uncertainty,
    widened: Uncertainty,
    /// S.
    scale: f64,
    /// Whether the check finds no mixture.
    rejected: bool,
}

impl Found {
    pub(super) fn new(plain: &Estimate, widened: &Estimate) -> Self {
        let interval = |estimate: &Estimate| estimate.uncertainty.expect("a method with an interval");
        Self {
            estimate: plain.prevalence,
            plain: interval(plain),
            widened: interval(widened),
            scale: plain.misfit.expect("enough labels to check").scale,
            rejected: plain.warnings.iter().any(Warning::is_of_misfit),
        }
    }
}

/// How a method did in a setting. A statistic is `None` if there are no estimates for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Widened {
    /// Replications with an estimate.
    pub estimates: u32,
    /// Replications without one.
    pub none: u32,
    /// Replications in which the check finds no mixture.
    pub rejected: u32,
    /// Mean of the scale factors.
    pub scale: Option<f64>,
    /// Root mean square of the error over the standard error.
    pub errors: Option<f64>,
    /// The same over the half-width of the widened interval, divided by the normal quantile.
    pub errors_widened: Option<f64>,
    /// Share of the plain intervals that contain the truth.
    pub coverage: Option<f64>,
    /// Its Monte Carlo standard error, √(p(1−p)/m) for m intervals.
    pub coverage_error: Option<f64>,
    /// Share of the widened intervals that contain the truth.
    pub coverage_widened: Option<f64>,
    /// Its Monte Carlo standard error.
    pub coverage_widened_error: Option<f64>,
    /// Mean width of the plain intervals.
    pub width: Option<f64>,
    /// Mean width of the widened intervals.
    pub width_widened: Option<f64>,
    /// Monte Carlo standard error of the difference of these means.
    pub width_difference_error: Option<f64>,
}

impl Statistics for Widened {
    type Outcome = Outcome;

    fn new(outcomes: &[&Outcome], _: &[&Outcome]) -> Self {
        let found: Vec<(f64, Found)> = outcomes
            .iter()
            .filter_map(|outcome| Some((outcome.truth, outcome.found.as_ref().ok().copied()?)))
            .collect();
        let m = found.len() as f64;
        let of = |value: fn(f64, &Found) -> f64| mean(found.iter().map(|(truth, found)| value(*truth, found)));
        let holds = |interval: &Uncertainty, truth| f64::from((interval.lower..=interval.upper).contains(&truth));
        let held = |interval: fn(&Found) -> &Uncertainty| {
            mean(found.iter().map(|(truth, found)| holds(interval(found), *truth)))
        };
        let error = |share: Option<f64>| share.map(|p| (p * (1.0 - p) / m).sqrt());
        let (coverage, coverage_widened) = (held(|found| &found.plain), held(|found| &found.widened));
        let more = |found: &Found| width(&found.widened) - width(&found.plain);
        let gained = mean(found.iter().map(|(_, found)| more(found)));
        let spread = gained.map(|gained| found.iter().map(|(_, found)| (more(found) - gained).powi(2)).sum::<f64>());
        Self {
            estimates: count(found.len()),
            none: count(outcomes.len() - found.len()),
            rejected: count(found.iter().filter(|(_, found)| found.rejected).count()),
            scale: of(|_, found| found.scale),
            errors: of(|truth, found| ((found.estimate - truth) / found.plain.se).powi(2)).map(f64::sqrt),
            errors_widened: of(|truth, found| {
                ((found.estimate - truth) / (0.5 * width(&found.widened) / QUANTILE)).powi(2)
            })
            .map(f64::sqrt),
            coverage,
            coverage_error: error(coverage),
            coverage_widened,
            coverage_widened_error: error(coverage_widened),
            width: of(|_, found| width(&found.plain)),
            width_widened: of(|_, found| width(&found.widened)),
            width_difference_error: spread.filter(|_| m > 1.0).map(|spread| (spread / (m * (m - 1.0))).sqrt()),
        }
    }
}

fn width(interval: &Uncertainty) -> f64 {
    interval.upper - interval.lower
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(estimate: f64, plain: [f64; 3], ends: [f64; 2], rejected: bool) -> Outcome {
        let [se, lower, upper] = plain;
        let plain = Uncertainty { se, lower, upper };
        let widened = Uncertainty { lower: ends[0], upper: ends[1], ..plain };
        let scale = if rejected { 3.0 } else { 1.0 };
        Outcome { truth: 0.25, found: Ok(Found { estimate, plain, widened, scale, rejected }) }
    }

    /// By hand: errors of 2 and −1 standard errors, of which the first is missed by its plain interval.
    #[test]
    fn are_those_of_the_outcomes() {
        let outcomes = [
            outcome(0.5, [0.125, 0.375, 0.625], [0.25, 0.75], true),
            Outcome { truth: 0.25, found: Err(Error::NoTestScores) },
            outcome(0.125, [0.125, 0.0, 0.25], [0.0, 0.25], false),
        ];
        let found = Widened::new(&outcomes.iter().collect::<Vec<_>>(), &[]);
        assert_eq!((found.estimates, found.none, found.rejected), (2, 1, 1));
        let close = |a: Option<f64>, b: f64| assert!((a.unwrap() - b).abs() < 1e-15, "{a:?} {b}");
        close(found.scale, 2.0);
        close(found.errors, 2.5f64.sqrt());
        // Both errors are as large as half the width.
        close(found.errors_widened, QUANTILE);
        close(found.coverage, 0.5);
        close(found.coverage_error, 0.125f64.sqrt());
        close(found.coverage_widened, 1.0);
        close(found.coverage_widened_error, 0.0);
        close(found.width, 0.25);
        close(found.width_widened, 0.375);
        // ¼ and 0 more: a standard deviation of ¼/√2.
        close(found.width_difference_error, 0.125);
    }

    #[test]
    fn say_nothing_about_nothing() {
        let nothing = Widened::new(&[&Outcome { truth: 0.25, found: Err(Error::NoTestScores) }], &[]);
        assert_eq!((nothing.none, nothing.coverage, nothing.width, nothing.errors), (1, None, None, None));
    }
}
