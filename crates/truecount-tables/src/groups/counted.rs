//! Counts scores in bins, group by group: of a score that has been read nothing is kept but its bin, a byte.
//!
//! Few groups have a table on every thread, to which rows are added as they come. Of many groups each range has one
//! table, and rows are first sorted by range, so that what is written to stays in the caches. Counts are whole numbers:
//! they are the same in any order.

use super::gather::Gather;
use super::spread::Order;
use crate::input::ScoreValues;
use arrow_buffer::ScalarBuffer;
use foldhash::fast::RandomState;
use rayon::prelude::*;
use std::collections::HashMap;
use truecount::check::ShiftTally;
use truecount::{Error, ScoreBins, Tallies};
use truecount_text::RowNumbers;

/// The groups of a range: so many that their counts fit into a second cache, as a power of two.
const SHIFT: u32 = 13;
const RANGE: usize = 1 << SHIFT;

/// Counts of all groups, and what is made of a group's tallies, told how many groups there are: at once, as the tallies of
/// all groups would take several times the memory of their counts.
pub(super) struct GroupCounts<'a, F> {
    bins: ScoreBins<'a>,
    tables: CountTables,
    make: F,
}

enum CountTables {
    /// Up to a range of groups: one for each thread, of all of them.
    OfThreads(Vec<CountTable>),
    /// More: one for each range.
    OfRanges(Vec<CountTable>),
}

impl<'a, F> GroupCounts<'a, F> {
    pub(super) fn new(bins: ScoreBins<'a>, make: F) -> Self {
        let tables = (0..rayon::current_num_threads()).map(|_| CountTable::new(bins)).collect();
        Self { bins, tables: CountTables::OfThreads(tables), make }
    }

    /// The tables of all ranges, at least for this many groups.
    fn ranges(&mut self, groups: usize) -> &mut Vec<CountTable> {
        if let CountTables::OfThreads(tables) = &mut self.tables {
            let mut first = CountTable::new(self.bins);
            first.make_room(groups.min(RANGE));
            for table in tables {
                first.merge(table);
            }
            self.tables = CountTables::OfRanges(vec![first]);
        }
        let CountTables::OfRanges(tables) = &mut self.tables else { unreachable!("just made") };
        while tables.len() * RANGE < groups {
            tables.push(CountTable::new(self.bins));
        }
        tables
    }
}

impl<T: Send, F: Fn(Tallies, usize) -> Result<T, Error> + Sync> Gather for GroupCounts<'_, F> {
    type Rows = Vec<u8>;
    type Content = T;

    fn rows(&self, _: usize, _: &RowNumbers, numbers: ScoreValues<ScalarBuffer<f64>>) -> Result<Vec<u8>, Error> {
        self.bins.bin_numbers(&numbers.scores)
    }

    fn add(&mut self, chunks: &[(Vec<u32>, Vec<u8>)], groups: usize) -> Result<(), Error> {
        match &mut self.tables {
            CountTables::OfThreads(tables) if groups <= RANGE => {
                let threads = tables.len();
                tables.par_iter_mut().enumerate().for_each(|(thread, table)| {
                    table.make_room(groups);
                    for (groups, bins) in chunks.iter().skip(thread).step_by(threads) {
                        table.add(groups.iter().zip(bins).map(|(group, bin)| (*group as usize, *bin)));
                    }
                });
            }
            _ => {
                let ranges = self.ranges(groups);
                let chunks: Vec<_> =
                    chunks.par_iter().map(|(groups, bins)| SortedChunk::new(groups, bins, ranges.len())).collect();
                ranges.par_iter_mut().enumerate().for_each(|(range, table)| {
                    table.make_room((groups - range * RANGE).min(RANGE));
                    for chunk in &chunks {
                        table.add(chunk.range_rows(range));
                    }
                });
            }
        }
        Ok(())
    }

    fn contents(mut self, order: &[u32], each: bool) -> Result<(Vec<T>, Option<ShiftTally>), Error> {
        let bins = self.bins;
        let ranges: Vec<Finished> = self.ranges(order.len()).drain(..).map(CountTable::finished).collect();
        let together = if each {
            None
        } else {
            let mut total = vec![0; bins.number()];
            for range in &ranges {
                range.add_to(&mut total);
            }
            bins.tallies(total).shift()
        };
        let made = |group: &u32| {
            let tallies = bins.tallies(ranges[*group as usize / RANGE].group_counts(*group as usize % RANGE));
            (self.make)(if each { tallies } else { tallies.without_shift() }, order.len())
        };
        Ok((order.par_iter().map(made).collect::<Result<_, _>>()?, together))
    }
}

/// A chunk's rows, sorted by range.
struct SortedChunk {
    order: Order,
    /// The groups' numbers within their ranges, with the bins.
    rows: Vec<(u16, u8)>,
}

impl SortedChunk {
    #[allow(clippy::cast_possible_truncation)] // less than a range
    fn new(groups: &[u32], bins: &[u8], ranges: usize) -> Self {
        let (order, places) = Order::new([groups], ranges, |group| group >> SHIFT);
        let mut rows = vec![(0, 0); groups.len()];
        for ((place, group), bin) in places.iter().zip(groups).zip(bins) {
            rows[*place as usize] = ((*group as usize % RANGE) as u16, *bin);
        }
        Self { order, rows }
    }

    fn range_rows(&self, range: usize) -> impl Iterator<Item = (usize, u8)> + '_ {
        self.rows[self.order.part_rows(range)].iter().map(|(group, bin)| (usize::from(*group), *bin))
    }
}

