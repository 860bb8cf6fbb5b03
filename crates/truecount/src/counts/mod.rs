//! From counts and published error rates to a prevalence: x positives among n tested, and a sensitivity Se and a specificity Sp from
//! elsewhere. Rogan and Gladen (1978):
//!
//! ```text
//! α̂ = (x/n + Sp − 1)/(Se + Sp − 1)
//! ```
//!
//! It is Adjusted Count with 1 for a positive test and 0 for a negative one: Se is its true positive rate, 1 − Sp its false positive
//! rate, and the denominators of the two are the numbers of labelled scores. Here the counts are all there is.

mod interval;
mod rate;
mod rates;

pub use interval::RateInterval;
pub use rate::Rate;
pub use rates::Rates;
