//! Checks of the assumptions behind a prevalence: prior probability shift ([`ShiftCheck`]), with what is known of why it fails ([`Cause`]);
//! the fit of a family to a class ([`Goodness`]); and whether given probabilities can be taken at their word ([`CoxCalibration`]).

mod cause;
mod folds;
mod goodness;
mod grid;
mod score_profile;
mod shift;
mod spread;
mod verdict;

pub use crate::calibration::CoxCalibration;
pub use crate::inference::{Excess, Misfit};
pub use cause::Cause;
pub use folds::Folds;
pub use goodness::Goodness;
pub use grid::ShiftTally;
pub use score_profile::{ProfileCounts, ScoreProfile};
pub use shift::{AdjustedCountAt, ShiftCheck, ShiftStatistics};
pub use verdict::{ShiftVerdict, Verdict};
