//! The posterior distribution of Z, how many of n test scores are positive, from counts in bins. With w of each bin (`weights`) and W the
//! same of all bins together,
//!
//! ```text
//! P(Z | counts) ∝ [w₁ ⊛ … ⊛ w_K](Z) / W(Z)
//! ```
//!
//! That is the model of Ziegler and Czyż (2023) with the classes' chances of the bins, each class with a flat prior, and the prevalence α,
//! with a flat prior, integrated out: α^Z (1−α)^(n−Z) gives Z! (n−Z)!/(n+1)!, and the positives' chances Π Γ(a_b + z_b)/Γ(Σ (a_b + z_b)).
//!
//! Sums over every h-th number do where w is smooth on that scale (`numeric::integer_sum`). Near 0 it is not, since positives in bins are
//! then few: so there every finer lattice takes the place of the last, down to every number, and near n likewise.

use super::weights::Bin;
use crate::numeric::log_convolution::convolve;

/// How much finer the next lattice is, at most.
const FINER: u64 = 8;

/// The part of a lattice that the next one takes the place of.
const ZONE: u64 = 16;

/// ln of what is nothing beside the largest.
pub(super) const NOTHING: f64 = -45.0;

/// P at some Z.
#[derive(Clone, Debug)]
pub(super) struct Density {
    /// The Z, ascending.
    pub(super) points: Vec<u64>,
    /// ln P at each, but for a constant.
    pub(super) ln: Vec<f64>,
}

impl Density {
    /// Up to about so many positives, at every h-th number and, towards 0, and towards n if that is reached, at more.
    pub(super) fn new(bins: &[Bin], h: u64, reach: u64) -> Self {
        let mut found = Self::evenly(bins, h, reach);
        if h > 1 {
            let (n, zone, finer) = (Bin::together(bins).count, reach / ZONE, h.div_ceil(FINER));
            if found.is_something(|z| z <= zone) {
                let near = Self::new(bins, finer, zone);
                found = near.followed_by(&found);
            }
            if reach == n && found.is_something(|z| n - z <= zone) {
                let turned: Vec<Bin> = bins.iter().map(|bin| bin.turned()).collect();
                let near = Self::new(&turned, finer, zone);
                found = near.followed_by(&found.turned(n)).turned(n);
            }
        }
        found
    }

    /// At every h-th number.
    pub(super) fn evenly(bins: &[Bin], h: u64, reach: u64) -> Self {
        let rows: Vec<_> = bins.iter().map(|bin| bin.row(h, reach)).collect();
        let first: u64 = rows.iter().map(|row| row.first).sum();
        let all = Bin::together(bins);
        #[allow(clippy::cast_possible_truncation)] // as many as points
        let most = (reach.min(all.count).saturating_sub(first) / h + 1) as usize;
        let rows = rows.into_iter().map(|row| row.ln_weights);
        let sums = rows.reduce(|sum, row| convolve(&sum, &row, most)).expect("there are bins");
        let points: Vec<u64> = (0..sums.len() as u64).map(|k| first + k * h).collect();
        let each = points.iter().zip(sums);
        let ln = each.map(|(z, sum)| sum - (h as f64).ln() - all.ln_weight(*z as f64)).collect();
        Self { points, ln }
    }

    /// Of negatives in the place of positives.
    pub(super) fn turned(self, n: u64) -> Self {
        Self { points: self.points.iter().rev().map(|z| n - z).collect(), ln: self.ln.into_iter().rev().collect() }
    }

    /// The largest ln P.
    pub(super) fn largest(&self) -> f64 {
        self.ln.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// The first and the last point at which P is something beside the largest.
    pub(super) fn span(&self) -> (u64, u64) {
        let least = self.largest() + NOTHING;
        let counts = |ln: &f64| *ln >= least;
        let at = |place: Option<usize>| self.points[place.expect("the largest is something")];
        (at(self.ln.iter().position(counts)), at(self.ln.iter().rposition(counts)))
    }

    fn is_something(&self, there: impl Fn(u64) -> bool) -> bool {
        let least = self.largest() + NOTHING;
        self.points.iter().zip(&self.ln).any(|(z, ln)| there(*z) && *ln >= least)
    }

    /// With the points of another after its last.
    fn followed_by(mut self, other: &Self) -> Self {
        let last = *self.points.last().expect("there are points");
        let from = other.points.partition_point(|z| *z <= last);
        self.points.extend(&other.points[from..]);
        self.ln.extend(&other.ln[from..]);
        self
    }
}
