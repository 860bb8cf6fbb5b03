//! Periods of dates.

use crate::error::respond;
use crate::value::Value;
use savvy::{Result, Sexp, StringSexp, savvy};
use truecount_analysis::groups::{PeriodGrouper, time_zone};

/// Returns the period of each date, in a time zone unless its name is empty.
#[savvy]
pub fn periods_of_dates(dates: StringSexp, every: &str, zone: &str) -> Result<Sexp> {
    respond(|| {
        let zone = (!zone.is_empty()).then(|| time_zone(zone)).transpose()?;
        let mut periods = PeriodGrouper::new(every.parse()?).in_zone(zone.as_ref());
        periods.learn_format(dates.iter().map(Some));
        Ok(Value::Texts(periods.periods_of("dates", dates.iter().map(Some))?))
    })
}
