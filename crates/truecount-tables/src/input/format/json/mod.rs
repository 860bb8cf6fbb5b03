//! JSON: objects of which each is a row, one a line or all in one array. Columns are keys; those of objects within objects are paths with
//! points, as in `scores.judge`. A key that is not there is a missing value; one that no row has is an unknown column.

mod array;
mod lines;
mod object;

pub use array::open as open_array;
pub use lines::{first, open};

use super::cells::{Cell, Columns, Rows};
use crate::input::rows::{Chunk, Wanted};
use serde_json::value::RawValue;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use truecount_analysis::{Error, Fault, Location, Position};

/// What all rows of a file share.
struct Objects {
    place: String,
    /// Whether rows are counted as lines or as rows.
    unit: fn(u64) -> Position,
    columns: Columns,
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
        let columns = Columns::new(wanted, has);
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
        object::values(object, self.columns.names(), found).map_err(|wrong| self.at(at).error(wrong))
    }

    /// The rows of a piece, with their places.
    fn chunk<'a>(&'a self, objects: impl Iterator<Item = (u64, &'a [u8])>) -> Result<Chunk, Error> {
        let names = self.columns.names();
        let mut rows = Rows::new(&self.columns);
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
        Error::in_file(&self.place, Fault::ColumnUnknown { column, columns: self.first.clone() })
    }

    fn at(&self, at: u64) -> Location {
        Location::file(&self.place).at((self.unit)(at))
    }
}
