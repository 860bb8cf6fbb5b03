//! Rows of a wave given to their groups: every thread has a range of the groups to itself, and puts its rows in their order.
//!
//! A group's rows come together in the order of the file, so that what is added up does not depend on the number of threads.

use super::rows::Numbers;
use crate::failure::Failure;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// Adds to each group the rows with its number.
pub fn spread<T: Send>(
    chunks: &[(&[u32], Numbers<&[f64]>)],
    groups: &mut [T],
    add: impl Fn(&mut T, &Numbers<&[f64]>) -> Result<(), Failure> + Sync,
) -> Result<(), Failure> {
    let range = groups.len().div_ceil(rayon::current_num_threads()).max(1);
    groups.par_chunks_mut(range).enumerate().try_for_each(|(i, own)| {
        let rows = Sorted::new(chunks, i * range, own.len());
        own.iter_mut().enumerate().try_for_each(|(group, content)| match rows.of(group) {
            Some(rows) => add(content, &rows),
            None => Ok(()),
        })
    })
}

/// The rows of a range of groups, group by group.
struct Sorted {
    /// Where each group's rows end.
    ends: Vec<u32>,
    numbers: Numbers<Vec<f64>>,
}

impl Sorted {
    fn new(chunks: &[(&[u32], Numbers<&[f64]>)], first: usize, groups: usize) -> Self {
        #[allow(clippy::cast_possible_truncation)] // numbers of groups
        let (first, groups) = (first as u32, groups as u32);
        let own = |group: u32| Some(group.wrapping_sub(first)).filter(|own| *own < groups).map(|own| own as usize);
        let mut ends = vec![0_u32; groups as usize + 1];
        for group in chunks.iter().flat_map(|(numbered, _)| *numbered) {
            if let Some(group) = own(*group) {
                ends[group + 1] += 1;
            }
        }
        for group in 0..groups as usize {
            ends[group + 1] += ends[group];
        }
        let total = ends[groups as usize] as usize;
        let mut numbers = match chunks {
            [] => Numbers::default(),
            [(_, any), ..] => any.map(|_| vec![0.0; total]),
        };
        // Each group's next place, which in the end is where the next group begins.
        for (numbered, rows) in chunks {
            for (row, group) in numbered.iter().enumerate() {
                let Some(group) = own(*group) else { continue };
                let place = ends[group] as usize;
                ends[group] += 1;
                numbers.scores[place] = rows.scores[row];
                if let (Some(to), Some(from)) = (&mut numbers.probabilities, rows.probabilities) {
                    to[place] = from[row];
                }
                if let (Some(to), Some(from)) = (&mut numbers.weights, rows.weights) {
                    to[place] = from[row];
                }
            }
        }
        Self { ends, numbers }
    }

    /// One group's rows, if it has any.
    fn of(&self, group: usize) -> Option<Numbers<&[f64]>> {
        let start = group.checked_sub(1).map_or(0, |before| self.ends[before]) as usize;
        let end = self.ends[group] as usize;
        (start < end).then(|| self.numbers.map(|column| &column[start..end]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_to_their_groups_in_their_order() {
        let (groups, scores): (Vec<u32>, Vec<f64>) = (0..10_000).map(|i| (i * i % 997 % 700, f64::from(i))).unzip();
        let weights: Vec<f64> = scores.iter().map(|s| s + 0.5).collect();
        let numbers =
            |from, to| Numbers { scores: &scores[from..to], probabilities: None, weights: Some(&weights[from..to]) };
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
