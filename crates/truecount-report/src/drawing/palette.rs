//! Okabe and Ito's colours (2008), told apart by every eye.

/// Blue.
pub const BLUE: &str = "#0072B2";
/// Vermilion.
pub const VERMILION: &str = "#D55E00";
/// Bluish green.
pub const GREEN: &str = "#009E73";

/// Colours for lines, points and boxes, in this order; without yellow, which is too light for a
/// line.
pub const SERIES: [&str; 7] = [BLUE, VERMILION, GREEN, "#CC79A7", "#E69F00", "#56B4E9", "#000000"];
