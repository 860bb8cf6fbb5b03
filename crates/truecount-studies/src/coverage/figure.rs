//! The picture: one row per scenario and arm.

use super::{Coverage, Scenario};
use crate::intervals::{Intervals, Row, dots};
use crate::{Results, Study, palette};

fn colour(scenario: Scenario) -> &'static str {
    match scenario {
        Scenario::Normal => palette::BLUE,
        Scenario::SkewNormal => palette::GREEN,
        Scenario::WrongFamily => palette::VERMILION,
    }
}

fn name(scenario: Scenario) -> &'static str {
    match scenario {
        Scenario::Normal => "normal",
        Scenario::SkewNormal => "skew-normal",
        Scenario::WrongFamily => "wrong family",
    }
}

/// The picture as SVG. Settings without intervals have no dot.
pub fn figure(study: &Coverage, results: &Results<Intervals>) -> String {
    let row = |scenario, arm: usize| {
        let settings = results.of_arm(study, arm).filter(move |(setting, _)| setting.scenario == scenario);
        Row {
            name: format!("{}, {}", name(scenario), study.arms()[arm]),
            colour: colour(scenario),
            coverages: settings.filter_map(|(_, found)| found.coverage).collect(),
        }
    };
    let arms = 0..study.arms().len();
    let rows = Scenario::ALL.into_iter().flat_map(|scenario| arms.clone().map(move |arm| row(scenario, arm)));
    dots(&rows.collect::<Vec<_>>())
}
