//! Tallies: mergeable summaries of test scores, small for most methods.

mod counts;
mod influence;
mod moments;
mod plain;
mod state;
mod weighted;

pub(crate) use counts::BinCounts;
pub(crate) use influence::{InfluenceFunction, LineSegment};
pub(crate) use moments::{FunctionMoments, SampleStatistics};
pub(crate) use plain::MAX_SCORES;
pub use plain::PlainTally;
pub(crate) use state::TallyState;
pub(crate) use weighted::{WeightedCounts, WeightedMoments};
