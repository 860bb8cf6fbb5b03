//! Tallies: mergeable summaries of test scores, small for most methods.

mod counts;
mod influence;
mod method_state;
mod method_tally;
mod moments;
mod weighted;

pub(crate) use counts::BinCounts;
pub(crate) use influence::{InfluenceFunction, LineSegment};
pub(crate) use method_state::MAX_SCORES;
pub use method_state::MethodState;
pub(crate) use method_tally::MethodTally;
pub(crate) use moments::{FunctionMoments, SampleStatistics};
pub use weighted::BinWeights;
pub(crate) use weighted::{WeightedCounts, WeightedMoments};
