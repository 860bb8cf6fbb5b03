//! Partition of rows, sets or tallies into groups.

/// The parts of each group: rows, sets or tallies, by index.
pub struct Partition {
    /// The parts, group after group.
    parts: Vec<usize>,
    /// The start of each group in `parts`, followed by the end of the last group.
    starts: Vec<usize>,
}

impl Partition {
    /// Assigns each part to one of `number` groups; within a group the parts keep their order.
    pub fn new(groups: &[u32], number: usize) -> Self {
        let starts = group_starts(groups, number);
        let (mut parts, mut next) = (vec![0; groups.len()], starts.clone());
        for (part, group) in groups.iter().enumerate() {
            let index = &mut next[*group as usize];
            parts[*index] = part;
            *index += 1;
        }
        Self { parts, starts }
    }

    /// Creates a group from each of `number` parts.
    pub fn singletons(number: usize) -> Self {
        Self { parts: (0..number).collect(), starts: (0..=number).collect() }
    }

    /// Returns the number of groups.
    pub fn number(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the parts of a group.
    pub fn parts(&self, group: usize) -> &[usize] {
        &self.parts[self.starts[group]..self.starts[group + 1]]
    }
}

/// Returns the start of each of `number` groups among rows that are sorted by group, followed by
/// the end of the last group.
pub(crate) fn group_starts(groups: &[u32], number: usize) -> Vec<usize> {
    let mut starts = vec![0; number + 1];
    for group in groups {
        starts[*group as usize + 1] += 1;
    }
    (0..number).for_each(|group| starts[group + 1] += starts[group]);
    starts
}
