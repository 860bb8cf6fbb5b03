//! Forman's mixture model (2005; 2008, §2.4), `mm`.
//!
//! With F the distribution function of the test scores and F± those of the labelled classes, let
//! the P-P plot have the mixture p F₊ + (1−p) F₋ on one axis and F on the other. The estimate is
//! the share p that minimises the area between the plot and the diagonal.
//!
//! The plot rises from (0, 0) to (1, 1), so that it meets every height y in [0, 1] once, at x(y) =
//! F₋(y) + p J(y) with J = F₊ − F₋ where F is y. By Cavalieri's principle the area is
//!
//! ```text
//! A(p) = ∫₀¹ |F₋(y) + p J(y) − y| dy,      A′(p) = ∫₀¹ J(y) sgn(F₋(y) + p J(y) − y) dy
//! ```
//!
//! The measure dy does not depend on p. A is therefore convex, and its minimum is the median of the
//! Adjusted Counts (y − F₋)/J at all cuts, weighted by |J|. The non-decreasing A′ is computed piece
//! by piece. Between two labelled scores F₋ and J are constant. Test scores equal to a labelled
//! score are joined by a straight line, as in a ROC plot, along which F, F₋ and J are linear.
//! Counts of the test scores at and between the labelled scores are therefore sufficient.

use super::Method;
use super::cuts::{self, Criterion, Cut};
use super::method::{MethodRow, SummaryKind};
use super::quantify::Quantify;
use super::raw_estimate::RawEstimate;
use crate::distribution::Empirical;
use crate::inference::Warning;
use crate::numeric::edges::Edges;
use crate::numeric::sum::CompensatedSum;
use crate::tally::{BinCounts, MethodTally};
use crate::{Error, PerClass};
use std::sync::Arc;

impl Method {
    /// Forman's mixture model, `mm`: minimises the area between the P-P plot of a mixture of the
    /// labelled scores and the diagonal.
    pub const MM: Self = Self::from_row(&MethodRow {
        summary_kind: SummaryKind::Counts,
        ..MethodRow::new("mm", "Forman's mixture model: smallest area in the P-P plot of the scores", |training, _| {
            Ok(Arc::new(MixtureModel::new(training.empirical())?))
        })
    });
}

/// The absolute slope of the area up to which it is 0, apart from rounding errors.
const SLOPE_TOLERANCE: f64 = 1e-14;

/// The minimum width of an interval of several prevalences with the minimum area.
const MIN_WIDTH: f64 = 1e-9;

#[derive(Clone, Debug)]
struct MixtureModel {
    /// Every labelled score and the next larger floating-point number.
    edges: Edges,
    /// The distribution functions of the classes at the beginning of each bin, and at the end of
    /// the last bin.
    rates: Vec<PerClass<f64>>,
}

impl MixtureModel {
    /// Fits the model to the labelled scores.
    ///
    /// # Errors
    /// Returns [`Problem::ClassesNotSeparated`](crate::Problem::ClassesNotSeparated) if F̂⁺ > F̂⁻ at no cut.
    fn new(empirical: &PerClass<Empirical>) -> Result<Self, Error> {
        cuts::choose(empirical, Criterion::LargestDifference)?;
        let n = empirical.map(Empirical::n);
        let below = |cut: &Cut| n.zip_map(&cut.above, |n, above| (n - above) as f64 / *n as f64);
        let ones = PerClass { positive: 1.0, negative: 1.0 };
        let (mut edges, mut rates) = (Vec::new(), vec![ones]);
        for cut in cuts::all(empirical) {
            // A bin between labelled scores has the same rates at both ends.
            *rates.last_mut().expect("the rates are never empty") = below(&cut);
            // The cut is already an edge if it is the number after another labelled score.
            if edges.last() != Some(&cut.score) {
                edges.push(cut.score);
                rates.push(below(&cut));
            }
            let after = cut.score.next_up();
            if after.is_finite() {
                edges.push(after);
                rates.push(ones);
            }
        }
        rates.push(ones);
        Ok(Self { edges: Edges::new(edges), rates })
    }
}

/// A piece of the plot along which all distribution functions are linear. The fields have the
/// values at both ends.
struct AreaPiece {
    /// F.
    height: [f64; 2],
    /// F₋.
    negative: [f64; 2],
    /// J.
    difference: [f64; 2],
}

impl AreaPiece {
    /// Returns ∫ J sgn(F₋ + p J − y) dy.
    fn slope(&self, p: f64) -> f64 {
        let [j_start, j_end] = self.difference;
        let [start, end] = [0, 1].map(|end| self.negative[end] + p * self.difference[end] - self.height[end]);
        // The fraction of the piece before it crosses the diagonal, and J at the crossing.
        let fraction = if start * end < 0.0 { start / (start - end) } else { 1.0 };
        let j_crossing = j_start + fraction * (j_end - j_start);
        let (before, after) = (0.5 * fraction * (j_start + j_crossing), 0.5 * (1.0 - fraction) * (j_crossing + j_end));
        let side = if start == 0.0 { sign(end) } else { sign(start) };
        side * (before - after) * (self.height[1] - self.height[0])
    }
}

/// Returns the sign of x, which is 0 for 0, unlike [`f64::signum`].
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

impl MixtureModel {
    /// Returns the pieces of the plot where F rises, on which alone the area depends.
    fn pieces(&self, counts: &BinCounts) -> Vec<AreaPiece> {
        let n = counts.total() as f64;
        let (mut below, mut pieces) = (0, Vec::new());
        for (bin, count) in counts.iter().enumerate().filter(|(_, count)| *count > 0) {
            let up_to = below + count;
            let rates = [&self.rates[bin], &self.rates[bin + 1]];
            pieces.push(AreaPiece {
                height: [below, up_to].map(|count| count as f64 / n),
                negative: rates.map(|rates| rates.negative),
                difference: rates.map(|rates| rates.positive - rates.negative),
            });
            below = up_to;
        }
        pieces
    }
}

/// Returns the first p in [0, 1] at which a condition that holds up to some p no longer holds; 1 if
/// it always holds.
fn first_failure(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    if !holds(low) {
        return low;
    }
    if holds(high) {
        return high;
    }
    while let middle = 0.5 * (low + high)
        && low < middle
        && middle < high
    {
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

impl Quantify for MixtureModel {
    fn empty_state(&self) -> MethodTally {
        MethodTally::empty_counts(&self.edges)
    }

    fn update(&self, state: &mut MethodTally, values: &[f64]) -> Result<(), Error> {
        state.count(&self.edges, values)
    }

    /// Returns the p with the minimum area; the midpoint if an interval of p has it.
    fn estimate(&self, state: &MethodTally) -> RawEstimate {
        let MethodTally::Counts(counts) = state else { unreachable!("a tally of this quantifier") };
        let pieces = self.pieces(counts);
        let slope = |p: f64| pieces.iter().map(|piece| piece.slope(p)).collect::<CompensatedSum>().value();
        let (first, last) =
            (first_failure(|p| slope(p) < -SLOPE_TOLERANCE), first_failure(|p| slope(p) <= SLOPE_TOLERANCE));
        let raw = if last - first > MIN_WIDTH { 0.5 * (first + last) } else { first_failure(|p| slope(p) < 0.0) };
        let flat = pieces.iter().all(|piece| piece.difference == [0.0; 2]);
        let warnings = if flat { vec![Warning::NoSpread] } else { Vec::new() };
        RawEstimate::without_variance(raw, warnings)
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        let differences = self.rates.iter().map(|rates| rates.positive - rates.negative);
        vec![("largest_difference", differences.map(f64::abs).fold(0.0, f64::max))]
    }
}
