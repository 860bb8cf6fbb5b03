//! Influence functions: the contribution of one test score to a linear quantifier.

use super::moments::FunctionMoments;
use crate::Error;
use crate::numeric::edges::Edges;
use crate::numeric::pass::{self, PassSums};
use crate::numeric::polynomial::{self, Ramp};
use std::sync::Arc;

/// The contribution of one test score to the mean that a linear quantifier is computed from.
#[derive(Clone, Debug)]
pub(crate) enum InfluenceFunction {
    /// 1 for scores at or above the cut, otherwise 0: Classify & Count and its corrections.
    Step { cut: f64 },
    /// A smooth non-decreasing g that is 0 on the far left, as a sum of one or a few ramps: the
    /// sweeps.
    Smooth(Vec<Ramp>),
    /// (x − origin)/unit, clipped to [−10⁵⁰, 10⁵⁰]: means of posteriors and of scores.
    Line { origin: f64, unit: f64 },
    /// The score function (f⁺ − f⁻)/(α f⁺ + (1−α) f⁻) of a mixture with prevalence α, as a function
    /// of the balanced probability u = f⁺/(f⁺ + f⁻): Efficient Sweep.
    MixtureScore { alpha: f64 },
    /// A constant in each bin between the edges.
    Steps { edges: Arc<Edges>, values: Vec<f64> },
    /// A linear function in each bin between the edges: `EDy`.
    Lines { edges: Arc<Edges>, lines: Vec<LineSegment> },
}

/// The linear function intercept + slope · x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LineSegment {
    pub(crate) intercept: f64,
    pub(crate) slope: f64,
}

impl LineSegment {
    fn value(self, x: f64) -> f64 {
        self.intercept + self.slope * x
    }
}

impl InfluenceFunction {
    /// The identity function.
    pub(crate) const IDENTITY: Self = Self::Line { origin: 0.0, unit: 1.0 };

    /// Returns the value at x.
    pub(crate) fn value(&self, x: f64) -> f64 {
        match self {
            Self::Step { cut } => f64::from(u8::from(x >= *cut)),
            Self::Smooth(ramps) => polynomial::sum_of_ramps(ramps, x),
            Self::Line { origin, unit } => ((x - origin) / unit).clamp(-pass::MAX_STANDARDISED, pass::MAX_STANDARDISED),
            Self::MixtureScore { alpha } => (2.0 * x - 1.0) / (alpha * x + (1.0 - alpha) * (1.0 - x)),
            Self::Steps { edges, values } => values[edges.at_or_below(x)],
            Self::Lines { edges, lines } => lines[edges.at_or_below(x)].value(x),
        }
    }

    /// Returns the value at the largest double; for a sweep this is g(∞).
    pub(crate) fn value_at_infinity(&self) -> f64 {
        self.value(f64::MAX)
    }

    /// Returns the smallest and the largest value at points in this range.
    pub(crate) fn range(&self, [from, to]: [f64; 2]) -> [f64; 2] {
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
        };
        match self {
            Self::Step { .. } => [0.0, 1.0],
            Self::Smooth(_) => [0.0, self.value_at_infinity()],
            Self::Line { .. } | Self::MixtureScore { .. } => [self.value(from), self.value(to)],
            Self::Steps { values, .. } => ends(&mut values.iter().copied()),
            // Continuous, so that the extremes are at the edges or at the ends of the range.
            Self::Lines { edges, .. } => ends(&mut edges.iter().chain([from, to]).map(|x| self.value(x))),
        }
    }

    /// Adds the function's values at these points to the moments.
    ///
    /// # Errors
    /// Returns [`Problem::NotFinite`](crate::Problem::NotFinite) if a point is not finite; the
    /// moments are then unchanged.
    pub(crate) fn update(&self, moments: &mut FunctionMoments, values: &[f64]) -> Result<(), Error> {
        let pass = match self {
            Self::Step { cut } => pass::sum_step(values, *cut),
            Self::Smooth(ramps) => pass::sum_ramps(values, ramps),
            Self::Line { origin, unit } => pass::sum_line(values, *origin, *unit),
            Self::MixtureScore { alpha } => pass::sum_mixture_score(values, 0.5, *alpha),
            Self::Steps { edges, values: steps } => sum_steps(values, edges, steps),
            Self::Lines { edges, lines } => sum_lines(values, edges, lines),
        };
        if !pass.finite {
            return Err(Error::first_not_finite(values));
        }
        moments.add(values.len() as u64, &pass.sum, &pass.sum_squares);
        Ok(())
    }

    /// Returns the moments of the function at these points.
    ///
    /// # Errors
    /// Returns [`Problem::NotFinite`](crate::Problem::NotFinite) if a point is not finite.
    pub(crate) fn moments(&self, values: &[f64]) -> Result<FunctionMoments, Error> {
        let mut moments = FunctionMoments::default();
        self.update(&mut moments, values)?;
        Ok(moments)
    }
}

