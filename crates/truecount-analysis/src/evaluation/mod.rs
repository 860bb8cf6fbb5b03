//! Evaluation of methods on samples with known prevalence.
//!
//! `samples` has the samples and their estimates, `pool` draws samples from a pool, `classes` from one of several
//! classes, `errors` has the errors and comparisons, `results` their columns and notes, `request` the options.

mod classes;
mod errors;
mod pool;
mod request;
mod results;
mod samples;

pub use classes::{ClassPool, ClassPoolResult, class_shares};
pub use errors::{AdjustedComparison, Evaluation, MethodErrors};
pub use pool::{LabelledPool, PoolEvaluation, PoolResult, draw_sample_rows, measure_errors, warnings_by_kind};
pub use request::EvaluateRequest;
pub use samples::{
    CheckSummary, MethodEstimates, PlainAndWidened, SampleEstimates, SampleTruth, SamplingDesign, describe_sampling,
    number_of_samples, overlap_warning, samples_in_words, summarise_checks,
};
