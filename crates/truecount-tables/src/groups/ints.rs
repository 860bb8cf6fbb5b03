//! Distinct whole numbers, numbered in order of appearance.

use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Stands for the number of a value that has not been numbered yet.
pub const NEW: u32 = u32::MAX;

/// The most cells of a lookup array: this many in any case, and this many per value.
const CELLS: u64 = 1 << 22;
const CELLS_PER_VALUE: u64 = 8;

#[derive(Default)]
pub struct Ints {
    /// The values, indexed by their numbers.
    values: Vec<i64>,
    places: IntPlaces,
}

/// Maps values to their numbers.
enum IntPlaces {
    /// A lookup array: one cell for each value from this first one on.
    Close(i64, Vec<u32>),
    Hashed(HashMap<i64, u32, RandomState>),
}

impl Default for IntPlaces {
    fn default() -> Self {
        Self::Close(0, Vec::new())
    }
}

impl Ints {
    /// The values, indexed by their numbers.
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// The number of a value; [`NEW`] if it has none.
    pub fn look_up(&self, value: i64) -> u32 {
        match &self.places {
            IntPlaces::Close(first, cells) => {
                cell(*first, value).and_then(|cell| cells.get(cell)).copied().unwrap_or(NEW)
            }
            IntPlaces::Hashed(numbers) => numbers.get(&value).copied().unwrap_or(NEW),
        }
    }

    /// The number of a value, which gets a new one if it has none.
    pub fn enter(&mut self, value: i64) -> u32 {
        let known = self.look_up(value);
        if known != NEW {
            return known;
        }
        let new = number(self.values.len());
        self.values.push(value);
        self.make_room(value);
        match &mut self.places {
            IntPlaces::Close(first, cells) => cells[cell(*first, value).expect("there is room")] = new,
            IntPlaces::Hashed(numbers) => {
                numbers.insert(value, new);
            }
        }
        new
    }

    /// Makes a cell for the value, or gives up the lookup array if it would need too many cells.
    fn make_room(&mut self, value: i64) {
        let IntPlaces::Close(first, cells) = &mut self.places else { return };
        if cells.is_empty() {
            *first = value;
        }
        let last = first.saturating_add_unsigned(cells.len() as u64).saturating_sub(1).max(value);
        let from = (*first).min(value);
        let most = CELLS.max(CELLS_PER_VALUE * self.values.len() as u64);
        if last.abs_diff(from) >= most {
            let numbers = self.values.iter().enumerate().map(|(i, value)| (*value, number(i)));
            self.places = IntPlaces::Hashed(numbers.collect());
            return;
        }
        let grown = |end: i64, from: i64| usize::try_from(end.abs_diff(from)).expect("no more than the cells");
        if value < *first {
            // Twice the room needed: otherwise descending values would move the cells every time.
            let room = i64::try_from(cells.len()).unwrap_or(0);
            let from = value.saturating_sub(room);
            cells.splice(0..0, std::iter::repeat_n(NEW, grown(*first, from)));
            *first = from;
        } else {
            cells.resize(cells.len().max(grown(value, *first) + 1), NEW);
        }
    }
}

fn cell(first: i64, value: i64) -> Option<usize> {
    usize::try_from(value.wrapping_sub(first).cast_unsigned()).ok().filter(|_| value >= first)
}

/// An index among the values, as a number.
pub fn number(index: usize) -> u32 {
    u32::try_from(index).ok().filter(|number| *number != NEW).expect("fewer than four thousand million groups")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_in_the_order_of_the_values() {
        let close: Vec<i64> = (0..5000).map(|i| i * 7919 % 5003 - 2500).collect();
        let far = [i64::MIN, i64::MAX, 0, -1, 1 << 40];
        for values in [
            close.clone(),
            far.to_vec(),
            [close.as_slice(), &far].concat(),
            vec![i64::MAX, i64::MAX - 3],
            vec![i64::MIN],
        ] {
            let mut ints = Ints::default();
            let mut expected: Vec<i64> = Vec::new();
            for value in &values {
                assert_eq!(ints.look_up(*value) == NEW, !expected.contains(value), "{value}");
                if !expected.contains(value) {
                    expected.push(*value);
                }
                assert_eq!(expected[ints.enter(*value) as usize], *value);
            }
            assert_eq!(ints.values(), expected);
            assert!(values.iter().all(|value| expected[ints.look_up(*value) as usize] == *value));
            assert_eq!(ints.look_up(123_456_789), NEW);
        }
    }
}
