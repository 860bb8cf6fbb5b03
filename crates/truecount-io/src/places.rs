//! Where rows stand in their files.

/// Where a row stands: the number of its file, and its line or row there.
pub type Place = (usize, u64);

/// Where rows stand in their file, ascending: lines of a text, or rows counted from 1.
#[derive(Default)]
pub struct Places {
    rows: usize,
    next: u64,
    /// From which row on which places follow one another.
    runs: Vec<(usize, u64)>,
}

impl Places {
    /// So many rows one after the other.
    pub fn consecutive(first: u64, rows: usize) -> Self {
        Self { rows, next: first + rows as u64, runs: vec![(0, first)] }
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    pub fn push(&mut self, place: u64) {
        if place != self.next || self.runs.is_empty() {
            self.runs.push((self.rows, place));
        }
        self.rows += 1;
        self.next = place + 1;
    }

    pub fn of(&self, row: usize) -> u64 {
        let (first, place) = self.runs[self.runs.partition_point(|(first, _)| *first <= row) - 1];
        place + (row - first) as u64
    }
}
