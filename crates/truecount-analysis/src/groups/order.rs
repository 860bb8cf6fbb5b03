//! The natural order of groups: by the first grouping column, then by the second, and so on. Dates
//! are sorted by time, numbers and bands such as 5-9 by size, and texts alphabetically; missing values come last.
//!
//! In a file without types, a column has numbers if all its texts are numbers, and dates if all are
//! dates in one format.

use super::ColumnBands;
use super::dates::DateFormat;
use std::cmp::Ordering;

/// The rank of each group by one criterion; equal groups have the same rank.
#[derive(Clone, Debug)]
pub struct GroupRanks(Vec<u32>);

/// The rank of missing values, after all others.
const MISSING: u32 = u32::MAX;

impl GroupRanks {
    /// Ranks groups by their values; missing values are last.
    pub fn from_values<K: Ord>(values: impl IntoIterator<Item = Option<K>>) -> Self {
        let values: Vec<Option<K>> = values.into_iter().collect();
        let known = (0..).zip(&values).filter_map(|(group, value)| value.as_ref().map(|_| group)).collect();
        Self::from_comparison(values.len(), known, &|a, b| values[a as usize].cmp(&values[b as usize]))
    }

    /// Ranks groups by a comparison; groups that are not `known` are last. The function is not
    /// generic, so that it is compiled once.
    fn from_comparison(groups: usize, mut known: Vec<u32>, compare: &dyn Fn(u32, u32) -> Ordering) -> Self {
        known.sort_unstable_by(|a, b| compare(*a, *b));
        let mut ranks = vec![MISSING; groups];
        for (rank, same) in (0..).zip(known.chunk_by(|a, b| compare(*a, *b).is_eq())) {
            for group in same {
                ranks[*group as usize] = rank;
            }
        }
        Self(ranks)
    }

    /// Ranks groups by numbers; NaN is missing.
    pub fn from_numbers(numbers: impl IntoIterator<Item = Option<f64>>) -> Self {
        Self::from_values(numbers.into_iter().map(|number| number.filter(|number| !number.is_nan()).map(ordered_bits)))
    }

    /// Reverses the order; missing values stay last.
    #[must_use]
    pub fn descending(mut self) -> Self {
        self.0.iter_mut().filter(|rank| **rank != MISSING).for_each(|rank| *rank = MISSING - 1 - *rank);
        self
    }

    /// Breaks ties by other ranks.
    #[must_use]
    fn then(self, others: &Self) -> Self {
        let pairs = self.0.iter().zip(&others.0);
        Self::from_values(pairs.map(|(first, second)| Some((u64::from(*first) << 32) | u64::from(*second))))
    }

    /// Returns whether two groups have the same rank.
    pub fn are_equal(&self, a: u32, b: u32) -> bool {
        self.0[a as usize] == self.0[b as usize]
    }

    /// Returns the groups sorted by the first of these ranks, then by the second, and so on; equal
    /// groups keep their order.
    pub fn order_by(all: impl IntoIterator<Item = Self>) -> Option<Vec<u32>> {
        let Self(ranks) = all.into_iter().reduce(|ranks, next| ranks.then(&next))?;
        // Sorting groups by their ranks would read the ranks in random order.
        let mut order: Vec<u64> = (0..).zip(ranks).map(|(group, rank)| (u64::from(rank) << 32) | group).collect();
        order.sort_unstable();
        #[allow(clippy::cast_possible_truncation)] // the group
        Some(order.into_iter().map(|group| group as u32).collect())
    }
}

/// Parses all texts; `None` if one of them cannot be parsed.
fn parse_all<'a, T>(
    texts: impl Iterator<Item = Option<&'a str>>,
    parse: impl Fn(&'a str) -> Option<T>,
) -> Option<Vec<Option<(T, &'a str)>>> {
    texts.map(|text| text.map_or(Some(None), |text| parse(text).map(|value| Some((value, text))))).collect()
}

impl GroupRanks {
    /// Ranks groups by texts: as numbers if all texts are numbers, as dates if all are dates, as bands
    /// such as 5-9 if all are bands, else alphabetically. A missing or empty text is last.
    pub fn from_texts<'a, I: Iterator<Item = Option<&'a str>>>(texts: impl Fn() -> I) -> Self {
        let known = || texts().map(|text| text.filter(|text| !text.is_empty()));
        // The texts 1 and 01 are different groups, so the text breaks the tie.
        if let Some(numbers) = parse_all(known(), |text| text.parse::<i128>().ok()) {
            return Self::from_values(numbers);
        }
        if let Some(numbers) = parse_all(known(), number) {
            return Self::from_values(numbers);
        }
        if let Some(format) = DateFormat::detect(|| known().flatten()) {
            let second = |text| format.date(text).map(|(second, _)| (second, text));
            return Self::from_values(known().map(|text| text.and_then(second)));
        }
        if let Some(bands) = parse_all(known(), |text| ColumnBands::start(text).map(ordered_bits)) {
            return Self::from_values(bands);
        }
        Self::from_values(known())
    }

    /// Returns equal ranks for this many groups.
    pub fn all_equal(groups: usize) -> Self {
        Self(vec![0; groups])
    }
}

/// Parses a finite number, as bits in the order of the numbers.
fn number(text: &str) -> Option<i64> {
    let number: f64 = text.parse().ok()?;
    number.is_finite().then(|| ordered_bits(number))
}

/// Maps numbers to integers in the same order.
fn ordered_bits(number: f64) -> i64 {
    // Adding 0 turns −0 into 0.
    let bits = (number + 0.0).to_bits().cast_signed();
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}
