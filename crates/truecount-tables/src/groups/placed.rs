//! Test scores in memory, with what is needed to put results beside the rows that they are of.

use super::gather::Gather;
use super::numbering::GroupPlace;
use crate::input::ScoreValues;
use arrow_buffer::ScalarBuffer;
use truecount::Error;
use truecount::check::ShiftTally;
use truecount_text::RowNumbers;

/// The rows of a group.
#[derive(Default)]
pub struct Placed {
    /// The number of each row, counted from 1 over all files in their order.
    pub rows: Vec<u64>,
    /// What is in them.
    pub numbers: ScoreValues<Vec<f64>>,
}

/// Keeps rows with their places, which are numbered in the end: pieces of a file are not read in its order.
#[derive(Default)]
pub(super) struct Placing {
    contents: Vec<(Vec<GroupPlace>, ScoreValues<Vec<f64>>)>,
}

/// A chunk's rows, where they are.
pub(super) struct Here {
    file: usize,
    places: RowNumbers,
    numbers: ScoreValues<ScalarBuffer<f64>>,
}

impl Gather for Placing {
    type Rows = Here;
    type Content = Placed;

    fn rows(&self, file: usize, places: &RowNumbers, numbers: ScoreValues<ScalarBuffer<f64>>) -> Result<Here, Error> {
        Ok(Here { file, places: places.clone(), numbers })
    }

    fn add(&mut self, chunks: &[(Vec<u32>, Here)], groups: usize) -> Result<(), Error> {
        self.contents.resize_with(groups, Default::default);
        for (groups, Here { file, places, numbers }) in chunks {
            for (row, group) in groups.iter().enumerate() {
                let (found, kept) = &mut self.contents[*group as usize];
                found.push((*file, places.at(row)));
                kept.scores.push(numbers.scores[row]);
                let add = |column: &mut Option<Vec<f64>>, from: &Option<ScalarBuffer<f64>>| {
                    if let Some(from) = from {
                        column.get_or_insert_default().push(from[row]);
                    }
                };
                add(&mut kept.probabilities, &numbers.probabilities);
                add(&mut kept.weights, &numbers.weights);
            }
        }
        Ok(())
    }

    fn contents(self, order: &[u32], _: bool) -> Result<(Vec<Placed>, Option<ShiftTally>), Error> {
        let mut all: Vec<GroupPlace> = self.contents.iter().flat_map(|(places, _)| places).copied().collect();
        all.sort_unstable();
        let number = |place: &GroupPlace| all.partition_point(|other| other < place) as u64 + 1;
        let mut placed: Vec<Option<Placed>> = self
            .contents
            .into_iter()
            .map(|(places, numbers)| Some(Placed { rows: places.iter().map(number).collect(), numbers }))
            .collect();
        Ok((order.iter().map(|group| placed[*group as usize].take().expect("each group once")).collect(), None))
    }
}
