//! Standard errors, intervals and warnings of estimates.

mod difference;
mod error_contributions;
mod excess;
mod interval;
mod misfit;
mod mover;
mod options;
mod precision;
mod quadratic;
mod resampling;
mod shared_shift;
mod skewness;
mod sum;
mod training_variance;
mod variance;
mod variance_components;
mod warning;

pub(crate) use difference::{Common, Covariances};
pub use difference::{Difference, Ratio};
pub(crate) use error_contributions::{ErrorContributions, ErrorSource};
pub use excess::Excess;
pub use interval::Interval;
pub(crate) use interval::{EstimateDistribution, IntervalEstimate, NO_SPREAD, exact_ends};
pub use misfit::Misfit;
pub(crate) use misfit::{
    FamilyError, FamilyMisfit, MAX_SCALE, MisfitAlarm, MisfitAssessment, ScaleFactor, SystematicError,
};
pub(crate) use mover::{Ends, difference as mover_difference};
pub use options::{IntervalKind, IntervalOptions, OnMisfit, Target};
pub use precision::Precision;
pub(crate) use precision::{EffectiveSampleSize, ThirdMoments, testing_prevalence};
pub(crate) use quadratic::Quadratic;
pub(crate) use resampling::by_resampling;
pub(crate) use shared_shift::GroupEvidence;
pub use shared_shift::{ParallelShift, SharedVariance};
pub(crate) use skewness::{MAX_SHIFT as MOST_LEAN, student_quantile, student_terms};
pub(crate) use sum::{
    FunctionBlock, FunctionBlocks, FunctionErrors, FunctionIndex, Term, TrainingCovariance, WeightedSum,
};
pub(crate) use training_variance::{TangentSpaces, TrainingMoments, tangent_projection};
pub(crate) use variance::Variance;
pub(crate) use variance_components::{TestSamplingError, VarianceComponents};
pub(crate) use warning::PValue;
pub use warning::{FEW_LABELLED, Warning};
