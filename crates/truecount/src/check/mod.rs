//! Checks of the assumptions behind a prevalence: prior probability shift ([`ShiftCheck`]), and the fit of a family to
//! a class ([`Goodness`]); and whether given probabilities can be taken at their word ([`GivenCalibration`]).

mod goodness;
mod grid;
mod shift;
mod spread;
mod tally;
mod verdict;

pub use crate::calibration::GivenCalibration;
pub use crate::inference::{Excess, Misfit};
pub use goodness::Goodness;
pub use shift::{AdjustedCountAt, Shift, ShiftCheck};
pub use tally::ShiftTally;
pub use verdict::{Checked, Verdict};
