//! The frequency of false alarms and the delay of true ones: series of 200 periods that share one
//! labelled sample, with a look in every period.
//!
//! Two arms analyse the same data: `monitor`, and `bonferroni`, which spends 1/200 of the error on
//! each of the 200 looks. The latter has an alarm if the lower end of a period's own interval is
//! above the bound, and its band for the running mean is the interval of the total.
//!
//! Periods have 5 to 5000 scores of several shapes (`shapes`) from a population whose share of
//! positives equals the bound, 0.5 to 50 %: settings in which every alarm is false, the least
//! favourable ones. For normal scores with 500 labels of each class, 500 scores and a bound of 5 %,
//! the share rises in the 2nd, 51st or 151st period by 2, 5 or 10 percentage points: 9 more settings.

use super::summary::{decimals, percent};
use super::{Statistics, Study, StudyResults, StudySummary, SummaryTable, mean, share_error};
use crate::shapes::Shape;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use truecount::Tally;
use truecount::compare::JointErrors;
use truecount::monitor::{Bound, MonitorOptions, Period};
use truecount::{Error, Estimate, IntervalOptions, Method, Model, Settings, Target};

/// The number of periods of a series.
const PERIODS: usize = 200;

/// The looks at which widths are recorded, from 0.
const EARLY: usize = 9;
const LATE: usize = PERIODS - 1;

/// The nominal level of both arms.
const LEVEL: f64 = 0.95;

/// The study of the alarm and of the band for all looks.
#[derive(Debug)]
pub struct MonitorStudy;

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MonitorSetting {
    /// The shape of the scores.
    pub shape: Shape,
    /// The number of labelled positives.
    pub positives: u32,
    /// The number of labelled negatives.
    pub negatives: u32,
    /// Scores of each period.
    pub n: u32,
    /// The bound, and the share before it rises.
    pub bound: f64,
    /// The rise of the share; 0 for a series without a change.
    pub rise: f64,
    /// The period in which the share rises, from 0; the number of periods without a change.
    pub from: usize,
}

impl MonitorSetting {
    /// Returns all settings.
    pub fn all() -> Vec<Self> {
        let mut settings = Vec::new();
        for (shape, [positives, negatives], n, bound) in [
            (Shape::SharpVerdict, [100, 1000], 20, 0.01),
            (Shape::SharpVerdict, [100, 1000], 50, 0.01),
            (Shape::SharpVerdict, [100, 1000], 100, 0.01),
            (Shape::Verdict, [30, 30], 500, 0.05),
            (Shape::Judge, [1000, 1000], 2000, 0.01),
            (Shape::Judge, [40, 1960], 50, 0.005),
            (Shape::Normal, [100, 100], 5, 0.05),
            (Shape::Normal, [100, 100], 100, 0.01),
            (Shape::Normal, [500, 500], 500, 0.05),
            (Shape::HeavyTails, [100, 100], 200, 0.05),
            (Shape::TwoPlaces, [500, 500], 500, 0.2),
            (Shape::Lognormal, [100, 100], 1000, 0.5),
            (Shape::WidePositives, [500, 500], 5000, 0.5),
        ] {
            settings.push(Self { shape, positives, negatives, n, bound, rise: 0.0, from: PERIODS });
        }
        for from in [1, 50, 150] {
            for rise in [0.02, 0.05, 0.1] {
                let (shape, positives, negatives) = (Shape::Normal, 500, 500);
                settings.push(Self { shape, positives, negatives, n: 500, bound: 0.05, rise, from });
            }
        }
        settings
    }

    fn draw_period(&self, period: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let share = self.share(period);
        let draw = |_| {
            let positive = rng.random_bool(share);
            self.shape.draw(positive, rng)
        };
        (0..self.n).map(draw).collect()
    }

    fn share(&self, period: usize) -> f64 {
        self.bound + if period < self.from { 0.0 } else { self.rise }
    }

    /// Returns the mean share up to each period.
    fn running_shares(&self) -> Vec<f64> {
        let mut sum = 0.0;
        let mean = |period: usize| {
            sum += self.share(period);
            sum / (period as f64 + 1.0)
        };
        (0..PERIODS).map(mean).collect()
    }
}

/// The alarm and the band of an arm in a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Series {
    /// The period in which the share rose; the number of periods if it did not.
    pub from: usize,
    /// The look at which the alarm was raised, from 0.
    pub alarm_at: Option<usize>,
    /// Whether the band covers the running mean at all looks.
    pub band_covers: bool,
    /// The width of the band at the tenth look and at the last.
    pub widths: [f64; 2],
}

