//! Partition of rows, sets or tallies into groups.

/// The parts of each group: rows, sets or tallies, by index.
pub struct Partition {
    /// The parts, group after group.
    places: Vec<usize>,
    /// Where each group begins in `places`, followed by the end of the last group.
    starts: Vec<usize>,
}

impl Partition {
    /// Assigns each part to one of `number` groups; within a group the parts keep their order.
    pub fn new(groups: &[u32], number: usize) -> Self {
        let starts = group_starts(groups, number);
        let (mut places, mut next) = (vec![0; groups.len()], starts.clone());
        for (part, group) in groups.iter().enumerate() {
            let place = &mut next[*group as usize];
            places[*place] = part;
            *place += 1;
        }
        Self { places, starts }
    }

    /// Makes each of `number` parts a group.
    pub fn singletons(number: usize) -> Self {
        Self { places: (0..number).collect(), starts: (0..=number).collect() }
    }

    /// Returns the number of groups.
    pub fn number(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the parts of a group.
    pub fn parts(&self, group: usize) -> &[usize] {
        &self.places[self.starts[group]..self.starts[group + 1]]
    }
}

/// Returns where each of `number` groups begins once rows are sorted by group, followed by the end
/// of the last group.
pub(crate) fn group_starts(groups: &[u32], number: usize) -> Vec<usize> {
    let mut starts = vec![0; number + 1];
    for group in groups {
        starts[*group as usize + 1] += 1;
    }
    (0..number).for_each(|group| starts[group + 1] += starts[group]);
    starts
}
