//! How estimates and counts of groups are marked, and what the marks stand for.

use crate::figure::{GREY, broken, entry};
use crate::report::found::{Found, ends};
use crate::report::trust::Trust;
use kuva::plot::ScatterPlot;
use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::scatter::MarkerShape;
use kuva::render::plots::Plot;
use truecount_analysis::results::percent;
use truecount_studies::palette::{BLUE, VERMILION};

/// Of a classifier's own count; pages show it in the colour of their text.
const COUNT: &str = "#000000";

/// Ends of an axis of shares, of which the first that holds everything is taken.
const TOPS: [f64; 7] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

/// What estimates of this kind look like.
pub fn colour(trust: Trust) -> &'static str {
    match trust {
        Trust::Holds => BLUE,
        Trust::Differs => VERMILION,
        Trust::Unreliable => GREY,
    }
}

/// The classifier's own counts at these places.
pub fn counted(places: Vec<(f64, f64)>) -> Option<Plot> {
    let crosses = ScatterPlot::new().with_marker(MarkerShape::Cross).with_color(COUNT).with_size(3.0);
    (!places.is_empty()).then(|| crosses.with_data(places).into())
}

/// The end of the axis of shares.
pub fn top(found: &Found) -> f64 {
    let highest = |row: &_| ends(row)[1];
    let rows = found.rows();
    let estimates = rows.iter().map(|row| highest(&row.estimate));
    let most = estimates.chain(rows.iter().filter_map(|row| found.count(row.group))).fold(0.0, f64::max);
    TOPS.into_iter().find(|top| most <= *top).unwrap_or(1.0)
}

/// Of all kinds of marks there are.
pub fn legend(found: &Found) -> Vec<LegendEntry> {
    let level = percent(found.answer().level);
    let corrected = if found.models.first().method().is_uncorrected() { "not corrected" } else { "estimate" };
    let estimate = match found.answer().uncertainty {
        Some(_) => format!("{corrected}, {level} % interval"),
        None => corrected.to_owned(),
    };
    let kinds = [
        (Trust::Holds, estimate),
        (Trust::Differs, "differs from the labelled".to_owned()),
        (Trust::Unreliable, "not reliable".to_owned()),
    ];
    let kinds = kinds.into_iter().filter(|(trust, _)| found.any(*trust));
    let mut legend: Vec<LegendEntry> =
        kinds.map(|(trust, label)| entry(label, colour(trust), LegendShape::Circle)).collect();
    if found.rows().iter().any(|row| found.count(row.group).is_some()) {
        legend.push(entry("classifier's own count", COUNT, LegendShape::Marker(MarkerShape::Cross)));
    }
    legend.push(all());
    legend
}

/// The line of all rows together.
pub fn all() -> LegendEntry {
    broken("all together", GREY)
}
