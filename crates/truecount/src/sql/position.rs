//! Positions of scores on a scale that compresses the tails.
//!
//! The position is v = (x − c)/s from −1 to 1, and ±(1 + ln(|x − c|/s)) beyond. Every double has a
//! position between about −1500 and 1500, so nothing computed from it overflows. Functions that
//! change slowly far out, such as the ratio of two Student t densities, are smooth in v. For scores
//! between 0 and 1, v = 4x − 1 from ¼ to ¾, ln 4x below and 2 − ln 4(1 − x) above.

use super::names::{format_number, format_term};
use crate::transform::FittedTransform;

/// A map from scores to positions.
#[derive(Clone, Copy, Debug)]
pub(super) enum ScorePosition {
    /// The map for all numbers, with centre c and half-width s of its linear part.
    Line { centre: f64, half: f64 },
    /// The map for numbers between 0 and 1.
    Unit,
}

/// The unit of the centre, as a share of `half`.
///
/// The centre is at least one unit away from 0, so that no difference from it is too small for a
/// product.
const CENTRE_UNIT: f64 = 1.0 / 64.0;

impl ScorePosition {
    /// Creates a map that is linear from the smallest to the largest labelled score.
    ///
    /// The constants are rounded, since they need not be exact, only the same everywhere.
    pub(super) fn for_range(smallest: f64, largest: f64) -> Self {
        let half = (0.5 * largest - 0.5 * smallest).max(f64::MIN_POSITIVE).log2().ceil().exp2();
        let unit = half * CENTRE_UNIT;
        let centre = ((0.5 * smallest + 0.5 * largest) / unit).round() * unit;
        Self::Line { centre: if centre == 0.0 { unit } else { centre }, half }
    }

    /// Returns the position of a score.
    pub(super) fn at_score(self, x: f64) -> f64 {
        match self {
            Self::Line { centre, half } if x > centre + half => (x - centre).ln() + (1.0 - half.ln()),
            Self::Line { centre, half } if x < centre - half => (half.ln() - 1.0) - (centre - x).ln(),
            Self::Line { centre, half } => (x - centre) * half.recip(),
            Self::Unit if x < 0.25 => (x * 4.0).ln(),
            Self::Unit if x > 0.75 => 2.0 - ((1.0 - x) * 4.0).ln(),
            Self::Unit => x * 4.0 - 1.0,
        }
    }

    /// Returns the score at a position.
    pub(super) fn score(self, v: f64) -> f64 {
        match self {
            Self::Line { centre, half } if v > 1.0 => centre + (v - (1.0 - half.ln())).exp().min(f64::MAX),
            Self::Line { centre, half } if v < -1.0 => centre - ((half.ln() - 1.0) - v).exp().min(f64::MAX),
            Self::Line { centre, half } => centre + v * half,
            Self::Unit if v < 0.0 => (v.exp() * 0.25).max(f64::from_bits(1)),
            Self::Unit if v > 2.0 => (1.0 - (2.0 - v).exp() * 0.25).min(1.0_f64.next_down()),
            Self::Unit => (v + 1.0) * 0.25,
        }
    }

    /// Returns the transformed score at position v.
    ///
    /// Close to 1, doubles are too coarse for the score, but not for its log odds.
    pub(super) fn transformed(self, scale: &FittedTransform, v: f64) -> f64 {
        // ln x − ln(1 − x), with 4x = e^v.
        let end = |v: f64| v - 4f64.ln() - (-0.25 * v.exp()).ln_1p();
        match (self, scale) {
            (Self::Unit, FittedTransform::Logit) if v < 0.0 => end(v),
            (Self::Unit, FittedTransform::Logit) if v > 2.0 => -end(2.0 - v),
            _ => scale.apply(self.score(v)),
        }
    }

    /// Returns the ends of the linear part.
    pub(super) fn linear_ends(self) -> [f64; 2] {
        match self {
            Self::Line { .. } => [-1.0, 1.0],
            Self::Unit => [0.0, 2.0],
        }
    }

    /// Returns the positions of the smallest and the largest possible score.
    pub(super) fn ends(self) -> [f64; 2] {
        match self {
            Self::Line { .. } => [self.at_score(f64::MIN), self.at_score(f64::MAX)],
            Self::Unit => [self.at_score(f64::from_bits(1)), self.at_score(1.0_f64.next_down())],
        }
    }

    /// Returns the smallest position from which on all scores satisfy a condition.
    pub(super) fn first_where(self, holds: impl Fn(f64) -> bool) -> f64 {
        let [mut low, mut high] = self.ends();
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if holds(self.score(middle)) { high = middle } else { low = middle }
        }
        high
    }

    /// Returns an SQL expression for the position of x; `ln` is the name of the natural logarithm.
    pub(super) fn sql(self, ln: &str) -> String {
        match self {
            Self::Line { centre, half } => {
                let (low, high, shift) = (format_number(centre - half), format_number(centre + half), 1.0 - half.ln());
                let centre = format_number(centre);
                format!(
                    "CASE WHEN x > {high} THEN {ln}(x - {centre}) {}\n      \
                     WHEN x < {low} THEN {} - {ln}({centre} - x)\n      \
                     ELSE (x - {centre}) * {} END",
                    format_term(shift),
                    format_number(-shift),
                    format_number(half.recip()),
                )
            }
            Self::Unit => format!(
                "CASE WHEN x < 2.5E-1 THEN {ln}(x * 4E0)\n      \
                 WHEN x > 7.5E-1 THEN 2E0 - {ln}((1E0 - x) * 4E0)\n      \
                 ELSE x * 4E0 - 1E0 END"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_and_position_are_inverse() {
        for position in
            [ScorePosition::for_range(-3.0, 4.0), ScorePosition::for_range(1e6, 1e6 + 1.0), ScorePosition::Unit]
        {
            let [low, high] = position.ends();
            for k in 1..2000 {
                let v = low + (high - low) * f64::from(k) / 2000.0;
                let x = position.score(v);
                // The distance of neighbouring doubles.
                let step = (position.at_score(x.next_up()) - position.at_score(x.next_down())).abs();
                assert!((position.at_score(x) - v).abs() <= 1e-12 + step, "{position:?} {v} {x:e}");
            }
            let [low, high] = [position.score(low), position.score(high)];
            assert!(low.is_finite() && high.is_finite() && low < high);
        }
    }
}
