//! Replaces dates by the periods that contain them.

use super::dates::{DateForm, DateFormat, second_of_day, split_time};
use crate::AnalysisProblem;
use jiff::Timestamp;
use jiff::civil::DateTime;
pub use jiff::tz::TimeZone;
use truecount::{DatePeriod, Error};

/// Returns the time zone of this name, such as Europe/Berlin.
///
/// # Errors
/// Returns [`AnalysisProblem::UnknownZone`] for any other name.
pub fn time_zone(name: &str) -> Result<TimeZone, Error> {
    TimeZone::get(name).map_err(|_| AnalysisProblem::UnknownZone { name: name.to_owned() }.into())
}

/// The periods that replace the dates of a grouping column.
#[derive(Clone, Copy)]
pub struct ColumnPeriods<'a> {
    /// The index of the column among the grouping columns.
    pub column: usize,
    /// The period.
    pub period: DatePeriod,
    /// The time zone whose days and hours are meant; by default those that are written.
    pub zone: Option<&'a TimeZone>,
}

/// A converter from the dates of one column to periods.
pub struct PeriodGrouper {
    period: DatePeriod,
    zone: Option<TimeZone>,
    /// The format of the first date that can be read in only one way; `None` until there is one.
    format: Option<DateFormat>,
}

impl PeriodGrouper {
    /// Creates a converter that has not seen a date yet.
    pub fn new(period: DatePeriod) -> Self {
        Self { period, zone: None, format: None }
    }

    /// Converts times to a time zone first; a time without an offset from UTC is taken as UTC.
    #[must_use]
    pub fn in_zone(self, zone: Option<&TimeZone>) -> Self {
        Self { zone: zone.cloned(), ..self }
    }

    /// Returns whether the order of day and month is known.
    pub fn knows_format(&self) -> bool {
        self.format.is_some()
    }

    /// Learns the order of day and month from the first date that can be read in only one way.
    pub fn learn_format<'a>(&mut self, dates: impl Iterator<Item = Option<&'a str>>) {
        let only_format = |date: &str| {
            let (day, _) = split_time(date);
            let formats =
                [DateFormat::Iso, DateFormat::Compact, DateFormat::DayFirst, DateFormat::MonthFirst, DateFormat::Year];
            let mut formats = formats.into_iter().filter(|format| format.first_day(day).is_some());
            formats.next().filter(|_| formats.next().is_none())
        };
        self.format = self.format.or_else(|| dates.flatten().find_map(only_format));
    }

    /// Returns the periods of the dates; missing dates stay missing. Without a time zone, an offset
    /// from UTC is ignored: the hour is taken as written.
    ///
    /// # Errors
    /// Returns [`AnalysisProblem::DateNotInPeriod`] for a date without a known period.
    pub fn periods_of<'a>(
        &self,
        column: &str,
        dates: impl Iterator<Item = Option<&'a str>>,
    ) -> Result<Vec<Option<String>>, Error> {
        let not_in_period = |date: &str| {
            let (column, value) = (column.to_owned(), date.to_owned());
            let formats = DateFormat::ALL.into_iter();
            let (day, time) = split_time(date);
            let is_date = |format: DateFormat| format.date(&format!("{day}{}", split_zone_name(time).0)).is_some();
            Error::from(if formats.filter(|format| *format != DateFormat::DayAndMonth).any(is_date) {
                AnalysisProblem::DateNotInPeriod { column, value, period: self.period.to_string() }
            } else {
                AnalysisProblem::NotADate { column, value }
            })
        };
        let period = |date: Option<&str>| match date {
            Some(date) if !date.is_empty() => self.period_of(date).map(Some).ok_or_else(|| not_in_period(date)),
            missing => Ok(missing.map(str::to_owned)),
        };
        dates.map(period).collect()
    }

    /// Returns the period of a date as text; `None` for any other text, for a date that is longer than the period or
    /// does not lie in one, and for a date in which day and month may be in either order.
    pub fn period_of(&self, text: &str) -> Option<String> {
        let (day, time) = split_time(text);
        let with_points = day.contains('.').then_some(DateFormat::DayFirst);
        let mut formats =
            [DateFormat::Iso, DateFormat::Compact, DateFormat::Year].into_iter().chain(with_points).chain(self.format);
        let (format, (date, form)) = formats.find_map(|format| Some((format, format.first_day(day)?)))?;
        let (time, zone_name) = split_zone_name(time);
        let (seconds, _) = format.date(&format!("{day}{time}"))?;
        // A date without a time has no zone, and the page has none.
        let zone = self.zone.as_ref().filter(|_| !time.is_empty() && !cfg!(target_family = "wasm"));
        if zone.is_some() && !["", "UTC", "GMT"].contains(&zone_name) {
            return None;
        }
        let local = |zone: &TimeZone| Timestamp::from_second(seconds).map(|time| zone.to_datetime(time));
        let local = zone.map(local).transpose().ok()?;
        let date = local.map_or(date, DateTime::date);
        let coarsest = match self.period {
            DatePeriod::Hour | DatePeriod::Day => DateForm::Day,
            DatePeriod::Week => DateForm::Week,
            DatePeriod::Month => DateForm::Month,
            DatePeriod::Quarter => DateForm::Quarter,
            DatePeriod::Year => DateForm::Year,
        };
        // A week may lie in two months, quarters or years.
        if form > coarsest || form == DateForm::Week && self.period != DatePeriod::Week {
            return None;
        }
        let year = date.year();
        Some(match self.period {
            DatePeriod::Hour => {
                let written = || Some(second_of_day(time.get(1..)?.split(['Z', '+', '-']).next()?)? / 3600);
                let hour = local.map_or_else(written, |local| Some(local.hour().into()))?;
                format!("{date} {hour:02}:00")
            }
            DatePeriod::Day => date.to_string(),
            DatePeriod::Week => {
                let week = date.iso_week_date();
                format!("{:04}-W{:02}", week.year(), week.week())
            }
            DatePeriod::Month => format!("{year:04}-{:02}", date.month()),
            DatePeriod::Quarter => format!("{year:04}-Q{}", (date.month() + 2) / 3),
            DatePeriod::Year => format!("{year:04}"),
        })
    }
}

