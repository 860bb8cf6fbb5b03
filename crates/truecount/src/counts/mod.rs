//! Prevalence from counts and published error rates: x positives among n tested, with a sensitivity
//! Se and a specificity Sp from another study (Rogan and Gladen 1978):
//!
//! ```text
//! α̂ = (x/n + Sp − 1)/(Se + Sp − 1)
//! ```
//!
//! This is Adjusted Count with the score 1 for a positive test and 0 for a negative one. Se is the
//! true positive rate, 1 − Sp the false positive rate, and their denominators are the numbers of
//! labelled scores.

mod interval;
mod joint;
mod published;
mod rate;
mod rates;

pub use interval::RateInterval;
pub use rate::Rate;
pub use rates::Rates;
