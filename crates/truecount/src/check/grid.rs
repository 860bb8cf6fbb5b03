//! Where the shift check compares distributions: edges at quantiles of the class-balanced labelled scores, H = ½F̂⁺ +
//! ½F̂⁻, with Anderson and Darling's weights W_k = ΔH_k / (H_k (1 − H_k)), where ΔH_k is the edge's share of H.

use crate::numeric::edges::Edges;
use crate::{Error, PerClass};

/// The number of cells of equal H, if there are enough different scores.
const CELLS: usize = 64;

/// Edges, with the labelled shares at or above each.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) edges: Edges,
    /// F̂⁺ and F̂⁻ at each edge.
    pub(super) rates: PerClass<Vec<f64>>,
    /// Ĵ at each edge.
    pub(super) distance: Vec<f64>,
    /// W_k.
    pub(super) weights: Vec<f64>,
}

impl Grid {
    /// # Errors
    /// [`Error::TooFewDifferent`] when there are fewer than three different scores: one edge can always be fitted;
    /// [`Error::NoSeparation`] when the labelled classes are the same.
    pub(super) fn new(labelled: &PerClass<Vec<f64>>) -> Result<Self, Error> {
        let half = |scores: &Vec<f64>| scores.iter().map(|s| (*s, 0.5 / scores.len() as f64)).collect::<Vec<_>>();
        let mut pooled = [half(&labelled.positive), half(&labelled.negative)].concat();
        pooled.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut inner: Vec<f64> = Vec::with_capacity(CELLS);
        let (mut below, mut next, mut last) = (0.0, 1, pooled[0].0);
        for (score, weight) in pooled {
            // Rounding must not move an edge by one score.
            if score > last && below * CELLS as f64 >= f64::from(next) - 1e-9 {
                inner.push(between(last, score));
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // no more than the cells
                let passed = (below * CELLS as f64 + 1e-9) as u32;
                next = passed + 1;
            }
            below += weight;
            last = score;
        }
        if inner.len() < 2 {
            return Err(Error::TooFewDifferent);
        }
        let edges = Edges::new(inner);
        let rates = labelled.map(|scores| {
            let mut cells = vec![0; edges.len() + 1];
            assert!(edges.count(scores, &mut cells), "labelled scores are finite");
            at_or_above(&cells)
        });
        let distance: Vec<f64> = rates.positive.iter().zip(&rates.negative).map(|(p, n)| p - n).collect();
        if distance.iter().all(|j| *j == 0.0) {
            return Err(Error::NoSeparation { max_j: 0.0 });
        }
        let balanced: Vec<f64> = rates.positive.iter().zip(&rates.negative).map(|(p, n)| 0.5 * (p + n)).collect();
        let weight = |k: usize| {
            let above = if k == 0 { 1.0 } else { balanced[k - 1] };
            let below = balanced.get(k + 1).copied().unwrap_or(0.0);
            0.5 * (above - below) / (balanced[k] * (1.0 - balanced[k]))
        };
        let weights = (0..edges.len()).map(weight).collect();
        Ok(Self { edges, rates, distance, weights })
    }

    /// The number of edges.
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }
}

/// A number above `low` and at most `high`: halfway, so that no score is itself an edge.
fn between(low: f64, high: f64) -> f64 {
    let middle = 0.5 * low + 0.5 * high;
    if middle > low { middle } else { high }
}

/// From the counts between edges to the shares at or above each edge.
pub(super) fn at_or_above(cells: &[u64]) -> Vec<f64> {
    let n: u64 = cells.iter().sum();
    let mut above = n;
    let each = cells[..cells.len() - 1].iter().map(|count| {
        above -= count;
        above as f64 / n as f64
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_scores_make_equal_cells() {
        let positive = (0..640).map(|k| f64::from(k) * 0.01).collect();
        let negative = (0..320).map(|k| f64::from(k) * -0.02 - 0.005).collect();
        let grid = Grid::new(&PerClass { positive, negative }).unwrap();
        assert_eq!(grid.len(), 63);
        for (k, h) in (1..64).rev().map(|cells| f64::from(cells) / 64.0).enumerate() {
            let found = 0.5 * (grid.rates.positive[k] + grid.rates.negative[k]);
            assert!((found - h).abs() < 1e-12, "edge {k}: {found}, not {h}");
            assert!((grid.weights[k] * h * (1.0 - h) * 64.0 - 1.0).abs() < 1e-10);
        }
    }

    #[test]
    fn edges_lie_between_tied_scores() {
        let labelled = PerClass { positive: vec![3.0, 2.0, 3.0, 1.0], negative: vec![1.0, 2.0, 1.0, 1.0, 1.0] };
        let grid = Grid::new(&labelled).unwrap();
        assert_eq!(grid.edges.iter().collect::<Vec<_>>(), [1.5, 2.5]);
        assert_eq!(grid.rates, PerClass { positive: vec![0.75, 0.5], negative: vec![0.2, 0.0] });
        // H = 0.475 and 0.25.
        assert!((grid.weights[0] - 0.5 * 0.75 / (0.475 * 0.525)).abs() < 1e-15);
        assert!((grid.weights[1] - 0.5 * 0.475 / (0.25 * 0.75)).abs() < 1e-15);
        let neighbours = PerClass { positive: vec![1.0f64.next_up().next_up()], negative: vec![1.0, 1.0f64.next_up()] };
        assert_eq!(Grid::new(&neighbours).unwrap().edges.iter().next(), Some(1.0f64.next_up()));
    }

    #[test]
    fn two_different_scores_leave_nothing_to_check() {
        for positive in [vec![1.0], vec![1.0, 1.0, 0.0]] {
            let grid = Grid::new(&PerClass { positive, negative: vec![0.0, 0.0] });
            assert_eq!(grid.unwrap_err(), Error::TooFewDifferent);
        }
    }
}
