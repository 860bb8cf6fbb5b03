//! The picture: one row per number of labels and arm with intervals.

use super::{LABELS, Pools};
use crate::intervals::{Intervals, Row, dots};
use crate::{Results, Study, palette};

/// The picture as SVG: a dot for every pool and prevalence.
pub fn figure(study: &Pools, results: &Results<Intervals>) -> String {
    let colours = [palette::VERMILION, palette::GREEN, palette::BLUE];
    let row = |labels: u32, colour, arm: usize| {
        let settings = results.of_arm(study, arm).filter(move |(setting, _)| setting.labels == labels);
        let coverages: Vec<f64> = settings.filter_map(|(_, found)| found.coverage).collect();
        let name = format!("{labels} labels, {}", study.arms()[arm]);
        (!coverages.is_empty()).then_some(Row { name, colour, coverages })
    };
    let arms = 0..study.arms().len();
    let sizes = LABELS.into_iter().zip(colours);
    let rows = sizes.flat_map(|(labels, colour)| arms.clone().filter_map(move |arm| row(labels, colour, arm)));
    dots(&rows.collect::<Vec<_>>())
}
