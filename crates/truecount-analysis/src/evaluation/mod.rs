//! How far estimates of samples with known prevalence are off: the samples and what is estimated of them (`samples`), drawn from a pool
//! (`pool`); the errors and comparisons (`errors`), and their columns and notes (`results`).

mod errors;
mod pool;
mod results;
mod samples;

pub use errors::{AdjustedComparison, Evaluation, MethodErrors};
pub use pool::{SamplingOptions, LabelledPool, PoolEvaluation, PoolResult, measure_errors, draw_sample_rows};
pub use samples::{
    PlainAndWidened, ShiftCheckSummary, SamplingDesign, SampleEstimates, MethodEstimates, SampleTruth, summarise_checks, describe_sampling, number_of_samples, overlap_warning,
};
