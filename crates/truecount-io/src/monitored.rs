//! Groups that are dates, watched over time.

use crate::groups::{DateForm, Groups, Keys, date, span};
use crate::results::{EstimateRow, MonitorRow};
use crate::{Error, Fault};
use std::ops::Range;
use truecount::monitor::{Bound, Monitored, Period, Watching};
use truecount::{Estimates, Reporting, Together};

/// The dates that all others are compared with, as typed: 2026-W05, or 2026-01-05..2026-02-01.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    text: String,
    seconds: Range<i64>,
}

/// Periods in the order of time.
pub struct Series {
    /// A row for each.
    pub rows: Vec<MonitorRow>,
    /// The row at which the alarm was raised, if it was.
    pub raised: Option<usize>,
    /// The variance that the level gains in a unit of time.
    pub drift: f64,
    /// How the dates are written.
    pub form: DateForm,
    /// When each begins, in seconds since 1970.
    pub seconds: Vec<i64>,
    /// The dates of the baseline, the first and the last.
    pub baseline: [String; 2],
    /// How many test scores have no date.
    pub undated: u64,
}

impl Baseline {
    /// What a text means; `None` where it is no date, nor two with points between them.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let seconds = span(from.trim())?.start..span(to.trim())?.end;
        (!seconds.is_empty()).then(|| Self { text: text.to_owned(), seconds })
    }
}

/// Watches the groups of one column, which is dates, by the first method.
///
/// # Errors
/// [`Fault::GroupsNotDates`], [`Fault::GroupsWithoutDates`]; `GroupUnknown` for a baseline without a group; those of [`Together::monitor`].
pub fn monitor(
    groups: Groups<Estimates>,
    together: &Together,
    bound: Option<Bound>,
    baseline: Option<&Baseline>,
    reporting: &Reporting,
) -> Result<(Keys, Series), Error> {
    let Groups { keys, contents, .. } = groups;
    let column = || keys.columns().next().unwrap_or_default().to_owned();
    let names: Vec<String> = {
        let texts = keys.texts();
        (0..contents.len()).map(|group| texts.of(group).next().unwrap_or_default()).collect()
    };
    let (mut dated, mut undated, mut form) = (Vec::new(), 0, DateForm::Quarter);
    for (group, (name, estimates)) in names.iter().zip(contents).enumerate() {
        let estimate = estimates.into_iter().next().expect("an estimate by a method");
        match date(name) {
            Some((second, of)) => {
                form = form.min(of);
                dated.push((second, EstimateRow { group, is_total: false, estimate }));
            }
            None if name.is_empty() => undated += estimate.n,
            None => return Err(Fault::GroupsNotDates { column: column(), value: name.clone() }.into()),
        }
    }
    if dated.is_empty() {
        return Err(Fault::GroupsWithoutDates { column: column() }.into());
    }
    dated.sort_by_key(|(second, _)| *second);
    let places = |asked: &Baseline| {
        let [from, to] =
            [asked.seconds.start, asked.seconds.end].map(|end| dated.partition_point(|(second, _)| *second < end));
        let unknown = || truecount::Error::GroupUnknown { column: column(), value: asked.text.clone() };
        if from < to { Ok(from..to) } else { Err(unknown()) }
    };
    let watching = Watching { bound, baseline: baseline.map(places).transpose()? };
    let of_dates: Vec<Period> =
        dated.iter().map(|(second, row)| Period { time: form.units(*second), estimate: &row.estimate }).collect();
    let Monitored { periods, drift, raised, baseline } = together.monitor(&of_dates, &watching, reporting)?;
    let name = |place: usize| names[dated[place].1.group].clone();
    let ends = [baseline.start, baseline.end - 1].map(name);
    let since: Vec<Option<String>> =
        periods.iter().map(|period| period.evidence.map(|found| name(found.since))).collect();
    let (seconds, estimated): (Vec<i64>, Vec<EstimateRow>) = dated.into_iter().unzip();
    let each = estimated.into_iter().zip(periods).zip(since).enumerate();
    let row = |(place, ((estimated, watched), since))| MonitorRow {
        estimated,
        watched,
        alarm: bound.map(|_| raised.is_some_and(|raised| raised <= place)),
        since,
        bound: bound.map(Bound::share),
    };
    let rows = each.map(row).collect();
    Ok((keys, Series { rows, raised, drift, form, seconds, baseline: ends, undated }))
}
