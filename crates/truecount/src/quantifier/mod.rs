//! Quantifiers: one trait and one file for each, which also has the row of its method.
//!
//! The life of each quantifier is: fit → tally (push slices, merge) → estimate.
//!
//! ```text
//! method (the columns of a row) → the quantifiers' files (rows and fits) → table (all methods) → fitted
//! ```

mod adjusted_count;
mod anchored;
mod anchored_mean;
mod bayes;
mod class_means;
mod continuous_sweep;
mod cuts;
pub(crate) mod design_variance;
mod dys;
mod edy;
mod efficient_sweep;
mod estimate;
mod fitted;
mod hdy;
mod linear;
mod median_sweep;
mod median_sweep_quapy;
mod method;
mod mixture;
mod mixture_model;
mod mixture_score;
mod operation;
mod posterior;
mod quantify;
mod raw_estimate;
mod recalibrated;
mod score_choice;
mod table;

pub(crate) use anchored::EstimatorCoefficients;
pub use anchored::RateSource;
pub(crate) use anchored_mean::InfluenceMean;
pub use continuous_sweep::{ContinuousSweep, Threshold};
pub(crate) use design_variance::{
    DrawnRows, ErrorsGivenClasses, PooledScores, RowSums, RowUnits, SampledCell, SampledCells, SampledStratum,
    SampledUnit, SamplingVariance, UnitErrors,
};
pub use efficient_sweep::{Allocation, BinnedSweep, CalibrationBin, ContaminationEffect, LabelInterval};
pub(crate) use estimate::VarianceSource;
pub use estimate::{Estimate, Estimates};
pub use fitted::Quantifier;
pub use method::{Method, SummaryKind};
pub use operation::{Operation, UnsupportedOperation};
pub(crate) use raw_estimate::EstimateSource;
pub(crate) use score_choice::ScoreChoice;
