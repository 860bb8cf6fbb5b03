//! Histograms on [0, 1] with an even number of bins of equal width.
//!
//! A value exactly on an edge, as probabilities of a few digits often are, belongs to the bin
//! farther from ½. So the histogram of 1 − p is the mirror image of the histogram of p. (Only ½,
//! which is its own mirror image, belongs to the upper bin.)

use crate::PerClass;

/// Returns the lower edge of bin k of `count` bins.
pub(crate) fn lower_edge(k: usize, count: usize) -> f64 {
    let edge = k as f64 / count as f64;
    if 2 * k < count { edge.next_up() } else { edge }
}

/// Returns each bin's share of the total count.
pub(crate) fn shares(counts: &[u64]) -> Vec<f64> {
    let n: u64 = counts.iter().sum();
    counts.iter().map(|count| *count as f64 / n as f64).collect()
}

/// Returns the mixture α p⁺ + (1−α) p⁻, bin by bin.
pub(crate) fn mixture(shares: &PerClass<Vec<f64>>, alpha: f64) -> impl Iterator<Item = f64> + '_ {
    shares.positive.iter().zip(&shares.negative).map(move |(p, n)| alpha * p + (1.0 - alpha) * n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_on_edges_lie_farther_from_one_half() {
        for count in (2..=110).step_by(2) {
            let bin = |p: f64| (1..count).filter(|k| lower_edge(*k, count) <= p).count();
            for k in (1..count).filter(|k| 2 * k != count) {
                let (p, q) = (k as f64 / count as f64, (count - k) as f64 / count as f64);
                assert_eq!((bin(p), bin(q)), if 2 * k < count { (k - 1, count - k) } else { (k, count - k - 1) });
            }
            assert_eq!(bin(0.5), count / 2);
        }
    }
}
