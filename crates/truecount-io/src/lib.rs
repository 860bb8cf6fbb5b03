//! Temporary.
pub mod keys;
pub mod results;
