//! How far an estimate can be relied on, by the gravest of its warnings.

use truecount::{Estimate, Severity, Warning};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Nothing speaks against what it rests on.
    Holds,
    /// Its scores differ from the labelled ones by more than chance.
    Differs,
    /// It is not to be relied on.
    Unreliable,
}

impl Trust {
    pub fn of(estimate: &Estimate) -> Self {
        match estimate.severity() {
            Some(Severity::Unreliable) => Self::Unreliable,
            _ if estimate.warnings.iter().any(Warning::is_of_misfit) => Self::Differs,
            _ => Self::Holds,
        }
    }
}

/// What stands beside an interval.
pub fn mark(estimate: &Estimate) -> Option<&'static str> {
    match Trust::of(estimate) {
        Trust::Unreliable => Some("not reliable"),
        _ if estimate.method.is_uncorrected() => Some("not corrected"),
        Trust::Differs => Some("differs"),
        Trust::Holds => None,
    }
}

/// By how much each end of an interval is farther away because the scores differ, where it is.
pub fn widened(estimate: &Estimate) -> Option<f64> {
    estimate.misfit.map(|misfit| misfit.more).filter(|more| *more > 0.0)
}