/// Splits the abbreviation of a time zone from a time, as in 12:30 CET.
fn split_zone_name(time: &str) -> (&str, &str) {
    let is_name = |name: &str| name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_uppercase());
    time.rsplit_once(' ').filter(|(_, name)| is_name(name)).unwrap_or((time, ""))
}

#[cfg(test)]
mod tests {
    use super::super::dates::span;
    use super::{DatePeriod, PeriodGrouper, TimeZone};

    #[test]
    fn dates_lie_in_periods() {
        let period = |name: &str, text: &str| PeriodGrouper::new(name.parse().unwrap()).period_of(text);
        for (name, text, expected) in [
            ("hour", "2026-01-31T12:30:59+01:00", "2026-01-31 12:00"),
            ("hour", "31.1.2026 2:05 PM", "2026-01-31 14:00"),
            ("hour", "2016-12-31T23:59:60Z", "2016-12-31 23:00"),
            ("hour", "2026-01-31 12:30 CET", "2026-01-31 12:00"),
            ("day", "2026-01-31 12:30 UTC", "2026-01-31"),
            ("day", "2026-01-31 23:59", "2026-01-31"),
            ("day", "20260131", "2026-01-31"),
            ("week", "2027-01-03", "2026-W53"),
            ("week", "2026-W05", "2026-W05"),
            ("week", "0001-01-01", "0001-W01"),
            ("month", "0001-01-01", "0001-01"),
            ("quarter", "0001-01-01", "0001-Q1"),
            ("month", "1.2.2026", "2026-02"),
            ("quarter", "2026-05", "2026-Q2"),
            ("year", "2026-Q4", "2026"),
            ("year", "2026-12-31 23:59", "2026"),
        ] {
            assert_eq!(period(name, text).as_deref(), Some(expected), "{text}");
            assert!(span(expected).is_some(), "{expected}");
        }
        for (name, text) in
            [("hour", "2026-01-31"), ("week", "2026-01"), ("month", "2026-W05"), ("day", "1/2/2026"), ("day", "x")]
        {
            assert_eq!(period(name, text), None, "{text}");
        }
        for text in ["2026-01-31T25:00", "2026-01-31 12:00+25:00", "2026-02-30", "2026-01-31 12:61", "x"] {
            for name in ["hour", "day", "week", "month", "quarter", "year"] {
                let periods = PeriodGrouper::new(name.parse().unwrap());
                let error = periods.periods_of("t", [Some(text)].into_iter()).unwrap_err();
                assert_eq!(error.code(), "not-a-date", "{text}");
            }
        }
    }

    // Computed with Python's zoneinfo.
    #[test]
    fn times_lie_in_the_periods_of_a_time_zone() {
        let period = |name: &str, zone: &str, text: &str| {
            let zone = TimeZone::get(zone).unwrap();
            PeriodGrouper::new(name.parse().unwrap()).in_zone(Some(&zone)).period_of(text)
        };
        for (name, zone, text, expected) in [
            ("day", "Europe/Berlin", "2026-01-31T23:30Z", Some("2026-02-01")),
            ("day", "Europe/Berlin", "2026-07-31 22:30 UTC", Some("2026-08-01")),
            ("hour", "Europe/Berlin", "2026-10-25T00:59:59Z", Some("2026-10-25 02:00")),
            ("hour", "Asia/Kolkata", "2026-01-31T20:00:00+01:00", Some("2026-02-01 00:00")),
            ("week", "America/New_York", "2026-01-05 04:59", Some("2026-W01")),
            ("month", "Pacific/Auckland", "2026-01-31T11:00Z", Some("2026-02")),
            ("day", "Europe/Berlin", "2026-01-31", Some("2026-01-31")),
            ("day", "Europe/Berlin", "2026-01-31 23:30 PST", None),
        ] {
            assert_eq!(period(name, zone, text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn one_date_shows_the_order_of_day_and_month() {
        let months = |dates: &[&'static str]| {
            let mut periods = PeriodGrouper::new(DatePeriod::Month);
            periods.learn_format(dates.iter().map(|date| Some(*date)));
            periods.periods_of("day", dates.iter().map(|date| Some(*date))).ok()
        };
        let some = |months: [&str; 2]| Some(months.map(|month| Some(month.to_owned())).to_vec());
        assert_eq!(months(&["1/2/2026 10:00", "13/2/2026"]), some(["2026-02", "2026-02"]));
        assert_eq!(months(&["1/2/2026", "2/13/2026"]), some(["2026-01", "2026-02"]));
        assert_eq!(months(&["1-2-2026", "31.12.2025"]), some(["2026-02", "2025-12"]));
        for dates in [["1/2/2026", "2/1/2026"], ["13/2/2026", "2/13/2026"], ["2026-01-31", "13/2/2026"]] {
            assert_eq!(months(&dates), None, "{dates:?}");
        }
    }
}
