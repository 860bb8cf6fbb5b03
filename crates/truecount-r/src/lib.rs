//! What the R package leaves to Rust: R's face has made plain vectors of whatever the caller had; results are lists of vectors.
//!
//! An error of the library is a list too, which R's face makes a condition of; only what a mistake in the package makes wrong is an error
//! here.

mod asked;
mod audit;
mod check;
mod compare;
mod counts;
mod estimates;
mod evaluation;
mod executor;
mod failure;
mod grouped;
mod listed;
mod model;
mod names;
mod plan;
mod tested;
mod text;
mod value;
