//! The picture: two rows per breach, of the plain intervals and of the widened ones.

use super::{Breach, Kind, Widened};
use crate::intervals::{Row, dots};
use crate::{Results, Study, palette};

/// The picture as SVG: a dot for every setting and method.
pub fn figure(study: &Breach, results: &Results<Widened>) -> String {
    let row = |kind: Kind, how: &str, colour, coverage: fn(&Widened) -> Option<f64>| {
        let arms = 0..study.arms().len();
        let found = arms.flat_map(|arm| results.of_arm(study, arm)).filter(|(setting, _)| setting.kind == kind);
        let coverages = found.filter_map(|(_, found)| coverage(found)).collect();
        Row { name: format!("{}, {how}", kind.title()), colour, coverages }
    };
    let rows = Kind::ALL.into_iter().flat_map(|kind| {
        [
            row(kind, "plain", palette::VERMILION, |found| found.coverage),
            row(kind, "widened", palette::BLUE, |found| found.coverage_widened),
        ]
    });
    dots(&rows.collect::<Vec<_>>())
}
