//! The edges at which the shift check compares distributions, and the counts of test scores between
//! them.
//!
//! The edges are those of the bins of Efficient Sweep: quantiles of the class-balanced labelled
//! scores, H = ½F̂⁺ + ½F̂⁻. The weights are Anderson and Darling's, W_k = ΔH_k / (H_k (1 − H_k)),
//! where ΔH_k is the edge's share of H.

use crate::calibration::Bins;
use crate::numeric::edges::Edges;
use crate::tally::{MethodState, MethodTally};
use crate::{Error, PerClass, Problem};
use std::sync::Arc;

/// Edges with their weights and the labelled shares at or above each edge.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) edges: Arc<Edges>,
    /// F̂⁺ and F̂⁻ at each edge.
    pub(super) rates: PerClass<Vec<f64>>,
    /// Ĵ at each edge.
    pub(super) distance: Vec<f64>,
    /// W_k.
    pub(super) weights: Vec<f64>,
}

impl Grid {
    /// Builds the edges from the bins of the labelled scores.
    ///
    /// # Errors
    /// Returns [`Problem::TooFewDifferent`] for fewer than three distinct scores, because a mixture
    /// always fits at a single edge, and [`Problem::ClassesNotSeparated`] if the labelled classes have the
    /// same distribution.
    pub(super) fn new(bins: &Bins) -> Result<Self, Error> {
        if bins.len() < 3 {
            return Err(Problem::TooFewValuesToCheck.into());
        }
        let edges = Arc::clone(bins.edges());
        let rates = bins.effective_counts().map(|counts| at_or_above(counts));
        let distance: Vec<f64> = rates.positive.iter().zip(&rates.negative).map(|(p, n)| p - n).collect();
        if distance.iter().all(|j| *j == 0.0) {
            return Err(Problem::ClassesNotSeparated { max_j: 0.0 }.into());
        }
        let balanced: Vec<f64> = rates.positive.iter().zip(&rates.negative).map(|(p, n)| 0.5 * (p + n)).collect();
        let weight = |k: usize| {
            let above = if k == 0 { 1.0 } else { balanced[k - 1] };
            let below = balanced.get(k + 1).copied().unwrap_or(0.0);
            let variance = balanced[k] * (1.0 - balanced[k]);
            // Labelled rows of negligible weight can leave H at 0 or 1.
            if variance > 0.0 { 0.5 * (above - below) / variance } else { 0.0 }
        };
        let weights = (0..edges.len()).map(weight).collect();
        Ok(Self { edges, rates, distance, weights })
    }

    /// Returns Σ W a b.
    pub(super) fn product(&self, a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).zip(&self.weights).map(|((a, b), w)| w * a * b).sum()
    }

    /// Returns Σ W a².
    pub(super) fn square(&self, a: &[f64]) -> f64 {
        self.product(a, a)
    }

    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }
}

/// Returns the shares at or above each edge, from the counts between edges.
pub(super) fn at_or_above(cells: &[f64]) -> Vec<f64> {
    let mut above = 0.0;
    let sums: Vec<f64> = cells
        .iter()
        .rev()
        .map(|count| {
            above += count;
            above
        })
        .collect();
    sums[..cells.len() - 1].iter().rev().map(|sum| sum / above).collect()
}

/// Returns the amount in each bin, given the total and the amounts at or above each edge.
pub(super) fn in_bins(above: &[f64], total: f64) -> Vec<f64> {
    let lower = [total].into_iter().chain(above.iter().copied());
    lower.zip(above.iter().copied().chain([0.0])).map(|(above, next)| above - next).collect()
}

/// Counts, or sums of weights, of test scores between the edges of a check.
///
/// A tally has constant size, tallies can be merged in any order, and a tally can be used only with
/// a check of the same labelled scores.
#[derive(Clone, Debug, PartialEq)]
pub struct ShiftTally {
    /// The check that the tally belongs to.
    owner: u64,
    cells: MethodTally,
}

impl ShiftTally {
    /// Creates a tally of a check from counts in its bins.
    pub(crate) fn new(owner: u64, cells: MethodTally) -> Self {
        Self { owner, cells }
    }

    /// Returns the number of scores; for weighted scores, the number with a weight above 0.
    pub fn n(&self) -> u64 {
        self.cells.n()
    }

    /// Adds another tally of the same check.
    ///
    /// # Errors
    /// Returns [`Problem::TallyModelMismatch`] if `other` is of another check, and
    /// [`Problem::OneTallyWeighted`] if only one of the two has weights. The tally is then unchanged.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        let more = other.cells(self.owner)?;
        if other.n() == 0 {
            return Ok(());
        }
        if self.n() == 0 {
            self.cells.clone_from(more);
        } else if self.cells.is_weighted() == more.is_weighted() {
            self.cells.merge(more);
        } else {
            return Err(Problem::OneTallyWeighted.into());
        }
        Ok(())
    }

    /// Returns the tally as plain numbers.
    pub fn plain(&self) -> MethodState {
        MethodState::from_tally(&self.cells)
    }

    /// Returns the counts if the tally belongs to this owner.
    pub(super) fn cells(&self, owner: u64) -> Result<&MethodTally, Error> {
        if self.owner == owner { Ok(&self.cells) } else { Err(Problem::TallyModelMismatch.into()) }
    }

    /// Returns the mutable counts if the tally belongs to this owner.
    pub(super) fn cells_mut(&mut self, owner: u64) -> Result<&mut MethodTally, Error> {
        if self.owner == owner { Ok(&mut self.cells) } else { Err(Problem::TallyModelMismatch.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LabelledScores;

    fn from_counts(positive: Vec<f64>, negative: Vec<f64>) -> Result<Grid, Error> {
        let labels: Vec<bool> = (0..positive.len() + negative.len()).map(|i| i < positive.len()).collect();
        let labelled = LabelledScores::new(&[positive, negative].concat(), &labels).unwrap();
        Grid::new(&Bins::new(&labelled).unwrap())
    }

    #[test]
    fn distinct_scores_give_bins_of_equal_mass() {
        let positive = (0..640).map(|k| f64::from(k) * 0.01).collect();
        let negative = (0..320).map(|k| f64::from(k) * -0.02 - 0.005).collect();
        let grid = from_counts(positive, negative).unwrap();
        assert_eq!(grid.len(), 63);
        for (k, h) in (1..64).rev().map(|cells| f64::from(cells) / 64.0).enumerate() {
            let balanced = 0.5 * (grid.rates.positive[k] + grid.rates.negative[k]);
            assert!((balanced - h).abs() < 1e-12, "edge {k}: {balanced}, not {h}");
            assert!((grid.weights[k] * h * (1.0 - h) * 64.0 - 1.0).abs() < 1e-10);
        }
    }

    #[test]
    fn tied_scores_are_in_the_same_bin() {
        let grid = from_counts(vec![3.0, 2.0, 3.0, 1.0], vec![1.0, 2.0, 1.0, 1.0, 1.0]).unwrap();
        assert_eq!(grid.edges.iter().collect::<Vec<_>>(), [1.5, 2.5]);
        assert_eq!(grid.rates, PerClass { positive: vec![0.75, 0.5], negative: vec![0.2, 0.0] });
        // H = 0.475 and 0.25.
        assert!((grid.weights[0] - 0.5 * 0.75 / (0.475 * 0.525)).abs() < 1e-15);
        assert!((grid.weights[1] - 0.5 * 0.475 / (0.25 * 0.75)).abs() < 1e-15);
    }
}
