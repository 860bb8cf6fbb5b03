//! **truecount** answers one question: how many positives are there in this pile of unlabelled
//! data?
//!
//! It takes a classifier's scores on a small labelled sample and on the unlabelled data, and
//! returns the prevalence with a standard error. Scores are real numbers, higher meaning more
//! positive.
//!
//! # Start here
//!
//! ```text
//! LabelledScores ──Model::fit──▶ Model ──Tally::new, update──▶ Tally ──merge──▶ Tally ──evaluate──▶ Estimates
//! ```
//!
//! ```
//! use truecount::{LabelledScores, Model, Settings};
//! # fn main() -> Result<(), truecount::Error> {
//! let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
//! let labels = [true, true, true, true, false, false, false, false];
//! let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
//! let estimate = &model.estimate(&[1.7, 0.2, -0.5, 2.2, 0.8])?[0];
//! println!("{:.2}, standard error {:.2?}", estimate.prevalence, estimate.std_error);
//! # Ok(()) }
//! ```
//!
//! A model has an estimate for each of its methods; by default the only method is Efficient Sweep,
//! [`Method::ES`]. The standard error and the interval are `None` for methods without a formula.
//!
//! A [`Tally`] is a mergeable summary of test scores, small for most methods. Batches, threads,
//! groups and files are therefore all the same operation.
//!
//! | task | module |
//! |---|---|
//! | fit methods, estimate, save and load a model | [`model`] |
//! | choose methods and their options | [`Settings`], [`quantifier`] |
//! | labelled and test scores, with weights, clusters or probabilities | [`scores`] |
//! | levels, targets, kinds of interval, warnings | [`inference`] |
//! | groups, threads, files larger than memory | [`Tally`], stored as [`TallyState`] |
//! | differences, ratios, totals | [`Model::difference`], [`compare`] |
//! | people have labelled some of the test items | [`audit`], with [`Model::audit`] |
//! | sample sizes | [`plan`] |
//! | a prevalence over time | [`monitor`] |
//! | shares of several classes | [`multiclass`] |
//! | is prior probability shift plausible, and do the families fit? | [`shift_test`] |
//! | intervals from resampling | [`bootstrap`] |
//! | test samples and error measures where the prevalence is known | [`evaluation`] |
//! | counts and published error rates, without scores | [`counts`] |
//! | queries for databases | [`sql`] |
//! | score distributions | [`distribution`] |
//! | region, influence function, optimal threshold | [`sweep`] |
//! | errors and warnings as values | [`error`] |
//!
//! # The mathematics
//!
//! `F⁺(θ) = P(S ≥ θ | +)` and `F⁻(θ) = P(S ≥ θ | −)` are survival functions, the true and the false
//! positive rate; `J(θ) = F⁺(θ) − F⁻(θ)`. When only the prevalence α changes between the labelled
//! and the unlabelled data (*prior probability shift*), the share of scores at or above θ, `CC(θ)`,
//! has expectation `α F⁺ + (1−α) F⁻`, so *Adjusted Count* `AC(θ) = (CC(θ) − F⁻(θ))/J(θ)` is
//! unbiased at every θ. *Continuous Sweep* ([`Method::O_CS`]) averages it over `R = {θ : J(θ) ≥ p_Δ}`:
//!
//! ```text
//! α̂ = (1/|R|) ∫_R AC(θ) dθ = mean g(s) − c,    g(s) = (1/|R|) ∫_{R ∩ (−∞, s]} du/J(u),    c = (1/|R|) ∫_R F⁻/J du
//! ```
//!
//! Continuous Sweep is thus the mean of one smooth, bounded, non-decreasing influence function: one
//! pass, no sort, constant memory, mergeable. For known F and fixed class counts of the test set
//! its variance is `[α Var₊(g) + (1−α) Var₋(g)]/n`, and `p_Δ` is chosen to make this variance
//! small.
//!
//! Source: Kloos, Karch, Meertens, Scholtus, de Rooij, *Continuous Sweep for Binary Quantification
//! Learning*.
//!

// Dependencies between modules point one way: monitor, audit, sql → compare → model → quantifier →
// training → sweep → distribution → numeric. The quantifiers use inference and tallies, the model
// uses the shift test, and all modules but numeric use the errors.

pub mod audit;
pub mod bootstrap;
mod calibration;
mod checksum;
mod choice;
mod class;
pub mod compare;
mod condition;
pub mod counts;
mod date_period;
mod design;
pub mod distribution;
pub mod evaluation;
#[cfg(test)]
mod golden;
pub mod inference;
mod labelled_scores;
mod located_error;
pub mod model;
pub mod monitor;
pub mod multiclass;
mod numeric;
pub mod plan;
mod problem;
pub mod quantifier;
mod random;
pub mod shift_test;
pub mod sql;
pub mod sweep;
mod tally;
mod training;
mod transform;

pub use date_period::DatePeriod;
pub use inference::{Interval, IntervalOptions, Target, Warning};
pub use labelled_scores::{Batch, LabelledScores};
pub use located_error::Error;
pub use model::{Model, Settings, Tally, TallyState};
pub use quantifier::{Estimate, Estimates, Method};

/// Errors and warnings as values, with codes, kinds, locations and hints.
pub mod error {
    pub use crate::condition::{Condition, ErrorCondition, ErrorKind, Field, Severity};
    pub use crate::located_error::{Error, ErrorLocation, Position};
    pub use crate::problem::Problem;
    pub use crate::quantifier::{Operation, UnsupportedOperation};
}

/// Labelled scores and batches of test scores, with what describes them.
pub mod scores {
    pub use crate::class::{Class, PerClass};
    pub use crate::labelled_scores::{Batch, LabelledScores, LabelledScoresBuilder, OptionalColumn};
    pub use crate::transform::Transform;
}

/// Parts of the interface between the crates of this workspace, without any promise to others.
#[doc(hidden)]
pub mod internal {
    pub use crate::choice::parse_choice;
    pub use crate::condition::{Digits, ToFields, fill, fmt_condition};
    pub use crate::problem::check_result_size;
    pub use crate::random::RandomBits;
}

// Short paths within the crate.
use class::{Class, PerClass};
use condition::Severity;
use problem::Problem;
use quantifier::Operation;
use transform::Transform;
