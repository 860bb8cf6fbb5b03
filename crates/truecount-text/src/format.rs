//! Opens text of any format, and reads delimited text, where each block of whole rows is a piece.

use crate::json;
use crate::pieces::{ChunkAndRest, Piece, Pieces, TextPiece, TextPieces};
use crate::rows::{ColumnSelection, RowNumbers, TextChunk, TextColumn};
use crate::source::{FileFormat, Input};
use crate::table::{Header, Records, TableBlocks, TextTable};
use std::sync::Arc;
use truecount::Error;
use truecount::error::Position;
use truecount_analysis::ScoreValues;

/// Opens an input that is text.
///
/// # Errors
/// Returns an error if the input cannot be read, is not text, or lacks a selected column.
pub fn open(input: Input, selection: &ColumnSelection) -> Result<Box<dyn Pieces<TextChunk>>, Error> {
    match input.kind() {
        FileFormat::JsonLines => json::open_lines(input, selection),
        FileFormat::JsonArray => json::open_array(input, selection),
        // Any other format is an error there.
        _ => open_delimited(input, selection),
    }
}

/// An open file of delimited text.
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

/// Indices of the selected columns in the table.
#[derive(Clone)]
struct TextColumns {
    score: usize,
    probability: Option<usize>,
    weight: Option<usize>,
    /// `None` for a missing optional column.
    by: Vec<Option<usize>>,
    unit_interval: Option<&'static str>,
}

fn open_delimited(input: Input, selection: &ColumnSelection) -> Result<TextPieces, Error> {
    let ColumnSelection { columns: score_columns, weight, by, optional, unit_interval } = *selection;
    let mut table = TextTable::new(input, score_columns.decimal)?;
    let has_column = |name: &str| table.header().iter().any(|column| column == name);
    let is_missing = |name: &String| optional.contains(name) && !has_column(name);
    let by_column = |name: &String| if is_missing(name) { Ok(None) } else { table.column(name).map(Some) };
    let columns = TextColumns {
        score: table.column(score_columns.score_column(has_column))?,
        probability: score_columns.probability.map(|name| table.column(name)).transpose()?,
        weight: weight.map(|name| table.column(name)).transpose()?,
        by: by.iter().map(by_column).collect::<Result<_, _>>()?,
        unit_interval,
    };
    if score_columns.decimal.is_none() {
        let TextColumns { score, probability, weight, .. } = &columns;
        table.detect_decimal(&[Some(*score), *probability, *weight].into_iter().flatten().collect::<Vec<_>>());
    }
    let header = Arc::clone(table.shared_header());
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

impl Piece<TextChunk> for TextBlock {
    fn read(self: Box<Self>) -> Result<ChunkAndRest<TextChunk>, Error> {
        let Self { mut records, columns } = *self;
        let (mut scores, mut probabilities, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        let mut by: Vec<TextColumn> = columns.by.iter().map(|_| TextColumn::default()).collect();
        let mut row_numbers = RowNumbers::default();
        while records.next()? {
            scores.push(records.score(columns.score, columns.unit_interval)?);
            if let Some(column) = columns.probability {
                probabilities.push(records.probability(column)?);
            }
            if let Some(column) = columns.weight {
                weights.push(records.weight(column)?);
            }
            for (values, column) in by.iter_mut().zip(&columns.by) {
                match column {
                    Some(column) => values.push(records.text(*column)?),
                    None => values.push_missing(),
                }
            }
            row_numbers.push(records.line());
        }
        let numbers = ScoreValues {
            scores,
            probabilities: columns.probability.map(|_| probabilities),
            weights: columns.weight.map(|_| weights),
        };
        Ok((Some(TextChunk { numbers, by, row_numbers }), None))
    }
}
