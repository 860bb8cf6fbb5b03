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

use super::{Statistics, Study, StudyResults, Summary, count, mean, notes, share_error};
use crate::shapes::Shape;
use crate::shared::{CellFormat, ResultColumn, ResultRow, ResultTable};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use truecount::Tally;
use truecount::compare::JointErrors;
use truecount::monitor::{Bound, MonitorOptions, Period};
use truecount::{Error, Estimate, IntervalOptions, LabelledScores, Method, Model, Settings, Target};

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

    fn draw_labelled(&self, rng: &mut ChaCha8Rng) -> Result<LabelledScores, Error> {
        let labels: Vec<bool> = (0..self.positives + self.negatives).map(|row| row < self.positives).collect();
        let scores: Vec<f64> = labels.iter().map(|label| self.shape.draw(*label, rng)).collect();
        LabelledScores::new(&scores, &labels)
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
    type Statistics = AlarmStatistics;
    type Summary = SettingRows;

    fn prepare(_: &MonitorSetting, _: &mut ChaCha8Rng) {}

    fn replicate(setting: &MonitorSetting, (): &(), rng: &mut ChaCha8Rng) -> Vec<Result<Series, Error>> {
        match series(setting, rng) {
            Ok(arms) => arms.map(Ok).into(),
            Err(error) => vec![Err(error); Self::ARMS.len()],
        }
    }
}

fn series(setting: &MonitorSetting, rng: &mut ChaCha8Rng) -> Result<[Series; 2], Error> {
    let options = IntervalOptions::new(LEVEL, Target::Population)?;
    // The levels of one look, two-sided for the running mean and one-sided for the alarm.
    let looks = PERIODS as f64;
    let mean_options = IntervalOptions::new(1.0 - (1.0 - LEVEL) / looks, Target::Population)?;
    let alarm_options = IntervalOptions::new(1.0 - 2.0 * (1.0 - LEVEL) / looks, Target::Population)?;
    let model = Model::fit(&setting.draw_labelled(rng)?, &Settings::default())?.without_check();
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

/// The statistics of an arm's series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlarmStatistics {
    /// The number of series with a model.
    pub series: u32,
    /// The number of series without a model.
    pub none: u32,
    /// Share of the series with a false alarm, which is an alarm before the rise.
    pub early: Option<f64>,
    /// Monte Carlo standard error of the share of false alarms.
    pub early_error: Option<f64>,
    /// Share of the series with an alarm after the rise, among the series without a false alarm.
    pub found: Option<f64>,
    /// Median number of looks from the rise to the alarm, including the look of the rise; `None` if
    /// fewer than half of the series have an alarm.
    pub delay: Option<f64>,
    /// Share of the series whose band covers the running mean at all looks.
    pub coverage: Option<f64>,
    /// Monte Carlo standard error of the coverage.
    pub coverage_error: Option<f64>,
    /// Mean width of the band at the tenth look.
    pub width_early: Option<f64>,
    /// Mean width of the band at the last look.
    pub width_late: Option<f64>,
}

impl Statistics for AlarmStatistics {
    type Outcome = Result<Series, Error>;

    fn new(outcomes: &[&Self::Outcome], _: &[&Self::Outcome]) -> Self {
        let series: Vec<Series> = outcomes.iter().filter_map(|outcome| outcome.as_ref().ok().copied()).collect();
        let share = |condition: fn(&Series) -> bool| mean(series.iter().map(|s| f64::from(u8::from(condition(s)))));
        let (early, coverage) = (share(Series::is_false_alarm), share(|series| series.band_covers));
        let mut delays: Vec<f64> = series
            .iter()
            .filter(|series| !series.is_false_alarm())
            .map(|series| series.alarm_at.map_or(f64::INFINITY, |look| (look + 1 - series.from) as f64))
            .collect();
        delays.sort_unstable_by(f64::total_cmp);
        let width = |look: usize| mean(series.iter().map(|series| series.widths[look]));
        Self {
            series: count(series.len()),
            none: count(outcomes.len() - series.len()),
            early,
            early_error: share_error(early, series.len()),
            found: mean(delays.iter().map(|delay| f64::from(u8::from(delay.is_finite())))),
            delay: delays.get(delays.len().saturating_sub(1) / 2).copied().filter(|delay| delay.is_finite()),
            coverage,
            coverage_error: share_error(coverage, series.len()),
            width_early: width(0),
            width_late: width(1),
        }
    }
}

/// The rows of all settings, without a further summary.
#[derive(Serialize)]
pub struct SettingRows {
    #[serde(skip)]
    rows: Vec<SettingRow>,
}

struct SettingRow {
    setting: MonitorSetting,
    arm: &'static str,
    statistics: AlarmStatistics,
}

