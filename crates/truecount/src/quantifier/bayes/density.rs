//! The posterior distribution of Z, how many of n test scores are positive, from counts in bins, at every h-th Z. With w of each bin
//! (`weights`) and W the same of all bins together,
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

/// The share of a lattice that the next one takes the place of.
const ZONE: u64 = 16;

/// P at every h-th Z.
#[derive(Clone, Debug)]
pub(super) struct Density {
    /// The first Z.
    pub(super) first: u64,
    pub(super) h: u64,
    /// ln P, but for a constant.
    pub(super) ln: Vec<f64>,
}

/// Numbers of positives of each bin: every h-th, with one of them.
struct Lattice<'a> {
    bins: &'a [Bin],
    h: u64,
    starts: Vec<u64>,
}

impl Density {
    /// Up to about so many positives; h is a power of 2.
    pub(super) fn new(bins: &[Bin], h: u64, reach: u64) -> Self {
        let starts = bins.iter().map(|bin| bin.start(h)).collect();
        Lattice { bins, h, starts }.density(reach)
    }

    /// At one lattice's points by that lattice alone.
    pub(super) fn roughly(bins: &[Bin], h: u64) -> Self {
        let starts = bins.iter().map(|bin| bin.start(h)).collect();
        Lattice { bins, h, starts }.plain(Bin::together(bins).count)
    }

    /// Takes the place of what another has up to so many, where each Z is called otherwise there.
    fn take(&mut self, finer: &Self, zone: u64, called: impl Fn(u64) -> u64) {
        for point in 0..self.ln.len() {
            let z = called(self.at(point));
            if z <= zone {
                self.ln[point] = finer.ln[((z - finer.first) / finer.h) as usize];
            }
        }
    }

    /// The Z of a point.
    pub(super) fn at(&self, point: usize) -> u64 {
        self.first + point as u64 * self.h
    }
}

impl Lattice<'_> {
    fn density(&self, reach: u64) -> Density {
        let mut found = self.plain(reach);
        if self.h == 1 {
            return found;
        }
        let n = Bin::together(self.bins).count;
        let zone = reach.div_ceil(ZONE);
        let h = self.h / FINER.min(self.h);
        let finer = Lattice { bins: self.bins, h, starts: self.starts.clone() }.density(zone);
        found.take(&finer, zone, |z| z);
        if reach >= n {
            let bins: Vec<Bin> = self.bins.iter().map(|bin| bin.turned()).collect();
            let starts = bins.iter().zip(&self.starts).map(|(bin, start)| (bin.count + self.h - start % self.h) % self.h);
            let finer = Lattice { bins: &bins, h, starts: starts.collect() }.density(zone);
            found.take(&finer, zone, |z| n - z);
        }
        found
    }

    /// Without finer ones.
    fn plain(&self, reach: u64) -> Density {
        let Self { bins, h, starts } = self;
        let rows: Vec<_> = bins.iter().zip(starts).map(|(bin, start)| bin.row(*h, *start, reach)).collect();
        let first: i64 = rows.iter().map(|row| row.first).sum();
        // Points below 0 are none.
        let below = first.min(0).unsigned_abs().div_ceil(*h);
        let first = (first + (below * h) as i64).unsigned_abs();
        let all = Bin::together(bins);
        let most = below + (reach.min(all.count) - first.min(reach)) / h + 1;
        let rows = rows.into_iter().map(|row| row.ln_weights);
        let sums = rows.reduce(|sum, row| convolve(&sum, &row, most as usize)).expect("there are bins");
        let each = sums[below as usize..].iter().zip(0_u64..);
        let ln = each.map(|(sum, k)| sum - (*h as f64).ln() - all.ln_weight((first + k * h) as f64)).collect();
        Density { first, h: *h, ln }
    }
}
