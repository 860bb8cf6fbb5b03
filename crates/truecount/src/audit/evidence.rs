//! What the sources of a share of positives say.

use super::combined::Transport;
use crate::choice::choice;
use crate::inference::IntervalEstimate;
use crate::quantifier::Estimate;

/// Where a share of positives comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The labels of the audited items alone.
    Labels,
    /// The same with what the scores say of all items.
    Powered,
    /// Labels from elsewhere.
    External,
    /// The last two together.
    Combined,
}

/// What one source says.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AuditEstimate {
    /// Which.
    pub source: Source,
    /// The estimator as defined, which may lie outside [0, 1].
    pub raw: f64,
    /// The same inside [0, 1].
    pub prevalence: f64,
    /// Standard error and interval.
    pub uncertainty: IntervalEstimate,
    /// Of both together, the weight of labels from elsewhere; λ of labels with scores.
    pub weight: Option<f64>,
}

/// What all that is known says of the share of positives among the items of a group.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AuditSummary {
    /// The number of items, audited ones included.
    pub n: u64,
    /// How many were audited.
    pub audited: u64,
    /// How many of these are positive.
    pub positive: u64,
    /// What each source says.
    pub evidence: Vec<AuditEstimate>,
    /// The estimate from labels elsewhere, if there is one.
    pub elsewhere: Option<Estimate>,
    /// How far it is from the audit's, and whether that is chance.
    pub transport: Option<Transport>,
    /// Which one to publish.
    pub answer: Source,
    /// Nominal coverage of the intervals.
    pub level: f64,
}

impl Source {
    /// All of them: name, source, what it means.
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("labels", Self::Labels, "the audited labels alone"),
        ("ppi++", Self::Powered, "the audited labels with what the scores say of all rows"),
        ("external", Self::External, "external labels, if only the prevalence differs"),
        ("combined", Self::Combined, "the last two together"),
    ];
}

choice!(Source, "source");

impl AuditSummary {
    /// What the source says that is to be published.
    ///
    /// # Panics
    /// Never: it is one of them.
    pub fn published(&self) -> &AuditEstimate {
        self.evidence.iter().find(|of| of.source == self.answer).expect("the answer is one of them")
    }
}

impl AuditEstimate {
    pub(crate) fn new(source: Source, raw: f64, uncertainty: IntervalEstimate, weight: Option<f64>) -> Self {
        Self { source, raw, prevalence: raw.clamp(0.0, 1.0), uncertainty, weight }
    }
}
