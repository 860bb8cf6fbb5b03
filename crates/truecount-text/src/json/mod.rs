//! JSON objects as rows: one per line, all in one array, or a table of a document of results.
//!
//! Columns are keys. Keys of nested objects are paths with points, as in `scores.judge`. A missing
//! key is a missing value; a key that no row has is an unknown column, unless the column is optional.

mod blocks;
mod object;

use blocks::JsonBlock;

use crate::cells::{Cell, CellColumns, CheckedRows};
use crate::missing::MissingPolicy;
use crate::pieces::{ChunkAndRest, Piece, Pieces, TextPiece, TextPieces};
use crate::rows::{CellVisitor, ColumnSelection, TextChunk};
use crate::source::Input;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use truecount::Error;
use truecount::error::{ErrorLocation, Position};
use truecount_analysis::TableProblem;

/// State shared by all rows of a file.
struct JsonTable {
    file: String,
    /// The unit of row numbers, line or row.
    unit: fn(u64) -> Position,
    columns: CellColumns,
    /// The columns of the first row, for messages.
    first_row_columns: Vec<String>,
    /// Whether each column has been seen in any row.
    seen: Vec<AtomicBool>,
    /// The number of unfinished pieces, plus one until the end of the file is reached.
    unfinished: AtomicUsize,
}

impl JsonTable {
    /// Creates the state for a file with this first object and its row number.
    fn new(
        file: String,
        unit: fn(u64) -> Position,
        (number, first): (u64, &[u8]),
        selection: &ColumnSelection,
    ) -> Result<Self, Error> {
        let has_column = |name: &str| {
            let mut values = [None];
            object::values(first, &[name], &mut values).is_ok() && values[0].is_some()
        };
        let columns = CellColumns::new(selection, has_column);
        let seen = columns.names().iter().map(|_| AtomicBool::new(false)).collect();
        let first_row_columns = object::paths(first);
        let table = Self { file, unit, columns, first_row_columns, seen, unfinished: AtomicUsize::new(1) };
        // If every row must have the numeric columns, the first row shows whether they exist.
        let mut values = vec![None; table.columns.names().len()];
        table.read_values(number, first, &mut values)?;
        let missing = table.columns.numbers().find(|column| values[*column].is_none());
        match missing.filter(|_| selection.columns.missing != Some(MissingPolicy::Drop)) {
            Some(column) => Err(table.unknown_column(column)),
            None => Ok(table),
        }
    }

    fn read_values<'a>(
        &'a self,
        number: u64,
        object: &'a [u8],
        values: &mut [Option<&'a RawValue>],
    ) -> Result<(), Error> {
        object::values(object, self.columns.names(), values)
            .map_err(|problem| self.location(number).error(TableProblem::from(problem)))
    }

    /// Reads the objects of a piece, with their row numbers.
    fn chunk<'a>(&'a self, objects: impl Iterator<Item = (u64, &'a [u8])>) -> Result<TextChunk, Error> {
        let names = self.columns.names();
        let mut rows = CheckedRows::new(&self.columns);
        let mut values = vec![None; names.len()];
        let mut seen = vec![false; names.len()];
        let mut cells: Vec<Cell> = Vec::with_capacity(names.len());
        for (number, object) in objects {
            values.fill(None);
            self.read_values(number, object, &mut values)?;
            cells.clear();
            cells.extend(names.iter().zip(&values).map(|(name, value)| object::cell(name, *value)));
            rows.push(number, &(&cells[..], |column: usize| self.location(number).column(&names[column])))?;
            seen.iter_mut().zip(&values).for_each(|(seen, value)| *seen |= value.is_some());
        }
        for (seen, _) in self.seen.iter().zip(seen).filter(|(_, seen)| *seen) {
            seen.store(true, Ordering::Relaxed);
        }
        self.finish_piece().map(|()| rows.chunk())
    }

