//! Parsing of dates: 2026-01-31 (optionally with a time), 2026-01, 2026-W05, 2026-Q1. A date is
//! represented by the second at which it begins.

use jiff::ToSpan;
use jiff::civil::{self, Date, ISOWeekDate, Weekday};
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;

/// The times at which groups begin.
pub struct Dates {
    /// Seconds since 1970-01-01 00:00 UTC; `None` for a group without a date.
    pub seconds: Vec<Option<i64>>,
    /// The finest form among the dates.
    pub form: DateForm,
}

/// The form of a date, from the finest to the coarsest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DateForm {
    /// 2026-01-31 12:30
    Time,
    /// 2026-01-31
    Day,
    /// 2026-W05
    Week,
    /// 2026-01
    Month,
    /// 2026-Q1
    Quarter,
}

const DAY: i64 = 86_400;
const EPOCH: Date = civil::date(1970, 1, 1);

/// Parses a date. Returns the seconds from 1970-01-01 00:00 UTC to its beginning, and its form;
/// `None` for any other text. A time without an offset is UTC.
pub fn date(text: &str) -> Option<(i64, DateForm)> {
    let (day, time) = text.split_at(text.find(['T', ' ']).unwrap_or(text.len()));
    match (first_day(day)?, time.get(1..)) {
        ((day, form), None) => Some((second(day), form)),
        ((day, DateForm::Day), Some(time)) => Some((second(day) + second_of_day(time)?, DateForm::Time)),
        _ => None,
    }
}

/// Parses a date. Returns the range of seconds from its beginning to the beginning of the next date
/// of the same form; `None` for any other text.
pub fn span(text: &str) -> Option<Range<i64>> {
    let (from, form) = date(text)?;
    let months = match form {
        DateForm::Time => return Some(from..from + 1),
        DateForm::Day => return Some(from..from + DAY),
        DateForm::Week => return Some(from..from + 7 * DAY),
        DateForm::Month => 1,
        DateForm::Quarter => 3,
    };
    let last_month = first_day(text)?.0.checked_add((months - 1).months()).ok()?;
    Some(from..second(last_month.last_of_month()) + DAY)
}

/// Returns the first day of a date without a time.
fn first_day(text: &str) -> Option<(Date, DateForm)> {
    let (year, rest) = text.split_at_checked(4)?;
    let year = number(year, 4..=4, 0..=9999)?;
    let unit = rest.strip_prefix('-').unwrap_or(rest);
    if let Some(week) = unit.strip_prefix('W') {
        let monday = ISOWeekDate::new(year, number(week, 1..=2, 1..=53)?, Weekday::Monday).ok()?;
        return Some((monday.date(), DateForm::Week));
    }
    let (month, day, form) = if let Some(quarter) = unit.strip_prefix('Q') {
        (3 * number(quarter, 1..=1, 1..=4)? - 2, 1, DateForm::Quarter)
    } else {
        // Without a hyphen, six digits may be a number.
        match rest.strip_prefix('-')?.split_once('-') {
            Some((month, day)) => (number(month, 1..=2, 1..=12)?, number(day, 1..=2, 1..=31)?, DateForm::Day),
            None => (number(unit, 1..=2, 1..=12)?, 1, DateForm::Month),
        }
    };
    Some((Date::new(year, month, day).ok()?, form))
}

/// Returns the seconds from 1970-01-01 to the beginning of the day.
fn second(day: Date) -> i64 {
    day.duration_since(EPOCH).as_secs()
}

impl DateForm {
    /// Converts seconds into the unit in which dates of this form follow one another, with months
    /// of equal length.
    pub fn units(self, second: i64) -> f64 {
        let day = DAY as f64;
        let (unit, whole) = match self {
            Self::Time => (day, false),
            Self::Day => (day, true),
            Self::Week => (7.0 * day, true),
            Self::Month => (365.2425 / 12.0 * day, true),
            Self::Quarter => (365.2425 / 4.0 * day, true),
        };
        let units = second as f64 / unit;
        if whole { units.round() } else { units }
    }

    /// Returns the name of the unit of [`units`](Self::units).
    pub fn unit_name(self) -> &'static str {
        match self {
            Self::Time | Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
        }
    }
}

