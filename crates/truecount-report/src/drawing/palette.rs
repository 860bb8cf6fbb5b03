//! The palette of Okabe and Ito (2008), which is safe for colour-blind readers, and the markers that tell
//! series apart without colour.

use kuva::plot::scatter::MarkerShape::{self, Circle, Cross, Diamond, Plus, Square, Triangle, TriangleDown};

/// Blue.
pub const BLUE: &str = "#0072B2";
/// Vermilion.
pub const VERMILION: &str = "#D55E00";
/// Bluish green.
pub const GREEN: &str = "#009E73";

/// Colours of lines, points and boxes, in their order. Yellow is left out, as it is too light for lines.
pub const SERIES: [&str; 7] = [BLUE, VERMILION, GREEN, "#CC79A7", "#E69F00", "#56B4E9", "#000000"];

const MARKERS: [MarkerShape; 7] = [Circle, Square, Diamond, Triangle, TriangleDown, Plus, Cross];

/// Returns the colour and the marker of a series; after the last colour, the colours start again with other markers.
pub fn series(index: usize) -> (&'static str, MarkerShape) {
    (SERIES[index % SERIES.len()], MARKERS[(index + index / SERIES.len()) % MARKERS.len()])
}
