//! Monitoring of a prevalence over time: periods of test scores, all estimated from one labelled
//! sample, with error rates that hold however often the results are looked at.
//!
//! To first order, the estimate for period t is
//!
//! ```text
//! a_t = α_t + L(α_t) + ε_t,      L(α) = −[α e₊ + (1−α) e₋]
//! ```
//!
//! The noise ε_t is the sampling error of the period's test scores, independent between periods. L
//! is the error from the labelled sample. It comes from the errors e± of the two class means, which
//! are the same in all periods, and so L is linear in α. Both variances are known quadratics in α
//! (`inference::variance_components`). Noise averages out over periods and L does not, so the
//! methods below treat them separately. With a = 1 − level:
//!
//! - `local_level` smooths the noise, with the drift estimated by maximum likelihood. The band adds
//!   the variance of L.
//! - `running_mean` is the share among all scores so far, with a band that holds at all looks
//!   simultaneously: a confidence sequence for the noise at a/2, and a bound for L, valid at every
//!   α, at the other a/2.
//! - `betting` is the evidence that α_t has been above (or below) a bound c in some period: the
//!   wealth of a gambler who bets on the scores themselves, with the class means at their worst end
//!   at the level a/2 (`score_bet`). It needs no normal approximation. An alarm at e ≥ 2/a is false
//!   in at most a share a of all series, for any shape and number of scores. Where the shift test
//!   rejects, gains of ln e are multiplied by the share of the variance that is not due to misfit.
//!
//! [`JointErrors`] gives the changes from the period before and from a baseline. Periods with an
//! unreliable estimate are left out of line and mean, and the line bridges them. The evidence has
//! all periods: if it left some out because of their scores, it would be biased.

mod alarm_simulation;
mod betting;
mod local_level;
mod mean_bound;
mod running_mean;
mod score_bet;

pub use alarm_simulation::AlarmSimulation;

use crate::compare::{JointErrors, Overlap};
use crate::inference::{Difference, IntervalOptions, VarianceComponents, student_quantile};
use crate::model::Model;
use crate::numeric::gauss;
use crate::{Error, Estimate, Severity, Tally};
use betting::BettingProcess;
use local_level::Point;
use running_mean::RunningMean;
use score_bet::ScoreBet;
use std::ops::Range;

/// A period with its estimate.
#[derive(Clone, Copy, Debug)]
pub struct Period<'a> {
    /// The time, in any unit.
    pub time: f64,
    /// The estimate of its prevalence.
    pub estimate: &'a Estimate,
    /// The tally of its scores.
    pub tally: &'a Tally,
}

/// The bound whose crossing raises an alarm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// An alarm if the prevalence is above this share.
    Above(f64),
    /// An alarm if the prevalence is below this share.
    Below(f64),
}

/// Options of a monitoring analysis.
#[derive(Clone, Debug, Default)]
pub struct MonitorOptions {
    /// The bound that raises an alarm; `None` for no alarm.
    pub bound: Option<Bound>,
    /// The indices of the periods that the others are compared with; by default the first reliable
    /// period.
    pub baseline: Option<Range<usize>>,
}

/// The result of a monitoring analysis.
#[derive(Clone, Debug)]
pub struct MonitorResult {
    /// The result of each period.
    pub periods: Vec<PeriodResult>,
    /// The drift q: the variance of the change of the level per unit of time.
    pub drift: f64,
    /// The index of the period that raised the alarm, if one did.
    pub alarm_at: Option<usize>,
    /// The indices of the periods of the baseline.
    pub baseline: Range<usize>,
}

/// The result of one period.
#[derive(Clone, Debug)]
pub struct PeriodResult {
    /// The change from the period before; `None` for the first period.
    pub change: Option<Difference>,
    /// The change from the baseline; `None` for a period of the baseline.
    pub from_baseline: Option<Difference>,
    /// The smoothed level in this period.
    pub smoothed_level: Option<SmoothedLevel>,
    /// The share among all scores so far; `None` for an unreliable period.
    pub running_mean: Option<RunningMeanBand>,
    /// The evidence that the bound was crossed; `None` without a bound.
    pub evidence: Option<AlarmEvidence>,
}

/// A point of the smoothed line, with a band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothedLevel {
    /// The level, clipped to [0, 1].
    pub level: f64,
    /// The standard error from the noise of all periods.
    pub noise: f64,
    /// The standard error from the labelled scores, whose error is common to all periods.
    pub labels: f64,
    /// The lower end of the band, from both errors.
    pub lower: f64,
    /// The upper end of the band.
    pub upper: f64,
}

/// A running share with a band that holds at all looks simultaneously.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunningMeanBand {
    /// The share among the scores of all reliable periods so far.
    pub share: f64,
    /// The lower end of the band.
    pub lower: f64,
    /// The upper end of the band.
    pub upper: f64,
}