impl Summary<MonitorStudy> for SettingRows {
    fn new(results: &StudyResults<MonitorStudy>) -> Self {
        let row = |(setting, arm, statistics): (&MonitorSetting, _, &AlarmStatistics)| SettingRow {
            setting: *setting,
            arm,
            statistics: statistics.clone(),
        };
        Self { rows: results.rows().map(row).collect() }
    }

    fn tables(&self) -> Vec<ResultTable<'_>> {
        let (null, rising): (Vec<usize>, Vec<usize>) =
            (0..self.rows.len()).partition(|row| self.rows[*row].setting.rise == 0.0);
        let table = |title: &str, columns: &[&str], rows: Vec<usize>| {
            ResultTable::new(&self.rows).view(columns).only(rows).titled(vec![title.to_owned()])
        };
        vec![
            table(
                "At the bound, where every alarm is false:",
                &["shape", "positives", "negatives", "n", "bound", "arm", "early", "coverage"],
                null,
            ),
            table(
                "After a rise above the bound of 5 %:",
                &["rise", "from", "arm", "early", "found", "delay", "coverage", "width_late"],
                rising,
            ),
            ResultTable::new(&self.rows).for_programs(),
        ]
    }

    fn notes(&self) -> Vec<String> {
        notes([
            "+, −: labels of each class; n: scores of each period",
            "false: series with an alarm before a rise, %",
            "found: series with an alarm after it, %, and the median delay in looks",
            "holds: series whose band holds the share so far at all 200 looks, %",
            "at 200: mean width of the band at the last look",
        ])
    }
}

impl ResultRow for SettingRow {
    const NAME: &'static str = "settings";

    fn columns() -> Vec<ResultColumn<Self>> {
        let count = |name, meaning, value: fn(&MonitorSetting) -> u64| {
            Self::count(name, meaning, move |row| value(&row.setting))
        };
        let statistic = |name, meaning, value: fn(&AlarmStatistics) -> Option<f64>| {
            Self::share(name, meaning, move |row| value(&row.statistics))
        };
        vec![
            Self::text("shape", "the shape of the scores", |row| row.setting.shape.name().into())
                .shown(CellFormat::AmongNumbers),
            count("positives", "labelled positives", |setting| setting.positives.into()).heading("+", CellFormat::AsIs),
            count("negatives", "labelled negatives", |setting| setting.negatives.into()).heading("−", CellFormat::AsIs),
            count("n", "scores of each period", |setting| setting.n.into()).shown(CellFormat::AsIs),
            Self::share("bound", "the bound", |row| row.setting.bound).shown(CellFormat::Percent(1)),
            Self::share("rise", "by how much the share rises", |row| row.setting.rise).shown(CellFormat::Percent(0)),
            count("from", "in which period, from 0", |setting| setting.from as u64).shown(CellFormat::AsIs),
            Self::text("arm", "monitor, or an interval a look", |row| row.arm.into()).shown(CellFormat::AmongNumbers),
            Self::count("series", "series", |row| u64::from(row.statistics.series)),
            statistic("early", "series with a false alarm", |s| s.early).heading("false", CellFormat::Percentage(2)),
            statistic("early_error", "its Monte Carlo error", |s| s.early_error)
                .heading("±", CellFormat::Percentage(2)),
            statistic("found", "series with an alarm after the rise", |s| s.found).shown(CellFormat::Percentage(1)),
            Self::number("delay", "median looks from the rise to the alarm", |row| row.statistics.delay)
                .shown(CellFormat::Decimals(0)),
            statistic("coverage", "series whose band holds at all looks", |s| s.coverage)
                .heading("holds", CellFormat::Percentage(2)),
            statistic("coverage_error", "its Monte Carlo error", |s| s.coverage_error),
            statistic("width_early", "mean width of the band at the tenth look", |s| s.width_early)
                .heading("at 10", CellFormat::Decimals(4)),
            statistic("width_late", "mean width of the band at the last look", |s| s.width_late)
                .heading("at 200", CellFormat::Decimals(4)),
        ]
    }
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

    /// Computed by hand: a false alarm, one in the period of the rise, one four looks later, and
    /// none.
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
        let s = AlarmStatistics::new(&outcomes.iter().collect::<Vec<_>>(), &[]);
        assert_eq!((s.series, s.none, s.delay), (4, 1, Some(5.0)));
        assert_eq!((s.early, s.coverage), (Some(0.25), Some(0.75)));
        assert_eq!((s.width_early, s.width_late), (Some(0.5), Some(1.0)));
        assert!((s.found.unwrap() - 2.0 / 3.0).abs() < 1e-15);
        assert!((s.early_error.unwrap() - (0.1875_f64 / 4.0).sqrt()).abs() < 1e-15);
    }
}
