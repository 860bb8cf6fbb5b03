//! Counts of scores in bins.
//!
//! Counts take as little memory as possible, because there may be a million groups of a few scores
//! each.

use crate::Error;
use crate::numeric::edges::Edges;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BinCounts {
    total: u64,
    storage: CountStorage,
}

/// The counts as bytes while all are below 256, otherwise as words; so equal counts have equal
/// storage.
#[derive(Clone, Debug, PartialEq)]
enum CountStorage {
    Bytes(Box<[u8]>),
    Words(Box<[u64]>),
}

impl BinCounts {
    /// Creates counts of 0 in this many bins.
    pub(crate) fn new(bins: usize) -> Self {
        Self { total: 0, storage: CountStorage::Bytes(vec![0; bins].into()) }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.storage {
            CountStorage::Bytes(counts) => counts.len(),
            CountStorage::Words(counts) => counts.len(),
        }
    }

    /// Iterates over the counts in the order of the bins.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let (bytes, words): (&[u8], &[u64]) = match &self.storage {
            CountStorage::Bytes(counts) => (counts, &[]),
            CountStorage::Words(counts) => (&[], counts),
        };
        bytes.iter().map(|count| u64::from(*count)).chain(words.iter().copied())
    }

    /// Returns the number of scores in all bins.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Adds scores to the bins between these edges.
    ///
    /// # Errors
    /// Returns [`Problem::NotFinite`](crate::Problem::NotFinite) if a score is not finite; the
    /// counts are then unchanged.
    pub(crate) fn update(&mut self, edges: &Edges, scores: &[f64]) -> Result<(), Error> {
        let finite = edges.count(scores, |bin, n| self.add(bin, n));
        if finite { Ok(()) } else { Err(Error::first_not_finite(scores)) }
    }

    pub(crate) fn add(&mut self, bin: usize, n: u64) {
        self.total += n;
        match &mut self.storage {
            CountStorage::Words(counts) => counts[bin] += n,
            CountStorage::Bytes(counts) => {
                if let Ok(count) = u8::try_from(u64::from(counts[bin]) + n) {
                    counts[bin] = count;
                } else {
                    let mut counts: Box<[u64]> = self.iter().collect();
                    counts[bin] += n;
                    self.storage = CountStorage::Words(counts);
                }
            }
        }
    }

    /// Adds other counts of the same bins.
    pub(crate) fn merge(&mut self, other: &Self) {
        other.iter().enumerate().filter(|(_, n)| *n > 0).for_each(|(bin, n)| self.add(bin, n));
    }
}

impl FromIterator<u64> for BinCounts {
    fn from_iter<I: IntoIterator<Item = u64>>(counts: I) -> Self {
        let counts: Vec<u64> = counts.into_iter().collect();
        let bytes: Result<Box<[u8]>, _> = counts.iter().map(|count| u8::try_from(*count)).collect();
        Self {
            total: counts.iter().sum(),
            storage: bytes.map_or_else(|_| CountStorage::Words(counts.into()), CountStorage::Bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_do_not_depend_on_how_scores_were_added() {
        let mut expected = [0; 3];
        let mut counts = BinCounts::new(3);
        for (bin, n) in [(0, 255), (1, 7), (0, 0), (1, 248), (2, 200), (0, 1), (2, 1 << 40), (1, 1)] {
            let mut parts: BinCounts = expected.into_iter().collect();
            assert_eq!(parts, counts);
            parts.merge(&(0..3).map(|k| if k == bin { n } else { 0 }).collect());
            counts.add(bin, n);
            expected[bin] += n;
            assert_eq!(parts, counts);
            assert_eq!(counts.iter().collect::<Vec<_>>(), expected);
            assert_eq!((counts.len(), counts.total()), (3, expected.iter().sum()));
        }
    }
}
