//! Opens text of any format, and reads delimited text, where each block of whole rows is a piece.

use crate::cells::{CellColumns, CheckedRows, RowCells};
use crate::json;
use crate::numbers::NumberParser;
use crate::pieces::{ChunkAndRest, Piece, Pieces, TextPiece, TextPieces};
use crate::rows::{ColumnSelection, TextChunk};
use crate::source::{FileFormat, Input};
use crate::table::{Header, Records, TableBlocks, TextTable};
use crate::workbook;
use std::borrow::Cow;
use std::sync::Arc;
use truecount::Error;
use truecount::error::{ErrorLocation, Position};
use truecount_analysis::TableProblem;

/// Opens an input that is text.
///
/// # Errors
/// Returns an error if the input cannot be read, is not text, or lacks a selected column.
pub fn open(input: Input, selection: &ColumnSelection) -> Result<Box<dyn Pieces<TextChunk>>, Error> {
    match input.kind() {
        FileFormat::JsonLines | FileFormat::JsonArray => json::open(input, selection),
        FileFormat::Workbook => workbook::open(input, selection),
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
    columns: Arc<DelimitedColumns>,
}

/// The selected columns, with their indices in the table; `None` for a missing optional column.
struct DelimitedColumns {
    columns: CellColumns,
    indices: Vec<Option<usize>>,
}

struct TextBlock {
    records: Records,
    columns: Arc<DelimitedColumns>,
}

/// The current row of a block.
struct TextRow<'a> {
    records: &'a Records,
    indices: &'a [Option<usize>],
}

fn open_delimited(input: Input, selection: &ColumnSelection) -> Result<TextPieces, Error> {
    let mut table = TextTable::with_columns(input, selection)?;
    let has_column = |name: &str| table.header().iter().any(|column| column == name);
    let columns = CellColumns::new(selection, has_column);
    let is_missing = |(column, name): (usize, &String)| columns.is_optional(column) && !has_column(name);
    let index = |named: (usize, &String)| {
        if is_missing(named) { Ok(None) } else { table.column(named.1).map(Some) }
    };
    let indices = columns.names().iter().enumerate().map(index).collect::<Result<Vec<_>, _>>()?;
    let numbers: Vec<usize> = columns.plain_numbers().filter_map(|column| indices[column]).collect();
    table.detect_numbers(&numbers, selection.columns.decimal);
    let columns = Arc::new(DelimitedColumns { columns, indices });
    let TextTable { header, blocks, records, .. } = table;
    Ok(Box::new(Delimited { first: Some(records), blocks, header, columns }))
}

impl Pieces<TextChunk> for Delimited {
    fn next(&mut self) -> Result<Option<TextPiece>, Error> {
        let records = match self.first.take() {
            Some(records) => Some(records),
            None => self.blocks.next()?.map(|block| Records::new(Arc::clone(&self.header), block)),
        };
        Ok(records.map(|records| Box::new(TextBlock { records, columns: Arc::clone(&self.columns) }) as _))
    }

    fn unit(&self) -> fn(u64) -> Position {
        Position::Line
    }
}

impl Piece<TextChunk> for TextBlock {
    fn read(self: Box<Self>) -> Result<ChunkAndRest<TextChunk>, Error> {
        let Self { mut records, columns } = *self;
        let mut rows = CheckedRows::new(&columns.columns);
        while records.next()? {
            rows.push(records.line(), &TextRow { records: &records, indices: &columns.indices })?;
        }
        Ok((Some(rows.chunk()), None))
    }
}

impl TextRow<'_> {
    fn index(&self, column: usize) -> usize {
        self.indices[column].expect("a column that the table has")
    }
}

impl RowCells for TextRow<'_> {
    fn location(&self, column: usize) -> ErrorLocation {
        self.records.cell(self.index(column))
    }

    fn without_value(&self, column: usize) -> Result<Option<TableProblem>, Error> {
        Ok(TableProblem::without_value(&self.records.text(self.index(column))?))
    }

    fn number(&self, column: usize, parser: &NumberParser) -> Result<f64, Error> {
        if parser.reads_verdicts() {
            let score = parser.parse(&self.records.text(self.index(column))?);
            return score.map_err(|problem| self.location(column).error(problem));
        }
        self.records.number(self.index(column))
    }

    fn text(&self, column: usize) -> Result<Option<Cow<'_, str>>, Error> {
        self.indices[column].map(|index| self.records.text(index)).transpose()
    }
}
