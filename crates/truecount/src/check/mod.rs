//! Checks of the assumptions behind a prevalence: prior probability shift ([`ShiftCheck`]), with what is known of why it fails ([`Cause`]);
//! the fit of a family to a class ([`Goodness`]); and whether given probabilities can be taken at their word ([`GivenCalibration`]).

mod cause;
mod folds;
mod goodness;
mod goodness_law;
mod grid;
mod look;
mod shift;
mod spread;
mod tally;
mod verdict;

pub use crate::calibration::GivenCalibration;
pub use crate::inference::{Excess, Misfit};
pub use cause::Cause;
pub use folds::Folds;
pub use goodness::Goodness;
pub use look::{Look, Seen};
pub use shift::{AdjustedCountAt, Shift, ShiftCheck};
pub use tally::ShiftTally;
pub use verdict::{Checked, Verdict};
