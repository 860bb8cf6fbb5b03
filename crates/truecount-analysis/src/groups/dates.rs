//! Texts that are dates: 2026-01-31 (and a time behind it), 2026-01, 2026-W05, 2026-Q1, as the second in which each begins.
//!
//! Days are counted as by Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2013).

use std::ops::Range;

/// When groups begin.
pub struct Dates {
    /// Seconds since the beginning of 1970; `None` of a group without a date.
    pub seconds: Vec<Option<i64>>,
    /// The finest of their forms.
    pub form: DateForm,
}

/// How a date is written, from the finest to the coarsest.
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

/// Seconds from the beginning of 1970 to that of the date, and its form; `None` of a text that is none. Without an offset
/// a time is that of zero longitude.
pub fn date(text: &str) -> Option<(i64, DateForm)> {
    let (year, rest) = text.split_at_checked(4)?;
    let year = i64::from(number(year, 4..=4, 0..=9999)?);
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    if let Some(week) = rest.strip_prefix('W') {
        let week = number(week, 1..=2, 1..=53)?;
        // The first week has the fourth of January.
        let fourth = days(year, 1, 4);
        return Some(((fourth - weekday(fourth) + 7 * (i64::from(week) - 1)) * DAY, DateForm::Week));
    }
    if let Some(quarter) = rest.strip_prefix('Q') {
        return Some((days(year, 3 * number(quarter, 1..=1, 1..=4)? - 2, 1) * DAY, DateForm::Quarter));
    }
    let after_year = text[4..].strip_prefix('-')?;
    let Some((month, rest)) = after_year.split_once('-') else {
        return Some((days(year, number(after_year, 1..=2, 1..=12)?, 1) * DAY, DateForm::Month));
    };
    let month = number(month, 1..=2, 1..=12)?;
    let (day, time) = rest.split_at(rest.find(['T', ' ']).unwrap_or(rest.len()));
    let day = number(day, 1..=2, 1..=31)?;
    let date = days(year, month, day);
    // The thirtieth of February would be one in March.
    let next = if month == 12 { days(year + 1, 1, 1) } else { days(year, month + 1, 1) };
    if date >= next {
        return None;
    }
    match time.get(1..) {
        None => Some((date * DAY, DateForm::Day)),
        Some(time) => Some((date * DAY + clock(time)?, DateForm::Time)),
    }
}

/// The seconds from the beginning of the date to that of the next one of its form; `None` of a text that is none.
pub fn span(text: &str) -> Option<Range<i64>> {
    let (from, form) = date(text)?;
    let month = match form {
        DateForm::Time => return Some(from..from + 1),
        DateForm::Day => return Some(from..from + DAY),
        DateForm::Week => return Some(from..from + 7 * DAY),
        DateForm::Month => text[5..].parse().ok()?,
        DateForm::Quarter => 3 * text[text.len() - 1..].parse::<u32>().ok()?,
    };
    let year: i64 = text[..4].parse().ok()?;
    let next = if month == 12 { days(year + 1, 1, 1) } else { days(year, month + 1, 1) };
    Some(from..next * DAY)
}

impl DateForm {
    /// When that second is, in the units in which dates of this form follow one another: all months are as long.
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

    /// The name of that unit.
    pub fn unit_name(self) -> &'static str {
        match self {
            Self::Time | Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
        }
    }
}

/// Seconds since midnight at zero longitude: 12:30, 12:30:59, 12:30:59.25, and any of them with Z or +01:00.
fn clock(text: &str) -> Option<i64> {
    let (time, offset) = text.split_at(text.find(['Z', '+', '-']).unwrap_or(text.len()));
    let offset = match offset.strip_prefix(['+', '-']) {
        None if offset.len() <= 1 => 0,
        None => return None,
        Some(east) => {
            let (hours, minutes) = east.split_at_checked(2)?;
            let minutes = minutes.strip_prefix(':').unwrap_or(minutes);
            let minutes = if minutes.is_empty() { 0 } else { number(minutes, 2..=2, 0..=59)? };
            let seconds = i64::from(number(hours, 2..=2, 0..=23)? * 60 + minutes) * 60;
            if offset.starts_with('-') { -seconds } else { seconds }
        }
    };
    let mut parts = time.trim_end().split(':');
    let hours = number(parts.next()?, 1..=2, 0..=23)?;
    let minutes = number(parts.next()?, 2..=2, 0..=59)?;
    let whole = parts.next().map(|seconds| seconds.split_once('.').map_or(seconds, |(whole, _)| whole));
    let seconds = whole.map_or(Some(0), |whole| number(whole, 2..=2, 0..=60))?;
    parts.next().is_none().then_some(i64::from((hours * 60 + minutes) * 60 + seconds) - offset)
}

/// A number of so many digits, within these bounds.
fn number(text: &str, digits: std::ops::RangeInclusive<usize>, within: std::ops::RangeInclusive<u32>) -> Option<u32> {
    let are_digits = digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = are_digits.then(|| text.parse().ok())??;
    within.contains(&number).then_some(number)
}

/// Days from the first of 1970 to this one, in the Gregorian calendar.
fn days(year: i64, month: u32, day: u32) -> i64 {
    // Years begin in March, so that the day of the leap is the last.
    let (month, day) = (i64::from(month), i64::from(day));
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Days since Monday.
fn weekday(day: i64) -> i64 {
    // 1970 began on a Thursday.
    (day + 3).rem_euclid(7)
}

#[cfg(test)]
mod tests {
    use super::{DAY, DateForm, date, span};

    // By Python's datetime, fromisocalendar for weeks.
    #[test]
    fn dates_begin_where_they_do() {
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