impl Series {
    fn new(setting: &MonitorSetting, alarm_at: Option<usize>) -> Self {
        Self { from: setting.from, alarm_at, band_covers: true, widths: [0.0; 2] }
    }

    /// Adds the band of a period: its coverage, and its width if it is recorded.
    fn add_band(&mut self, period: usize, truth: f64, [lower, upper]: [f64; 2]) {
        self.band_covers &= (lower..=upper).contains(&truth);
        if let Some(index) = [EARLY, LATE].iter().position(|look| *look == period) {
            self.widths[index] = upper - lower;
        }
    }

    fn is_false_alarm(&self) -> bool {
        self.alarm_at.is_some_and(|look| look < self.from)
    }
}

impl Study for MonitorStudy {
    const NAME: &'static str = "monitor";
    const REPLICATIONS: u32 = 1000;
    const ARMS: &'static [&'static str] = &["monitor", "bonferroni"];

    type Setting = MonitorSetting;
    type Shared = ();
    type Outcome = Result<Series, Error>;

    fn prepare(_: &MonitorSetting, _: &mut ChaCha8Rng) {}

    fn replicate(setting: &MonitorSetting, (): &(), rng: &mut ChaCha8Rng) -> Vec<Result<Series, Error>> {
        match series(setting, rng) {
            Ok(arms) => arms.map(Ok).into(),
            Err(error) => vec![Err(error); Self::ARMS.len()],
        }
    }

    fn statistics(arm: &[&Self::Outcome], _: &[&Self::Outcome]) -> Statistics {
        let series: Vec<Series> = arm.iter().filter_map(|outcome| outcome.as_ref().ok().copied()).collect();
        let share = |condition: fn(&Series) -> bool| mean(series.iter().map(|s| f64::from(u8::from(condition(s)))));
        let (early, coverage) = (share(Series::is_false_alarm), share(|series| series.band_covers));
        let mut delays: Vec<f64> = series
            .iter()
            .filter(|series| !series.is_false_alarm())
            .map(|series| series.alarm_at.map_or(f64::INFINITY, |look| (look + 1 - series.from) as f64))
            .collect();
        delays.sort_unstable_by(f64::total_cmp);
        let width = |look: usize| mean(series.iter().map(|series| series.widths[look]));
        Statistics::new(
            [("series", series.len()), ("none", arm.len() - series.len())],
            [
                // False alarms, which come before the rise.
                ("early", early),
                ("early_error", share_error(early, series.len())),
                // Alarms after the rise, among the series without a false alarm.
                ("found", mean(delays.iter().map(|delay| f64::from(u8::from(delay.is_finite()))))),
                // The median number of looks from the rise to the alarm, including the look of the rise.
                ("delay", delays.get(delays.len().saturating_sub(1) / 2).copied().filter(|delay| delay.is_finite())),
                ("coverage", coverage),
                ("coverage_error", share_error(coverage, series.len())),
                ("width_early", width(0)),
                ("width_late", width(1)),
            ],
        )
    }

    /// Shows the rows of all settings, without a further summary.
    fn summary(results: &StudyResults<Self>) -> StudySummary {
        let mut summary = StudySummary::with_notes([
            "+, −: labels of each class; n: scores of each period",
            "false: series with an alarm before a rise, %",
            "found: series with an alarm after it, %, and the median delay in looks",
            "holds: series whose band holds the share so far at all 200 looks, %",
            "at 200: mean width of the band at the last look",
        ]);
        let table = |header| SummaryTable::new(header).right_aligned();
        let mut null = table(["shape", "+", "−", "n", "bound", "arm", "false", "holds"])
            .titled("At the bound, where every alarm is false:");
        let mut rising = table(["rise", "from", "arm", "false", "found", "delay", "holds", "at 200"])
            .titled("After a rise above the bound of 5 %:");
        for (setting, arm, statistics) in results.rows() {
            let MonitorSetting { shape, positives, negatives, n, bound, rise, from } = setting;
            let (arm, share) = (arm.to_owned(), |name, digits| percent(statistics.value(name), digits));
            let (early, coverage) = (share("early", 2), share("coverage", 2));
            if *rise == 0.0 {
                let [positives, negatives, n] = [positives, negatives, n].map(u32::to_string);
                let bound = format!("{} %", percent(*bound, 1));
                null.push([shape.name().to_owned(), positives, negatives, n, bound, arm, early, coverage]);
            } else {
                let rise = format!("{} %", percent(*rise, 0));
                let (delay, width) =
                    (decimals(statistics.value("delay"), 0), decimals(statistics.value("width_late"), 4));
                rising.push([rise, from.to_string(), arm, early, share("found", 1), delay, coverage, width]);
            }
        }
        summary.tables.extend([null, rising]);
        summary
    }
}

