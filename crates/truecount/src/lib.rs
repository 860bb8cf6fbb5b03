//! **truecount** answers one question: how many positives are there in this pile of unlabelled data?
//!
//! It takes a classifier's scores on a small labelled sample and on the unlabelled data, and returns the prevalence
//! with a standard error. Scores are real numbers, higher meaning more positive.
//!
//! # The mathematics
//!
//! `F⁺(θ) = P(S ≥ θ | +)` and `F⁻(θ) = P(S ≥ θ | −)` are survival functions, the true and the false positive rate;
//! `J(θ) = F⁺(θ) − F⁻(θ)`. When only the prevalence α changes between the labelled and the unlabelled data (*prior
//! probability shift*), the share of scores at or above θ, `CC(θ)`, has expectation `α F⁺ + (1−α) F⁻`, so
//! *Adjusted Count* `AC(θ) = (CC(θ) − F⁻(θ))/J(θ)` is unbiased at every θ. *Continuous Sweep* averages it over
//! `R = {θ : J(θ) ≥ p_Δ}`:
//!
//! ```text
//! α̂ = (1/|R|) ∫_R AC(θ) dθ = mean g(s) − c,    g(s) = (1/|R|) ∫_{R ∩ (−∞, s]} du/J(u),    c = (1/|R|) ∫_R F⁻/J du
//! ```
//!
//! It is the mean of one smooth, bounded, non-decreasing influence function: one pass, no sort, constant memory,
//! mergeable. Its variance for known F, the test set's class counts fixed, is `[α Var₊(g) + (1−α) Var₋(g)]/n`, and
//! `p_Δ` is chosen to make that small.
//!
//! Source: Kloos, Karch, Meertens, Scholtus, de Rooij, *Continuous Sweep for Binary Quantification Learning*.
//!
//! # Shapes
//!
//! ```text
//! LabelledScores ──fit──▶ Model ──tallies, push──▶ Tallies ──merge──▶ Tallies ──finish──▶ Estimates
//! ```
//!
//! [`Tallies`] are a mergeable summary of test scores, small for most methods: batches, threads, groups and files are
//! the same operation. Start at [`Model`].
//!
//! # Layout
//!
//! [`Model`]: what is fitted together, and its text form; [`Bootstrap`]: resamples of it; [`KnownDistributions`]: the same without
//! fitting; [`Request`]: what users ask for, by name. [`quantifier`]: one file each, which has the row of its
//! [`Method`], and one trait. `tally`: what is kept of test scores. `training`: the labelled scores in every form a
//! method reads. `calibration`: the labelled scores in bins, and the curve through them. [`sweep`]: region, integrals, influence function, optimal threshold.
//! [`distribution`]: score distributions and their fits. [`inference`]: variance, interval, warnings. [`check`]: is
//! prior probability shift plausible, and do the families fit? [`evaluation`]: how far estimates are off. [`counts`]: counts and published
//! error rates in the place of scores. `audit`: labels inside the target ([`Model::audit`]). [`monitor`]: a prevalence watched over time.
//! [`Error`]: a [`Problem`] or any other [`ErrorCondition`], with its location. [`Condition`]: errors and warnings as values.
//!
//! Code flows one way: monitor → model → quantifier → training → sweep → distribution → numeric, with inference and tallies
//! beneath the quantifiers, check and evaluation beneath the model, and errors beneath all but numeric.

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

pub use audit::{AuditDesign, AuditEstimate, AuditKind, AuditPlan, AuditSummary, Source, Transport};
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
pub use quantifier::{Estimate, Estimates, Method, NotPossible, Operation, RateSource};
pub use random::RandomBits;
pub use scores::{Batch, LabelledRows, LabelledScores};
pub use sql::{Dialect, Query, QueryRows};
pub use tally::PlainTally;
pub use transform::Transform;
