//! Parsing of dates: 2026-01-31 (optionally with a time), 2026-01, 2026-W05, 2026-Q1, and in columns also 2026,
//! 20260131, 31.1.2026, 31/1/2026 and 1/31/2026. A date is represented by the second at which it begins.

use jiff::ToSpan;
use jiff::civil::{self, Date, ISOWeekDate, Weekday};
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;

/// The times at which groups begin.
pub struct Dates {
    /// Seconds since 1970-01-01 00:00 UTC; `None` for a group without a date.
    pub seconds: Vec<Option<i64>>,
    /// The form of each date.
    pub forms: Vec<Option<DateForm>>,
    /// The finest form among the dates.
    pub form: DateForm,
}

impl Dates {
    /// Parses the dates of a column; `None` unless all texts are empty or dates with years in one
    /// format, and one is not empty.
    pub fn parse(texts: &[String]) -> Option<Self> {
        let known = || texts.iter().map(String::as_str).filter(|text| !text.is_empty());
        let format = DateFormat::detect(known).filter(|format| *format != DateFormat::DayAndMonth)?;
        let (seconds, forms): (_, Vec<_>) = texts.iter().map(|text| format.date(text).unzip()).unzip();
        let form = forms.iter().flatten().copied().min()?;
        Some(Self { seconds, forms, form })
    }
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
    /// 2026
    Year,
}

/// How the dates of a column are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateFormat {
    /// 2026-01-31, and the other forms of ISO 8601 that have hyphens or letters
    Iso,
    /// 20260131
    Compact,
    /// 31.1.2026, 31/1/2026 or 31-1-2026
    DayFirst,
    /// 1/31/2026 or 1-31-2026
    MonthFirst,
    /// 31.1., in any year
    DayAndMonth,
    /// 2026
    Year,
}

impl DateFormat {
    pub(super) const ALL: [Self; 6] =
        [Self::Iso, Self::Compact, Self::MonthFirst, Self::DayFirst, Self::DayAndMonth, Self::Year];

    /// Detects the format of texts; `None` unless all are dates in one format. If the first two
    /// numbers may be day and month in either order, the month is first.
    pub fn detect<'a, I: Iterator<Item = &'a str>>(texts: impl Fn() -> I) -> Option<Self> {
        texts().next()?;
        Self::ALL.into_iter().find(|format| texts().all(|text| format.date(text).is_some()))
    }

    /// Returns the first of the texts that is another day if the day is first, provided that all
    /// may be read in both orders.
    pub fn ambiguous_date<'a, I: Iterator<Item = &'a str>>(texts: impl Fn() -> I) -> Option<&'a str> {
        let is_either = |text: &str| Self::MonthFirst.date(text).is_some() && Self::DayFirst.date(text).is_some();
        let differs = |text: &&str| Self::MonthFirst.date(text) != Self::DayFirst.date(text);
        if texts().all(is_either) { texts().find(differs) } else { None }
    }

    /// Parses a date in this format. Returns the seconds from 1970-01-01 00:00 UTC to its beginning,
    /// and its form; `None` for any other text. A time without an offset is UTC.
    pub fn date(self, text: &str) -> Option<(i64, DateForm)> {
        let (day, time) = split_time(text);
        match (self.first_day(day)?, time.get(1..)) {
            ((day, form), None) => Some((second(day), form)),
            ((day, DateForm::Day), Some(time)) => Some((second(day) + second_of_day(time)?, DateForm::Time)),
            _ => None,
        }
    }

    /// Returns the first day of a date without a time.
    pub(super) fn first_day(self, text: &str) -> Option<(Date, DateForm)> {
        let is_month_first = self == Self::MonthFirst;
        let [year, month, day] = match self {
            Self::Iso => return first_day(text),
            Self::Compact => {
                let (year, rest) = text.split_at_checked(4)?;
                let (month, day) = rest.split_at_checked(2)?;
                [number(year, 4..=4, 1900..=2100)?, number(month, 2..=2, 1..=12)?, number(day, 2..=2, 1..=31)?]
            }
            Self::DayFirst | Self::MonthFirst => {
                let separators: &[char] = if is_month_first { &['/', '-'] } else { &['.', '/', '-'] };
                let separator = text.chars().find(|c| separators.contains(c))?;
                let (first, rest) = text.split_once(separator)?;
                let (second, year) = rest.split_once(separator)?;
                let (month, day) = if is_month_first { (first, second) } else { (second, first) };
                [number(year, 4..=4, 0..=9999)?, number(month, 1..=2, 1..=12)?, number(day, 1..=2, 1..=31)?]
            }
            Self::Year => {
                return Some((Date::new(number(text, 4..=4, 1900..=2100)?, 1, 1).ok()?, DateForm::Year));
            }
            Self::DayAndMonth => {
                let (day, month) = text.strip_suffix('.')?.split_once('.')?;
                [LEAP_YEAR, number(month, 1..=2, 1..=12)?, number(day, 1..=2, 1..=31)?]
            }
        };
        let [month, day] = [month, day].map(|number| i8::try_from(number).expect("up to 31"));
        Some((Date::new(year, month, day).ok()?, DateForm::Day))
    }
}

