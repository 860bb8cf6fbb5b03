//! How far estimates are off: test samples drawn from labelled scores, error measures, and the comparison of two
//! methods.
//!
//! The samples of a [`Protocol`] are [`Draws`] from a labelled pool, so that the prevalence of each is known. An
//! estimate and the true prevalence are an [`Outcome`], a [`Measure`] says how far the estimate is off, and the
//! [`Mean`] summarises that over all samples. Two methods' errors over the same samples make a [`Comparison`], many methods' errors over several data sets [`Ranks`].

mod comparison;
mod measure;
mod protocol;
mod ranks;
mod sample;
mod signed_rank;

pub use comparison::{Comparison, holm};
pub use measure::{Mean, Measure, Outcome};
pub use protocol::{Draws, GRID, Protocol};
pub use ranks::Ranks;
pub use sample::TestSample;
pub use signed_rank::signed_rank;
