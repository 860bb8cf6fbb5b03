//! Search among up to 64 edges in six steps, the same steps for every value.
//!
//! The loop for AVX2 uses intrinsics, because the compiler does not vectorise a plain search.

#[cfg(target_arch = "x86_64")]
mod avx2;

use multiversion::multiversion;
use multiversion::target::match_target;

/// The maximum number of edges.
const MAX_EDGES: usize = 64;

/// Ascending edges, padded with infinity.
type EdgeArray = [f64; MAX_EDGES];

/// A count for each number of edges at or below a value.
type CountArray = [u64; MAX_EDGES + 1];

/// Up to 64 ascending edges, padded with infinity.
#[derive(Clone, Debug)]
pub(crate) struct PaddedEdges {
    padded: Box<EdgeArray>,
    len: usize,
}

impl PaddedEdges {
    /// Creates padded edges; `None` if there are more than 64.
    pub(super) fn new(edges: &[f64]) -> Option<Self> {
        let mut padded = Box::new([f64::INFINITY; MAX_EDGES]);
        padded.get_mut(..edges.len())?.copy_from_slice(edges);
        Some(Self { padded, len: edges.len() })
    }

    pub(super) fn ascending(&self) -> &[f64] {
        &self.padded[..self.len]
    }

    /// Adds the number of values in each bin to its count.
    ///
    /// A value that is not finite may be counted in any bin. There must be fewer than 2³² values.
    pub(super) fn count(&self, values: &[f64], counts: &mut [u64]) {
        let result = count(&self.padded, values);
        counts.iter_mut().zip(result).for_each(|(count, n)| *count += n);
    }
}

#[multiversion(targets("x86_64+avx2+popcnt"))]
// If the build targets such a machine, the function has no target attribute and `unsafe` is unused.
#[allow(unsafe_code, unused_unsafe)]
fn count(edges: &EdgeArray, values: &[f64]) -> CountArray {
    match_target! {
        // SAFETY: this is compiled only for machines with these instructions.
        "x86_64+avx2+popcnt" => unsafe { avx2::count(edges, values) },
        _ => count_portable(edges, values),
    }
}

/// Counts values in bins on any machine, by a binary search that adds comparisons instead of branching.
#[allow(dead_code)] // if the build targets AVX2
fn count_portable(edges: &EdgeArray, values: &[f64]) -> CountArray {
    const BLOCK: usize = 8;
    let mut counts = [0; MAX_EDGES + 1];
    let (blocks, rest) = values.as_chunks::<BLOCK>();
    for block in blocks {
        // Each step is done for all values of the block, since the steps of one value must wait for each other.
        let mut below = [0; BLOCK];
        for step in [32, 16, 8, 4, 2, 1] {
            for (below, x) in below.iter_mut().zip(block) {
                *below += step * usize::from(edges[(*below + step - 1) % MAX_EDGES] <= *x);
            }
        }
        for (below, x) in below.iter().zip(block) {
            counts[below % MAX_EDGES + usize::from(edges[MAX_EDGES - 1] <= *x)] += 1;
        }
    }
    for x in rest {
        counts[edges.partition_point(|edge| edge <= x)] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares both loops with a plain search.
    fn compare(edges: &[f64], values: &[f64]) {
        let padded = PaddedEdges::new(edges).unwrap();
        let mut expected = [0; MAX_EDGES + 1];
        for x in values {
            expected[edges.partition_point(|edge| edge <= x)] += 1;
        }
        for (name, count) in [("best", count as fn(&_, &_) -> _), ("portable", count_portable)] {
            assert_eq!(count(&padded.padded, values), expected, "{name}: {} values, {edges:?}", values.len());
        }
    }

    fn values_around(edges: &[f64]) -> Vec<f64> {
        let near = edges.iter().flat_map(|e| [*e, e.next_down(), e.next_up(), -e, 0.5 * e]).filter(|x| x.is_finite());
        near.chain([0.0, -0.0, f64::MIN, f64::MAX, f64::MIN_POSITIVE, 5e-324, -5e-324]).collect()
    }

    #[test]
    fn loops_agree_for_any_number_of_edges_and_values() {
        // Scattered, distinct fractions.
        let fraction = |k: u32| (f64::from(k) * 0.618_033_988_749_894_9).fract();
        let values: Vec<f64> = (0..200).map(|k| 1.2 * fraction(k) - 0.1).collect();
        for n in 1..=MAX_EDGES {
            let mut edges: Vec<f64> = (0..n).map(|k| fraction(3 * u32::try_from(k).unwrap())).collect();
            edges.sort_unstable_by(f64::total_cmp);
            compare(&edges, &values_around(&edges));
            (0..values.len()).for_each(|m| compare(&edges, &values[..m]));
        }
        assert!(PaddedEdges::new(&[0.0; MAX_EDGES + 1]).is_none());
    }

    #[test]
    fn edges_and_values_of_any_size() {
        let crowded = |k: i32| 0.5 + f64::from(k) * f64::EPSILON;
        let tiny = |k: i32| f64::from(k - 30) * 5e-324;
        let wide = |k: i32| f64::from(k - 30).powi(3) * 1e303;
        let powers = |k: i32| 10.0_f64.powi(9 * (k - 32));
        for edge in [&crowded as &dyn Fn(i32) -> f64, &tiny, &wide, &powers] {
            for n in [1, 2, 31, 60, 63, 64] {
                let edges: Vec<f64> = (0..n).map(edge).collect();
                compare(&edges, &values_around(&edges));
            }
        }
        for extremes in [vec![f64::MIN, f64::MAX], vec![f64::MIN], vec![-0.0], vec![0.0], vec![-1.0, 0.0, 1.0]] {
            compare(&extremes, &values_around(&extremes));
        }
        // Thousands of equal values.
        let edges: Vec<f64> = (0..64).map(f64::from).collect();
        for value in [7.0, 63.0, -1.0] {
            compare(&edges, &vec![value; 5000]);
        }
    }
}
