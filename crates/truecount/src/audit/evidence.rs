//! Estimates of the prevalence among audited items, by source.

use super::agreement::LabelAgreement;
use super::combined::TransportTest;
use crate::Error;
use crate::choice::choice;
use crate::compare::{JointErrors, Overlap};
use crate::inference::{Difference, Ends, Interval, IntervalEstimate, IntervalOptions, Target};
use crate::quantifier::Estimate;

/// The source of an estimated prevalence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditSource {
    /// The labels of the audited items alone.
    LabelsOnly,
    /// Prediction-powered inference (PPI++): the labels of the audited items, with the scores of all items.
    Ppi,
    /// External labels.
    External,
    /// The sources [`Ppi`](Self::Ppi) and [`External`](Self::External), combined.
    Combined,
}

/// The estimate from one source.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AuditEstimate {
    /// The source.
    pub source: AuditSource,
    /// The estimator as defined, which may lie outside [0, 1].
    pub raw: f64,
    /// `raw`, clipped to [0, 1].
    pub prevalence: f64,
    /// The standard error.
    pub std_error: f64,
    /// The interval.
    pub interval: Interval,
    /// The weight of the external estimate for [`AuditSource::Combined`]; the coefficient λ of the
    /// predictions for [`AuditSource::Ppi`]; otherwise `None`.
    pub weight: Option<f64>,
}

/// The prevalence among the items of a group, estimated from all available sources.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AuditSummary {
    /// The number of items, audited ones included.
    pub n: u64,
    /// The number of audited items.
    pub audited: u64,
    /// The number of audited items with a mean label above one half.
    pub positive: u64,
    /// The estimate from each source.
    pub estimates: Vec<AuditEstimate>,
    /// The estimate from external labels, if there is one.
    pub external: Option<Estimate>,
    /// The difference between the external estimate and the audit's, with its test.
    pub transport: Option<TransportTest>,
    /// The agreement of the people who labelled the audited items, and what their errors mean for the
    /// estimate of [`AuditSource::Ppi`]; `None` unless an item has two labels.
    pub agreement: Option<LabelAgreement>,
    /// The variance of [`AuditSource::Ppi`] divided by that of items drawn one by one, both with half an
    /// error more than was observed; `None` unless clusters were drawn.
    pub design_effect: Option<f64>,
    /// The source of the estimate to publish: all sources combined, unless the external labels fail
    /// the transport test or their estimate is unreliable.
    pub recommended: AuditSource,
    /// Nominal coverage of the intervals.
    pub level: f64,
    /// Estimand of the standard errors and the intervals.
    pub target: Target,
}

impl AuditSource {
    /// All sources: name, source, description.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("labels", Self::LabelsOnly, "the audited labels alone"),
        ("ppi++", Self::Ppi, "the audited labels together with the scores of all rows"),
        ("external", Self::External, "external labels, valid if only the prevalence differs"),
        ("combined", Self::Combined, "ppi++ and external combined"),
    ];
}

choice!(AuditSource, "source");

impl AuditSummary {
    /// Returns the estimate to publish.
    ///
    /// # Panics
    /// Panics if `estimates` has none from the source `recommended`; a summary made by this crate has
    /// one.
    pub fn published(&self) -> &AuditEstimate {
        self.estimates
            .iter()
            .find(|estimate| estimate.source == self.recommended)
            .expect("an estimate from that source")
    }

    /// Estimates the difference between the estimates to publish of two groups that were audited
    /// independently. `options` determine the level of the interval, which must be that of both.
    ///
    /// If external labels are common to both groups, `joint` has the errors of their model. The
    /// covariance is then that of the external estimates times their weights.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`JointErrors::difference`].
    pub fn difference(
        &self,
        other: &Self,
        joint: Option<&JointErrors>,
        options: &IntervalOptions,
    ) -> Result<Difference, Error> {
        let [a, b] = [self, other].map(Self::published);
        let covariance = match (joint, &self.external, &other.external) {
            (Some(joint), Some(first), Some(second)) => {
                let variance_of_difference = joint.difference(first, second, Overlap::None, options)?.std_error.powi(2);
                let variances = [first, second].map(|estimate| estimate.std_error.map_or(0.0, |se| se * se));
                let weights = a.external_weight() * b.external_weight();
                0.5 * weights * (variances[0] + variances[1] - variance_of_difference)
            }
            _ => 0.0,
        };
        let product = a.std_error * b.std_error;
        let correlation = if product > 0.0 { (covariance / product).clamp(-1.0, 1.0) } else { 0.0 };
        let parts = [a, b].map(|estimate| (estimate.ends(), estimate.std_error));
        let [first, second] = parts.each_ref().map(|(ends, std_error)| (ends, *std_error));
        Ok(Difference::from_intervals(first, second, correlation, options))
    }
}

impl AuditEstimate {
    /// The weight of the external estimate.
    fn external_weight(&self) -> f64 {
        match self.source {
            AuditSource::LabelsOnly | AuditSource::Ppi => 0.0,
            AuditSource::External => 1.0,
            AuditSource::Combined => self.weight.unwrap_or(0.0),
        }
    }

    fn ends(&self) -> Ends {
        Ends { lower: self.interval.lower, estimate: self.prevalence, upper: self.interval.upper }
    }

    pub(crate) fn new(source: AuditSource, raw: f64, uncertainty: IntervalEstimate, weight: Option<f64>) -> Self {
        let (std_error, interval) = (uncertainty.std_error, uncertainty.interval());
        Self { source, raw, prevalence: raw.clamp(0.0, 1.0), std_error, interval, weight }
    }
}
