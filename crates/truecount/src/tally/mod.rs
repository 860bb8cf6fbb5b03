//! What is kept of test scores: a summary that can be merged, small for most methods.

mod counts;
mod influence;
mod moments;
mod plain;
mod state;
mod weighted;

pub(crate) use counts::Counts;
pub(crate) use influence::{Influence, Line};
pub(crate) use moments::{Moments, Sampled};
pub(crate) use plain::MOST;
pub use plain::PlainTally;
pub(crate) use state::State;
pub(crate) use weighted::{Weighted, WeightedCounts};
