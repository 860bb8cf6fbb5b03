//! The figures of single analyses, each from its result rows.

pub mod check;
pub mod counting;
pub mod evaluation;
pub mod experiment;
pub mod monitor;
pub mod plan;
