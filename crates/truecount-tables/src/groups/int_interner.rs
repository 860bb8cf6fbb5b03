//! Numbers distinct integers in order of appearance.

use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Marks a value without a number.
pub const NEW: u32 = u32::MAX;

/// Maximum number of cells in a lookup array: the larger of `MAX_CELLS` and `MAX_CELLS_PER_VALUE` ×
/// the number of values.
const MAX_CELLS: u64 = 1 << 22;
const MAX_CELLS_PER_VALUE: u64 = 8;

/// An interner of integers.
#[derive(Default)]
pub struct IntInterner {
    /// The values, indexed by their numbers.
    values: Vec<i64>,
    index: IntIndex,
}

/// Maps values to their numbers.
enum IntIndex {
    /// A lookup array, with a cell for each integer from the first value on.
    Array(i64, Vec<u32>),
    Hashed(HashMap<i64, u32, RandomState>),
}

impl Default for IntIndex {
    fn default() -> Self {
        Self::Array(0, Vec::new())
    }
}

impl IntInterner {
    /// Returns the values, indexed by their numbers.
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// Returns the number of a value, or [`NEW`].
    pub fn look_up(&self, value: i64) -> u32 {
        match &self.index {
            IntIndex::Array(first, cells) => {
                cell(*first, value).and_then(|cell| cells.get(cell)).copied().unwrap_or(NEW)
            }
            IntIndex::Hashed(numbers) => numbers.get(&value).copied().unwrap_or(NEW),
        }
    }

    /// Returns the number of a value, and assigns one to a new value.
    pub fn intern(&mut self, value: i64) -> u32 {
        let known = self.look_up(value);
        if known != NEW {
            return known;
        }
        let new = number(self.values.len());
        self.values.push(value);
        self.extend_index(value);
        match &mut self.index {
            IntIndex::Array(first, cells) => cells[cell(*first, value).expect("there is room")] = new,
            IntIndex::Hashed(numbers) => {
                numbers.insert(value, new);
            }
        }
        new
    }

    /// Extends the lookup array for a value, or replaces it by a hash map if it would be too large.
    fn extend_index(&mut self, value: i64) {
        let IntIndex::Array(first, cells) = &mut self.index else { return };
        if cells.is_empty() {
            *first = value;
        }
        let last = first.saturating_add_unsigned(cells.len() as u64).saturating_sub(1).max(value);
        let from = (*first).min(value);
        let max_cells = MAX_CELLS.max(MAX_CELLS_PER_VALUE * self.values.len() as u64);
        if last.abs_diff(from) >= max_cells {
            let numbers = self.values.iter().enumerate().map(|(i, value)| (*value, number(i)));
            self.index = IntIndex::Hashed(numbers.collect());
            return;
        }
        let cells_between = |end: i64, from: i64| usize::try_from(end.abs_diff(from)).expect("no more than the cells");
        if value < *first {
            // Reserve twice the cells: otherwise each of several descending values would move all
            // cells.
            let room = i64::try_from(cells.len()).unwrap_or(0);
            let from = value.saturating_sub(room);
            cells.splice(0..0, std::iter::repeat_n(NEW, cells_between(*first, from)));
            *first = from;
        } else {
            cells.resize(cells.len().max(cells_between(value, *first) + 1), NEW);
        }
    }
}

fn cell(first: i64, value: i64) -> Option<usize> {
    usize::try_from(value.wrapping_sub(first).cast_unsigned()).ok().filter(|_| value >= first)
}

/// Converts an index to a number.
pub fn number(index: usize) -> u32 {
    u32::try_from(index).ok().filter(|number| *number != NEW).expect("fewer than four thousand million groups")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbered_in_order_of_appearance() {
        let close: Vec<i64> = (0..5000).map(|i| i * 7919 % 5003 - 2500).collect();
        let far = [i64::MIN, i64::MAX, 0, -1, 1 << 40];
        for values in [
            close.clone(),
            far.to_vec(),
            [close.as_slice(), &far].concat(),
            vec![i64::MAX, i64::MAX - 3],
            vec![i64::MIN],
        ] {
            let mut ints = IntInterner::default();
            let mut expected: Vec<i64> = Vec::new();
            for value in &values {
                assert_eq!(ints.look_up(*value) == NEW, !expected.contains(value), "{value}");
                if !expected.contains(value) {
                    expected.push(*value);
                }
                assert_eq!(expected[ints.intern(*value) as usize], *value);
            }
            assert_eq!(ints.values(), expected);
            assert!(values.iter().all(|value| expected[ints.look_up(*value) as usize] == *value));
            assert_eq!(ints.look_up(123_456_789), NEW);
        }
    }
}
