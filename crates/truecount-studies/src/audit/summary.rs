//! How each arm's intervals did at each size of audit and of what does not carry over.

use super::{Audits, Setting};
use crate::intervals::{Coverages, Intervals, Over};
use crate::{Results, Study};
use serde::Serialize;

/// An arm over the prevalences.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// By how much the negatives among the items score higher than elsewhere.
    pub shift: f64,
    /// Audited items.
    pub audited: u32,
    /// The arm's name.
    pub arm: &'static str,
    /// Its intervals.
    #[serde(flatten)]
    pub coverages: Coverages,
    /// Mean over the prevalences of the mean absolute error.
    pub mae: f64,
}

/// Every arm in all settings that are finished.
pub fn summarise(study: &Audits, results: &Results<Intervals>) -> Vec<Summary> {
    let mut summaries = Vec::new();
    for shift in Setting::SHIFTS {
        for audited in Setting::AUDITED {
            for (place, arm) in study.arms().iter().enumerate() {
                let of_arm = results.of_arm(study, place);
                let these = of_arm.filter(|(setting, _)| setting.shift == shift && setting.audited == audited);
                let found = Over::new(&these.map(|(_, found)| found).collect::<Vec<_>>());
                let summary = found.coverages.zip(found.mae);
                summaries.extend(summary.map(|(coverages, mae)| Summary { shift, audited, arm, coverages, mae }));
            }
        }
    }
    summaries
}
