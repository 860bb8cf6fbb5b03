//! Which rows, sets or tallies are of which group.

/// The places of what belongs to each of several groups.
pub struct Parts {
    /// Group after group.
    places: Vec<usize>,
    /// Where each group begins among them, followed by the end of the last one.
    starts: Vec<usize>,
}

impl Parts {
    /// Of parts that are each of one of so many groups; in a group they stay in their order.
    pub fn new(groups: &[u32], number: usize) -> Self {
        let starts = starts(groups, number);
        let (mut places, mut next) = (vec![0; groups.len()], starts.clone());
        for (part, group) in groups.iter().enumerate() {
            let place = &mut next[*group as usize];
            places[*place] = part;
            *place += 1;
        }
        Self { places, starts }
    }

    /// Where each group is one part.
    pub fn alone(number: usize) -> Self {
        Self { places: (0..number).collect(), starts: (0..=number).collect() }
    }

    /// How many groups there are.
    pub fn number(&self) -> usize {
        self.starts.len() - 1
    }

    /// The places of a group.
    pub fn of(&self, group: usize) -> &[usize] {
        &self.places[self.starts[group]..self.starts[group + 1]]
    }
}

/// Where each of so many groups begins if what belongs to them is sorted, followed by the end of the last one.
pub fn starts(groups: &[u32], number: usize) -> Vec<usize> {
    let mut starts = vec![0; number + 1];
    for group in groups {
        starts[*group as usize + 1] += 1;
    }
    (0..number).for_each(|group| starts[group + 1] += starts[group]);
    starts
}
