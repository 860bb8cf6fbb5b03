//! The statistics of an arm's replications in a setting.

use crate::Statistics;
use crate::study::{count, mean};
use serde::{Deserialize, Serialize};
use truecount::inference::Difference;
use truecount::{Error, Estimate};

/// The result of an arm in one replication.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What is estimated.
    pub truth: f64,
    /// What was found, or why nothing.
    pub found: Result<Found, Error>,
}

/// An interval, and what it rests on.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Its lower end.
    pub lower: f64,
    /// Its upper end, which may be infinite.
    pub upper: f64,
    /// The estimate, which may lie outside its range, and its standard error; none of a ratio.
    pub spread: Option<(f64, f64)>,
    /// The two estimates that were compared.
    pub pair: Option<Pair>,
}

/// Two estimates.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The first.
    first: f64,
    /// The second.
    second: f64,
    /// Their covariance as stated.
    covariance: f64,
}

impl Found {
    pub(super) fn estimate(estimate: &Estimate) -> Self {
        let interval = estimate.uncertainty.expect("a method with an interval");
        let spread = Some((estimate.raw, interval.se));
        Self { lower: interval.lower, upper: interval.upper, spread, pair: None }
    }

    pub(super) fn difference(first: &Estimate, second: &Estimate, found: &Difference) -> Self {
        let product: f64 = [first, second].iter().filter_map(|estimate| Some(estimate.uncertainty?.se)).product();
        let pair = Pair { first: first.raw, second: second.raw, covariance: found.correlation * product };
        let spread = Some((first.raw - second.raw, found.se));
        Self { lower: found.lower, upper: found.upper, spread, pair: Some(pair) }
    }

    pub(super) fn ratio(found: &Difference) -> Self {
        Self { lower: found.ratio.lower, upper: found.ratio.upper, spread: None, pair: None }
    }
}

/// How the intervals of an arm did in a setting. A statistic is `None` if there is nothing to compute it from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// Replications with an interval.
    pub intervals: u32,
    /// Replications without one.
    pub none: u32,
    /// Intervals without an upper end.
    pub endless: u32,
    /// Share of the intervals that contain the truth.
    pub coverage: Option<f64>,
    /// Its Monte Carlo standard error, √(p(1−p)/m) for m intervals.
    pub coverage_error: Option<f64>,
    /// Share of the intervals that lie below the truth.
    pub below: Option<f64>,
    /// Share of the intervals that lie above the truth.
    pub above: Option<f64>,
    /// Mean width of the intervals that have an upper end.
    pub width: Option<f64>,
    /// Mean of raw − truth.
    pub bias: Option<f64>,
    /// Standard deviation of raw (m − 1).
    pub sd: Option<f64>,
    /// Root mean square of the standard errors over that standard deviation.
    pub se_ratio: Option<f64>,
    /// Covariance of the two estimates that are compared (m − 1).
    pub covariance: Option<f64>,
    /// Its Monte Carlo standard error, √((v₁v₂ + c²)/m).
    pub covariance_error: Option<f64>,
    /// Mean of the covariances stated over it.
    pub covariance_ratio: Option<f64>,
}

impl Statistics for Held {
    type Outcome = Outcome;

