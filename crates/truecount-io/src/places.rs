//! Where rows are in their files.

/// Where a row is: the number of its file, and its line or row there.
pub type Place = (usize, u64);

/// Where the rows of a chunk are in their file, ascending: as lines of a text, or as rows counted from 1.
#[derive(Default)]
pub struct Places {
    rows: usize,
    next: u64,
    /// Runs of consecutive places: the index of each run's first row, and that row's place.
    runs: Vec<(usize, u64)>,
}

impl Places {
    /// This many rows, one after another.
    pub fn consecutive(first: u64, rows: usize) -> Self {
        Self { rows, next: first + rows as u64, runs: vec![(0, first)] }
    }

    /// The number of rows.
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
