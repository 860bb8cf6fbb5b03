//! A prevalence watched over time: periods of test scores that rest on one labelled sample, looked at as often as one likes.
//!
//! The estimate of period t is, to first order,
//!
//! ```text
//! a_t = α_t + L(α_t) + ε_t,      L(α) = −[α e₊ + (1−α) e₋]
//! ```
//!
//! with ε_t what the period's own test scores leave uncertain, new in every period, and L what the labelled sample does: two errors e± of
//! its class means, the same for ever, and so a straight line in α. Both variances are known quadratics in α (`inference::variance_components`). Noise averages
//! out over the periods and L does not, so that all that follows keeps them apart. With a = 1 − level,
//!
//! - `local_level`: a smoothed line through noise alone, its drift by maximum likelihood; its band has the labels' variance added;
//! - `running_mean`: the share among all scores so far, with a band that holds at all looks together: a confidence sequence for the
//!   noise with a/2, and with the other half one allowance for L, on the whole line;
//! - `e_process`: evidence that α_t has been above (or below) a bound c in some period. x_t = a_t − c − l, where L(c) > l has the
//!   probability a/2, has no mean above 0 as long as α_t ≤ c, because α + L(α) rises with α; with its variance at c, whatever
//!   the estimate. An alarm at e ≥ 2/a is false in a share a of all series at most.
//!
//! Changes from the period before and from a baseline are those of [`JointErrors`]. Periods whose estimate is unreliable are left out of line,
//! mean and evidence; the line bridges them.

mod e_process;
mod local_level;
mod running_mean;

use crate::inference::{Difference, IntervalOptions, VarianceComponents, student};
use crate::numeric::gauss;
use crate::{Error, Estimate, JointErrors, Overlap, Problem, Severity};
use e_process::EProcess;
use local_level::Point;
use running_mean::RunningMean;
use std::ops::Range;

/// A period: when it is, in any unit, and its estimate.
#[derive(Clone, Copy, Debug)]
pub struct Period<'a> {
    /// When.
    pub time: f64,
    /// What was found.
    pub estimate: &'a Estimate,
}

/// What is to be noticed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// That the prevalence is above this share.
    Above(f64),
    /// That it is below it.
    Below(f64),
}

/// What is asked of the periods.
#[derive(Clone, Debug, Default)]
pub struct MonitorOptions {
    /// What raises an alarm, if anything does.
    pub bound: Option<Bound>,
    /// The periods that all others are compared with, by their places; the first reliable one if none are named.
    pub baseline: Option<Range<usize>>,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct MonitorResult {
    /// Of each period.
    pub periods: Vec<PeriodResult>,
    /// q: the variance that the level gains in a unit of time.
    pub drift: f64,
    /// The period at which the alarm was raised, if it was.
    pub raised: Option<usize>,
    /// The baseline.
    pub baseline: Range<usize>,
}

/// What was found in a period.
#[derive(Clone, Debug)]
pub struct PeriodResult {
    /// How far it is from the period before; none of the first.
    pub change: Option<Difference>,
    /// How far it is from the baseline; none of a period that belongs to it.
    pub from_baseline: Option<Difference>,
    /// The smoothed line there.
    pub line: Option<SmoothedLevel>,
    /// The share among all scores so far; none of an unreliable period.
    pub running_mean: Option<RunningMeanBand>,
    /// The evidence that the bound was passed; none of an unreliable period, or without a bound.
    pub evidence: Option<AlarmEvidence>,
}

/// The smoothed line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothedLevel {
    /// Its level.
    pub level: f64,
    /// Standard error by the noise of all periods.
    pub noise: f64,
    /// Standard error by the labelled scores, the same error in all periods.
    pub labels: f64,
    /// Lower end of the band, by both.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
}

/// A share with a band that holds at all looks together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunningMeanBand {
    /// The share among the scores of all reliable periods so far.
    pub share: f64,
    /// Lower end of the band.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
}

/// Evidence at a look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlarmEvidence {
    /// The e-value's logarithm.
    pub ln_e: f64,
    /// The place of the period in which the strongest evidence begins.
    pub since: usize,
}

