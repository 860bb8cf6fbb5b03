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
mod third_moments;
mod variance;
mod warning;
mod worth;

pub use difference::{Difference, Ratio};
pub use excess::Excess;
pub use interval::Uncertainty;
pub(crate) use interval::{Spread, student_terms};
pub(crate) use learning::{Learning, Learnt, told};
pub(crate) use misfit::{Misfit, Off};
pub use plan::{Goal, LEAST_LABELLED, Labelled, Plan, Planner, PrecisionMeasure, Share, Size, Split, Worst};
pub use precision::Precision;
pub(crate) use quadratic::Quadratic;
pub use reporting::{Interval, Reporting, Target};
pub(crate) use resampled::by_resampling;
pub(crate) use skewness::MOST as MOST_LEAN;
pub(crate) use sum::{Block, Function, Shared, SharedLearnt, Sum, Term};
pub(crate) use third_moments::ThirdMoments;
pub(crate) use variance::Variance;
pub use warning::FEW_LABELLED;
pub use warning::Warning;
pub(crate) use worth::Worth;
