//! Counts values between edges: bin b holds those with b edges at or below them.
//!
//! Up to 64 edges are searched without a branch or a table to look up, so that neither the order of the values nor edges
//! that crowd together cost time, and edges are ready at once. More edges have [`Cells`].

mod few;

use super::cells::Cells;
use super::pass;
use few::Few;

/// How many values are counted before the next ones are read: as many as fit into the first cache twice.
const CHUNK: usize = 2048;

/// Ascending edges.
#[derive(Clone, Debug)]
pub(crate) enum Edges {
    Few(Few),
    Many(Cells),
}

impl Edges {
    /// From ascending, distinct, finite edges; at least one.
    pub(crate) fn new(edges: Vec<f64>) -> Self {
        match Few::new(&edges) {
            Some(few) => Self::Few(few),
            None => Self::Many(Cells::new(edges)),
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
            Self::Few(few) => few.ascending(),
            Self::Many(cells) => cells.ascending(),
        }
    }

    /// Adds the number of values in each bin to its count. If a value is not finite, nothing is added, and it says so:
    /// false.
    #[must_use]
    pub(crate) fn count(&self, values: &[f64], counts: &mut [u64]) -> bool {
        let mut found = vec![0; counts.len()];
        for chunk in values.chunks(CHUNK) {
            if !pass::all_finite(chunk) {
                return false;
            }
            match self {
                Self::Few(few) => few.count(chunk, &mut found),
                Self::Many(cells) => cells.each_at_or_below(chunk, |bin| found[bin] += 1),
            }
        }
        counts.iter_mut().zip(found).for_each(|(count, n)| *count += n);
        true
    }
}
