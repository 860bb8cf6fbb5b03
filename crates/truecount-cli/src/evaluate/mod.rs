//! `truecount evaluate`: how far estimates are off.

mod evaluated;

pub use evaluated::{Evaluated, EvaluatedMethod, Sample};
