//! Nonparametric calibration of scores.
//!
//! The labelled scores are counted in [`Bins`] between their own quantiles. From the counts, a
//! penalised [`Curve`] estimates ln f⁺/f⁻ in every bin; [`cross_fit`] also estimates it without each
//! fold of the labelled scores.
//!
//! The result depends only on these counts (on effective counts, if rows have weights). No strictly
//! increasing map of the scores changes them.

mod bins;
mod cox_calibration;
mod cross_fit;
mod curve;
mod least_squares;
mod logistic;
mod penalty;

pub(crate) use bins::Bins;
pub use cox_calibration::CoxCalibration;
pub(crate) use cross_fit::cross_fit;
pub(crate) use curve::Curve;
pub(crate) use logistic::{fit_logistic, log_odds};
