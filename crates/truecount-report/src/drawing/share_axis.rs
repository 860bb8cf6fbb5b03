//! An axis of shares that ends where the data end.

use kuva::render::layout::{Layout, TickFormat};
use std::sync::Arc;

/// Possible steps between ticks.
const STEPS: [f64; 11] = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5];

/// Maximum number of steps between ticks.
const MAX_STEPS: f64 = 6.0;

/// The ends and ticks of an axis of shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShareAxis {
    min: f64,
    max: f64,
    step: f64,
}

impl ShareAxis {
    /// Creates an axis for these shares. It begins at 0 unless more than a third of it would be empty.
    pub fn new(shares: impl IntoIterator<Item = f64>) -> Self {
        Self::with_max_steps(shares, MAX_STEPS)
    }

    /// Creates an axis with at most this number of steps between ticks, which is at least 2.
    pub fn with_max_steps(shares: impl IntoIterator<Item = f64>, max_steps: f64) -> Self {
        let (lowest, highest) = shares.into_iter().fold((1.0_f64, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
        let lowest = if lowest < highest / 3.0 { 0.0 } else { lowest.min(highest) };
        let ends = |step: f64| {
            // Shares that lie on a tick up to rounding stay there.
            let (first, last) = ((lowest / step + 1e-9).floor(), (highest / step - 1e-9).ceil());
            ((step * first).min(lowest), (step * last.max(first + 1.0)).max(highest).min(1.0))
        };
        let fits = |step: &f64| {
            let (min, max) = ends(*step);
            max - min <= (max_steps + 1e-9) * step
        };
        let step = STEPS.into_iter().find(fits).unwrap_or(0.5);
        let (min, max) = ends(step);
        // If all shares are 1, the axis has one step below them.
        Self { min: if min < max { min } else { max - step }, max, step }
    }

    /// Makes this the horizontal axis.
    pub fn horizontal(self, layout: Layout) -> Layout {
        let layout = layout.with_x_axis_min(self.min).with_x_axis_max(self.max);
        layout.with_x_tick_step(self.step).with_x_tick_format(self.tick_format())
    }

    /// Makes this the vertical axis.
    pub fn vertical(self, layout: Layout) -> Layout {
        let layout = layout.with_y_axis_min(self.min).with_y_axis_max(self.max);
        layout.with_y_tick_step(self.step).with_y_tick_format(self.tick_format())
    }

    /// Returns the share at this fraction of the axis.
    pub fn at(self, fraction: f64) -> f64 {
        self.min + fraction * (self.max - self.min)
    }

    /// Returns a format of percentages with as many decimals as the step needs.
    fn tick_format(self) -> TickFormat {
        let decimals = match self.step {
            step if step < 0.001 => 2,
            step if step < 0.01 => 1,
            _ => 0,
        };
        TickFormat::Custom(Arc::new(move |share| format!("{:.decimals$} %", 100.0 * share)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(shares: &[f64]) -> (f64, f64, f64) {
        let ShareAxis { min, max, step } = ShareAxis::new(shares.iter().copied());
        let round = |x: f64| (x * 1e6).round() / 1e6;
        (round(min), round(max), step)
    }

    #[test]
    fn the_axis_ends_where_the_data_end() {
        assert_eq!(axis(&[0.03, 0.98]), (0.0, 1.0, 0.2));
        assert_eq!(axis(&[0.08, 0.57]), (0.0, 0.6, 0.1));
        assert_eq!(axis(&[0.64, 0.85]), (0.6, 0.85, 0.05));
        assert_eq!(axis(&[0.001, 0.0041]), (0.0, 0.005, 0.001));
        assert_eq!(axis(&[0.0, 0.0]), (0.0, 0.0005, 0.0005));
        assert_eq!(axis(&[1.0, 1.0]), (0.9995, 1.0, 0.0005));
        assert_eq!(axis(&[]), (0.0, 0.0005, 0.0005));
        for (low, high) in (0..=100).flat_map(|low| (low..=100).map(move |high| (low, high))) {
            let (low, high) = (f64::from(low) / 100.0, f64::from(high) / 100.0);
            let ShareAxis { min, max, step } = ShareAxis::new([low, high]);
            assert!((0.0..1.0).contains(&min) && min <= low && (high..=1.0).contains(&max), "{low} {high}");
            assert!(max - min <= (MAX_STEPS + 1e-6) * step && max - min >= step - 1e-9, "{low} {high}");
        }
    }
}
