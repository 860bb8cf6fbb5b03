//! What is wrong with a finite number, by what it stands for.

use truecount::Digits;
use truecount_analysis::Fault;

/// A score, where something needs them strictly between 0 and 1.
pub fn score(value: f64, unit_interval: Option<&'static str>) -> Option<Fault> {
    let needed_by = unit_interval?;
    (value <= 0.0 || value >= 1.0).then_some(Fault::OutsideUnitInterval { value, needed_by })
}

/// A probability: from 0 to 1.
pub fn probability(value: f64) -> Option<Fault> {
    (!(0.0..=1.0).contains(&value)).then_some(Fault::NotAProbability { value })
}

/// A weight: 0, or a positive number whose square neither overflows nor underflows.
pub fn weight(value: f64) -> Option<Fault> {
    (value != 0.0 && !(1e-100..=1e100).contains(&value)).then(|| Fault::NotAWeight { value: Digits(value).to_string() })
}
