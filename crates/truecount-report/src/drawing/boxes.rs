//! Box plots: quartiles, whiskers to the last value within 1.5 interquartile ranges of the box, and
//! a dot for each value beyond.

use kuva::plot::{BoxPlot, StripPlot};
use kuva::render::plots::Plot;

/// A named row of values with its colour.
pub struct BoxRow {
    name: String,
    colour: String,
    /// At least one finite value, in ascending order.
    values: Vec<f64>,
}

impl BoxRow {
    /// Creates a row of finite values; `None` without values.
    pub fn new(name: impl Into<String>, colour: &str, values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_unstable_by(f64::total_cmp);
        (!values.is_empty()).then(|| Self { name: name.into(), colour: colour.to_owned(), values })
    }

    /// Returns the fences, which are the ends of the longest possible whiskers.
    fn fences(&self) -> [f64; 2] {
        let [low, high] = [0.25, 0.75].map(|share| self.quantile(share));
        let length = 1.5 * (high - low);
        [low - length, high + length]
    }

    /// Returns the end of the upper whisker.
    pub fn whisker(&self) -> f64 {
        let [_, high] = self.fences();
        self.values.iter().copied().filter(|value| *value <= high).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns a quantile, interpolated linearly as kuva does for the boxes.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // an index of the values
    fn quantile(&self, share: f64) -> f64 {
        let index = share * (self.values.len() - 1) as f64;
        let (below, above) = (self.values[index as usize], self.values[index.ceil() as usize]);
        below + index.fract() * (above - below)
    }
}

/// Draws the boxes, the first row at the bottom. Dots beyond the end of the axis are left out, and
/// the row's name has their number.
pub fn boxes(rows: &[BoxRow], end: f64) -> Vec<Plot> {
    let mut boxes = BoxPlot::new().with_horizontal(true).with_width(0.6);
    let mut dots = StripPlot::new().with_horizontal(true).with_jitter(0.12).with_point_size(1.4);
    for row in rows {
        let [low, high] = row.fences();
        let (shown, hidden): (Vec<f64>, Vec<f64>) =
            row.values.iter().filter(|value| **value < low || **value > high).partition(|value| **value <= end);
        let name = if hidden.is_empty() { row.name.clone() } else { format!("{} ({} beyond)", row.name, hidden.len()) };
        boxes = boxes.with_group(name.clone(), row.values.iter().copied());
        dots = dots.with_group(name, shown);
    }
    let colours = || rows.iter().map(|row| row.colour.clone());
    let dots = dots.with_group_colors(colours()).with_marker_opacity(0.5);
    vec![boxes.with_group_colors(colours()).into(), dots.into()]
}