const DAY: i64 = 86_400;
/// The year of dates without one, which has all days.
const LEAP_YEAR: i16 = 2000;
const EPOCH: Date = civil::date(1970, 1, 1);

/// Parses a date in ISO 8601, or a year. Returns the range of seconds from its beginning to the
/// beginning of the next date of the same form; `None` for any other text.
pub fn span(text: &str) -> Option<Range<i64>> {
    let (from, form) = DateFormat::Iso.date(text).or_else(|| DateFormat::Year.date(text))?;
    Some(from..form.end(from)?)
}

/// Returns the first day of a date in ISO 8601 without a time.
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
        // Without a hyphen, six digits may be a number. Slashes are those of East Asia.
        let separator = rest.chars().next().filter(|first| ['-', '/'].contains(first))?;
        match rest.strip_prefix(separator)?.split_once(separator) {
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
    /// Returns the end of a date of this form that begins at `from`, in seconds; `None` beyond the last date.
    pub fn end(self, from: i64) -> Option<i64> {
        let months = match self {
            Self::Time => return Some(from + 1),
            Self::Day => return Some(from + DAY),
            Self::Week => return Some(from + 7 * DAY),
            Self::Month => 1,
            Self::Quarter => 3,
            Self::Year => 12,
        };
        let last_month = EPOCH.checked_add((from / DAY).days()).ok()?.checked_add((months - 1).months()).ok()?;
        Some(second(last_month.last_of_month()) + DAY)
    }

    /// Converts seconds into the unit in which dates of this form follow one another, with months of equal length.
    pub fn units(self, second: i64) -> f64 {
        let day = DAY as f64;
        let (unit, whole) = match self {
            Self::Time => (day, false),
            Self::Day => (day, true),
            Self::Week => (7.0 * day, true),
            Self::Month => (365.2425 / 12.0 * day, true),
            Self::Quarter => (365.2425 / 4.0 * day, true),
            Self::Year => (365.2425 * day, true),
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
            Self::Year => "year",
        }
    }
}

/// Splits a date before its time, which begins with a T or a space.
pub(super) fn split_time(text: &str) -> (&str, &str) {
    text.split_at(text.find(['T', ' ']).unwrap_or(text.len()))
}

