//! The Rust half of the R package. The R code passes plain vectors; results are named lists of
//! vectors.
//!
//! An error of the library is returned as a list, which the R code raises as a condition. A savvy
//! error is a mistake in the package.

mod audit;
mod check;
mod compare;
mod counts;
mod error;
mod estimates;
mod evaluation;
mod executor;
mod groups;
mod model;
mod monitor;
mod multiclass;
mod names;
mod periods;
mod plan;
mod report;
mod request;
mod result_list;
mod sql;
mod tally;
mod test_columns;
mod text;
mod value;