impl Bound {
    /// The share.
    pub fn share(self) -> f64 {
        match self {
            Self::Above(share) | Self::Below(share) => share,
        }
    }
}

/// 2/a: the e-value from which on an alarm is raised.
pub fn alarm(reporting: &IntervalOptions) -> f64 {
    half(reporting).recip()
}

/// a/2.
fn half(reporting: &IntervalOptions) -> f64 {
    0.5 * (1.0 - reporting.level())
}

impl JointErrors {
    /// Watches periods of other test scores each, in the order of their times.
    ///
    /// # Errors
    /// [`Operation::Covariance`](crate::Operation::Covariance) for estimates by another method or model; [`Problem::Parameter`] for a bound that is no share.
    ///
    /// # Panics
    /// If the baseline is no part of the periods.
    pub fn monitor(
        &self,
        periods: &[Period],
        watching: &MonitorOptions,
        reporting: &IntervalOptions,
    ) -> Result<MonitorResult, Error> {
        if let Some(value) = watching.bound.map(Bound::share).filter(|share| !(*share > 0.0 && *share < 1.0)) {
            return Err(
                Problem::Parameter { name: "the bound", value, domain: "between 0 and 1, both excluded" }.into()
            );
        }
        let parts: Vec<VarianceComponents> =
            periods.iter().map(|period| self.parts(period.estimate)).collect::<Result<_, Error>>()?;
        let reliable: Vec<bool> =
            periods.iter().map(|period| period.estimate.severity() != Some(Severity::Unreliable)).collect();
        let first = reliable.iter().position(|reliable| *reliable).unwrap_or(0);
        let baseline = watching.baseline.clone().unwrap_or(first..(first + 1).min(periods.len()));
        let (drift, lines) = lines(periods, &parts, &reliable, reporting);
        let shares = shares(periods, &parts, &reliable, reporting);
        let evidence = watching.bound.map(|bound| evidence(bound, &parts, &reliable, reporting));
        let [changes, from_baseline] = self.changes(periods, &baseline, reporting)?;
        let raised = evidence.as_ref().and_then(|evidence| {
            let least = alarm(reporting).ln();
            evidence.iter().position(|found| found.is_some_and(|found| found.ln_e >= least))
        });
        let mut evidence = evidence.into_iter().flatten();
        let found = changes.into_iter().zip(from_baseline).zip(lines.into_iter().zip(shares));
        let watched = found.map(|((change, from_baseline), (line, so_far))| PeriodResult {
            change,
            from_baseline,
            line,
            running_mean: so_far,
            evidence: evidence.next().flatten(),
        });
        Ok(MonitorResult { periods: watched.collect(), drift, raised, baseline })
    }

    /// From the period before, and from the baseline.
    fn changes(
        &self,
        periods: &[Period],
        baseline: &Range<usize>,
        reporting: &IntervalOptions,
    ) -> Result<[Vec<Option<Difference>>; 2], Error> {
        let difference = |first: usize, second: &Estimate| {
            self.difference(periods[first].estimate, second, Overlap::None, reporting)
        };
        let change = |place: usize| {
            let before = place.checked_sub(1)?;
            Some(difference(place, periods[before].estimate))
        };
        let before = match &periods[baseline.clone()] {
            [] => None,
            [one] => Some(one.estimate.clone()),
            several => {
                let mut total = self.total();
                for period in several {
                    total.add(period.estimate, period.estimate.total_weight())?;
                }
                Some(total.estimate(reporting))
            }
        };
        let from_baseline = |place: usize| {
            let other = before.as_ref().filter(|_| !baseline.contains(&place))?;
            Some(difference(place, other))
        };
        let each = |of: &dyn Fn(usize) -> Option<Result<Difference, Error>>| {
            (0..periods.len()).map(|place| of(place).transpose()).collect::<Result<Vec<_>, _>>()
        };
        Ok([each(&change)?, each(&from_baseline)?])
    }
}

