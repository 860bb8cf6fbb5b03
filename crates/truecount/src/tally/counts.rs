//! Counts of scores in bins.
//!
//! Counts take as little memory as possible, because there may be a million groups of a few scores each.

use crate::Error;
use crate::numeric::edges::Edges;

/// The largest number of scores that are kept as a list of their bins.
const FEW: usize = 22;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BinCounts {
    total: u64,
    storage: CountStorage,
}

/// The bins of a few scores, or the counts of all bins; equal counts have equal storage.
#[derive(Clone, Debug, PartialEq)]
enum CountStorage {
    Few {
        /// The bins of all scores in ascending order, followed by zeros.
        bins: [u8; FEW],
        /// The index of the last bin.
        last: u8,
    },
    /// The counts while all are below 256.
    Bytes(Box<[u8]>),
    Words(Box<[u64]>),
}

impl CountStorage {
    fn from_all_bins(counts: &[u64]) -> Self {
        let bytes: Result<Box<[u8]>, _> = counts.iter().map(|count| u8::try_from(*count)).collect();
        bytes.map_or_else(|_| Self::Words(counts.into()), Self::Bytes)
    }
}

impl BinCounts {
    /// Creates counts of 0 in this many bins.
    pub(crate) fn new(bins: usize) -> Self {
        let few = |last| CountStorage::Few { bins: [0; FEW], last };
        let last = bins.checked_sub(1).and_then(|last| u8::try_from(last).ok());
        Self { total: 0, storage: last.map_or_else(|| CountStorage::Bytes(vec![0; bins].into()), few) }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.storage {
            CountStorage::Few { last, .. } => usize::from(*last) + 1,
            CountStorage::Bytes(counts) => counts.len(),
            CountStorage::Words(counts) => counts.len(),
        }
    }

    /// Returns the bins of the scores in ascending order if they are few.
    #[allow(clippy::cast_possible_truncation)] // at most 22
    fn few(&self) -> Option<&[u8]> {
        if let CountStorage::Few { bins, .. } = &self.storage { Some(&bins[..self.total as usize]) } else { None }
    }

    /// Iterates over the counts in the order of the bins.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let (few, bytes, words): (usize, &[u8], &[u64]) = match &self.storage {
            CountStorage::Few { .. } => (self.len(), &[], &[]),
            CountStorage::Bytes(counts) => (0, counts, &[]),
            CountStorage::Words(counts) => (0, &[], counts),
        };
        let mut bins = self.few().unwrap_or_default();
        let few = (0..few).map(move |bin| {
            let same = bins.iter().take_while(|other| usize::from(**other) == bin).count();
            bins = &bins[same..];
            same as u64
        });
        few.chain(bytes.iter().map(|count| u64::from(*count))).chain(words.iter().copied())
    }

    /// Calls `visit` with the bins in ascending order and their counts. Bins without scores may be left out.
    pub(super) fn for_each(&self, mut visit: impl FnMut(usize, u64)) {
        match self.few() {
            Some(bins) => {
                bins.chunk_by(|a, b| a == b).for_each(|same| visit(usize::from(same[0]), same.len() as u64));
            }
            None => self.iter().enumerate().for_each(|(bin, n)| visit(bin, n)),
        }
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

    #[allow(clippy::cast_possible_truncation)] // few scores in at most 256 bins
    pub(crate) fn add(&mut self, bin: usize, n: u64) {
        let before = self.total as usize;
        self.total += n;
        if let CountStorage::Few { bins, last } = &mut self.storage {
            assert!(bin <= usize::from(*last), "one of the bins");
            if self.total <= FEW as u64 {
                let start = bins[..before].partition_point(|other| usize::from(*other) <= bin);
                let end = start + n as usize;
                bins.copy_within(start..before, end);
                bins[start..end].fill(bin as u8);
                return;
            }
            let mut counts = vec![0; usize::from(*last) + 1];
            bins[..before].iter().for_each(|bin| counts[usize::from(*bin)] += 1);
            self.storage = CountStorage::from_all_bins(&counts);
        }
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
            CountStorage::Few { .. } => unreachable!("many scores"),
        }
    }

    /// Adds other counts of the same bins.
    pub(crate) fn merge(&mut self, other: &Self) {
        other.for_each(|bin, n| {
            if n > 0 {
                self.add(bin, n);
            }
        });
    }
}

impl FromIterator<u64> for BinCounts {
    fn from_iter<I: IntoIterator<Item = u64>>(counts: I) -> Self {
        let counts: Vec<u64> = counts.into_iter().collect();
        let mut few = Self::new(counts.len());
        let total = counts.iter().sum();
        if total > FEW as u64 {
            return Self { total, storage: CountStorage::from_all_bins(&counts) };
        }
        counts.iter().enumerate().for_each(|(bin, n)| few.add(bin, *n));
        few
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_do_not_depend_on_how_scores_were_added() {
        let mut expected = [0; 3];
        let mut counts = BinCounts::new(3);
        for (bin, n) in [
            (1, 2),
            (0, 3),
            (2, 15),
            (1, 2),
            (0, 252),
            (1, 3),
            (0, 0),
            (1, 248),
            (2, 185),
            (0, 1),
            (2, 1 << 40),
            (1, 1),
        ] {
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
