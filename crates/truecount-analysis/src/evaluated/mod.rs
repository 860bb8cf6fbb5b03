//! How far estimates of samples with known prevalence are off: what was estimated (`samples`), what the check finds in each (`checked`),
//! the errors and comparisons (`errors`), and their columns and notes (`results`).

mod checked;
mod errors;
mod results;
mod samples;

pub use checked::{Both, checked};
pub use errors::{Compared, Evaluation, MethodErrors};
pub use samples::{Checked, Drawn, Evaluated, EvaluatedMethod, Sample, drawn, number_of_samples, overlap};
