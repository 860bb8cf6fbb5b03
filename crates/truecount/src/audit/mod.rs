//! Labels inside the target: a random sample of the counted items is labelled by people.
//!
//! The estimates then need no assumption about the scores. An audit draws m of N items, item i with
//! probability π_i = 1/ω_i. Its label is y_i, and f_i is a prediction made without that label.
//! The mean of the predictions over all N items is f̄:
//!
//! ```text
//! labels alone   ȳ = Σ ω y / Σ ω
//! PPI++          ȳ + λ (f̄ − f̄_ω),     λ = Cov_ω(y, f)/Var(f)
//! ```
//!
//! The second line is the difference estimator of survey sampling (Cochran 1977, §12.3). With this
//! λ it is prediction-powered inference with power tuning (Angelopoulos, Duchi and Zrnic 2023,
//! *PPI++*); with predictions learnt from the same labels it is cross-prediction (Zrnic and Candès
//! 2024).
//!
//! The audit may be drawn in clusters or within strata (`sample`), and the items may have weights of their
//! own, such as numbers of views. Both weights are then multiplied in the sums above, and f̄ is the mean with
//! the items' own weights.
//!
//! Items of several classes, with a predicted class each, have the share and the accuracy of each class
//! (`class_accuracy`).
//!
//! Several people may label an item. Its label is then their mean, their agreement is estimated, and so is
//! the prevalence if they err (`agreement`).
//!
//! An estimate from external labels is independent of which items were audited. So the difference
//! between the two estimates tests whether the external labels are valid for these items, and the
//! two can be combined. [`AuditDesign`] chooses how many and which items to audit.

mod agreement;
mod class_accuracy;
mod combined;
mod design;
mod difference_estimator;
mod evidence;
mod item_labels;
mod model_audit;
mod sample;
mod target;

pub(crate) use agreement::MeanLabel;
pub use agreement::{CorrectedPrevalence, Kappa, LabelAgreement, LabelErrors};
pub use class_accuracy::{AccuracyEstimate, AccuracyMeasure, ConfusionCount};
pub(crate) use combined::{CombinedTerm, combine};
pub use combined::{EquivalenceVerdict, TransportTest};
pub use design::{AuditDesign, AuditKind, AuditPlan};
pub(crate) use difference_estimator::{CrossFitPredictions, DifferenceEstimate, expected_variance};
pub use evidence::{AuditEstimate, AuditSource, AuditSummary};
pub use model_audit::{AuditedRows, ModelAudit};
pub use target::TargetCell;
