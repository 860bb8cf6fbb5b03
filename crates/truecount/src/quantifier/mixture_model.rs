//! Forman's mixture model (2005; 2008, §2.4), `mm`: the share p at which the distribution function
//! p F₊ + (1−p) F₋ of the labelled scores leaves the least area between its P-P plot against that
//! of the test scores, F, and the diagonal.
//!
//! The plot goes from (0, 0) to (1, 1) and never back, so every height y between 0 and 1 meets it
//! once, at x(y) = F₋(y) + p J(y) with J = F₊ − F₋ where F is y. By Cavalieri's principle the area
//! is
//!
//! ```text
//! A(p) = ∫₀¹ |F₋(y) + p J(y) − y| dy,      A′(p) = ∫₀¹ J(y) sgn(F₋(y) + p J(y) − y) dy
//! ```
//!
//! whose measure does not depend on p: A is convex, and its minimum is the median of the Adjusted
//! Counts (y − F₋)/J at all cuts, weighted by
//! |J|. A′ never falls, and is found for any p piece by piece. Between two labelled scores F₋ and J are constant; test scores equal to
//! labelled ones are joined by a straight line, as in a ROC plot, along which all three are linear.
//! So nothing is lost by counting test scores at and between the labelled ones.

use super::Method;
use super::cuts::{self, Criterion, Cut};
use super::method::{FamilyUse, MethodRow, RatesOrigin, SummaryKind, VarianceOrigin};
use super::quantify::Quantify;
use super::raw_estimate::RawEstimate;
use crate::distribution::Empirical;
use crate::inference::Warning;
use crate::numeric::edges::Edges;
use crate::numeric::sum::CompensatedSum;
use crate::tally::{BinCounts, TallyState};
use crate::training::InputKind;
use crate::{Error, PerClass};
use std::sync::Arc;

impl Method {
    /// Forman's mixture model, `mm`: the mixture of the labelled scores with the least area between
    /// its P-P plot and the diagonal.
    pub const MM: Self = Self::from_row(&MethodRow {
        name: "mm",
        aliases: &[],
        summary: "Forman's mixture model: least area in the P-P plot of the scores",
        input: InputKind::Score,
        summary_kind: SummaryKind::Counts,
        family_use: FamilyUse::Unused,
        rates: RatesOrigin::Labels,
        model_rates: None,
        takes_label_design: false,
        variance: VarianceOrigin::Unavailable,
        fit: |training, _| Ok(Arc::new(MixtureModel::new(training.empirical())?)),
        fit_known: None,
    });
}

/// Slopes of the area closer to 0 than this are 0: all they are is rounding.
const FLAT: f64 = 1e-14;

/// Several prevalences have the least area where so much lies between the first and the last.
const WIDE: f64 = 1e-9;

#[derive(Clone, Debug)]
struct MixtureModel {
    /// Every labelled score and the number after it.
    edges: Edges,
    /// The classes' distribution functions where each bin begins, and at the end of the last one.
    rates: Vec<PerClass<f64>>,
}

impl MixtureModel {
    /// # Errors
    /// [`Problem::NoSeparation`](crate::Problem::NoSeparation) where at no cut more positives than
    /// negatives are above.
    fn new(empirical: &PerClass<Empirical>) -> Result<Self, Error> {
        cuts::choose(empirical, Criterion::LargestDifference)?;
        let n = empirical.map(Empirical::n);
        let below = |cut: &Cut| PerClass {
            positive: (n.positive - cut.above.positive) as f64 / n.positive as f64,
            negative: (n.negative - cut.above.negative) as f64 / n.negative as f64,
        };
        let whole = PerClass { positive: 1.0, negative: 1.0 };
        let (mut edges, mut rates) = (Vec::new(), vec![whole]);
        for cut in cuts::all(empirical) {
            // What lies between labelled scores begins and ends with the same rates.
            *rates.last_mut().expect("there is always one") = below(&cut);
            // The number after another labelled score is an edge already.
            if edges.last() != Some(&cut.score) {
                edges.push(cut.score);
                rates.push(below(&cut));
            }
            let after = cut.score.next_up();
            if after.is_finite() {
                edges.push(after);
                rates.push(whole);
            }
        }
        rates.push(whole);
        Ok(Self { edges: Edges::new(edges), rates })
    }
}

/// A part of the plot along which all distribution functions are linear, from its beginning to its
/// end.
struct AreaPiece {
    /// F.
    height: [f64; 2],
    /// F₋.
    negative: [f64; 2],
    /// J.
    difference: [f64; 2],
}

impl AreaPiece {
    /// ∫ J sgn(F₋ + p J − y) dy.
    fn slope(&self, p: f64) -> f64 {
        let [from, to] = self.difference;
        let [before, after] = [0, 1].map(|end| self.negative[end] + p * self.difference[end] - self.height[end]);
        // The share of the piece on the near side of the diagonal where it is crossed, and J there.
        let near = if before * after < 0.0 { before / (before - after) } else { 1.0 };
        let crossed = from + near * (to - from);
        let (first, second) = (0.5 * near * (from + crossed), 0.5 * (1.0 - near) * (crossed + to));
        let side = if before == 0.0 { sign(after) } else { sign(before) };
        side * (first - second) * (self.height[1] - self.height[0])
    }
}

/// 0 for 0, unlike [`f64::signum`].
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

impl MixtureModel {
    /// The parts of the plot where it rises: all that its area depends on.
    fn pieces(&self, counts: &BinCounts) -> Vec<AreaPiece> {
        let n = counts.total() as f64;
        let (mut below, mut pieces) = (0, Vec::new());
        for (bin, count) in counts.iter().enumerate().filter(|(_, count)| *count > 0) {
            let through = below + count;
            let rates = [&self.rates[bin], &self.rates[bin + 1]];
            pieces.push(AreaPiece {
                height: [below, through].map(|count| count as f64 / n),
                negative: rates.map(|rates| rates.negative),
                difference: rates.map(|rates| rates.positive - rates.negative),
            });
            below = through;
        }
        pieces
    }
}

/// The first p in [0, 1] at which a condition that holds up to some p does not; 1 if it always
/// holds.
fn end_of(holds: impl Fn(f64) -> bool) -> f64 {
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
    fn empty_state(&self) -> TallyState {
        TallyState::empty_counts(&self.edges)
    }

    fn update(&self, state: &mut TallyState, values: &[f64]) -> Result<(), Error> {
        state.count(&self.edges, values)
    }

    /// The p with the least area, halfway between the first and the last if several have it.
    fn estimate(&self, state: &TallyState) -> RawEstimate {
        let TallyState::Counts(counts) = state else { unreachable!("a tally of this quantifier") };
        let pieces = self.pieces(counts);
        let slope = |p: f64| pieces.iter().map(|piece| piece.slope(p)).collect::<CompensatedSum>().value();
        let (first, last) = (end_of(|p| slope(p) < -FLAT), end_of(|p| slope(p) <= FLAT));
        let raw = if last - first > WIDE { 0.5 * (first + last) } else { end_of(|p| slope(p) < 0.0) };
        let flat = pieces.iter().all(|piece| piece.difference == [0.0; 2]);
        let warnings = if flat { vec![Warning::NoSpread] } else { Vec::new() };
        RawEstimate::without_variance(raw, warnings)
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        let differences = self.rates.iter().map(|rates| rates.positive - rates.negative);
        let largest = differences.map(f64::abs).fold(0.0, f64::max);
        vec![("largest_difference", largest)]
    }
}
