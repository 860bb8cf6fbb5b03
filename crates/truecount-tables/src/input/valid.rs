//! The problem of a finite number, by what it stands for.

use truecount::{Error, Field, Problem};
use truecount_analysis::TableProblem;

/// The error of a cell that holds no finite number, in a column of scores.
pub fn of_score(error: Error) -> Error {
    match error.problem() {
        Some(TableProblem::NotFinite { value }) => {
            error.location().clone().error(Problem::NotFinite { value: Field::Text(value.clone()) })
        }
        _ => error,
    }
}

/// A score, where something needs them strictly between 0 and 1.
pub fn score(value: f64, unit_interval: Option<&'static str>) -> Option<Problem> {
    let needed_by = unit_interval?;
    (value <= 0.0 || value >= 1.0).then_some(Problem::OutsideUnitInterval { value, needed_by })
}

/// A probability: from 0 to 1.
pub fn probability(value: f64) -> Option<Problem> {
    (!(0.0..=1.0).contains(&value)).then_some(Problem::NotAProbability { value })
}

/// A weight: 0, or a positive number whose square neither overflows nor underflows.
pub fn weight(value: f64) -> Option<Problem> {
    let is_weight = value == 0.0 || (1e-100..=1e100).contains(&value);
    (!is_weight).then_some(Problem::NotAWeight { value: Field::Number(value) })
}