fn series(setting: &MonitorSetting, rng: &mut ChaCha8Rng) -> Result<[Series; 2], Error> {
    let options = IntervalOptions::new(LEVEL, Target::Population)?;
    // The levels of one look, two-sided for the running mean and one-sided for the alarm.
    let looks = PERIODS as f64;
    let mean_options = IntervalOptions::new(1.0 - (1.0 - LEVEL) / looks, Target::Population)?;
    let alarm_options = IntervalOptions::new(1.0 - 2.0 * (1.0 - LEVEL) / looks, Target::Population)?;
    let labelled = setting.shape.draw_labelled(setting.positives, setting.negatives, rng)?;
    let model = Model::fit(&labelled, &Settings::default())?.without_check();
    let joint = JointErrors::new(&model, Method::ES)?;
    let (mut estimated, mut total) = (Vec::with_capacity(PERIODS), joint.total());
    let mut bonferroni = Series::new(setting, None);
    let truths = setting.running_shares();
    for (period, truth) in truths.iter().enumerate() {
        let mut tallies = Tally::new(&model);
        tallies.update(&setting.draw_period(period, rng))?;
        let estimate = |options: &IntervalOptions| -> Result<Estimate, Error> {
            Ok(tallies.evaluate_with(options)?.into_iter().next().expect("an estimate by the method"))
        };
        let interval = estimate(&alarm_options)?.interval.expect("a method with a formula");
        if bonferroni.alarm_at.is_none() && interval.lower > setting.bound {
            bonferroni.alarm_at = Some(period);
        }
        let estimate = estimate(&options)?;
        total.add(&estimate, 1.0)?;
        let mean = total.estimate(&mean_options).interval.expect("a method with a formula");
        bonferroni.add_band(period, *truth, [mean.lower, mean.upper]);
        estimated.push((estimate, tallies));
    }
    let periods: Vec<Period> = estimated
        .iter()
        .zip(0_u32..)
        .map(|((estimate, tally), time)| Period { time: time.into(), estimate, tally })
        .collect();
    let monitor_options = MonitorOptions { bound: Some(Bound::Above(setting.bound)), baseline: None };
    let result = joint.monitor(&periods, &monitor_options, &options)?;
    let mut monitor = Series::new(setting, result.alarm_at);
    for (period, (truth, period_result)) in truths.iter().zip(&result.periods).enumerate() {
        if let Some(mean) = period_result.running_mean {
            monitor.add_band(period, *truth, [mean.lower, mean.upper]);
        }
    }
    Ok([monitor, bonferroni])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values computed by hand.
    #[test]
    fn running_shares_average_the_rise() {
        let setting = MonitorSetting { n: 100, bound: 0.125, rise: 0.25, from: 2, ..MonitorSetting::all()[0] };
        assert_eq!(setting.running_shares()[..4], [0.125, 0.125, 0.625 / 3.0, 0.25]);
    }

    /// Computed by hand: a false alarm, one in the period of the rise, one four looks later, and none.
    #[test]
    fn statistics_follow_from_the_outcomes() {
        let series = |alarm_at, band_covers, width: f64| {
            Ok(Series { from: 3, alarm_at, band_covers, widths: [width, 2.0 * width] })
        };
        let outcomes = [
            series(Some(2), true, 0.25),
            series(Some(3), true, 0.25),
            Err(truecount::error::Problem::NoTestScores.into()),
            series(Some(7), false, 0.5),
            series(None, true, 1.0),
        ];
        let s = MonitorStudy::statistics(&outcomes.iter().collect::<Vec<_>>(), &[]);
        assert_eq!((s.count("series"), s.count("none"), s.value("delay")), (4, 1, Some(5.0)));
        let shares = ["early", "coverage", "width_early", "width_late"].map(|name| s.value(name).unwrap());
        assert_eq!(shares, [0.25, 0.75, 0.5, 1.0]);
        assert!((s.value("found").unwrap() - 2.0 / 3.0).abs() < 1e-15);
        assert!((s.value("early_error").unwrap() - (0.1875_f64 / 4.0).sqrt()).abs() < 1e-15);
    }
}
