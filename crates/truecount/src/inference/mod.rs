//! What is reported: the estimate, its standard error, its interval, and what to beware of.

mod estimate;
mod excess;
mod interval;
mod learning;
mod plan;
mod precision;
mod quadratic;
mod resampled;
mod skewness;
mod variance;
mod warning;

pub use estimate::{Estimate, Reporting, Target, Uncertainty};
pub use excess::Excess;
pub use interval::Interval;
pub(crate) use interval::{by_formula, student_terms};
pub(crate) use learning::{Learning, Learnt};
pub use plan::{Goal, LEAST_LABELLED, Labelled, Measure, Plan, Planner, Share, Size, Split, Worst};
pub(crate) use precision::KNOWN;
pub use precision::Precision;
pub(crate) use quadratic::Quadratic;
pub(crate) use resampled::by_resampling;
pub(crate) use skewness::{MOST as MOST_LEAN, ThirdMoments};
pub(crate) use variance::Variance;
pub(crate) use warning::FEW_LABELLED;
pub use warning::Warning;
