//! What is reported beside an estimate: its standard error, its interval, and what to beware of.

mod excess;
mod interval;
mod learning;
mod misfit;
mod plan;
mod precision;
mod quadratic;
mod reporting;
mod resampled;
mod skewness;
mod third_moments;
mod variance;
mod warning;
mod worth;

pub use excess::Excess;
pub use interval::Uncertainty;
pub(crate) use interval::{by_formula, student_terms};
pub(crate) use learning::{Learning, Learnt};
pub(crate) use misfit::{Misfit, Off};
pub use plan::{Goal, LEAST_LABELLED, Labelled, Plan, Planner, PrecisionMeasure, Share, Size, Split, Worst};
pub use precision::Precision;
pub(crate) use quadratic::Quadratic;
pub use reporting::{Interval, Reporting, Target};
pub(crate) use resampled::by_resampling;
pub(crate) use skewness::MOST as MOST_LEAN;
pub(crate) use third_moments::ThirdMoments;
pub(crate) use variance::Variance;
pub(crate) use warning::FEW_LABELLED;
pub use warning::Warning;
pub(crate) use worth::Worth;
