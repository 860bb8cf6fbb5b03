//! The picture: one row per quantity and method.

use super::{Held, METHODS, Quantity, Together};
use crate::intervals::{Row, dots};
use crate::{Results, palette};

/// The picture as SVG: a dot for every setting.
pub fn figure(study: &Together, results: &Results<Held>) -> String {
    let row = |place: usize, method: usize| Row {
        name: format!("{}, {}", Quantity::ALL[place].title(), METHODS[method]),
        colour: palette::SERIES[place],
        coverages: results
            .of_arm(study, Together::arm(place, method))
            .filter_map(|(_, found)| found.coverage)
            .collect(),
    };
    let places = 0..Quantity::ALL.len();
    let rows = places.flat_map(|place| (0..METHODS.len()).map(move |method| row(place, method)));
    dots(&rows.collect::<Vec<_>>())
}
