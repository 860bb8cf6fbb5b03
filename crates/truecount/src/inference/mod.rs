//! What is reported: the estimate, its standard error, its interval, and what to beware of.

mod estimate;
mod learning;
mod precision;
mod quadratic;
mod warning;

pub use estimate::{Estimate, Reporting, Target, Uncertainty};
pub(crate) use learning::Learning;
pub use precision::Precision;
pub(crate) use quadratic::{Quadratic, Variance};
pub use warning::Warning;
