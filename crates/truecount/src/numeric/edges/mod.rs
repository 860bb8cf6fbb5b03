//! Counts values between edges: bin b holds those with b edges at or below them.
//!
//! Up to 64 edges are searched without a branch or a table to look up, so that neither the order of the values nor edges
//! that crowd together cost time, and edges are ready at once. More edges have [`CellIndex`].

mod padded;

use super::cell_index::CellIndex;
use super::pass;
use padded::PaddedEdges;

/// How many values are counted together: half a first cache full.
const CHUNK: usize = 2048;

/// Fewer values than this are searched one by one: groups may be small.
const SCAN_LIMIT: usize = 12;

/// Ascending edges.
#[derive(Clone, Debug)]
pub(crate) enum Edges {
    Padded(PaddedEdges),
    Indexed(CellIndex),
}

impl Edges {
    /// From ascending, distinct, finite edges; at least one.
    pub(crate) fn new(edges: Vec<f64>) -> Self {
        match PaddedEdges::new(&edges) {
            Some(few) => Self::Padded(few),
            None => Self::Indexed(CellIndex::new(edges)),
        }
    }

    /// The edges, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = f64> + '_ {
        self.ascending().iter().copied()
    }

    /// The number of edges: one less than the bins.
    pub(crate) fn len(&self) -> usize {
        self.ascending().len()
    }

    fn ascending(&self) -> &[f64] {
        match self {
            Self::Padded(few) => few.ascending(),
            Self::Indexed(cells) => cells.ascending(),
        }
    }

    /// The bin of one value: the number of edges at or below it.
    pub(crate) fn at_or_below(&self, x: f64) -> usize {
        self.ascending().partition_point(|edge| *edge <= x)
    }

    /// Tells how many values lie in each bin, for adding them to its count. If a value is not finite, it says nothing but
    /// that: false.
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
        // Few values among many edges leave most bins empty, and to look for the others would take longer than to count.
        if let Self::Indexed(cells) = self
            && values.len() < cells.ascending().len()
        {
            let finite = pass::all_finite(values);
            if finite {
                cells.each_at_or_below(values, |bin| add(bin, 1));
            }
            return finite;
        }
        let mut found = vec![0; self.len() + 1];
        for chunk in values.chunks(CHUNK) {
            match self {
                Self::Padded(few) => few.count(chunk, &mut found),
                Self::Indexed(cells) => cells.each_at_or_below(chunk, |bin| found[bin] += 1),
            }
            // Afterwards, when the values are in the cache: before, it would wait for memory while nothing is counted.
            if !pass::all_finite(chunk) {
                return false;
            }
        }
        found.into_iter().enumerate().filter(|(_, n)| *n > 0).for_each(|(bin, n)| add(bin, n));
        true
    }

    /// Tells each finite value with its bin, in order.
    pub(crate) fn for_each_bin(&self, values: &[f64], mut each: impl FnMut(f64, usize)) {
        match self {
            Self::Padded(_) => values.iter().for_each(|x| each(*x, self.at_or_below(*x))),
            Self::Indexed(cells) => {
                let mut values_in_order = values.iter();
                cells.each_at_or_below(values, |bin| {
                    each(*values_in_order.next().expect("a bin for each value"), bin);
                });
            }
        }
    }

    /// The bin of each value, where there are few enough bins for bytes; none if a value is not finite.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // at most 255
    pub(crate) fn bins(&self, values: &[f64]) -> Option<Vec<u8>> {
        assert!(u8::try_from(self.len()).is_ok(), "bins that are bytes");
        let mut bins = vec![0; values.len()];
        for (chunk, bins) in values.chunks(CHUNK).zip(bins.chunks_mut(CHUNK)) {
            match self {
                Self::Padded(few) => few.bins(chunk, bins),
                Self::Indexed(_) => bins.iter_mut().zip(chunk).for_each(|(bin, x)| *bin = self.at_or_below(*x) as u8),
            }
            if !pass::all_finite(chunk) {
                return None;
            }
        }
        Some(bins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up_and_nothing_is_counted_of_what_is_not_finite() {
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
