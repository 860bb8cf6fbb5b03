//! A fingerprint of rows and their row numbers, independent of file names and of the number of threads.

use super::format::FormatChunk;
use std::sync::atomic::{AtomicU64, Ordering};
use truecount_analysis::ScoreValues;

/// The sum of a hash of every row.
#[derive(Default)]
pub struct Fingerprint(AtomicU64);

impl Fingerprint {
    /// Returns the fingerprint of all rows that were added.
    pub fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn add_chunk(&self, chunk: &FormatChunk) {
        let ScoreValues { scores, probabilities, weights } = chunk.numbers.map(AsRef::as_ref);
        if !chunk.row_numbers.is_empty() {
            self.add(chunk.row_numbers.at(0), [Some(scores), probabilities, weights]);
        }
    }

    /// Adds consecutive rows from this row number on; columns that were not read are `None`.
    fn add(&self, first: u64, columns: [Option<&[f64]>; 3]) {
        let hash_column = |seed: u64, column: &[f64]| -> u64 {
            let rows = column.iter().zip(first..);
            rows.map(|(x, row)| mix(x.to_bits() ^ mix(row ^ seed))).fold(0, u64::wrapping_add)
        };
        let sum = columns.into_iter().zip(0..).filter_map(|(column, index)| Some(hash_column(index << 60, column?)));
        self.0.fetch_add(sum.fold(0, u64::wrapping_add), Ordering::Relaxed);
    }
}

/// Finaliser of SplitMix64 (Steele, Lea & Flood 2014): each bit of x changes about half of the bits of the result.
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
