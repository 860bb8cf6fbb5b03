//! Counts scores in bins by group. Of each score only its bin is kept, a byte.
//!
//! With few groups, every thread has a table of counts, to which rows are added in the order of
//! reading. With many groups, each range of groups has one table, and rows are first sorted by
//! range, so that the table stays in the caches. The order does not matter, since counts are
//! integers.

use super::accumulator::GroupAccumulator;
use super::partition::SortOrder;
use crate::input::ScoreValues;
use arrow_buffer::ScalarBuffer;
use foldhash::fast::RandomState;
use rayon::prelude::*;
use std::collections::HashMap;
use truecount::model::ScoreBins;
use truecount::shift_test::ShiftTally;
use truecount::{Error, Tally};
use truecount_text::RowNumbers;

/// Number of groups in a range, a power of two for which the counts fit into a level-2 cache.
const RANGE: usize = 1 << SHIFT;
const SHIFT: u32 = 13;

/// An accumulator of counts in bins.
pub(super) struct GroupCounts<'a, F> {
    bins: ScoreBins<'a>,
    tables: CountTables,
    /// Converts the counts of all groups.
    convert: F,
}

/// The counts of all groups, in their final order. The tallies of all groups would take several times
/// the memory.
pub(super) struct OrderedCounts<'a> {
    bins: ScoreBins<'a>,
    ranges: Vec<FinishedCounts>,
    order: &'a [u32],
    check_each: bool,
}

impl OrderedCounts<'_> {
    pub(super) fn number(&self) -> usize {
        self.order.len()
    }

    /// Converts the tally of every group.
    pub(super) fn map<T: Send>(&self, convert: impl Fn(Tally) -> Result<T, Error> + Sync) -> Result<Vec<T>, Error> {
        let convert_group = |group: &u32| {
            let (range, group) = (*group as usize / RANGE, *group as usize % RANGE);
            let tally = self.bins.tally(self.ranges[range].group_counts(group));
            convert(if self.check_each { tally } else { tally.without_shift() })
        };
        self.order.par_iter().map(convert_group).collect()
    }
}

/// The tables of all groups.
enum CountTables {
    /// One table of all groups for each thread, for up to `RANGE` groups.
    ByThread(Vec<CountTable>),
    /// One table for each range of groups.
    ByRange(Vec<CountTable>),
}

impl<'a, F> GroupCounts<'a, F> {
    pub(super) fn new(bins: ScoreBins<'a>, convert: F) -> Self {
        let tables = (0..rayon::current_num_threads()).map(|_| CountTable::new(bins)).collect();
        Self { bins, tables: CountTables::ByThread(tables), convert }
    }

    /// Returns the tables by range, for at least this many groups.
    fn ranges(&mut self, groups: usize) -> &mut Vec<CountTable> {
        if let CountTables::ByThread(tables) = &mut self.tables {
            let mut first = CountTable::new(self.bins);
            first.reserve_groups(groups.min(RANGE));
            for table in tables {
                first.merge(table);
            }
            self.tables = CountTables::ByRange(vec![first]);
        }
        let CountTables::ByRange(tables) = &mut self.tables else { unreachable!("converted above") };
        while tables.len() * RANGE < groups {
            tables.push(CountTable::new(self.bins));
        }
        tables
    }
}

