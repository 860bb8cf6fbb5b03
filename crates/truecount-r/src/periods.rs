//! Periods of dates.

use crate::error::respond;
use crate::value::Value;
use savvy::{Result, Sexp, StringSexp, savvy};
use truecount_analysis::groups::PeriodGrouper;

/// Returns the period of each date.
#[savvy]
pub fn periods_of_dates(dates: StringSexp, every: &str) -> Result<Sexp> {
    respond(|| {
        let mut periods = PeriodGrouper::new(every.parse()?);
        periods.learn_format(dates.iter().map(Some));
        Ok(Value::Texts(periods.periods_of("dates", dates.iter().map(Some))?))
    })
}