/// The evidence for an alarm after a period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlarmEvidence {
    /// The logarithm of the e-value.
    pub ln_e: f64,
    /// The index of the most likely first period beyond the bound.
    pub change_point: usize,
    /// The share that would have raised the alarm by now with a probability of 80 %, had it been the
    /// same in all periods; `None` if no share would have.
    pub detectable_share: Option<f64>,
}

impl Bound {
    /// Returns the share that is the bound.
    pub fn share(self) -> f64 {
        match self {
            Self::Above(share) | Self::Below(share) => share,
        }
    }

    /// Returns an error unless 0 < share < 1.
    fn check(self) -> Result<(), Error> {
        let share = self.share();
        let is_inside = share > 0.0 && share < 1.0;
        Error::unless_in_domain(is_inside, ("the bound", share), "between 0 and 1, both excluded")
    }
}

/// Returns the smallest e-value that raises an alarm, 2/a.
pub fn alarm_threshold(options: &IntervalOptions) -> f64 {
    half_alpha(options).recip()
}

/// Returns a/2.
fn half_alpha(options: &IntervalOptions) -> f64 {
    0.5 * (1.0 - options.level())
}

impl Model {
    /// Monitors periods in ascending order of time with estimates by the first method.
    ///
    /// # Errors
    /// Returns the errors of [`JointErrors::new`] and [`JointErrors::monitor`].
    pub fn monitor(
        &self,
        periods: &[Period],
        options: &MonitorOptions,
        interval_options: &IntervalOptions,
    ) -> Result<MonitorResult, Error> {
        JointErrors::new(self, self.quantifiers()[0].method())?.monitor(periods, options, interval_options)
    }
}

impl JointErrors {
    /// Monitors periods in ascending order of time, which must have no test scores in common.
    ///
    /// # Errors
    /// Returns an error for [`Operation::Covariance`](crate::Operation::Covariance) if an estimate
    /// is by another method or model, and [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange)
    /// if the bound is not between 0 and 1.
    ///
    /// # Panics
    /// If the baseline is not within the periods.
    pub fn monitor(
        &self,
        periods: &[Period],
        options: &MonitorOptions,
        interval_options: &IntervalOptions,
    ) -> Result<MonitorResult, Error> {
        options.bound.map_or(Ok(()), Bound::check)?;
        let parts: Vec<VarianceComponents> =
            periods.iter().map(|period| self.variance_components(period.estimate)).collect::<Result<_, Error>>()?;
        let reliable: Vec<bool> =
            periods.iter().map(|period| period.estimate.severity() != Some(Severity::Unreliable)).collect();
        let first = reliable.iter().position(|reliable| *reliable).unwrap_or(0);
        let baseline = options.baseline.clone().unwrap_or(first..(first + 1).min(periods.len()));
        let (drift, lines) = smoothed_levels(periods, &parts, &reliable, interval_options);
        let running_means = running_means(periods, &parts, &reliable, interval_options);
        let evidence = match options.bound {
            Some(bound) => alarm_evidence(bound, periods, &parts, interval_options)?,
            None => Vec::new(),
        };
        let [changes, from_baseline] = self.changes(periods, &baseline, interval_options)?;
        let ln_alarm = alarm_threshold(interval_options).ln();
        let alarm_at = evidence.iter().position(|evidence| evidence.ln_e >= ln_alarm);
        let mut evidence = evidence.into_iter();
        let results = changes.into_iter().zip(from_baseline).zip(lines.into_iter().zip(running_means));
        let results = results.map(|((change, from_baseline), (line, running_mean))| PeriodResult {
            change,
            from_baseline,
            smoothed_level: line,
            running_mean,
            evidence: evidence.next(),
        });
        Ok(MonitorResult { periods: results.collect(), drift, alarm_at, baseline })
    }

    /// Returns the changes of each period from the period before and from the baseline.
    fn changes(
        &self,
        periods: &[Period],
        baseline: &Range<usize>,
        options: &IntervalOptions,
    ) -> Result<[Vec<Option<Difference>>; 2], Error> {
        let difference =
            |first: usize, second: &Estimate| self.difference(periods[first].estimate, second, Overlap::None, options);
        let change = |period: usize| {
            let before = period.checked_sub(1)?;
            Some(difference(period, periods[before].estimate))
        };
        let baseline_estimate = match &periods[baseline.clone()] {
            [] => None,
            [one] => Some(one.estimate.clone()),
            several => {
                let mut total = self.total();
                for period in several {
                    total.add(period.estimate, period.estimate.total_weight())?;
                }
                Some(total.estimate(options))
            }
        };
        let from_baseline = |period: usize| {
            let baseline_estimate = baseline_estimate.as_ref().filter(|_| !baseline.contains(&period))?;
            Some(difference(period, baseline_estimate))
        };
        let for_all = |change: &dyn Fn(usize) -> Option<Result<Difference, Error>>| {
            (0..periods.len()).map(|period| change(period).transpose()).collect::<Result<Vec<_>, _>>()
        };
        Ok([for_all(&change)?, for_all(&from_baseline)?])
    }
}