impl<T: Send, F: Fn(&OrderedCounts) -> Result<Vec<T>, Error> + Sync> GroupAccumulator for GroupCounts<'_, F> {
    type Rows = Vec<u8>;
    type Content = T;

    fn prepare(&self, _: usize, _: &RowNumbers, numbers: ScoreValues<ScalarBuffer<f64>>) -> Result<Vec<u8>, Error> {
        self.bins.bin_numbers(&numbers.scores)
    }

    fn add(&mut self, chunks: &[(Vec<u32>, Vec<u8>)], groups: usize) -> Result<(), Error> {
        match &mut self.tables {
            CountTables::ByThread(tables) if groups <= RANGE => {
                let threads = tables.len();
                tables.par_iter_mut().enumerate().for_each(|(thread, table)| {
                    table.reserve_groups(groups);
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
                    table.reserve_groups((groups - range * RANGE).min(RANGE));
                    for chunk in &chunks {
                        table.add(chunk.range_rows(range));
                    }
                });
            }
        }
        Ok(())
    }

    fn finish(mut self, order: &[u32], check_each: bool) -> Result<(Vec<T>, Option<ShiftTally>), Error> {
        let bins = self.bins;
        let ranges: Vec<FinishedCounts> = self.ranges(order.len()).drain(..).map(CountTable::finish).collect();
        let shift_total = if check_each {
            None
        } else {
            let mut total = vec![0; bins.number()];
            for range in &ranges {
                range.add_to(&mut total);
            }
            bins.tally(total).shift()
        };
        let counts = OrderedCounts { bins, ranges, order, check_each };
        Ok(((self.convert)(&counts)?, shift_total))
    }
}

/// The rows of a chunk, sorted by range.
struct SortedChunk {
    order: SortOrder,
    /// The number of the group within its range, and the bin.
    rows: Vec<(u16, u8)>,
}

impl SortedChunk {
    #[allow(clippy::cast_possible_truncation)] // less than a range
    fn new(groups: &[u32], bins: &[u8], ranges: usize) -> Self {
        let (order, targets) = SortOrder::new([groups], ranges, |group| group >> SHIFT);
        let mut rows = vec![(0, 0); groups.len()];
        for ((target, group), bin) in targets.iter().zip(groups).zip(bins) {
            rows[*target as usize] = ((*group as usize % RANGE) as u16, *bin);
        }
        Self { order, rows }
    }

    fn range_rows(&self, range: usize) -> impl Iterator<Item = (usize, u8)> + '_ {
        self.rows[self.order.part_rows(range)].iter().map(|(group, bin)| (usize::from(*group), *bin))
    }
}

/// Counts by group and bin, a byte each. The overflows of a byte are counted in a map, which stays
/// small even for a million groups.
struct CountTable {
    bins: usize,
    low: Vec<u8>,
    /// The number of overflows by cell.
    overflows: HashMap<usize, u64, RandomState>,
}

impl CountTable {
    fn new(bins: ScoreBins) -> Self {
        Self { bins: bins.number(), low: Vec::new(), overflows: HashMap::default() }
    }

    fn reserve_groups(&mut self, groups: usize) {
        self.low.resize(self.low.len().max(groups * self.bins), 0);
    }

    /// Adds rows, given by group and bin.
    fn add(&mut self, rows: impl Iterator<Item = (usize, u8)>) {
        let Self { bins, low, overflows } = self;
        let low = low.as_mut_slice();
        for (group, bin) in rows {
            let cell = group * *bins + usize::from(bin);
            low[cell] = low[cell].wrapping_add(1);
            if low[cell] == 0 {
                *overflows.entry(cell).or_default() += 1;
            }
        }
    }

    /// Adds a table with at most as many groups.
    fn merge(&mut self, other: &Self) {
        for (cell, (low, more)) in self.low.iter_mut().zip(&other.low).enumerate() {
            let (sum, has_overflowed) = low.overflowing_add(*more);
            *low = sum;
            if has_overflowed {
                *self.overflows.entry(cell).or_default() += 1;
            }
        }
        for (cell, times) in &other.overflows {
            *self.overflows.entry(*cell).or_default() += times;
        }
    }

    fn finish(self) -> FinishedCounts {
        let mut overflows: Vec<(usize, u64)> = self.overflows.into_iter().collect();
        overflows.sort_unstable();
        FinishedCounts { bins: self.bins, low: self.low, overflows }
    }
}

/// A finished table.
struct FinishedCounts {
    bins: usize,
    low: Vec<u8>,
    /// The number of overflows by cell, sorted.
    overflows: Vec<(usize, u64)>,
}