/// The drift and the smoothed line. Noise depends on the level: it is taken at the mean of all periods first, and then on the line.
fn lines(
    periods: &[Period],
    parts: &[VarianceComponents],
    reliable: &[bool],
    reporting: &IntervalOptions,
) -> (f64, Vec<Option<SmoothedLevel>>) {
    let of = || periods.iter().zip(parts).zip(reliable);
    let weight = |period: &Period| period.estimate.total_weight();
    let kept = || of().filter(|(_, reliable)| **reliable).map(|(both, _)| both);
    let all: f64 = kept().map(|(period, _)| weight(period)).sum();
    if all == 0.0 {
        return (0.0, vec![None; periods.len()]);
    }
    let mean: f64 = kept().map(|(period, parts)| weight(period) * parts.raw).sum::<f64>() / all;
    let points = |levels: &dyn Fn(usize) -> f64| -> Vec<Point> {
        let point = |(place, ((period, parts), reliable)): (usize, ((&Period, &VarianceComponents), &bool))| Point {
            time: period.time,
            seen: reliable.then(|| (parts.raw, parts.noise(levels(place).clamp(0.0, 1.0)))),
        };
        of().enumerate().map(point).collect()
    };
    let smoothed = |levels: &dyn Fn(usize) -> f64| {
        let points = points(levels);
        let drift = local_level::drift(&points);
        (drift, local_level::smooth(&points, drift))
    };
    let (_, rough) = smoothed(&|_| mean);
    let (drift, levels) = smoothed(&|place| rough[place].level);
    let line = |(found, parts): (&local_level::LevelEstimate, &VarianceComponents)| {
        let level = found.level.clamp(0.0, 1.0);
        let labels = parts.labels(level);
        let variance = found.variance + labels;
        let freedom = parts.freedom(level) * (variance / labels).powi(2);
        let z = student(-gauss::quantile(half(reporting)), freedom);
        let off = z * variance.sqrt();
        Some(SmoothedLevel {
            level,
            noise: found.variance.sqrt(),
            labels: labels.sqrt(),
            lower: (found.level - off).clamp(0.0, 1.0),
            upper: (found.level + off).clamp(0.0, 1.0),
        })
    };
    (drift, levels.iter().zip(parts).map(line).collect())
}

/// The share so far at each look.
fn shares(
    periods: &[Period],
    parts: &[VarianceComponents],
    reliable: &[bool],
    reporting: &IntervalOptions,
) -> Vec<Option<RunningMeanBand>> {
    let mut running = RunningMean::new(half(reporting));
    let share = |((period, parts), reliable): ((&Period, &VarianceComponents), &bool)| {
        let estimate = period.estimate;
        if !reliable {
            return None;
        }
        running.add(estimate.total_weight(), parts.raw, parts.noise(estimate.prevalence));
        let share = running.mean().clamp(0.0, 1.0);
        let (noise, [low, high]) = (running.off(), parts.allowance_along(share, half(reporting)));
        let [lower, upper] = [-noise - high, noise + low].map(|off| (running.mean() + off).clamp(0.0, 1.0));
        Some(RunningMeanBand { share, lower, upper })
    };
    periods.iter().zip(parts).zip(reliable).map(share).collect()
}

/// The evidence at each look.
fn evidence(
    bound: Bound,
    parts: &[VarianceComponents],
    reliable: &[bool],
    reporting: &IntervalOptions,
) -> Vec<Option<AlarmEvidence>> {
    let share = bound.share();
    let mut process = EProcess::default();
    let mut places = Vec::new();
    let evidence = |(place, (parts, reliable)): (usize, (&VarianceComponents, &bool))| {
        if !reliable {
            return None;
        }
        places.push(place);
        let [low, high] = parts.allowance_at(share, half(reporting));
        let x = match bound {
            Bound::Above(share) => parts.raw - share - high,
            Bound::Below(share) => share - parts.raw - low,
        };
        let found = process.add(x, parts.noise(share));
        Some(AlarmEvidence { ln_e: found.ln_e, since: places[found.since] })
    };
    parts.iter().zip(reliable).enumerate().map(evidence).collect()
}
