//! The posterior distribution of the number Z of positives among n test scores, from counts in
//! bins.
//!
//! With w the weights of a bin (`weights`) and W those of all bins merged into one,
//!
//! ```text
//! P(Z | counts) ∝ [w₁ ⊛ … ⊛ w_K](Z) / W(Z)
//! ```
//!
//! This is the model of Ziegler and Czyż (2023) with flat priors for the bin probabilities of each
//! class and for the prevalence α, all of which are integrated out: α^Z (1−α)^(n−Z) gives Z!
//! (n−Z)!/(n+1)!, and the bin probabilities of the positives give Π Γ(a_b + z_b)/Γ(Σ (a_b + z_b)).
//!
//! Sums over every h-th number suffice where w is smooth on that scale (`numeric::integer_sum`).
//! Near 0 w is not smooth, as the bins then have few positives. There the lattice is replaced by
//! finer and finer ones, down to every number; likewise near n.

use super::weights::Bin;
use crate::numeric::log_convolution::convolve;

/// The maximum ratio of the spacings of a lattice and the next finer one.
const REFINEMENT: u64 = 8;

/// The inverse of the fraction of a lattice that a finer one replaces.
const ZONE: u64 = 16;

/// The logarithm of the ratio to the maximum up to which a probability is negligible.
pub(super) const LN_NEGLIGIBLE: f64 = -45.0;

/// P(Z) at some points.
#[derive(Clone, Debug)]
pub(super) struct Density {
    /// The points Z in ascending order.
    pub(super) points: Vec<u64>,
    /// ln P(Z) at the points, up to a constant.
    pub(super) ln: Vec<f64>,
}

impl Density {
    /// Returns the density up to about `max_positives`, at every h-th number, and with more points
    /// near 0, and near n if that is the maximum.
    pub(super) fn new(bins: &[Bin], h: u64, max_positives: u64) -> Self {
        let mut density = Self::on_lattice(bins, h, max_positives);
        if h > 1 {
            let (n, zone, finer) = (Bin::merged(bins).count, max_positives / ZONE, h.div_ceil(REFINEMENT));
            if density.has_mass(|z| z <= zone) {
                let near_zero = Self::new(bins, finer, zone);
                density = near_zero.followed_by(&density);
            }
            if max_positives == n && density.has_mass(|z| n - z <= zone) {
                let swapped: Vec<Bin> = bins.iter().map(|bin| bin.swapped()).collect();
                let near_n = Self::new(&swapped, finer, zone);
                density = near_n.followed_by(&density.swapped(n)).swapped(n);
            }
        }
        density
    }

    /// Returns the density up to about `max_positives` at every h-th number.
    pub(super) fn on_lattice(bins: &[Bin], h: u64, max_positives: u64) -> Self {
        let rows: Vec<_> = bins.iter().map(|bin| bin.row(h, max_positives)).collect();
        let first: u64 = rows.iter().map(|row| row.first).sum();
        let all = Bin::merged(bins);
        #[allow(clippy::cast_possible_truncation)] // the points are in memory
        let max_len = (max_positives.min(all.count).saturating_sub(first) / h + 1) as usize;
        let rows = rows.into_iter().map(|row| row.ln_weights);
        let sums = rows.reduce(|sum, row| convolve(&sum, &row, max_len)).expect("there are bins");
        let points: Vec<u64> = (0..sums.len() as u64).map(|k| first + k * h).collect();
        let ln_density = |(z, sum): (&u64, f64)| sum - (h as f64).ln() - all.ln_weight(*z as f64);
        let ln = points.iter().zip(sums).map(ln_density).collect();
        Self { points, ln }
    }

    /// Returns the density of the number of negatives, n − Z.
    pub(super) fn swapped(self, n: u64) -> Self {
        Self { points: self.points.iter().rev().map(|z| n - z).collect(), ln: self.ln.into_iter().rev().collect() }
    }

    /// Returns the largest ln P.
    pub(super) fn largest(&self) -> f64 {
        self.ln.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns the first and the last point where P is not negligible.
    pub(super) fn span(&self) -> (u64, u64) {
        let bound = self.largest() + LN_NEGLIGIBLE;
        let has_mass = |ln: &f64| *ln >= bound;
        let point = |index: Option<usize>| self.points[index.expect("the largest is not negligible")];
        (point(self.ln.iter().position(has_mass)), point(self.ln.iter().rposition(has_mass)))
    }

    /// Returns whether P is not negligible at a point that satisfies a condition.
    fn has_mass(&self, condition: impl Fn(u64) -> bool) -> bool {
        let bound = self.largest() + LN_NEGLIGIBLE;
        self.points.iter().zip(&self.ln).any(|(z, ln)| condition(*z) && *ln >= bound)
    }

    /// Returns the density with the points of another one after its last point.
    fn followed_by(mut self, other: &Self) -> Self {
        let last = *self.points.last().expect("there are points");
        let start = other.points.partition_point(|z| *z <= last);
        self.points.extend(&other.points[start..]);
        self.ln.extend(&other.ln[start..]);
        self
    }
}
