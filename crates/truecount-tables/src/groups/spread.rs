//! Scatters rows to their groups: sorts them by group, then adds each group's rows in one go.
//!
//! Rows are first sorted into ranges of groups, chunk by chunk, and then by group within each range, so that what is
//! written to stays in the caches. A group's rows keep the order of the chunks, so that sums do not depend on the
//! number of threads.

use crate::input::ScoreValues;
use rayon::prelude::*;
use std::ops::Range;
use truecount::Error;

/// The largest number of ranges of groups.
const RANGES: usize = 64;

/// Adds to each group the rows with its number.
pub fn spread<T: Send>(
    chunks: &[(&[u32], ScoreValues<&[f64]>)],
    groups: &mut [T],
    add: impl Fn(&mut T, &ScoreValues<&[f64]>) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let range = groups.len().div_ceil(RANGES).next_power_of_two();
    let shift = range.trailing_zeros();
    let ranges = groups.len().div_ceil(range);
    let chunks: Vec<RowChunk> =
        chunks.par_iter().map(|(numbers, rows)| RowChunk::new(numbers, rows, shift, ranges)).collect();
    groups.par_chunks_mut(range).enumerate().try_for_each(|(number, own)| {
        let parts: Vec<_> = chunks.iter().map(|chunk| chunk.range(number)).collect();
        let (order, rows) = sorted(&parts, own.len());
        own.iter_mut().enumerate().try_for_each(|(group, content)| match order.slice(&rows, group) {
            Some(rows) => add(content, &rows),
            None => Ok(()),
        })
    })
}

/// A chunk's rows, sorted by range.
struct RowChunk {
    order: Order,
    /// The groups' numbers within their ranges.
    numbers: Vec<u32>,
    rows: ScoreValues<Vec<f64>>,
}

impl RowChunk {
    fn new(numbers: &[u32], rows: &ScoreValues<&[f64]>, shift: u32, ranges: usize) -> Self {
        let ((order, places), within) = (Order::new([numbers], ranges, |number| number >> shift), (1 << shift) - 1);
        let mut sorted = vec![0; numbers.len()];
        places.iter().zip(numbers).for_each(|(place, number)| sorted[*place as usize] = number & within);
        let mut by_range = rows.map(|column| vec![0.0; column.len()]);
        scatter(&mut by_range, rows, &places);
        Self { order, numbers: sorted, rows: by_range }
    }

    fn range(&self, range: usize) -> (&[u32], ScoreValues<&[f64]>) {
        let rows = self.order.part_rows(range);
        (&self.numbers[rows.clone()], self.rows.map(|column| &column[rows.clone()]))
    }
}

/// The rows of one range, sorted by group.
fn sorted(parts: &[(&[u32], ScoreValues<&[f64]>)], groups: usize) -> (Order, ScoreValues<Vec<f64>>) {
    let (order, places) = Order::new(parts.iter().map(|(numbers, _)| *numbers), groups, |number| number);
    let Some((_, any)) = parts.first() else { return (order, ScoreValues::default()) };
    let mut rows = any.map(|_| vec![0.0; places.len()]);
    let mut rest = places.as_slice();
    for (numbers, part) in parts {
        let places = rest.split_off(..numbers.len()).expect("a place for every row");
        scatter(&mut rows, part, places);
    }
    (order, rows)
}

/// Where the rows of each number end once the rows are sorted by number.
pub(super) struct Order(Vec<u32>);

impl Order {
    /// The sort order, and each row's place in it; rows of the same number keep their order.
    #[allow(clippy::cast_possible_truncation)] // places of rows in memory
    pub(super) fn new<'a>(
        chunks: impl IntoIterator<Item = &'a [u32]> + Clone,
        numbers: usize,
        number: impl Fn(u32) -> u32,
    ) -> (Self, Vec<u32>) {
        let mut next = vec![0_u32; numbers + 1];
        for row in chunks.clone().into_iter().flatten() {
            next[number(*row) as usize + 1] += 1;
        }
        for i in 0..numbers {
            next[i + 1] += next[i];
        }
        let mut places = Vec::with_capacity(next[numbers] as usize);
        // The next free place of each number; at the end of the loop, this is where its rows end.
        for chunk in chunks {
            places.extend(chunk.iter().map(|row| {
                let next = &mut next[number(*row) as usize];
                *next += 1;
                *next - 1
            }));
        }
        (Self(next), places)
    }

    /// The places of the rows with this number.
    pub(super) fn part_rows(&self, number: usize) -> Range<usize> {
        let start = number.checked_sub(1).map_or(0, |before| self.0[before]);
        start as usize..self.0[number] as usize
    }

    /// The rows of this number, if there are any.
    fn slice<'a>(&self, rows: &'a ScoreValues<Vec<f64>>, number: usize) -> Option<ScoreValues<&'a [f64]>> {
        let range = self.part_rows(number);
        (!range.is_empty()).then(|| rows.map(|column| &column[range.clone()]))
    }
}

/// Writes rows to their places.
fn scatter(to: &mut ScoreValues<Vec<f64>>, rows: &ScoreValues<&[f64]>, places: &[u32]) {
    let put = |to: &mut Vec<f64>, from: &[f64]| {
        places.iter().zip(from).for_each(|(place, value)| to[*place as usize] = *value);
    };
    put(&mut to.scores, rows.scores);
    if let (Some(to), Some(from)) = (&mut to.probabilities, rows.probabilities) {
        put(to, from);
    }
    if let (Some(to), Some(from)) = (&mut to.weights, rows.weights) {
        put(to, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_to_their_groups_in_their_order() {
        let (groups, scores): (Vec<u32>, Vec<f64>) = (0..10_000).map(|i| (i * i % 997 % 700, f64::from(i))).unzip();
        let weights: Vec<f64> = scores.iter().map(|s| s + 0.5).collect();
        let numbers = |from, to| ScoreValues {
            scores: &scores[from..to],
            probabilities: None,
            weights: Some(&weights[from..to]),
        };
        let chunks = [(&groups[..3000], numbers(0, 3000)), (&groups[3000..], numbers(3000, 10_000))];
        let mut found = vec![Vec::new(); 701];
        spread(&chunks, &mut found, |found, rows| {
            let pairs = rows.scores.iter().zip(rows.weights.unwrap());
            found.extend(pairs.map(|(score, weight)| (*score, *weight)));
            Ok(())
        })
        .unwrap();
        for (group, found) in found.iter().enumerate() {
            let own = groups.iter().zip(&scores).filter(|(g, _)| **g as usize == group);
            assert_eq!(*found, own.map(|(_, s)| (*s, s + 0.5)).collect::<Vec<_>>(), "group {group}");
        }
    }
}
