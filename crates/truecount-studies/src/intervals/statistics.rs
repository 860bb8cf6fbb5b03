//! The statistics of an arm's replications in a setting.

use crate::study::{count, mean};
use crate::{Outcome, Statistics};
use serde::{Deserialize, Serialize};
use truecount::evaluation::Mean;
use truecount::{Error, Estimate};

/// How an arm did in a setting. A statistic is `None` if there are no estimates or intervals for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intervals {
    /// Replications with an estimate.
    pub estimates: u32,
    /// Replications without one, because the labelled positives scored lower than the negatives ([`Error::Inverted`]).
    pub inverted: u32,
    /// Replications without one for any other reason.
    pub refused: u32,
    /// Intervals without information: all of [0, 1].
    pub vacuous: u32,
    /// Share of the intervals that contain the truth.
    pub coverage: Option<f64>,
    /// Its Monte Carlo standard error, √(p(1−p)/m) for m intervals.
    pub coverage_error: Option<f64>,
    /// Mean width of the intervals.
    pub width: Option<f64>,
    /// Mean of raw − truth.
    pub bias: Option<f64>,
    /// Standard deviation of raw − truth (m − 1).
    pub sd: Option<f64>,
    /// Mean of the standard errors reported.
    pub mean_se: Option<f64>,
    /// Root mean square of prevalence − truth, the prevalence kept inside [0, 1].
    pub rmse: Option<f64>,
    /// Mean absolute value of the same.
    pub mae: Option<f64>,
    /// Its Monte Carlo standard error.
    pub mae_error: Option<f64>,
}

impl Statistics for Intervals {
    type Outcome = Outcome;

    fn new(outcomes: &[&Outcome], _: &[&Outcome]) -> Self {
        let (mut found, mut inverted, mut refused) = (Vec::new(), 0, 0);
        for outcome in outcomes {
            match &outcome.found {
                Ok(estimate) => found.push((outcome.truth, estimate)),
                Err(Error::Inverted { .. }) => inverted += 1,
                Err(_) => refused += 1,
            }
        }
        let intervals: Vec<_> = found.iter().filter_map(|(truth, e)| Some((*truth, e.uncertainty?))).collect();
        let of_intervals = |value: fn(f64, truecount::Uncertainty) -> f64| {
            mean(intervals.iter().map(|(truth, interval)| value(*truth, *interval)))
        };
        let of_estimates = |value: fn(f64, &Estimate) -> f64| mean(found.iter().map(|(truth, e)| value(*truth, e)));

        let coverage = of_intervals(|truth, i| f64::from((i.lower..=i.upper).contains(&truth)));
        let bias = of_estimates(|truth, e| e.raw - truth);
        let squares = bias.map(|bias| found.iter().map(|(truth, e)| (e.raw - truth - bias).powi(2)).sum::<f64>());
        let degrees = found.len() as f64 - 1.0;
        let absolute: Vec<f64> = found.iter().map(|(truth, e)| (e.prevalence - truth).abs()).collect();
        let mae = (!absolute.is_empty()).then(|| Mean::of(&absolute));
        Self {
            estimates: count(found.len()),
            inverted,
            refused,
            vacuous: count(intervals.iter().filter(|(_, i)| i.lower == 0.0 && i.upper == 1.0).count()),
            coverage,
            coverage_error: coverage.map(|p| (p * (1.0 - p) / intervals.len() as f64).sqrt()),
            width: of_intervals(|_, i| i.upper - i.lower),
            bias,
            sd: squares.filter(|_| degrees > 0.0).map(|squares| (squares / degrees).sqrt()),
            mean_se: of_intervals(|_, i| i.se),
            rmse: of_estimates(|truth, e| (e.prevalence - truth).powi(2)).map(f64::sqrt),
            mae: mae.map(|mae| mae.value),
            mae_error: mae.and_then(|mae| mae.se),
        }
    }
}

impl Intervals {
    /// Number of replications.
    pub fn replications(&self) -> u32 {
        self.estimates + self.inverted + self.refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecount::{Method, Reporting, Uncertainty};

    fn estimate(raw: f64, interval: Option<(f64, f64, f64)>) -> Outcome {
        let uncertainty = interval.map(|(se, lower, upper)| Uncertainty { se, lower, upper });
        let found = Ok(Estimate::new(Method::O_CS, 9, raw, uncertainty, &Reporting::default()));
        Outcome { truth: 0.25, found }
    }

    fn refusal(error: Error) -> Outcome {
        Outcome { truth: 0.25, found: Err(error) }
    }

    /// By hand: errors 0.25, −0.5 and 0.25 of the raw values, −0.25 after clipping.
    #[test]
    fn are_those_of_the_estimates() {
        let outcomes = [
            estimate(0.5, Some((0.1, 0.25, 0.75))),
            refusal(Error::Inverted { positive: 0.0, negative: 1.0, other: None }),
            estimate(-0.25, Some((0.3, 0.0, 0.125))),
            refusal(Error::NoTestScores),
            refusal(Error::NoSeparation { max_j: 0.0 }),
            estimate(0.5, Some((0.2, 0.0, 1.0))),
        ];
        let s = Intervals::new(&outcomes.iter().collect::<Vec<_>>(), &[]);
        assert_eq!((s.estimates, s.inverted, s.refused, s.vacuous, s.replications()), (3, 1, 2, 1, 6));
        let close = |a: Option<f64>, b: f64| assert!((a.unwrap() - b).abs() < 1e-15, "{a:?} {b}");
        close(s.coverage, 2.0 / 3.0);
        close(s.coverage_error, (2.0f64 / 27.0).sqrt());
        close(s.width, (0.5 + 0.125 + 1.0) / 3.0);
        close(s.bias, 0.0);
        close(s.sd, (0.375f64 / 2.0).sqrt());
        close(s.mean_se, 0.2);
        close(s.rmse, 0.25);
        close(s.mae, 0.25);
        close(s.mae_error, 0.0);
    }

    #[test]
    fn say_nothing_about_nothing() {
        let nothing = Intervals::new(&[&refusal(Error::NoTestScores)], &[]);
        assert_eq!((nothing.refused, nothing.coverage, nothing.bias, nothing.rmse), (1, None, None, None));
        let one = Intervals::new(&[&estimate(0.5, None)], &[]);
        assert_eq!((one.bias, one.sd, one.coverage, one.width), (Some(0.25), None, None, None));
    }
}
