//! Periods of time that dates are grouped by.

use crate::choice::choice;

/// A period of time that dates are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DatePeriod {
    /// 2026-01-31 12:00
    Hour,
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

impl DatePeriod {
    /// All periods: name, period, example.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("hour", Self::Hour, "2026-01-31 12:00"),
        ("day", Self::Day, "2026-01-31"),
        ("week", Self::Week, "2026-W05, from Monday"),
        ("month", Self::Month, "2026-01"),
        ("quarter", Self::Quarter, "2026-Q1"),
        ("year", Self::Year, "2026"),
    ];
}

choice!(DatePeriod, "every");
