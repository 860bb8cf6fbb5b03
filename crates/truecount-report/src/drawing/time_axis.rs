//! A horizontal axis of time, with ticks at calendar units and room for their labels.

use kuva::render::datetime::DateTimeAxis;
use kuva::render::datetime::DateUnit::{self, Day, Hour, Minute, Month, Week, Year};
use kuva::render::layout::{Layout, TickFormat};
use std::sync::Arc;
use truecount_analysis::groups::DateForm;

/// Maximum number of steps between ticks, times the room for a label: a date is as wide as that label.
const MAX_STEPS: f64 = 0.6;

const HOUR: f64 = 3600.0;
const DAY: f64 = 24.0 * HOUR;
const YEAR: f64 = 365.2425 * DAY;
const QUARTER: f64 = YEAR / 4.0;
const MONTH: f64 = YEAR / 12.0;

/// Steps between ticks: the unit, its length in seconds, the numbers of units, and the format of labels.
type Steps = (DateUnit, f64, &'static [usize], &'static str);

const TIMES: &[Steps] = &[(Minute, 60.0, &[1, 5, 15], "%-d %b %H:%M"), (Hour, HOUR, &[1, 3, 6, 12], "%-d %b %H:%M")];
const DAYS: &[Steps] = &[(Day, DAY, &[1, 2], "%-d %b %Y"), (Week, 7.0 * DAY, &[1, 2], "%-d %b %Y")];
const WEEKS: &[Steps] = &[(Week, 7.0 * DAY, &[1, 2, 4, 8, 13, 26], "%G-W%V")];
const MONTHS: &[Steps] = &[(Month, MONTH, &[1, 2, 3, 6], "%b %Y")];
const YEARS: &[Steps] = &[(Year, YEAR, &[1, 2, 5, 10, 50, 500, 5000], "%Y")];

/// Sets an axis between two times in seconds since 1970, with ticks that dates of this form can
/// label, and with room for labels after the last date, relative to the length.
pub fn time_axis(layout: Layout, [from, to]: [f64; 2], form: DateForm, room: f64) -> Layout {
    let steps: &[&[Steps]] = match form {
        DateForm::Time => &[TIMES, DAYS, MONTHS, YEARS],
        DateForm::Day => &[DAYS, MONTHS, YEARS],
        DateForm::Week => &[WEEKS, YEARS],
        DateForm::Month => &[MONTHS, YEARS],
        DateForm::Year => &[YEARS],
        DateForm::Quarter => return quarters(layout, [from, to], room),
    };
    let steps = steps.iter().copied().flatten();
    let mut steps =
        steps.flat_map(|(unit, seconds, numbers, format)| numbers.iter().map(move |n| (unit, seconds, *n, format)));
    let fits =
        |(_, seconds, number, _): &(_, &f64, usize, _)| (to - from) / (*number as f64 * *seconds) <= MAX_STEPS / room;
    let (unit, _, step, format) = steps.find(fits).expect("no more than 10,000 years can be written");
    with_margin(layout, [from, to], room).with_x_datetime(DateTimeAxis {
        unit: unit.clone(),
        step,
        format: (*format).to_owned(),
    })
}

/// Sets an axis with ticks at quarters. Ticks are multiples of the mean length of a quarter, which
/// are near the first day of a quarter; steps of months could begin anywhere in one.
fn quarters(layout: Layout, [from, to]: [f64; 2], room: f64) -> Layout {
    let steps = [1.0, 2.0, 4.0, 8.0, 20.0, 40.0, 200.0, 2000.0, 20_000.0];
    let fits = |step: &f64| (to - from) / (step * QUARTER) <= MAX_STEPS / room;
    let step = steps.into_iter().find(fits).expect("no more than 10,000 years can be written");
    #[allow(clippy::cast_possible_truncation)] // years have four digits
    let quarter_name = |second: f64| {
        let quarter = (second / QUARTER).round() as i64;
        format!("Q{} {}", quarter.rem_euclid(4) + 1, 1970 + quarter.div_euclid(4))
    };
    let format = TickFormat::Custom(Arc::new(quarter_name));
    with_margin(layout, [from, to], room).with_x_tick_step(step * QUARTER).with_x_tick_format(format)
}

/// Sets the range of the axis, with a margin around the first and the last date.
fn with_margin(layout: Layout, [from, to]: [f64; 2], room: f64) -> Layout {
    let margin = 0.03 * (to - from);
    layout.with_x_axis_min(from - margin).with_x_axis_max(to + margin.max(room * (to - from)))
}
