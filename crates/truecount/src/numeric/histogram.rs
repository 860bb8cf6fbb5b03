//! Histograms of shares on [0, 1] with bins of equal width.

use crate::PerClass;

/// The left edge of bin k among `count` bins: k times the rounded width, as numpy computes it.
pub(crate) fn edge(k: usize, count: usize) -> f64 {
    k as f64 * (count as f64).recip()
}

/// The share of each bin in the total.
pub(crate) fn shares(counts: &[u64]) -> Vec<f64> {
    let n: u64 = counts.iter().sum();
    counts.iter().map(|count| *count as f64 / n as f64).collect()
}

/// α p⁺ + (1−α) p⁻, bin by bin.
pub(crate) fn mixture(shares: &PerClass<Vec<f64>>, alpha: f64) -> impl Iterator<Item = f64> + '_ {
    shares.positive.iter().zip(&shares.negative).map(move |(p, n)| alpha * p + (1.0 - alpha) * n)
}
