//! The palette of Okabe and Ito (2008), which is safe for colour-blind readers.

/// Blue.
pub const BLUE: &str = "#0072B2";
/// Vermilion.
pub const VERMILION: &str = "#D55E00";
/// Bluish green.
pub const GREEN: &str = "#009E73";

/// Colours of lines, points and boxes, in their order. Yellow is left out, as it is too light for
/// lines.
pub const SERIES: [&str; 7] = [BLUE, VERMILION, GREEN, "#CC79A7", "#E69F00", "#56B4E9", "#000000"];