/// Counts of groups, a byte each: one that exceeds it begins again at 0, and how often it did so is kept elsewhere. In a
/// million groups that are few.
struct CountTable {
    bins: usize,
    low: Vec<u8>,
    exceeded: HashMap<usize, u64, RandomState>,
}

impl CountTable {
    fn new(bins: ScoreBins) -> Self {
        Self { bins: bins.number(), low: Vec::new(), exceeded: HashMap::default() }
    }

    fn make_room(&mut self, groups: usize) {
        self.low.resize(self.low.len().max(groups * self.bins), 0);
    }

    /// Adds rows by group and bin.
    fn add(&mut self, rows: impl Iterator<Item = (usize, u8)>) {
        let Self { bins, low, exceeded } = self;
        let low = low.as_mut_slice();
        for (group, bin) in rows {
            let cell = group * *bins + usize::from(bin);
            low[cell] = low[cell].wrapping_add(1);
            if low[cell] == 0 {
                *exceeded.entry(cell).or_default() += 1;
            }
        }
    }

    /// Adds a table of no more groups.
    fn merge(&mut self, other: &Self) {
        for (cell, (low, more)) in self.low.iter_mut().zip(&other.low).enumerate() {
            let (sum, exceeded) = low.overflowing_add(*more);
            *low = sum;
            if exceeded {
                *self.exceeded.entry(cell).or_default() += 1;
            }
        }
        for (cell, times) in &other.exceeded {
            *self.exceeded.entry(*cell).or_default() += times;
        }
    }

    fn finished(self) -> Finished {
        let mut exceeded: Vec<(usize, u64)> = self.exceeded.into_iter().collect();
        exceeded.sort_unstable();
        Finished { bins: self.bins, low: self.low, exceeded }
    }
}

/// A table to read from.
struct Finished {
    bins: usize,
    low: Vec<u8>,
    /// Sorted by cell.
    exceeded: Vec<(usize, u64)>,
}

impl Finished {
    /// The counts of a group.
    fn group_counts(&self, group: usize) -> Vec<u64> {
        let (from, to) = (group * self.bins, (group + 1) * self.bins);
        let mut counts: Vec<u64> = self.low[from..to].iter().map(|low| u64::from(*low)).collect();
        let first = self.exceeded.partition_point(|(cell, _)| *cell < from);
        for (cell, times) in self.exceeded[first..].iter().take_while(|(cell, _)| *cell < to) {
            counts[cell - from] += times << u8::BITS;
        }
        counts
    }

    /// Adds the counts of all groups.
    fn add_to(&self, total: &mut [u64]) {
        for group in self.low.chunks(self.bins) {
            total.iter_mut().zip(group).for_each(|(total, low)| *total += u64::from(*low));
        }
        self.exceeded.iter().for_each(|(cell, times)| total[cell % self.bins] += times << u8::BITS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecount::{LabelledScores, Model, Settings};

    /// A model of ten bins, and rows of so many groups: each has a score of its own, and some have many of one.
    fn rows(groups: u32) -> (Model, Vec<u32>, Vec<f64>) {
        let scores: Vec<f64> = (0..60).map(|i| f64::from(i % 10) + if i < 30 { 3.5 } else { 0.0 }).collect();
        let labels: Vec<bool> = (0..60).map(|i| i < 30).collect();
        let model = Model::fit(&LabelledScores::new(&scores, &labels).unwrap(), &Settings::default()).unwrap();
        let each = (0..groups).map(|group| (group, f64::from(group % 13)));
        let many = (0..3000).map(|i| (i * i % 3 * (groups / 3), 5.0 + f64::from(i % 2)));
        let (groups, scores) = many.clone().chain(each).chain(many).unzip();
        (model, groups, scores)
    }

    /// What is added chunk by chunk, while groups are found, is what each group's scores are by themselves.
    #[test]
    fn groups_have_what_they_are_given() {
        for groups in [3, 5000, 3 * 8192 + 5] {
            let (model, numbers, scores) = rows(groups);
            let bins = model.score_bins().unwrap();
            let mut counted = GroupCounts::new(bins, |tallies, _| Ok(tallies));
            let mut found = 0;
            for (numbers, scores) in numbers.chunks(2500).zip(scores.chunks(2500)) {
                found = numbers.iter().fold(found, |found, number| found.max(*number as usize + 1));
                let (left, right) = (numbers.len() / 3, bins.bin_numbers(scores).unwrap());
                let chunk = |from: usize, to: usize| (numbers[from..to].to_vec(), right[from..to].to_vec());
                counted.add(&[chunk(0, left), chunk(left, left), chunk(left, numbers.len())], found).unwrap();
            }
            let mut expected = vec![model.tallies(); groups as usize];
            for (number, score) in numbers.iter().zip(&scores) {
                model.update(&mut expected[*number as usize], &[*score]).unwrap();
            }
            let backwards: Vec<u32> = (0..groups).rev().collect();
            expected.reverse();
            let (tallies, together) = counted.contents(&backwards, true).unwrap();
            assert!(tallies == expected && together.is_none(), "{groups} groups");
        }
    }

    #[test]
    fn all_groups_together_are_the_sum() {
        let (model, numbers, scores) = rows(20_000);
        let bins = model.score_bins().unwrap();
        let mut counted = GroupCounts::new(bins, |tallies, _| Ok(tallies));
        counted.add(&[(numbers, bins.bin_numbers(&scores).unwrap())], 20_000).unwrap();
        let (tallies, together) = counted.contents(&(0..20_000).collect::<Vec<u32>>(), false).unwrap();
        let mut all = model.tallies();
        model.update(&mut all, &scores).unwrap();
        assert_eq!(together, all.shift());
        assert!(tallies.iter().all(|tallies| tallies.shift().is_none()));
    }
}
