//! Intervals as bars to the right of a table: a line for the interval on a common axis, and a mark at the estimate.
//!
//! Lines are drawn in half cells, so that each end is off by half a cell at most. The mark is in
//! the cell of the estimate.

use super::screen::Screen;
use console::Style;
use std::ops::RangeInclusive;
use truecount_analysis::results::Span;

/// Width of a bar in cells: shorter bars show nothing, longer ones are hard to follow from the names on the left.
const CELLS: RangeInclusive<usize> = 16..=40;

/// Numbers of equal parts into which [0, 1] is divided, with the decimals of the limits. A short
/// axis begins and ends at limits of such parts. The finest parts match the digits of the table.
const PARTS: [(f64, usize); 10] = [
    (10_000.0, 4),
    (5000.0, 4),
    (2000.0, 4),
    (1000.0, 3),
    (500.0, 3),
    (200.0, 3),
    (100.0, 2),
    (50.0, 2),
    (20.0, 2),
    (10.0, 1),
];

/// Bars with a common axis, width and style.
pub struct IntervalBars {
    axis: Axis,
    cells: usize,
    warning_style: Style,
}

/// The values at the left and the right end of a bar.
struct Axis {
    from: f64,
    to: f64,
    decimals: usize,
}

impl IntervalBars {
    /// Creates bars next to a table of this width; `None` if the screen is too narrow or there is only one row.
    pub fn new(table_width: usize, screen: Screen, spans: impl Iterator<Item = Span> + Clone) -> Option<Self> {
        let room = usize::from(screen.width?).checked_sub(table_width)?;
        if room < *CELLS.start() || spans.clone().nth(1).is_none() {
            return None;
        }
        let warning_style = Style::new().yellow().force_styling(screen.colour);
        Some(Self { axis: Axis::from_spans(spans), cells: room.min(*CELLS.end()), warning_style })
    }

    /// Returns the labels of the axis, and the line below them.
    pub fn header(&self) -> [String; 2] {
        let Axis { from, to, decimals } = self.axis;
        let (from, to) = (format!("{from:.decimals$}"), format!("{to:.decimals$}"));
        let rest = self.cells - from.len();
        [format!("{from}{to:>rest$}"), "─".repeat(self.cells)]
    }

    /// Draws the bar of one row.
    pub fn bar(&self, span: &Span) -> String {
        let mark = self.position(span.estimate).floor().min(self.cells as f64 - 1.0);
        let line = span.interval.map(|limits| limits.map(|limit| self.position(limit)));
        // Whether the line covers a part of the half cell that begins at `left`.
        let covers = |left: f64| line.is_some_and(|[lower, upper]| left < upper && lower < left + 0.5);
        let cell = |i: usize| {
            let left = i as f64;
            match (covers(left), covers(left + 0.5)) {
                _ if left == mark => '●',
                (true, true) => '━',
                (true, false) => '╸',
                (false, true) => '╺',
                (false, false) => ' ',
            }
        };
        let bar: String = (0..self.cells).map(cell).collect();
        let bar = bar.trim_end();
        if span.warned { self.warning_style.apply_to(bar).to_string() } else { bar.to_owned() }
    }

    /// Distance of x from the left end, in cells.
    fn position(&self, x: f64) -> f64 {
        let Axis { from, to, .. } = self.axis;
        ((x - from) / (to - from)).clamp(0.0, 1.0) * self.cells as f64
    }
}

impl Axis {
    /// Returns the axis [0, 1], or a part of it if all values lie within a range of at most 0.5.
    fn from_spans(spans: impl Iterator<Item = Span>) -> Self {
        let values = spans.flat_map(|span| span.interval.into_iter().flatten().chain([span.estimate]));
        let (min, max) = values.fold((1.0_f64, 0.0_f64), |(min, max), x| (min.min(x), max.max(x)));
        let finest = PARTS.into_iter().find(|(parts, _)| (max - min) * parts <= 5.0);
        let Some((parts, decimals)) = finest else { return Self { from: 0.0, to: 1.0, decimals: 0 } };
        let from = (min * parts).floor().min(parts - 1.0);
        let to = (max * parts).ceil().max(from + 1.0);
        Self { from: from / parts, to: to / parts, decimals }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPANS: [(f64, Option<[f64; 2]>, bool); 5] = [
        (0.0, Some([0.0, 0.05]), true),
        (0.5, Some([0.25, 0.75]), false),
        (0.5, None, false),
        (1.0, Some([0.975, 1.0]), false),
        (0.125, Some([0.0625, 0.1875]), true),
    ];

    fn spans(rows: &[(f64, Option<[f64; 2]>, bool)]) -> impl Iterator<Item = Span> + Clone {
        rows.iter().map(|&(estimate, interval, warned)| Span { estimate, interval, warned })
    }

    fn lines(table_width: usize, screen: Screen) -> Option<Vec<String>> {
        let bars = IntervalBars::new(table_width, screen, spans(&SPANS))?;
        Some(bars.header().into_iter().chain(spans(&SPANS).map(|span| bars.bar(&span))).collect())
    }

    /// 20 cells of 0.05 each.
    #[test]
    fn a_bar_is_a_line_in_half_cells_and_a_mark() {
        let screen = Screen { width: Some(120), colour: false };
        let lines = lines(100, screen).unwrap();
        insta::assert_snapshot!(lines.join("\n"), @"
        0                  1
        ────────────────────
        ●
             ━━━━━●━━━━
                  ●
                           ●
         ━●━
        ");
    }

    #[test]
    fn the_axis_covers_the_needed_part_of_0_to_1() {
        let axis = |min: f64, max: f64| {
            let Axis { from, to, decimals } =
                Axis::from_spans(spans(&[(min, None, false), (max, Some([min, max]), false)]));
            format!("{from:.decimals$} {to:.decimals$}")
        };
        assert_eq!(axis(0.0, 1.0), "0 1");
        assert_eq!(axis(0.0, 0.51), "0 1");
        assert_eq!(axis(0.02, 0.49), "0.0 0.5");
        assert_eq!(axis(0.506, 0.5377), "0.50 0.54");
        assert_eq!(axis(0.98765, 0.98775), "0.9876 0.9878");
        assert_eq!(axis(0.3, 0.3), "0.3000 0.3001");
        assert_eq!(axis(0.0, 0.0), "0.0000 0.0001");
        assert_eq!(axis(1.0, 1.0), "0.9999 1.0000");
    }
}
