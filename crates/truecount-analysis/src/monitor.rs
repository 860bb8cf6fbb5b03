//! Monitoring of a prevalence over time, with a group for each period.

use crate::AnalysisProblem;
use crate::executor::Executor;
use crate::groups::{DateForm, DateFormat, Dates, GroupKeys, GroupNames, span};
use crate::request::EstimateRequest;
use crate::results::{
    EstimateRow, MonitorRow, ResultTable, describe_bound, escape_untrusted, format_e_value, format_se, points,
};
use crate::rows::{GroupCells, TestRows};
use serde::Deserialize;
use std::ops::Range;
use truecount::compare::JointErrors;
use truecount::error::Severity;
use truecount::monitor::{Bound, MonitorOptions, MonitorResult, Period, SmoothedLevel, alarm_threshold};
use truecount::{Error, Estimate, Estimates, IntervalOptions, Model, Tally};

/// The columns of a period that people see.
const SHOWN: [&str; 7] = ["prevalence", "lower", "upper", "smoothed", "smoothed_lower", "smoothed_upper", "e_value"];

/// The number of rows below which a period counts as too short if its estimate is unreliable.
const MIN_ROWS: u64 = 10;

/// The baseline that all other periods are compared with, as typed: a date (2026-W05) or a range
/// (2026-01-05..2026-02-01).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    text: String,
    seconds: Range<i64>,
}

/// The monitored periods in the order of time.
pub struct MonitorSeries {
    /// A row for each period.
    pub rows: Vec<MonitorRow>,
    /// The dates of the periods, as written.
    pub names: Vec<String>,
    /// The bound whose crossing raises an alarm, if there is one.
    pub bound: Option<Bound>,
    /// The index of the row at which the alarm was raised, if it was.
    pub alarm_row: Option<usize>,
    /// The variance of the change of the level in a unit of time.
    pub drift: f64,
    /// The finest form of the dates.
    pub form: DateForm,
    /// The beginning of each period, in seconds since 1970-01-01.
    pub seconds: Vec<i64>,
    /// The first and the last date of the baseline.
    pub baseline: [String; 2],
    /// The number of test scores without a date.
    pub undated: u64,
}

impl Baseline {
    /// Parses a date, or two dates separated by `..`; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let seconds = span(from.trim())?.start..span(to.trim())?.end;
        (!seconds.is_empty()).then(|| Self { text: text.to_owned(), seconds })
    }
}

/// A request to compare a series with a bound, and the periods of a baseline.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // the command's help says what the options are
pub struct MonitorRequest {
    pub above: Option<f64>,
    pub below: Option<f64>,
    pub baseline: Option<String>,
}

impl MonitorRequest {
    /// Returns the bound and the baseline.
    ///
    /// # Errors
    /// Returns [`AnalysisProblem::NotABaseline`] if the baseline is neither a date nor a range of dates.
    pub fn parse(&self) -> Result<(Option<Bound>, Option<Baseline>), Error> {
        let parse = |text: &String| {
            let invalid = || AnalysisProblem::NotABaseline { name: "baseline", value: text.clone() };
            Baseline::parse(text).ok_or_else(invalid)
        };
        let bound = self.above.map(Bound::Above).or(self.below.map(Bound::Below));
        Ok((bound, self.baseline.as_ref().map(parse).transpose()?))
    }
}