/// Returns the drift and the smoothed line.
///
/// The noise depends on the level, so the line is fitted twice: with the noise at the mean of all
/// periods, and then with the noise at the first line.
fn smoothed_levels(
    periods: &[Period],
    parts: &[VarianceComponents],
    reliable: &[bool],
    options: &IntervalOptions,
) -> (f64, Vec<Option<SmoothedLevel>>) {
    let all = || periods.iter().zip(parts).zip(reliable);
    let weight = |period: &Period| period.estimate.total_weight();
    let usable = || all().filter(|(_, reliable)| **reliable).map(|(both, _)| both);
    let total: f64 = usable().map(|(period, _)| weight(period)).sum();
    if total == 0.0 {
        return (0.0, vec![None; periods.len()]);
    }
    let mean: f64 = usable().map(|(period, parts)| weight(period) * parts.raw).sum::<f64>() / total;
    let points = |level: &dyn Fn(usize) -> f64| -> Vec<Point> {
        let point = |(index, ((period, parts), reliable)): (usize, ((&Period, &VarianceComponents), &bool))| Point {
            time: period.time,
            observation: reliable.then(|| (parts.raw, parts.test_variance(level(index).clamp(0.0, 1.0)))),
        };
        all().enumerate().map(point).collect()
    };
    let smooth = |level: &dyn Fn(usize) -> f64| {
        let points = points(level);
        let drift = local_level::drift(&points);
        (drift, local_level::smooth(&points, drift))
    };
    let (_, first) = smooth(&|_| mean);
    let (drift, levels) = smooth(&|index| first[index].level);
    let line = |(smoothed, parts): (&local_level::LevelEstimate, &VarianceComponents)| {
        let level = smoothed.level.clamp(0.0, 1.0);
        let labels = parts.training_variance(level);
        let variance = smoothed.variance + labels;
        let dof = parts.dof(level) * (variance / labels).powi(2);
        let z = student_quantile(-gauss::quantile(half_alpha(options)), dof);
        let half_width = z * variance.sqrt();
        Some(SmoothedLevel {
            level,
            noise: smoothed.variance.sqrt(),
            labels: labels.sqrt(),
            lower: (smoothed.level - half_width).clamp(0.0, 1.0),
            upper: (smoothed.level + half_width).clamp(0.0, 1.0),
        })
    };
    (drift, levels.iter().zip(parts).map(line).collect())
}

/// Returns the running mean with its band after each reliable period.
fn running_means(
    periods: &[Period],
    parts: &[VarianceComponents],
    reliable: &[bool],
    options: &IntervalOptions,
) -> Vec<Option<RunningMeanBand>> {
    let mut running = RunningMean::new(half_alpha(options));
    let band = |((period, parts), reliable): ((&Period, &VarianceComponents), &bool)| {
        let estimate = period.estimate;
        if !reliable {
            return None;
        }
        running.add(estimate.total_weight(), parts.raw, parts.test_variance(estimate.prevalence));
        let share = running.mean().clamp(0.0, 1.0);
        let (noise, [low, high]) = (running.noise_bound(), parts.simultaneous_error_bounds(share, half_alpha(options)));
        let [lower, upper] = [-noise - high, noise + low].map(|offset| (running.mean() + offset).clamp(0.0, 1.0));
        Some(RunningMeanBand { share, lower, upper })
    };
    periods.iter().zip(parts).zip(reliable).map(band).collect()
}

/// Returns the evidence that the bound was crossed after each period.
fn alarm_evidence(
    bound: Bound,
    periods: &[Period],
    parts: &[VarianceComponents],
    options: &IntervalOptions,
) -> Result<Vec<AlarmEvidence>, Error> {
    let Some(Period { estimate: first, tally, .. }) = periods.first() else { return Ok(Vec::new()) };
    let size = |estimate: &Estimate| estimate.variance_n();
    let bet = ScoreBet::new(tally.model(), first.method, bound, size(first), options)?;
    let information = bet.variance() * size(first);
    let (mut process, mut total) = (BettingProcess::new(), 0.0);
    let evidence = |(period, parts): (&Period, &VarianceComponents)| {
        let (n, reliance) = (size(period.estimate), parts.sampling_share(bound.share()));
        total += n * reliance;
        let state = process.add(&bet.scores(period.tally, n), bet.variance(), reliance);
        AlarmEvidence {
            ln_e: state.ln_e,
            change_point: state.change_point,
            detectable_share: bet.detectable_share(total, information),
        }
    };
    Ok(periods.iter().zip(parts).map(evidence).collect())
}
