//! Opens text of any format, and reads delimited text: each block of whole lines is a piece.

use crate::json;
use crate::pieces::{BytePiece, LinePart, Pieces, TextPiece, TextPieces};
use crate::rows::{RowPlaces, TextChunk, TextColumn, Wanted};
use crate::source::{Input, Kind};
use crate::table::{Header, Records, TableBlocks, TextTable};
use std::sync::Arc;
use truecount::{Error, Position};
use truecount_analysis::ScoreValues;

/// Opens an input that is text.
///
/// # Errors
/// Returns an error if it cannot be read, is something else, or has not the columns that are wanted.
pub fn open(input: Input, wanted: &Wanted) -> Result<Box<dyn Pieces<TextChunk>>, Error> {
    match input.kind() {
        Kind::JsonLines => json::open_lines(input, wanted),
        Kind::JsonArray => json::open_array(input, wanted),
        // It says what it is, if it is no text.
        _ => open_delimited(input, wanted),
    }
}

/// Delimited text.
struct Delimited {
    /// The rest of the block that began with the header.
    first: Option<Records>,
    blocks: TableBlocks,
    header: Arc<Header>,
    columns: TextColumns,
}

struct TextBlock {
    records: Records,
    columns: TextColumns,
}

/// The positions of the columns.
#[derive(Clone)]
struct TextColumns {
    score: usize,
    probability: Option<usize>,
    weight: Option<usize>,
    by: Vec<usize>,
    unit_interval: Option<&'static str>,
}

fn open_delimited(input: Input, wanted: &Wanted) -> Result<TextPieces, Error> {
    let Wanted { columns: named, weight, by, unit_interval } = *wanted;
    let mut table = TextTable::new(input, named.decimal)?;
    let columns = TextColumns {
        score: table.column(named.score_in(|name| table.header().iter().any(|column| column == name)))?,
        probability: named.probability.map(|name| table.column(name)).transpose()?,
        weight: weight.map(|name| table.column(name)).transpose()?,
        by: by.iter().map(|name| table.column(name)).collect::<Result<_, _>>()?,
        unit_interval,
    };
    if named.decimal.is_none() {
        let TextColumns { score, probability, weight, .. } = &columns;
        table.see_decimal(&[Some(*score), *probability, *weight].into_iter().flatten().collect::<Vec<_>>());
    }
    let header = Arc::clone(table.shared());
    let (first, blocks) = table.into_blocks();
    Ok(Box::new(Delimited { first: Some(first), blocks, header, columns }))
}

impl Pieces<TextChunk> for Delimited {
    fn next(&mut self) -> Result<Option<TextPiece>, Error> {
        let records = match self.first.take() {
            Some(records) => Some(records),
            None => self.blocks.next()?.map(|block| Records::new(Arc::clone(&self.header), block)),
        };
        Ok(records.map(|records| Box::new(TextBlock { records, columns: self.columns.clone() }) as _))
    }

    fn unit(&self) -> fn(u64) -> Position {
        Position::Line
    }
}

impl BytePiece<TextChunk> for TextBlock {
    fn read(self: Box<Self>) -> Result<LinePart<TextChunk>, Error> {
        let Self { mut records, columns } = *self;
        let (mut scores, mut probabilities, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        let mut by: Vec<TextColumn> = columns.by.iter().map(|_| TextColumn::default()).collect();
        let mut places = RowPlaces::default();
        while records.next()? {
            scores.push(records.score(columns.score, columns.unit_interval)?);
            if let Some(column) = columns.probability {
                probabilities.push(records.probability(column)?);
            }
            if let Some(column) = columns.weight {
                weights.push(records.weight(column)?);
            }
            for (values, column) in by.iter_mut().zip(&columns.by) {
                values.push(records.text(*column)?);
            }
            places.push(records.line());
        }
        let numbers = ScoreValues {
            scores,
            probabilities: columns.probability.map(|_| probabilities),
            weights: columns.weight.map(|_| weights),
        };
        Ok((Some(TextChunk { numbers, by, places }), None))
    }
}