/// Parses a time, and returns the seconds since midnight UTC: 12:30, 12:30:59 or 12:30:59.25,
/// optionally with Z or +01:00, or 2:30 PM. A leap second belongs to the second before it.
pub(super) fn second_of_day(text: &str) -> Option<i64> {
    let half_day =
        [(" AM", 0), (" PM", 12)].into_iter().find_map(|(half, hours)| Some((text.strip_suffix(half)?, hours)));
    if let Some((time, hours)) = half_day {
        let hour = number(time.split(':').next()?, 1..=2, 1..=12)?;
        return Some(second_of_day(time)? + (hours - if hour == 12 { 12 } else { 0 }) * 3600);
    }
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
    let seconds = whole.map_or(Some(0), |whole| number(whole, 2..=2, 0..=60))?.min(59);
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
    use super::{DAY, DateForm, DateFormat, span};

    fn date(text: &str) -> Option<(i64, DateForm)> {
        DateFormat::Iso.date(text)
    }

    // Computed with Python's datetime, and fromisocalendar for weeks.
    #[test]
    fn dates_begin_at_the_right_second() {
        let days = [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("2000-02-29", 11_016),
            ("2026-01-31", 20_484),
            ("2026-1-31", 20_484),
            ("2026/01/31", 20_484),
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
            ("2026-01-31 00:30:60", 1859),
        ];
        for (text, second) in times {
            assert_eq!(date(text).map(|(seconds, _)| seconds), Some(start + second), "{text}");
        }
    }

    #[test]
    fn a_column_decides_the_order_of_day_and_month() {
        let read = |texts: &[&'static str]| {
            let format = DateFormat::detect(|| texts.iter().copied())?;
            let days = texts.iter().map(|text| format.date(text).unwrap().0 / DAY).collect::<Vec<_>>();
            Some((format, days, DateFormat::ambiguous_date(|| texts.iter().copied())))
        };
        // 2025-04-12 is day 20190, 2025-06-01 day 20240, 2025-01-06 day 20094.
        assert_eq!(read(&["2025-04-12", "2025-06-01"]), Some((DateFormat::Iso, vec![20190, 20240], None)));
        assert_eq!(read(&["20250412", "20250601"]), Some((DateFormat::Compact, vec![20190, 20240], None)));
        assert_eq!(read(&["12.04.2025", "1.6.2025"]), Some((DateFormat::DayFirst, vec![20190, 20240], None)));
        let ambiguous = Some("6/1/2025");
        assert_eq!(read(&["4/4/2025", "6/1/2025"]), Some((DateFormat::MonthFirst, vec![20182, 20240], ambiguous)));
        assert_eq!(read(&["6/1/2025", "13/4/2025"]), Some((DateFormat::DayFirst, vec![20094, 20191], None)));
        assert_eq!(read(&["6/1/2025", "4/13/2025"]), Some((DateFormat::MonthFirst, vec![20240, 20191], None)));
        assert_eq!(read(&["01.03.", "02.03.", "01.04."]).unwrap().1, [11_017, 11_018, 11_048]);
        for other in
            [&["13/4/2025", "4/13/2025"][..], &["1/2/2025", "x"], &["30.2.2025"], &["99991332"], &["1/2/25"], &[]]
        {
            assert_eq!(read(other), None, "{other:?}");
        }
        let time = |text| DateFormat::MonthFirst.date(text);
        let noon = 20_240 * DAY + 43_200;
        assert_eq!(time("6/1/2025 12:00 PM"), Some((noon, DateForm::Time)));
        assert_eq!(time("6/1/2025 12:00:00 AM"), Some((noon - 43_200, DateForm::Time)));
        assert_eq!(time("6/1/2025 2:30 PM"), Some((noon + 9000, DateForm::Time)));
        assert_eq!(DateFormat::DayFirst.date("01.06.2025 14:30+02:00"), Some((noon + 1800, DateForm::Time)));
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
        assert_eq!(span("2026").map(|span| (span.end - span.start) / DAY), Some(365));
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
            "", "2026", "20260131", "202601", "2026-", "2026-00", "2026-13", "2026-02-29", "2026-01-32", "2026-01-31T",
            "2026-01-31T25:00", "2026-01-31T12:00+25:00", "2026-W", "2026-W54", "2021-W53", "2026-Q5", "26-01-31",
            "2026-01-31-1", "week 1", "2026-é1", "２０２６-01", "2026-01-31 12", "2026-01-31 12:30 or so", "2026-+1",
        ] {
            assert_eq!(date(text), None, "{text}");
        }
    }
}