impl MonitorSeries {
    /// Returns the table for people.
    pub fn table(&self) -> ResultTable<'_> {
        let last = if self.bound.is_some() { SHOWN.len() } else { SHOWN.len() - 1 };
        ResultTable::new(&self.rows).view(&SHOWN[..last])
    }

    /// Returns the dates of the baseline in words.
    pub fn baseline(&self) -> String {
        match &self.baseline {
            [from, to] if from == to => from.clone(),
            [from, to] => format!("{from} to {to}"),
        }
    }

    /// Describes the alarm, if it was raised.
    pub fn alarm(&self) -> Option<String> {
        let index = self.alarm_row?;
        let row = &self.rows[index];
        let (evidence, change_point) = (row.period.evidence?, row.change_point.as_ref()?);
        let (bound, date) = (describe_bound(self.bound?), &self.names[index]);
        let e = format_e_value(evidence.ln_e.exp().min(f64::MAX));
        Some(escape_untrusted(&format!("{bound} since {change_point}, raised at {date} (e = {e})")).into_owned())
    }

    /// Returns the conclusion in a sentence: an alarm, no alarm with what it could have shown, or why neither is known.
    pub fn conclusion(&self, options: &IntervalOptions) -> String {
        if let Some(alarm) = self.alarm() {
            return format!("alarm: {alarm}");
        }
        let Some(bound) = self.bound else {
            return "no alarm: no limit was set".to_owned();
        };
        let (limit, periods) = (describe_bound(bound), self.rows.len());
        let evidence = || self.rows.iter().filter_map(|row| row.period.evidence);
        let largest = evidence().map(|evidence| evidence.ln_e).fold(f64::NEG_INFINITY, f64::max).exp();
        let e_values =
            format!("largest e = {}, alarm at {}", format_e_value(largest), format_e_value(alarm_threshold(options)));
        let Some(detectable) = evidence().next_back().and_then(|evidence| evidence.detectable_share) else {
            return format!(
                "cannot tell: there are too few labels and rows for an alarm whatever share is {limit} ({e_values})"
            );
        };
        let is_crossed = |line: SmoothedLevel| match bound {
            Bound::Above(share) => line.lower > share,
            Bound::Below(share) => line.upper < share,
        };
        let crossed = self.rows.iter().filter(|row| row.period.smoothed_level.is_some_and(is_crossed)).count();
        let band = if crossed > 0 {
            format!(
                "; the band of the smoothed line is {limit} in {crossed} of them, but it is for one period at a time"
            )
        } else {
            String::new()
        };
        format!(
            "no alarm: too little evidence in {periods} periods that the share was {limit} ({e_values}); a steady \
             share of {} % would have raised it by now with a probability of at least 80 %{band}",
            points(detectable)
        )
    }

    /// Returns whether the smoothed line moves an estimate by more than a tenth of its interval's width. Otherwise the
    /// line connects the estimates.
    pub fn smooths(&self) -> bool {
        let moves = |row: &MonitorRow| {
            let (line, Estimate { prevalence, interval, .. }) = (row.period.smoothed_level, &row.row.estimate);
            line.zip(*interval).is_some_and(|(line, u)| (line.level - prevalence).abs() > 0.1 * u.width())
        };
        self.rows.iter().any(moves)
    }

    /// Returns the number of periods with unreliable estimates.
    fn unreliable(&self) -> usize {
        self.rows.iter().filter(|row| row.row.estimate.severity() == Some(Severity::Unreliable)).count()
    }

    /// Explains the smoothed line and the e-values in sentences.
    pub fn explain_columns(&self, options: &IntervalOptions) -> impl Iterator<Item = String> {
        let (drift, unit) = (format_se(self.drift.sqrt()), self.form.unit_name());
        let evidence = self.bound.map(|bound| {
            format!(
                "e: evidence that the prevalence is {}; an alarm is raised at {}",
                describe_bound(bound),
                format_e_value(alarm_threshold(options))
            )
        });
        let line = if self.drift > 0.0 {
            format!("smoothed: a line through all periods, which typically moves by {drift} per {unit}")
        } else {
            "smoothed: a constant line, because the periods differ by no more than the sampling of their rows explains"
                .to_owned()
        };
        [line].into_iter().chain(evidence)
    }

    /// Describes in sentences which scores and periods are left out.
    pub fn describe_omissions(&self) -> impl Iterator<Item = String> {
        let undated =
            (self.undated > 0).then(|| format!("scores without a date, which are left out: {}", self.undated));
        let unreliable = match self.unreliable() {
            0 => None,
            n if n == self.rows.len() => {
                Some("no period has a reliable estimate, so there is no smoothed line".to_owned())
            }
            n => Some(format!(
                "{n} of {} periods have unreliable estimates, which the smoothed line and the share so far leave out",
                self.rows.len()
            )),
        };
        undated.into_iter().chain(unreliable)
    }
}

/// Monitors the groups of a request, whose names are dates in one column, by the first method.
///
/// # Errors
/// Returns the errors of [`EstimateRequest::run`];
/// [`AnalysisProblem::GroupsNotDates`] if a group is not a date,
/// [`AnalysisProblem::GroupsWithoutDates`] if no group has a date,
/// [`AnalysisProblem::PeriodsOverlap`] if two dates share days,
/// [`AnalysisProblem::PeriodsTooShort`] if most periods have too few rows, `BaselineWithoutPeriods` if no group
/// lies in the baseline, and an error if the method has no joint errors.
pub fn monitor<R: TestRows>(
    executor: &impl Executor,
    request: &EstimateRequest,
    rows: &R,
    model: &Model,
    bound: Option<Bound>,
    baseline: Option<&Baseline>,
) -> Result<(R::Names, MonitorSeries), Error> {
    let parts = rows.tally(executor, model)?;
    let series = monitor_tallied(executor, request, &parts, &parts.names, model, bound, baseline)?;
    Ok((parts.names, series))
}

