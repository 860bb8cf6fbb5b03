//! Test scores in memory with the numbers of their rows.

use super::accumulator::{GroupAccumulator, GroupedChunk, arrange};
use super::interner::RowPosition;
use arrow_buffer::ScalarBuffer;
use truecount::Error;
use truecount::shift_test::ShiftTally;
use truecount_text::NumberedRows;

/// An accumulator of rows with their positions. Rows are numbered at the end, since the pieces of a
/// file are not read in order.
#[derive(Default)]
pub(super) struct NumberedRowCollector {
    contents: Vec<(Vec<RowPosition>, NumberedRows)>,
    /// The rows that are left out, which count too.
    skipped: Vec<RowPosition>,
}

impl GroupAccumulator for NumberedRowCollector {
    type Content = NumberedRows;

    fn add(&mut self, chunks: &[GroupedChunk], groups: usize) -> Result<(), Error> {
        self.contents.resize_with(groups, Default::default);
        for GroupedChunk { groups, file, row_numbers, numbers, classes } in chunks {
            let width = classes.len() / groups.len().max(1);
            self.skipped.extend(row_numbers.skipped().iter().map(|number| (*file, *number)));
            for (row, group) in groups.iter().enumerate() {
                let (positions, rows) = &mut self.contents[*group as usize];
                let values = &mut rows.numbers;
                positions.push((*file, row_numbers.at(row)));
                rows.classes.extend_from_slice(&classes[row * width..(row + 1) * width]);
                values.scores.push(numbers.scores[row]);
                let add = |column: &mut Option<Vec<f64>>, from: &Option<ScalarBuffer<f64>>| {
                    if let Some(from) = from {
                        column.get_or_insert_default().push(from[row]);
                    }
                };
                add(&mut values.probabilities, &numbers.probabilities);
                add(&mut values.weights, &numbers.weights);
            }
        }
        Ok(())
    }

    fn finish(self, order: &[u32], _: bool) -> Result<(Vec<NumberedRows>, Option<ShiftTally>), Error> {
        let kept = self.contents.iter().flat_map(|(positions, _)| positions);
        let mut all: Vec<RowPosition> = kept.chain(&self.skipped).copied().collect();
        all.sort_unstable();
        let number = |position: &RowPosition| all.partition_point(|other| other < position) as u64 + 1;
        let numbered =
            |(positions, rows): (Vec<_>, _)| NumberedRows { rows: positions.iter().map(number).collect(), ..rows };
        Ok((arrange(self.contents.into_iter().map(numbered).collect(), order), None))
    }
}
