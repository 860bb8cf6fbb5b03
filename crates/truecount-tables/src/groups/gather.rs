//! How the rows of all groups come together as they are read.

use crate::input::ScoreValues;
use arrow_buffer::ScalarBuffer;
use truecount::Error;
use truecount::check::ShiftTally;
use truecount_text::RowNumbers;

/// What becomes of rows once their groups have numbers.
pub(super) trait Gather: Sync {
    /// What is held of a chunk's rows until they are added.
    type Rows: Send + Sync;
    type Content;

    /// Where these are of the file with that number. Called on all threads.
    fn rows(
        &self,
        file: usize,
        places: &RowNumbers,
        numbers: ScoreValues<ScalarBuffer<f64>>,
    ) -> Result<Self::Rows, Error>;

    /// Adds rows with the numbers of their groups, of which there are so many by now.
    fn add(&mut self, chunks: &[(Vec<u32>, Self::Rows)], groups: usize) -> Result<(), Error>;

    /// The contents of the groups in this order; if the check does not look at each of them, with its tally of all together.
    fn contents(self, order: &[u32], each: bool) -> Result<(Vec<Self::Content>, Option<ShiftTally>), Error>;
}
