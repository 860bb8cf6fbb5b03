//! Periods of dates in SQL, from the dates as text: 2026-01-31, optionally with a time.
//!
//! Engines share no functions of dates, so the week follows from arithmetic. With S(y) the number of
//! days from 0001-01-01, a Monday, to the beginning of the year y,
//!
//! ```text
//! S(y) = 365(y−1) + ⌊(y−1)/4⌋ − ⌊(y−1)/100⌋ + ⌊(y−1)/400⌋
//! ```
//!
//! a week belongs to the year of its Thursday, and its number is ⌊days since S/7⌋ + 1.

use super::Dialect;
use crate::DatePeriod;

/// Days of a year before each month but the first.
const DAYS_BEFORE: [u16; 11] = [31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/// Returns an expression for the period of a date; other texts stay as they are.
pub(super) fn period(dialect: Dialect, period: DatePeriod, column: &str) -> String {
    let date = date_text(dialect, column);
    let part = |from: usize, length: usize| format!("SUBSTRING({date}, {from}, {length})");
    let concat = |parts: &[String]| concat(dialect, parts);
    let (pattern, value) = match period {
        DatePeriod::Hour => {
            ("____-__-_____:%", concat(&[part(1, 10), "' '".to_owned(), part(12, 2), "':00'".to_owned()]))
        }
        DatePeriod::Day => ("____-__-__%", part(1, 10)),
        DatePeriod::Week => ("____-__-__%", week(dialect, &date)),
        DatePeriod::Month => ("____-__-__%", part(1, 7)),
        DatePeriod::Quarter => {
            let month = part(6, 2);
            let quarter = format!(
                "CASE WHEN {month} <= '03' THEN '-Q1' WHEN {month} <= '06' THEN '-Q2' WHEN {month} <= '09' THEN '-Q3' \
                 ELSE '-Q4' END"
            );
            ("____-__-__%", concat(&[part(1, 4), quarter]))
        }
        DatePeriod::Year => ("____-__-__%", part(1, 4)),
    };
    format!("CASE WHEN {date} LIKE '{pattern}' THEN {value} ELSE {date} END")
}

/// Returns an expression for the week of a date. It takes other texts for the first day of 1970, so that
/// engines that compute it for each row raise no error.
fn week(dialect: Dialect, date: &str) -> String {
    let date = format!("COALESCE(CASE WHEN {date} LIKE '____-__-__%' THEN {date} END, '1970-01-01')");
    let number = |from: usize, length: usize| format!("CAST(SUBSTRING({date}, {from}, {length}) AS INTEGER)");
    let (year, month, day) = (number(1, 4), number(6, 2), number(9, 2));
    // `shift` years after that of the date.
    let start = |shift: i8| {
        let before = format!("({year} - {})", 1 - shift);
        let leap = |years: u16| format!("FLOOR({before} / {years}E0)");
        format!("({before} * 365E0 + {} - {} + {})", leap(4), leap(100), leap(400))
    };
    let before = DAYS_BEFORE.into_iter().enumerate().rev();
    let months: Vec<String> = before.map(|(index, days)| format!("WHEN {month} > {} THEN {days}", index + 1)).collect();
    let months = months.join(" ");
    let leap_day = format!("CASE WHEN {month} > 2 THEN {} - {} - 365E0 ELSE 0E0 END", start(1), start(0));
    let days = format!("({} + CASE {months} ELSE 0 END + {leap_day} + {day} - 1)", start(0));
    let thursday = format!("(7E0 * FLOOR({days} / 7E0) + 3E0)");
    let in_year = |shift: i8| {
        let week = format!("CAST(FLOOR(({thursday} - {}) / 7E0) AS INTEGER) + 1", start(shift));
        let dash = format!("CASE WHEN {week} < 10 THEN '-W0' ELSE '-W' END");
        let year = if shift == 0 { year.clone() } else { format!("({year} + {shift})") };
        concat(dialect, &[text(dialect, &year), dash, text(dialect, &format!("({week})"))])
    };
    format!(
        "CASE WHEN {thursday} < {} THEN {} WHEN {thursday} >= {} THEN {} ELSE {} END",
        start(0),
        in_year(-1),
        start(1),
        in_year(1),
        in_year(0)
    )
}

fn date_text(dialect: Dialect, date: &str) -> String {
    match dialect {
        // The format yyyy-mm-dd hh:mi:ss.
        Dialect::TSql => format!("CONVERT(VARCHAR(19), {date}, 120)"),
        _ => text(dialect, date),
    }
}

fn text(dialect: Dialect, value: &str) -> String {
    match dialect {
        // A cast of NULL is an error in ClickHouse.
        Dialect::Ansi => format!("({value} || '')"),
        Dialect::Spark | Dialect::BigQuery => format!("CAST({value} AS STRING)"),
        Dialect::Snowflake | Dialect::Trino | Dialect::Redshift | Dialect::TSql => format!("CAST({value} AS VARCHAR)"),
    }
}

fn concat(dialect: Dialect, parts: &[String]) -> String {
    match dialect {
        Dialect::TSql => format!("CONCAT({})", parts.join(", ")),
        _ => format!("({})", parts.join(" || ")),
    }
}
