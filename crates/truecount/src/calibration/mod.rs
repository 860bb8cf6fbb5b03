//! The calibration of scores without a family: the labelled scores counted in [`Bins`] between their own quantiles, and from these
//! counts ln f⁺/f⁻ in every bin, by one penalised [`Curve`]; once with all labelled scores and once without each fold of them
//! ([`Calibration`]).
//!
//! All of it is a function of these counts (of weighted rows, of what they are worth), which no strictly increasing map of the scores changes.

mod bins;
mod crossed;
mod curve;
mod given;
mod least_squares;
mod left_out;
mod logistic;
mod penalty;
mod rows;

pub(crate) use bins::Bins;
pub(crate) use crossed::crossed;
pub use given::GivenCalibration;
pub(crate) use left_out::{Calibration, Seen, Value, seen_each};
pub(crate) use logistic::{log_odds, most_likely};
