//! Box plots by group: quartiles, whiskers to the last value within one and a half interquartile
//! ranges, and a dot for
//! each value beyond.

use kuva::plot::{BoxPlot, StripPlot};
use kuva::render::plots::Plot;

/// A row: its name, its colour, and finite values in ascending order, at least one.
pub struct BoxRow {
    name: String,
    colour: String,
    values: Vec<f64>,
}

impl BoxRow {
    /// `None` if there are no values.
    pub fn new(name: impl Into<String>, colour: &str, values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_unstable_by(f64::total_cmp);
        (!values.is_empty()).then(|| Self { name: name.into(), colour: colour.to_owned(), values })
    }

    /// The ends of the longest possible whiskers.
    fn reach(&self) -> [f64; 2] {
        let [low, high] = [0.25, 0.75].map(|share| self.quantile(share));
        let far = 1.5 * (high - low);
        [low - far, high + far]
    }

    /// The end of the upper whisker.
    pub fn whisker(&self) -> f64 {
        let [_, high] = self.reach();
        self.values.iter().copied().filter(|value| *value <= high).fold(f64::NEG_INFINITY, f64::max)
    }

    /// A quantile, interpolated linearly as the boxes are drawn.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of their number
    fn quantile(&self, share: f64) -> f64 {
        let place = share * (self.values.len() - 1) as f64;
        let (below, above) = (self.values[place as usize], self.values[place.ceil() as usize]);
        below + place.fract() * (above - below)
    }
}

/// The boxes, the first row lowest, cut off at the end of the axis: a row's name says how many dots
/// lie beyond.
pub fn boxes(rows: &[BoxRow], end: f64) -> Vec<Plot> {
    let mut boxes = BoxPlot::new().with_horizontal(true).with_width(0.6);
    let mut beyond = StripPlot::new().with_horizontal(true).with_jitter(0.12).with_point_size(1.4);
    for row in rows {
        let [low, high] = row.reach();
        let (drawn, hidden): (Vec<f64>, Vec<f64>) =
            row.values.iter().filter(|value| **value < low || **value > high).partition(|value| **value <= end);
        let name = if hidden.is_empty() { row.name.clone() } else { format!("{} ({} beyond)", row.name, hidden.len()) };
        boxes = boxes.with_group(name.clone(), row.values.iter().copied());
        beyond = beyond.with_group(name, drawn);
    }
    let colours = || rows.iter().map(|row| row.colour.clone());
    let beyond = beyond.with_group_colors(colours()).with_marker_opacity(0.5);
    vec![boxes.with_group_colors(colours()).into(), beyond.into()]
}
