//! How far estimates of samples with known prevalence are off: the samples and what is estimated of them (`samples`), drawn from a pool
//! (`pool`); the errors and comparisons (`errors`), and their columns and notes (`results`).

mod errors;
mod pool;
mod results;
mod samples;

pub use errors::{Compared, Evaluation, MethodErrors};
pub use pool::{Drawing, Pool, PoolEvaluation, Samples, errors, rows_of_samples};
pub use samples::{
    Both, Checked, Drawn, Evaluated, EvaluatedMethod, Sample, checked, drawn, number_of_samples, overlap,
};
