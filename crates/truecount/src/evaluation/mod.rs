//! Evaluation of estimates: test samples drawn from labelled scores, error measures, and comparisons of methods.
//!
//! A [`TestSampler`] draws samples from a labelled pool by a [`SamplingProtocol`], so that the prevalence of each
//! sample is known. An estimate and the true prevalence form an [`Outcome`], a [`Measure`] says how far the estimate is
//! off, and a [`Mean`] summarises the measure over all samples. The errors of two methods over the same samples form a
//! [`PairedComparison`], and the errors of many methods over several data sets [`MethodRanks`].

mod class_sampler;
mod comparison;
mod measure;
mod protocol;
mod ranks;
mod sample;
mod signed_rank;

pub use class_sampler::ClassSampler;
pub use comparison::{PairedComparison, holm};
pub use measure::{Mean, Measure, Outcome};
pub use protocol::{GRID_SIZE, SamplingProtocol, TestSampler};
pub use ranks::MethodRanks;
pub use sample::TestSample;
pub use signed_rank::signed_rank;
