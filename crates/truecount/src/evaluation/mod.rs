//! How far estimates are off: test samples drawn from labelled scores, error measures, and the comparison of two
//! methods.
//!
//! The samples of a [`SamplingProtocol`] are [`TestSampler`] from a labelled pool, so that the prevalence of each is known. An
//! estimate and the true prevalence are an [`Outcome`], a [`Measure`] says how far the estimate is off, and the
//! [`Mean`] summarises that over all samples. Two methods' errors over the same samples make a [`PairedComparison`], many methods' errors over several data sets [`MethodRanks`].

mod comparison;
mod measure;
mod protocol;
mod ranks;
mod sample;
mod signed_rank;

pub use comparison::{PairedComparison, holm};
pub use measure::{Mean, Measure, Outcome};
pub use protocol::{TestSampler, GRID, SamplingProtocol};
pub use ranks::MethodRanks;
pub use sample::TestSample;
pub use signed_rank::signed_rank;
