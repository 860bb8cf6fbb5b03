//! What is kept of test scores: a summary that can be merged, small for most methods.

mod counts;
mod influence;
mod moments;
mod plain;
mod state;
mod weighted;

pub(crate) use counts::BinCounts;
pub(crate) use influence::{InfluenceFunction, LineSegment};
pub(crate) use moments::{FunctionMoments, SampleStatistics};
pub(crate) use plain::MOST;
pub use plain::PlainTally;
pub(crate) use state::TallyState;
pub(crate) use weighted::{WeightedMoments, WeightedCounts};
