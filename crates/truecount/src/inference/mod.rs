//! What is reported beside an estimate: its standard error, its interval, and what to beware of.

mod difference;
mod excess;
mod interval;
mod learning;
mod misfit;
mod mover;
mod plan;
mod precision;
mod quadratic;
mod reporting;
mod resampled;
mod skewness;
mod sum;
mod variance;
mod variance_components;
mod warning;

pub(crate) use difference::{Common, Covariances};
pub use difference::{Difference, Ratio};
pub use excess::Excess;
pub(crate) use interval::EstimateDistribution;
pub use interval::IntervalEstimate;
pub(crate) use learning::{Learning, TrainingMoments, class_mean_estimates};
pub use misfit::Misfit;
pub(crate) use misfit::{Alarm, Assessed, FamilyMisfit, Off, Scale, Systematic};
pub use plan::{
    ClassSplit, Goal, LEAST_LABELLED, LabelCount, Plan, Planner, PositiveShare, PrecisionMeasure, Size, Worst,
};
pub use precision::Precision;
pub(crate) use precision::{EffectiveSampleSize, ThirdMoments, judge};
pub(crate) use quadratic::Quadratic;
pub use reporting::{Interval, IntervalOptions, OnMisfit, Target};
pub(crate) use resampled::by_resampling;
pub(crate) use skewness::{MOST as MOST_LEAN, student, student_terms};
pub(crate) use sum::{Function, FunctionBlock, SharedErrorBlocks, SharedLearnt, Sum, Term};
pub(crate) use variance::Variance;
pub(crate) use variance_components::{TestSamplingError, VarianceComponents};
pub use warning::{FEW_LABELLED, Warning};