/// Parses a time, and returns the seconds since midnight UTC: 12:30, 12:30:59 or 12:30:59.25,
/// optionally with Z or +01:00.
fn second_of_day(text: &str) -> Option<i64> {
    let (time, offset) = text.split_at(text.find(['Z', '+', '-']).unwrap_or(text.len()));
    let offset = match offset.strip_prefix(['+', '-']) {
        None if offset.len() <= 1 => 0,
        None => return None,
        Some(east) => {
            let (hours, minutes) = east.split_at_checked(2)?;
            let minutes = minutes.strip_prefix(':').unwrap_or(minutes);
            let minutes = if minutes.is_empty() { 0 } else { number(minutes, 2..=2, 0..=59)? };
            let seconds = (number::<i64>(hours, 2..=2, 0..=23)? * 60 + minutes) * 60;
            if offset.starts_with('-') { -seconds } else { seconds }
        }
    };
    let mut parts = time.trim_end().split(':');
    let hours: i64 = number(parts.next()?, 1..=2, 0..=23)?;
    let minutes = number(parts.next()?, 2..=2, 0..=59)?;
    let whole = parts.next().map(|seconds| seconds.split_once('.').map_or(seconds, |(whole, _)| whole));
    let seconds = whole.map_or(Some(0), |whole| number(whole, 2..=2, 0..=60))?;
    parts.next().is_none().then_some((hours * 60 + minutes) * 60 + seconds - offset)
}

/// Parses a number with this many digits, within these bounds.
fn number<N: FromStr + PartialOrd>(text: &str, digits: RangeInclusive<usize>, within: RangeInclusive<N>) -> Option<N> {
    let are_digits = digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = are_digits.then(|| text.parse().ok())??;
    within.contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::{DAY, DateForm, date, span};

    // Computed with Python's datetime, and fromisocalendar for weeks.
    #[test]
    fn dates_begin_at_the_right_second() {
        let days = [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("2000-02-29", 11_016),
            ("2026-01-31", 20_484),
            ("2026-1-31", 20_484),
            ("2026-01", 20_454),
            ("2026-12", 20_788),
            ("2026-Q1", 20_454),
            ("2026Q4", 20_727),
            ("2026-W01", 20_451),
            ("2026W5", 20_479),
            ("2020-W53", 18_624),
            ("2021-W01", 18_631),
        ];
        for (text, day) in days {
            assert_eq!(date(text).map(|(seconds, _)| seconds), Some(day * DAY), "{text}");
        }
        let start = 20_484 * DAY;
        let times = [
            ("2026-01-31 00:30", 1800),
            ("2026-01-31T12:30:59", 45_059),
            ("2026-01-31T12:30:59.25Z", 45_059),
            ("2026-01-31 00:30:00+01:00", -1800),
            ("2026-01-31 00:30:00-0130", 7200),
        ];
        for (text, second) in times {
            assert_eq!(date(text).map(|(seconds, _)| seconds), Some(start + second), "{text}");
        }
    }

    #[test]
    fn a_date_ends_where_the_next_begins() {
        let next = [
            ("2026-01-31", "2026-02-01"),
            ("2026-W53", "2027-W01"),
            ("2026-2", "2026-03"),
            ("2026-12", "2027-01"),
            ("2026Q1", "2026-Q2"),
            ("2026-Q4", "2027-Q1"),
        ];
        for (text, next) in next {
            let (from, to) = (date(text).unwrap().0, date(next).unwrap().0);
            assert_eq!(span(text), Some(from..to), "{text}");
        }
        let units = |text: &str| date(text).map(|(second, form)| form.units(second)).unwrap();
        assert_eq!([units("2026-03") - units("2026-01"), units("2030-12") - units("2026-01")], [2.0, 59.0]);
        assert_eq!([units("2026-Q4") - units("2024-Q4"), units("2027-W01") - units("2026-W51")], [8.0, 3.0]);
        assert_eq!(units("1970-01-02 12:00"), 1.5);
        assert_eq!(DateForm::Quarter.unit_name(), "quarter");
    }

    #[test]
    fn other_texts_are_none() {
        for text in [
            "",
            "2026",
            "20260131",
            "202601",
            "2026-",
            "2026-00",
            "2026-13",
            "2026-02-29",
            "2026-01-32",
            "2026-01-31T",
            "2026-01-31T25:00",
            "2026-W",
            "2026-W54",
            "2021-W53",
            "2026-Q5",
            "26-01-31",
            "2026-01-31-1",
            "week 1",
            "2026-é1",
            "２０２６-01",
            "2026-01-31 12",
            "2026-01-31 12:30 or so",
            "2026-+1",
        ] {
            assert_eq!(date(text), None, "{text}");
        }
    }
}
