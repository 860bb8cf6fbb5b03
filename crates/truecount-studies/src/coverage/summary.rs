//! How the intervals did over the settings of a scenario.

use super::{Coverage, Intervals, Scenario};
use crate::{Results, Study};
use serde::Serialize;

/// The coverages of nominal 95 % intervals that count as right.
pub const BAND: [f64; 2] = [0.925, 0.975];

/// One arm over the settings of a scenario. Apart from the number of settings, all values are shares.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Which settings.
    pub scenario: Scenario,
    /// The arm's name.
    pub arm: &'static str,
    /// Settings with intervals.
    pub settings: usize,
    /// Mean coverage.
    pub mean: f64,
    /// Least coverage.
    pub min: f64,
    /// Largest coverage.
    pub max: f64,
    /// Share of the settings whose coverage lies in the [`BAND`].
    pub in_band: f64,
    /// Mean width of the intervals.
    pub width: f64,
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
    let of_scenario: Vec<_> =
        results.of_arm(study, arm).filter(|(setting, _)| setting.scenario == scenario).map(|(_, s)| s).collect();
    let coverage: Vec<f64> = of_scenario.iter().filter_map(|s| s.coverage).collect();
    let widths: Vec<f64> = of_scenario.iter().filter_map(|s| s.width).collect();
    let share = |of: fn(&Intervals) -> u32| {
        let replications: u32 = of_scenario.iter().map(|s| s.replications()).sum();
        f64::from(of_scenario.iter().map(|s| of(s)).sum::<u32>()) / f64::from(replications)
    };
    let settings = coverage.len();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    (settings > 0).then(|| Summary {
        scenario,
        arm: study.arms()[arm],
        settings,
        mean: mean(&coverage),
        min: coverage.iter().copied().fold(f64::INFINITY, f64::min),
        max: coverage.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        in_band: coverage.iter().filter(|c| (BAND[0]..=BAND[1]).contains(*c)).count() as f64 / settings as f64,
        width: mean(&widths),
        none: share(|s| s.inverted + s.refused),
        vacuous: share(|s| s.vacuous),
    })
}
