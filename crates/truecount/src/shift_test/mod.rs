//! Checks of the assumptions behind a prevalence: prior probability shift ([`ShiftCheck`]) with
//! measurable causes of its failure ([`Cause`]), the fit of a family to a class ([`Goodness`]), and
//! the calibration of given probabilities ([`CoxCalibration`]).

mod cause;
mod folds;
mod goodness;
mod grid;
mod parallel_shift;
mod pooled_rates;
mod sampling_distribution;
mod score_profile;
mod shift;
mod verdict;

pub use crate::calibration::CoxCalibration;
pub use cause::Cause;
pub use folds::FoldComparison;
pub use goodness::Goodness;
pub use grid::ShiftTally;
pub use score_profile::{ScoreProfile, ScoreProfileCounts};
pub use shift::{AdjustedCountAt, ShiftCheck, ShiftStatistics};
pub use verdict::{ShiftVerdict, Verdict};
