//! **truecount** answers one question: how many positives are there in this pile of unlabelled
//! data?
//!
//! It takes a classifier's scores on a small labelled sample and on the unlabelled data, and
//! returns the prevalence with a standard error. Scores are real numbers, higher meaning more
//! positive.
//!
//! # The mathematics
//!
//! `F⁺(θ) = P(S ≥ θ | +)` and `F⁻(θ) = P(S ≥ θ | −)` are survival functions, the true and the false
//! positive rate; `J(θ) = F⁺(θ) − F⁻(θ)`. When only the prevalence α changes between the labelled
//! and the unlabelled data (*prior probability shift*), the share of scores at or above θ, `CC(θ)`,
//! has expectation `α F⁺ + (1−α) F⁻`, so *Adjusted Count* `AC(θ) = (CC(θ) − F⁻(θ))/J(θ)` is
//! unbiased at every θ. *Continuous Sweep* averages it over `R = {θ : J(θ) ≥ p_Δ}`:
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
//! # Shapes
//!
//! ```text
//! LabelledScores ──fit──▶ Model ──tallies, push──▶ Tallies ──merge──▶ Tallies ──finish──▶ Estimates
//! ```
//!
//! [`Tallies`] are a mergeable summary of test scores, small for most methods: the same two
//! operations serve batches, threads, groups and files. Start at [`Model`].
//!
//! # Layout
//!
//! * [`Model`]: quantifiers fitted to one labelled sample, and their text form. [`Bootstrap`]:
//!   its resamples. [`KnownDistributions`]: quantifiers for distributions that are known, not
//!   fitted. [`Request`]: the names that users type.
//! * [`quantifier`]: one file for each [`Method`], and the trait that they share.
//! * `tally`: mergeable summaries of test scores.
//! * `training`: the labelled scores in every form that a method reads.
//! * `calibration`: the labelled scores in bins, and the curve through them.
//! * [`sweep`]: region, integrals, influence function, optimal threshold.
//! * [`distribution`]: score distributions and their fits.
//! * [`inference`]: variance, interval, warnings.
//! * [`check`]: is prior probability shift plausible, and do the families fit?
//! * [`evaluation`]: the errors of estimates when the prevalence is known.
//! * [`counts`]: estimates from counts and published error rates, without scores.
//! * `audit`: labels inside the target ([`Model::audit`]).
//! * [`monitor`]: a prevalence over time.
//! * [`Error`]: a [`Problem`] or another [`ErrorCondition`], with its location. [`Condition`]:
//!   errors and warnings as values.
//!
//! Dependencies point one way: monitor → model → quantifier → training → sweep → distribution →
//! numeric. The quantifiers use inference and tallies, the model uses check and evaluation, and all
//! modules but numeric use the errors.

mod audit;
mod calibration;
pub mod check;
mod checksum;
mod choice;
mod class;
mod condition;
pub mod counts;
mod design;
pub mod distribution;
mod error;
pub mod evaluation;
pub mod inference;
mod model;
pub mod monitor;
mod numeric;
mod problem;
pub mod quantifier;
mod random;
mod scores;
mod sql;
pub mod sweep;
mod tally;
mod training;
mod transform;

pub use audit::{AuditDesign, AuditEstimate, AuditKind, AuditPlan, AuditSource, AuditSummary, TransportTest};
pub use class::{Class, PerClass};
pub use condition::{Condition, Digits, ErrorCondition, ErrorKind, Field, Severity, fill};
#[doc(hidden)]
pub use condition::{ToFields, fmt_condition};
pub use error::{Error, ErrorLocation, Position};
pub use inference::{IntervalEstimate, IntervalOptions, OnMisfit, Target, Warning};
pub use model::{
    AuditedRows, Bootstrap, Comparator, Comparison, Contrast, GroupContrasts, JointErrors, KnownDistributions, Label,
    LabelRelation, Model, ModelAudit, Overlap, PlainShift, PlainTallies, Posteriors, Reference, Replicate, Request,
    Resamples, ScoreBins, Settings, Tallies, Total,
};
pub use problem::Problem;
pub use quantifier::{Estimate, Estimates, Method, Operation, RateSource, UnsupportedOperation};
pub use random::RandomBits;
pub use scores::{Batch, LabelledRows, LabelledScores};
pub use sql::{Dialect, Query, QueryRows};
pub use tally::PlainTally;
pub use transform::Transform;
