//! Accumulation of the rows of all groups while files are read.

use crate::input::ScoreValues;
use arrow_buffer::ScalarBuffer;
use truecount::Error;
use truecount::shift_test::ShiftTally;
use truecount_text::RowNumbers;

/// An accumulator of rows, after their groups have been numbered.
pub(super) trait GroupAccumulator: Sync {
    /// The rows of a chunk, prepared for adding.
    type Rows: Send + Sync;
    /// The content of a group.
    type Content;

    /// Prepares rows of the file with this index. Called on all threads.
    fn prepare(
        &self,
        file: usize,
        row_numbers: &RowNumbers,
        numbers: ScoreValues<ScalarBuffer<f64>>,
    ) -> Result<Self::Rows, Error>;

    /// Adds rows with their group numbers; `groups` is the number of groups so far.
    fn add(&mut self, chunks: &[(Vec<u32>, Self::Rows)], groups: usize) -> Result<(), Error>;

    /// Returns the contents of the groups in this order. Unless the shift check applies to each
    /// group, its tally of all groups is separate.
    fn finish(self, order: &[u32], check_each: bool) -> Result<(Vec<Self::Content>, Option<ShiftTally>), Error>;
}
