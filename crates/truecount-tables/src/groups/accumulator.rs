//! Accumulation of the rows of all groups while files are read.

use crate::input::ScoreValues;
use arrow_buffer::ScalarBuffer;
use truecount::Error;
use truecount::shift_test::ShiftTally;
use truecount_text::RowNumbers;

pub(super) struct GroupedChunk {
    /// The group number of each row.
    pub(super) groups: Vec<u32>,
    /// The index of the file, and the numbers of the rows in it.
    pub(super) file: usize,
    pub(super) row_numbers: RowNumbers,
    pub(super) numbers: ScoreValues<ScalarBuffer<f64>>,
    /// The probabilities of several classes, row by row.
    pub(super) classes: Vec<f64>,
}

pub(super) trait GroupAccumulator {
    /// The content of a group.
    type Content;

    /// Adds rows; `groups` is the number of groups so far.
    fn add(&mut self, chunks: &[GroupedChunk], groups: usize) -> Result<(), Error>;

    /// Returns the contents of the groups in this order. Unless the shift check applies to each
    /// group, its tally of all groups is separate.
    fn finish(self, order: &[u32], check_each: bool) -> Result<(Vec<Self::Content>, Option<ShiftTally>), Error>;
}

/// Moves the contents of numbered groups into this order, in place, as there may be millions.
pub(super) fn arrange<T>(mut contents: Vec<T>, order: &[u32]) -> Vec<T> {
    let mut positions = vec![0_u32; order.len()];
    (0..).zip(order).for_each(|(position, group)| positions[*group as usize] = position);
    for index in 0..positions.len() {
        while positions[index] as usize != index {
            let position = positions[index] as usize;
            contents.swap(index, position);
            positions.swap(index, position);
        }
    }
    contents
}
