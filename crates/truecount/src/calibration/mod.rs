//! The calibration of scores without a family: the labelled scores counted in [`Bins`] between their own quantiles, and from these
//! counts ln f⁺/f⁻ in every bin, by one penalised [`Curve`]; once with all labelled scores and once without each fold of them
//! ([`Calibration`]).
//!
//! All of it is a function of these counts (of weighted rows, of what they are worth), which no strictly increasing map of the scores changes.

mod bins;
mod cox_calibration;
mod cross_fit;
mod curve;
mod least_squares;
mod logistic;
mod out_of_fold;
mod penalty;

pub(crate) use bins::Bins;
pub use cox_calibration::CoxCalibration;
pub(crate) use cross_fit::cross_fit;
pub(crate) use logistic::{log_odds, fit_logistic};
pub(crate) use out_of_fold::{Calibration, OutOfFold, CountedEta, out_of_fold_eta};