    /// Counts a piece as finished, or the file as read to its end. After the last piece, a required
    /// column that no row has is an error.
    fn finish_piece(&self) -> Result<(), Error> {
        if self.unfinished.fetch_sub(1, Ordering::AcqRel) > 1 {
            return Ok(());
        }
        let is_unknown =
            |column: &usize| !self.columns.is_optional(*column) && !self.seen[*column].load(Ordering::Relaxed);
        let unknown = (0..self.seen.len()).find(is_unknown);
        unknown.map_or(Ok(()), |column| Err(self.unknown_column(column)))
    }

    fn unknown_column(&self, column: usize) -> Error {
        let column = self.columns.names()[column].clone();
        let columns = self.first_row_columns.clone();
        ErrorLocation::file(&self.file).error(TableProblem::ColumnUnknown { column, columns })
    }

    fn location(&self, number: u64) -> ErrorLocation {
        ErrorLocation::file(&self.file).at((self.unit)(number))
    }
}

/// An open file with objects.
struct JsonFile {
    /// All blocks, the first of which has the first object.
    blocks: Box<dyn Iterator<Item = Result<JsonBlock, Error>> + Send>,
    table: Arc<JsonTable>,
}

struct JsonPiece {
    block: JsonBlock,
    table: Arc<JsonTable>,
}

/// Opens a file with an object per line, or an array of objects.
pub fn open(input: Input, selection: &ColumnSelection) -> Result<TextPieces, Error> {
    let file = input.name().to_owned();
    let (unit, mut blocks) = blocks::open(input)?;
    let first = blocks.next().transpose()?;
    let Some(object) = first.as_ref().and_then(|first| first.objects().next()) else {
        return Err(ErrorLocation::file(file).error(TableProblem::FileEmpty));
    };
    let table = Arc::new(JsonTable::new(file, unit, object, selection)?);
    Ok(Box::new(JsonFile { blocks: Box::new(first.map(Ok).into_iter().chain(blocks)), table }))
}

/// Shows the cells of the first `max` objects, in all columns that any of them has.
pub fn first_rows(input: Input, max: usize, visit: &mut CellVisitor) -> Result<Vec<String>, Error> {
    let file = ErrorLocation::file(input.name());
    let (unit, blocks) = blocks::open(input)?;
    let (mut first, mut rows) = (Vec::new(), 0);
    for block in blocks {
        let block = block?;
        rows += block.objects().count();
        first.push(block);
        if rows >= max {
            break;
        }
    }
    let objects = || first.iter().flat_map(JsonBlock::objects).take(max);
    let mut names: Vec<String> = Vec::new();
    for path in objects().flat_map(|(_, object)| object::paths(object)) {
        if !names.contains(&path) {
            names.push(path);
        }
    }
    for (number, object) in objects() {
        let mut values = vec![None; names.len()];
        let invalid = |problem| file.clone().at(unit(number)).error(TableProblem::from(problem));
        object::values(object, &names, &mut values).map_err(invalid)?;
        for (column, (name, value)) in names.iter().zip(values).enumerate() {
            object::cell(name, value).visit(column, visit);
        }
    }
    if rows == 0 { Err(file.error(TableProblem::FileEmpty)) } else { Ok(names) }
}

impl Pieces<TextChunk> for JsonFile {
    fn next(&mut self) -> Result<Option<TextPiece>, Error> {
        let Some(block) = self.blocks.next().transpose()? else {
            return self.table.finish_piece().map(|()| None);
        };
        self.table.unfinished.fetch_add(1, Ordering::Relaxed);
        Ok(Some(Box::new(JsonPiece { block, table: Arc::clone(&self.table) })))
    }

    fn unit(&self) -> fn(u64) -> Position {
        self.table.unit
    }
}

impl Piece<TextChunk> for JsonPiece {
    fn read(self: Box<Self>) -> Result<ChunkAndRest<TextChunk>, Error> {
        self.table.chunk(self.block.objects()).map(|chunk| (Some(chunk), None))
    }
}