/// Returns the sums of a step function's values and of their squares.
fn sum_steps(values: &[f64], edges: &Edges, steps: &[f64]) -> PassSums {
    let mut counts = vec![0; steps.len()];
    let finite = edges.count(values, |bin, n| counts[bin] += n);
    let sum = |term: fn(f64) -> f64| counts.iter().zip(steps).map(|(n, step)| *n as f64 * term(*step)).collect();
    PassSums { sum: sum(|step| step), sum_squares: sum(|step| step * step), finite }
}

/// Returns the sums of a piecewise linear function's values and of their squares.
fn sum_lines(values: &[f64], edges: &Edges, lines: &[LineSegment]) -> PassSums {
    let mut result = PassSums { finite: pass::all_finite(values), ..PassSums::default() };
    if result.finite {
        edges.for_each_bin(values, |x, bin| {
            let value = lines[bin].value(x);
            result.sum.add(value);
            result.sum_squares.add(value * value);
        });
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::sum::CompensatedSum;

    fn two_ramps() -> InfluenceFunction {
        let first = Ramp::new(0.0, 1.0, vec![0.0, 0.5]);
        InfluenceFunction::Smooth(vec![first, Ramp::new(1.0, 3.0, vec![0.0, 0.25, 0.0, 0.25])])
    }

    /// Creates a continuous piecewise linear function with knots at 0, 0.1, 0.2, …
    fn piecewise_linear(knots: u32) -> InfluenceFunction {
        let edges: Vec<f64> = (0..knots).map(|k| f64::from(k) * 0.1).collect();
        let mut lines = vec![LineSegment { intercept: 0.5, slope: 0.0 }];
        for (k, edge) in edges.iter().enumerate() {
            let slope = if k % 2 == 0 { 0.75 } else { -0.5 };
            lines.push(LineSegment { intercept: lines[k].value(*edge) - slope * edge, slope });
        }
        InfluenceFunction::Lines { edges: Arc::new(Edges::new(edges)), lines }
    }

    #[test]
    fn every_kernel_sums_the_values() {
        let influences = [
            InfluenceFunction::Step { cut: 0.7 },
            InfluenceFunction::Smooth(vec![Ramp::new(-1.0, 2.0, vec![0.0, 0.75, 0.0, 0.25])]),
            two_ramps(),
            InfluenceFunction::Line { origin: 0.5, unit: 4.0 },
            InfluenceFunction::Steps {
                edges: Arc::new(Edges::new(vec![-0.5, 0.25, 3.0])),
                values: vec![-1.0, 0.5, 0.25, 2.0],
            },
            piecewise_linear(3),
            piecewise_linear(90),
        ];
        let scores: Vec<f64> = (0..9001).map(|i| f64::from(i * 7919 % 9001) / 1500.0 - 2.0).collect();
        for g in influences {
            for n in [0, 1, 31, 32, 33, 4096, 9001] {
                let mut moments = FunctionMoments::default();
                g.update(&mut moments, &scores[..n]).unwrap();
                let values = scores[..n].iter().map(|s| g.value(*s));
                let sum = values.clone().collect::<CompensatedSum>().value();
                let squares = values.map(|v| v * v).collect::<CompensatedSum>().value();
                assert_eq!(moments.n(), n as u64);
                assert!((moments.sum() - sum).abs() <= 1e-15 * n as f64, "{g:?}, {n}: {} not {sum}", moments.sum());
                assert!((moments.sum_squares() - squares).abs() <= 1e-15 * squares.max(n as f64));
            }
        }
    }

    #[test]
    fn ramps_are_constant_beyond_their_edges() {
        let g = two_ramps();
        let mut moments = FunctionMoments::default();
        g.update(&mut moments, &[-1e308, -5.0, 0.0, f64::MIN]).unwrap();
        assert_eq!((moments.sum(), g.value_at_infinity()), (0.0, 2.0));
        g.update(&mut moments, &[f64::MAX, 1e300, 3.0]).unwrap();
        assert_eq!(moments.sum(), 6.0);
    }

    #[test]
    fn non_finite_score_is_an_error_and_the_moments_do_not_change() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for g in [InfluenceFunction::Step { cut: 0.0 }, two_ramps(), piecewise_linear(90)] {
                let mut scores = vec![0.5; 100];
                scores[77] = bad;
                let mut moments = FunctionMoments::default();
                let error = g.update(&mut moments, &scores).unwrap_err();
                assert_eq!((error.code(), error.location().row), ("score-not-finite", Some(77)));
                assert_eq!(moments, FunctionMoments::default());
            }
        }
    }
}
