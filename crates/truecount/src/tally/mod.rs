//! What is kept of test scores: a summary that can be merged, small for most methods.

mod influence;
mod moments;
mod owned;
mod state;
mod weighted;

pub(crate) use influence::Influence;
pub(crate) use moments::{Moments, Sampled};
pub(crate) use owned::MOST;
pub use owned::{PlainTally, Tally};
pub(crate) use state::State;
pub(crate) use weighted::Weighted;
