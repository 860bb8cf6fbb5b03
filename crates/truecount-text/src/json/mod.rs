//! JSON: objects of which each is a row, one a line or all in one array. Columns are keys; those of objects within objects are paths with
//! points, as in `scores.judge`. A key that is not there is a missing value; one that no row has is an unknown column.

mod lines;
mod object;

pub use lines::{first as first_objects, open as open_lines};

use crate::cells::{Cell, CellColumns, CheckedRows};
use crate::pieces::{BytePiece, LinePart, Pieces, TextPiece, TextPieces};
use crate::rows::{TextChunk, Wanted};
use crate::source::{BYTE_ORDER_MARK, Input};
use serde_json::value::RawValue;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use truecount::{Error, ErrorLocation, Position};
use truecount_analysis::TableProblem;

/// The most rows in a chunk: few enough to stay in the caches while they are processed.
const ROWS: usize = 1 << 16;

/// What all rows of a file share.
struct Objects {
    place: String,
    /// Whether rows are counted as lines or as rows.
    unit: fn(u64) -> Position,
    columns: CellColumns,
    /// The columns of the first row.
    first: Vec<String>,
    /// Whether any row has the column.
    seen: Vec<AtomicBool>,
    /// How many pieces are not read yet, and one more while there may be others.
    left: AtomicUsize,
}

impl Objects {
    /// Of a file with this first object, there.
    fn new(
        place: String,
        unit: fn(u64) -> Position,
        (at, first): (u64, &[u8]),
        wanted: &Wanted,
    ) -> Result<Self, Error> {
        let has = |name: &str| {
            let mut found = [None];
            object::values(first, &[name], &mut found).is_ok() && found[0].is_some()
        };
        let columns = CellColumns::new(wanted, has);
        let seen = columns.names().iter().map(|_| AtomicBool::new(false)).collect();
        let objects = Self { place, unit, columns, first: object::paths(first), seen, left: AtomicUsize::new(1) };
        // A number is in every row, or in none as it seems.
        let mut found = vec![None; objects.columns.names().len()];
        objects.find(at, first, &mut found)?;
        let missing = objects.columns.numbers().find(|column| found[*column].is_none());
        match missing {
            Some(column) => Err(objects.unknown(column)),
            None => Ok(objects),
        }
    }

    fn find<'a>(&'a self, at: u64, object: &'a [u8], found: &mut [Option<&'a RawValue>]) -> Result<(), Error> {
        object::values(object, self.columns.names(), found)
            .map_err(|wrong| self.at(at).error(TableProblem::from(wrong)))
    }

    /// The rows of a piece, with their places.
    fn chunk<'a>(&'a self, objects: impl Iterator<Item = (u64, &'a [u8])>) -> Result<TextChunk, Error> {
        let names = self.columns.names();
        let mut rows = CheckedRows::new(&self.columns);
        let mut found = vec![None; names.len()];
        let mut seen = vec![false; names.len()];
        let mut cells: Vec<Cell> = Vec::with_capacity(names.len());
        for (at, object) in objects {
            found.fill(None);
            self.find(at, object, &mut found)?;
            cells.clear();
            cells.extend(names.iter().zip(&found).map(|(name, value)| object::cell(name, *value)));
            rows.push(at, &cells, |column| self.at(at).column(&names[column]))?;
            seen.iter_mut().zip(&found).for_each(|(seen, value)| *seen |= value.is_some());
        }
        for (seen, _) in self.seen.iter().zip(seen).filter(|(_, seen)| *seen) {
            seen.store(true, Ordering::Relaxed);
        }
        self.one_less().map(|()| rows.chunk())
    }

    /// One more piece is to be read.
    fn one_more(&self) {
        self.left.fetch_add(1, Ordering::Relaxed);
    }

    /// A piece has been read, or there are no others. After the last one it is known which columns there are.
    fn one_less(&self) -> Result<(), Error> {
        if self.left.fetch_sub(1, Ordering::AcqRel) > 1 {
            return Ok(());
        }
        let unseen = self.seen.iter().position(|seen| !seen.load(Ordering::Relaxed));
        unseen.map_or(Ok(()), |column| Err(self.unknown(column)))
    }

    fn unknown(&self, column: usize) -> Error {
        let column = self.columns.names()[column].clone();
        ErrorLocation::file(&self.place).error(TableProblem::ColumnUnknown { column, columns: self.first.clone() })
    }

    fn at(&self, at: u64) -> ErrorLocation {
        ErrorLocation::file(&self.place).at((self.unit)(at))
    }
}

/// One array of objects.
struct JsonArray {
    /// The objects that no piece has yet.
    left: std::vec::IntoIter<Box<RawValue>>,
    /// The number of the next one.
    row: u64,
    objects: Arc<Objects>,
}

struct ArrayRows {
    values: Vec<Box<RawValue>>,
    row: u64,
    objects: Arc<Objects>,
}

/// Opens one array of objects, which is read as a whole.
pub fn open_array(input: Input, wanted: &Wanted) -> Result<TextPieces, Error> {
    let place = input.name().to_owned();
    let content = input.content()?;
    let content = content.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&content);
    let values: Vec<Box<RawValue>> = serde_json::from_slice(content).map_err(|e| {
        ErrorLocation::file(&place).error(TableProblem::FileDamaged { format: "JSON", reason: e.to_string() })
    })?;
    let Some(first) = values.first() else { return Err(ErrorLocation::file(place).error(TableProblem::FileEmpty)) };
    let objects = Arc::new(Objects::new(place, Position::Row, (1, first.get().as_bytes()), wanted)?);
    Ok(Box::new(JsonArray { left: values.into_iter(), row: 1, objects }))
}

impl Pieces<TextChunk> for JsonArray {
    fn next(&mut self) -> Result<Option<TextPiece>, Error> {
        let values: Vec<Box<RawValue>> = self.left.by_ref().take(ROWS).collect();
        if values.is_empty() {
            return self.objects.one_less().map(|()| None);
        }
        let row = self.row;
        self.row += values.len() as u64;
        self.objects.one_more();
        Ok(Some(Box::new(ArrayRows { values, row, objects: Arc::clone(&self.objects) })))
    }

    fn unit(&self) -> fn(u64) -> Position {
        Position::Row
    }
}

impl BytePiece<TextChunk> for ArrayRows {
    fn read(self: Box<Self>) -> Result<LinePart<TextChunk>, Error> {
        let values = self.values.iter().map(|value| value.get().as_bytes());
        self.objects.chunk((self.row..).zip(values)).map(|chunk| (Some(chunk), None))
    }
}