/// Monitors the groups of tallied rows, whose names are dates in one column, by the first method.
///
/// # Errors
/// Returns the errors of [`monitor`].
pub fn monitor_tallied<N: GroupKeys>(
    executor: &impl Executor,
    request: &EstimateRequest,
    parts: &GroupCells<Tally, N>,
    names: &dyn GroupNames,
    model: &Model,
    bound: Option<Bound>,
    baseline: Option<&Baseline>,
) -> Result<MonitorSeries, Error> {
    let joint = JointErrors::new(model, model.quantifiers()[0].method())?;
    let estimates = request.run_tallied(executor, parts, model)?;
    let dates: Vec<String> = {
        let texts = names.texts();
        (0..names.number()).map(|group| texts.group_texts(group).next().unwrap_or_default()).collect()
    };
    let (column, options) = (names.columns().next().unwrap_or_default(), request.interval_options()?);
    monitor_dates((column, &dates), estimates.groups, &parts.merged()?, &joint, bound, baseline, &options)
}

/// Monitors groups with these dates in a column.
fn monitor_dates(
    (column, names): (&str, &[String]),
    contents: Vec<Estimates>,
    tallies: &[Tally],
    joint: &JointErrors,
    bound: Option<Bound>,
    baseline: Option<&Baseline>,
    options: &IntervalOptions,
) -> Result<MonitorSeries, Error> {
    let column = || column.to_owned();
    let Some(Dates { seconds, forms, form }) = Dates::parse(names) else {
        let mut known = names.iter().filter(|name| !name.is_empty());
        let Some(first) = known.clone().next() else {
            return Err(AnalysisProblem::GroupsWithoutDates { column: column() }.into());
        };
        let value = known.find(|name| DateFormat::Iso.date(name).is_none()).unwrap_or(first).clone();
        return Err(AnalysisProblem::GroupsNotDates { column: column(), value }.into());
    };
    let (mut dated, mut undated) = (Vec::new(), 0);
    for (group, (second, estimates)) in seconds.into_iter().zip(contents).enumerate() {
        let estimate = estimates.into_iter().next().expect("an estimate by a method");
        match second {
            Some(second) => dated.push((second, EstimateRow::new(group, estimate))),
            None => undated += estimate.n,
        }
    }
    dated.sort_by_key(|(second, _)| *second);
    let end = |(from, row): &(i64, EstimateRow)| forms[row.group].and_then(|form| form.end(*from));
    let overlaps = |pair: &&[(i64, EstimateRow)]| end(&pair[0]).is_some_and(|end| end > pair[1].0);
    if let Some(pair) = dated.windows(2).find(overlaps) {
        let [first, second] = [0, 1].map(|period| names[pair[period].1.group].clone());
        return Err(AnalysisProblem::PeriodsOverlap { column: column(), first, second }.into());
    }
    let indices = |baseline: &Baseline| {
        let index = |second: i64| dated.partition_point(|(start, _)| *start < second);
        let (from, to) = (index(baseline.seconds.start), index(baseline.seconds.end));
        if from < to {
            return Ok(from..to);
        }
        let [first, last] = [0, dated.len() - 1].map(|period| names[dated[period].1.group].clone());
        Err(AnalysisProblem::BaselineWithoutPeriods { column: column(), value: baseline.text.clone(), first, last })
    };
    let monitor_options = MonitorOptions { bound, baseline: baseline.map(indices).transpose()? };
    let periods: Vec<Period> = dated
        .iter()
        .map(|(second, row)| Period { time: form.units(*second), estimate: &row.estimate, tally: &tallies[row.group] })
        .collect();
    let MonitorResult { periods, drift, alarm_at: alarm_row, baseline } =
        joint.monitor(&periods, &monitor_options, options)?;
    let is_too_short =
        |row: &EstimateRow| row.estimate.severity() == Some(Severity::Unreliable) && row.estimate.n < MIN_ROWS;
    let short_periods = dated.iter().filter(|(_, row)| is_too_short(row)).count();
    if 2 * short_periods > dated.len() {
        let (short_periods, periods) = (short_periods as u64, dated.len() as u64);
        return Err(AnalysisProblem::PeriodsTooShort { short_periods, periods, min_rows: MIN_ROWS }.into());
    }
    let name = |index: usize| names[dated[index].1.group].clone();
    let baseline = [baseline.start, baseline.end - 1].map(name);
    let change_points: Vec<Option<String>> =
        periods.iter().map(|period| period.evidence.map(|evidence| name(evidence.change_point))).collect();
    let names = (0..dated.len()).map(name).collect();
    let (seconds, estimates): (Vec<i64>, Vec<EstimateRow>) = dated.into_iter().unzip();
    let columns = estimates.into_iter().zip(periods).zip(change_points).enumerate();
    let row = |(index, ((row, period), change_point))| MonitorRow {
        row,
        period,
        alarm: bound.map(|_| alarm_row.is_some_and(|alarm_row| alarm_row <= index)),
        change_point,
        bound: bound.map(Bound::share),
    };
    let rows = columns.map(row).collect();
    Ok(MonitorSeries { rows, names, bound, alarm_row, drift, form, seconds, baseline, undated })
}
