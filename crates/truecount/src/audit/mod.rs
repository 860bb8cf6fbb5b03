//! Labels inside the target: some of the very items that are counted are drawn at random and labelled by people.
//!
//! No assumption is needed about the scores then. Of N items m are audited, item i with probability π_i = 1/ω_i; y_i is the label, f_i
//! what a prediction says of it that has not seen that label ([`Predicted`]), f̄ its mean over all N items:
//!
//! ```text
//! labels alone   ȳ = Σ ω y / Σ ω
//! PPI++          ȳ + λ (f̄ − f̄_ω),     λ = Cov_ω(y, f)/Var(f)
//! ```
//!
//! the difference estimator of survey sampling (Cochran 1977, §12.3), prediction-powered inference with its power tuning (Angelopoulos,
//! Duchi and Zrnic 2023, *PPI++*), and, with predictions learnt from the same labels, cross-prediction (Zrnic and Candès 2024): [`difference_estimator`].
//! What labels from elsewhere say of the same items is independent of which items were audited. So the difference of both tests whether
//! they carry over, and both may be put together: [`combined`]. How many to audit and which ones: [`design`].

mod combined;
mod design;
mod difference_estimator;
mod evidence;

pub use combined::Transport;
pub(crate) use combined::{CombinedPart, combined};
pub use design::{AuditDesign, AuditKind, AuditPlan};
pub(crate) use difference_estimator::{AuditedItem, BinnedItem, DifferenceEstimate, Predicted, PredictionMoments};
pub use evidence::{AuditEstimate, AuditSummary, Source};
