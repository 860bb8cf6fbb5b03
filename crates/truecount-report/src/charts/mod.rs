//! The charts of single analyses, each from its rows of results.

pub mod check;
pub mod counting;
pub mod evaluation;
pub mod experiment;
pub mod monitor;
pub mod plan;