    fn new(outcomes: &[&Outcome], _: &[&Outcome]) -> Self {
        let found: Vec<(f64, Found)> = outcomes
            .iter()
            .filter_map(|outcome| Some((outcome.truth, outcome.found.as_ref().ok().copied()?)))
            .collect();
        let m = found.len() as f64;
        let share =
            |of: &dyn Fn(f64, &Found) -> bool| mean(found.iter().map(|(truth, f)| f64::from(u8::from(of(*truth, f)))));
        let coverage = share(&|truth, f| (f.lower..=f.upper).contains(&truth));
        let widths: Vec<f64> = found.iter().map(|(_, f)| f.upper - f.lower).filter(|width| width.is_finite()).collect();
        let spreads: Vec<(f64, (f64, f64))> = found.iter().filter_map(|(truth, f)| Some((*truth, f.spread?))).collect();
        let raws: Vec<f64> = spreads.iter().map(|(_, (raw, _))| *raw).collect();
        let sd = covariance(&raws, &raws).map(f64::sqrt);
        let squares = mean(spreads.iter().map(|(_, (_, se))| se * se));
        let pairs: Vec<Pair> = found.iter().filter_map(|(_, f)| f.pair).collect();
        let (first, second): (Vec<f64>, Vec<f64>) = pairs.iter().map(|pair| (pair.first, pair.second)).unzip();
        let simulated = covariance(&first, &second);
        let variances = covariance(&first, &first).zip(covariance(&second, &second));
        let error = simulated.zip(variances).map(|(c, (v, w))| ((v * w + c * c) / m).sqrt());
        let stated = mean(pairs.iter().map(|pair| pair.covariance));
        let ratio = |of: Option<f64>, to: Option<f64>| of.zip(to).map(|(of, to)| of / to);
        Self {
            intervals: count(found.len()),
            none: count(outcomes.len() - found.len()),
            endless: count(found.len() - widths.len()),
            coverage,
            coverage_error: coverage.map(|p| (p * (1.0 - p) / m).sqrt()),
            below: share(&|truth, f| f.upper < truth),
            above: share(&|truth, f| f.lower > truth),
            width: mean(widths.iter().copied()),
            bias: mean(spreads.iter().map(|(truth, (raw, _))| raw - truth)),
            sd,
            se_ratio: ratio(squares.map(f64::sqrt), sd),
            covariance: simulated,
            covariance_error: error,
            covariance_ratio: ratio(stated, simulated),
        }
    }
}

/// Over one less than the number of pairs.
fn covariance(a: &[f64], b: &[f64]) -> Option<f64> {
    let degrees = a.len().checked_sub(1).filter(|degrees| *degrees > 0)?;
    let (of_a, of_b) = mean(a.iter().copied()).zip(mean(b.iter().copied()))?;
    Some(a.iter().zip(b).map(|(x, y)| (x - of_a) * (y - of_b)).sum::<f64>() / degrees as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(ends: (f64, f64), spread: Option<(f64, f64)>, pair: Option<Pair>) -> Outcome {
        Outcome { truth: 0.25, found: Ok(Found { lower: ends.0, upper: ends.1, spread, pair }) }
    }

    fn pair(first: f64, second: f64, covariance: f64) -> Pair {
        Pair { first, second, covariance }
    }

    /// By hand: estimates 0.5, 0 and 1, of which the first interval lies below the truth and the last above it.
    #[test]
    fn are_those_of_the_outcomes() {
        let outcomes = [
            outcome((-0.5, 0.125), Some((0.5, 0.5)), Some(pair(1.0, 0.5, 0.0625))),
            Outcome { truth: 0.25, found: Err(Error::NoTestScores) },
            outcome((0.0, 0.25), Some((0.0, 1.0)), Some(pair(0.0, 0.0, 0.125))),
            outcome((0.5, f64::INFINITY), Some((1.0, 0.5)), Some(pair(2.0, 1.0, 0.5625))),
        ];
        let held = Held::new(&outcomes.iter().collect::<Vec<_>>(), &[]);
        assert_eq!((held.intervals, held.none, held.endless), (3, 1, 1));
        let close = |a: Option<f64>, b: f64| assert!((a.unwrap() - b).abs() < 1e-15, "{a:?} {b}");
        close(held.coverage, 1.0 / 3.0);
        close(held.coverage_error, (2.0f64 / 27.0).sqrt());
        close(held.below, 1.0 / 3.0);
        close(held.above, 1.0 / 3.0);
        close(held.width, 0.4375);
        close(held.bias, 0.25);
        close(held.sd, 0.5);
        close(held.se_ratio, 2.0f64.sqrt());
        // Variances 1 and 1/4.
        close(held.covariance, 0.5);
        close(held.covariance_error, (0.5f64 / 3.0).sqrt());
        close(held.covariance_ratio, 0.5);
    }

    #[test]
    fn say_nothing_about_nothing() {
        let nothing = Held::new(&[&Outcome { truth: 0.25, found: Err(Error::NoTestScores) }], &[]);
        assert_eq!((nothing.none, nothing.coverage, nothing.width, nothing.sd), (1, None, None, None));
        let ratio = Held::new(&[&outcome((0.0, 1.0), None, None)], &[]);
        assert_eq!((ratio.coverage, ratio.bias, ratio.se_ratio, ratio.covariance_ratio), (Some(1.0), None, None, None));
    }
}
