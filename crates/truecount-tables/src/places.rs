//! Where rows are in their files.

/// Where a row is: the number of its file, and its line or row there.
pub type Place = (usize, u64);

/// Where the rows of a chunk are in their file, ascending: as lines of a text, or as rows counted from 1.
#[derive(Clone, Default)]
pub struct Places {
    rows: usize,
    /// Runs of consecutive places: the index of each run's first row, and that row's place.
    runs: Vec<(usize, u64)>,
}

impl Places {
    /// This many rows, one after another.
    pub fn consecutive(first: u64, rows: usize) -> Self {
        Self { rows, runs: vec![(0, first)] }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// One more row.
    #[cfg(feature = "text")]
    pub fn push(&mut self, place: u64) {
        let next = self.runs.last().map(|(first, start)| start + (self.rows - first) as u64);
        if next != Some(place) {
            self.runs.push((self.rows, place));
        }
        self.rows += 1;
    }

    /// Of a row.
    pub fn of(&self, row: usize) -> u64 {
        let (first, place) = self.runs[self.runs.partition_point(|(first, _)| *first <= row) - 1];
        place + (row - first) as u64
    }
}
