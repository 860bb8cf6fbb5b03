//! How the intervals did over the settings of a scenario.

use super::{Coverage, Scenario};
use crate::intervals::{Coverages, Intervals, Over};
use crate::{Results, Study};
use serde::Serialize;

/// One arm over the settings of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Which settings.
    pub scenario: Scenario,
    /// The arm's name.
    pub arm: &'static str,
    /// Its intervals.
    #[serde(flatten)]
    pub coverages: Coverages,
    /// Share of the replications that gave no estimate.
    pub none: f64,
    /// Share of the replications whose interval is all of [0, 1].
    pub vacuous: f64,
}

/// Every arm in every scenario that has finished settings with intervals.
pub fn summarise(study: &Coverage, results: &Results<Intervals>) -> Vec<Summary> {
    let each = |scenario| (0..study.arms().len()).filter_map(move |arm| summary(study, results, scenario, arm));
    Scenario::ALL.into_iter().flat_map(each).collect()
}

fn summary(study: &Coverage, results: &Results<Intervals>, scenario: Scenario, arm: usize) -> Option<Summary> {
    let of_scenario =
        results.of_arm(study, arm).filter(|(setting, _)| setting.scenario == scenario).map(|(_, found)| found);
    let Over { coverages, none, vacuous, .. } = Over::new(&of_scenario.collect::<Vec<_>>());
    coverages.map(|coverages| Summary { scenario, arm: study.arms()[arm], coverages, none, vacuous })
}
