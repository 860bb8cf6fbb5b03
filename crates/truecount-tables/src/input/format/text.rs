//! Delimited text: each block of whole lines is a piece.

use super::{Part, Piece, Pieces};
use crate::input::rows::{Chunk, Wanted};
use crate::input::source::Input;
use crate::input::text::{Blocks, Header, Records, Table};
use crate::places::Places;
use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use std::sync::Arc;
use truecount_analysis::Numbers;
use truecount_analysis::{Error, Position};

struct Text {
    /// The rest of the block that began with the header.
    first: Option<Records>,
    blocks: Blocks,
    header: Arc<Header>,
    columns: Columns,
}

struct Block {
    records: Records,
    columns: Columns,
}

/// The positions of the columns.
#[derive(Clone)]
struct Columns {
    score: usize,
    probability: Option<usize>,
    weight: Option<usize>,
    by: Vec<usize>,
    unit_interval: Option<&'static str>,
}

pub fn open(input: Input, wanted: &Wanted) -> Result<Box<dyn Pieces>, Error> {
    let mut table = Table::new(input, wanted.decimal)?;
    let columns = Columns {
        score: table.column(wanted.score_in(|name| table.header().iter().any(|column| column == name)))?,
        probability: wanted.probability.map(|name| table.column(name)).transpose()?,
        weight: wanted.weight.map(|name| table.column(name)).transpose()?,
        by: wanted.by.iter().map(|name| table.column(name)).collect::<Result<_, _>>()?,
        unit_interval: wanted.unit_interval,
    };
    if wanted.decimal.is_none() {
        let Columns { score, probability, weight, .. } = &columns;
        table.see_decimal(&[Some(*score), *probability, *weight].into_iter().flatten().collect::<Vec<_>>());
    }
    let header = Arc::clone(table.shared());
    let (first, blocks) = table.into_blocks();
    Ok(Box::new(Text { first: Some(first), blocks, header, columns }))
}

impl Pieces for Text {
    fn next(&mut self) -> Result<Option<Box<dyn Piece>>, Error> {
        let records = match self.first.take() {
            Some(records) => Some(records),
            None => self.blocks.next()?.map(|block| Records::new(Arc::clone(&self.header), block)),
        };
        Ok(records.map(|records| Box::new(Block { records, columns: self.columns.clone() }) as _))
    }

    fn unit(&self) -> fn(u64) -> Position {
        Position::Line
    }
}

impl Piece for Block {
    fn read(self: Box<Self>) -> Result<Part, Error> {
        let Self { mut records, columns } = *self;
        let (mut scores, mut probabilities, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        let mut by: Vec<StringBuilder> = columns.by.iter().map(|_| StringBuilder::new()).collect();
        let mut places = Places::default();
        while records.next()? {
            scores.push(records.score(columns.score, columns.unit_interval)?);
            if let Some(column) = columns.probability {
                probabilities.push(records.probability(column)?);
            }
            if let Some(column) = columns.weight {
                weights.push(records.weight(column)?);
            }
            for (values, column) in by.iter_mut().zip(&columns.by) {
                values.append_value(records.text(*column)?);
            }
            places.push(records.line());
        }
        let numbers = Numbers {
            scores: scores.into(),
            probabilities: columns.probability.map(|_| probabilities.into()),
            weights: columns.weight.map(|_| weights.into()),
        };
        let by = by.iter_mut().map(|values| Arc::new(values.finish()) as ArrayRef).collect();
        Ok((Some(Chunk { numbers, by, places }), None))
    }
}