impl FinishedCounts {
    /// Returns the counts of a group.
    fn group_counts(&self, group: usize) -> Vec<u64> {
        let (from, to) = (group * self.bins, (group + 1) * self.bins);
        let mut counts: Vec<u64> = self.low[from..to].iter().map(|low| u64::from(*low)).collect();
        let first = self.overflows.partition_point(|(cell, _)| *cell < from);
        for (cell, times) in self.overflows[first..].iter().take_while(|(cell, _)| *cell < to) {
            counts[cell - from] += times << u8::BITS;
        }
        counts
    }

    /// Adds the counts of all groups to the total.
    fn add_to(&self, total: &mut [u64]) {
        for group in self.low.chunks(self.bins) {
            total.iter_mut().zip(group).for_each(|(total, low)| *total += u64::from(*low));
        }
        self.overflows.iter().for_each(|(cell, times)| total[cell % self.bins] += times << u8::BITS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecount::{LabelledScores, Model, Settings};

    /// Returns a model of ten bins, and rows of this many groups: at least one score in each, and
    /// many equal scores in some.
    fn rows(groups: u32) -> (Model, Vec<u32>, Vec<f64>) {
        let scores: Vec<f64> = (0..60).map(|i| f64::from(i % 10) + if i < 30 { 3.5 } else { 0.0 }).collect();
        let labels: Vec<bool> = (0..60).map(|i| i < 30).collect();
        let model = Model::fit(&LabelledScores::new(&scores, &labels).unwrap(), &Settings::default()).unwrap();
        let each = (0..groups).map(|group| (group, f64::from(group % 13)));
        let many = (0..3000).map(|i| (i * i % 3 * (groups / 3), 5.0 + f64::from(i % 2)));
        let (groups, scores) = many.clone().chain(each).chain(many).unzip();
        (model, groups, scores)
    }

    /// Rows are added chunk by chunk while the number of groups grows.
    #[test]
    fn counts_equal_tallies_of_each_group() {
        for groups in [3, 5000, 3 * 8192 + 5] {
            let (model, numbers, scores) = rows(groups);
            let bins = model.score_bins().unwrap();
            let mut counts = GroupCounts::new(bins, |counts: &OrderedCounts| counts.map(Ok));
            let mut known_groups = 0;
            for (numbers, scores) in numbers.chunks(2500).zip(scores.chunks(2500)) {
                known_groups = numbers.iter().fold(known_groups, |groups, number| groups.max(*number as usize + 1));
                let (left, right) = (numbers.len() / 3, bins.bin_numbers(scores).unwrap());
                let chunk = |from: usize, to: usize| (numbers[from..to].to_vec(), right[from..to].to_vec());
                counts.add(&[chunk(0, left), chunk(left, left), chunk(left, numbers.len())], known_groups).unwrap();
            }
            let mut expected = vec![Tally::new(&model); groups as usize];
            for (number, score) in numbers.iter().zip(&scores) {
                expected[*number as usize].update(&[*score]).unwrap();
            }
            let backwards: Vec<u32> = (0..groups).rev().collect();
            expected.reverse();
            let (tallies, shift_total) = counts.finish(&backwards, true).unwrap();
            assert!(tallies == expected && shift_total.is_none(), "{groups} groups");
        }
    }

    #[test]
    fn the_shift_total_is_the_tally_of_all_scores() {
        let (model, numbers, scores) = rows(20_000);
        let bins = model.score_bins().unwrap();
        let mut counts = GroupCounts::new(bins, |counts: &OrderedCounts| counts.map(Ok));
        counts.add(&[(numbers, bins.bin_numbers(&scores).unwrap())], 20_000).unwrap();
        let (tallies, shift_total) = counts.finish(&(0..20_000).collect::<Vec<u32>>(), false).unwrap();
        let mut all = Tally::new(&model);
        all.update(&scores).unwrap();
        assert_eq!(shift_total, all.shift());
        assert!(tallies.iter().all(|tallies| tallies.shift().is_none()));
    }
}
