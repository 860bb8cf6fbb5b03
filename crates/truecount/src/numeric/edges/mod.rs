//! Counts of values in bins between edges; a value with b edges at or below it lies in bin b.
//!
//! Up to 64 edges are searched without branches or look-up tables. So neither the order of the
//! values nor close edges cost time, and no index has to be built. More edges have a [`CellIndex`].

mod padded;

use super::cell_index::CellIndex;
use super::pass;
use padded::PaddedEdges;

/// The number of values counted together: half of a first-level cache.
const CHUNK: usize = 2048;

/// The number of values below which values are searched one by one, for small groups.
const SCAN_LIMIT: usize = 12;

/// Ascending edges between bins.
#[derive(Clone, Debug)]
pub(crate) enum Edges {
    Padded(PaddedEdges),
    Indexed(CellIndex),
}

impl Edges {
    /// Creates edges from one or more ascending, distinct, finite values.
    pub(crate) fn new(edges: Vec<f64>) -> Self {
        match PaddedEdges::new(&edges) {
            Some(padded) => Self::Padded(padded),
            None => Self::Indexed(CellIndex::new(edges)),
        }
    }

    /// Iterates over the edges in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = f64> + '_ {
        self.ascending().iter().copied()
    }

    /// Returns the number of edges, one less than the number of bins.
    pub(crate) fn len(&self) -> usize {
        self.ascending().len()
    }

    fn ascending(&self) -> &[f64] {
        match self {
            Self::Padded(padded) => padded.ascending(),
            Self::Indexed(cells) => cells.ascending(),
        }
    }

    /// Returns the bin of a value: the number of edges at or below it.
    pub(crate) fn at_or_below(&self, x: f64) -> usize {
        self.ascending().partition_point(|edge| *edge <= x)
    }

    /// Calls `add` with each nonempty bin and its number of values, and returns true.
    ///
    /// If a value is not finite, returns false without a call of `add`.
    #[must_use]
    pub(crate) fn count(&self, values: &[f64], mut add: impl FnMut(usize, u64)) -> bool {
        if values.len() < SCAN_LIMIT {
            let finite = pass::all_finite(values);
            if finite {
                for x in values {
                    add(self.at_or_below(*x), 1);
                }
            }
            return finite;
        }
        // With fewer values than edges most bins are empty, and visiting all bins would take longer than counting.
        if let Self::Indexed(cells) = self
            && values.len() < cells.ascending().len()
        {
            let finite = pass::all_finite(values);
            if finite {
                cells.for_each_count(values, |bin| add(bin, 1));
            }
            return finite;
        }
        let mut counts = vec![0; self.len() + 1];
        for chunk in values.chunks(CHUNK) {
            match self {
                Self::Padded(padded) => padded.count(chunk, &mut counts),
                Self::Indexed(cells) => cells.for_each_count(chunk, |bin| counts[bin] += 1),
            }
            // The check comes after counting, when the values are in the cache; before, it would wait for memory.
            if !pass::all_finite(chunk) {
                return false;
            }
        }
        counts.into_iter().enumerate().filter(|(_, n)| *n > 0).for_each(|(bin, n)| add(bin, n));
        true
    }

    /// Calls `each` with each value and its bin, in order; all values must be finite.
    pub(crate) fn for_each_bin(&self, values: &[f64], mut each: impl FnMut(f64, usize)) {
        match self {
            Self::Padded(_) => values.iter().for_each(|x| each(*x, self.at_or_below(*x))),
            Self::Indexed(cells) => {
                let mut values_in_order = values.iter();
                cells.for_each_count(values, |bin| {
                    each(*values_in_order.next().expect("a bin for each value"), bin);
                });
            }
        }
    }

    /// Returns the bin of each value as a byte, or `None` if a value is not finite.
    ///
    /// There must be at most 255 edges.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // at most 255
    pub(crate) fn bins(&self, values: &[f64]) -> Option<Vec<u8>> {
        assert!(u8::try_from(self.len()).is_ok(), "bins that are bytes");
        pass::all_finite(values).then(|| values.iter().map(|x| self.at_or_below(*x) as u8).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up_and_values_must_be_finite() {
        for n in [1_u32, 63, 64, 65, 300] {
            let edges = Edges::new((0..n).map(f64::from).collect());
            assert_eq!(edges.len(), edges.iter().count());
            let values: Vec<f64> = (0..2 * CHUNK).map(|k| (k as f64 * 0.77) % 310.0 - 5.0).collect();
            let mut counts = vec![1; edges.len() + 1];
            assert!(edges.count(&values, |bin, n| counts[bin] += n));
            assert!(edges.count(&[], |_, _| unreachable!("there is nothing to add")));
            let mut expected = vec![1; edges.len() + 1];
            for x in &values {
                expected[edges.iter().filter(|edge| edge <= x).count()] += 1;
            }
            assert_eq!(counts, expected);
            let as_bytes = n < 256;
            if as_bytes {
                let bins = edges.bins(&values).unwrap();
                assert!(bins.iter().zip(&values).all(|(bin, x)| usize::from(*bin) == edges.at_or_below(*x)));
            }
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                for m in [1, 7, 64, 100, values.len()] {
                    for at in [0, m / 2, m - 1] {
                        let mut values = values[..m].to_vec();
                        values[at] = bad;
                        assert!(!edges.count(&values, |bin, n| counts[bin] += n), "{bad} at {at} of {m}, {n} edges");
                        assert!(!as_bytes || edges.bins(&values).is_none(), "{bad} at {at} of {m}, {n} edges");
                    }
                }
            }
            assert_eq!(counts, expected);
        }
    }
}
