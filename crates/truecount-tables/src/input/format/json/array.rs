//! One array of objects, which is read as a whole.

use super::Objects;
use crate::input::format::{Part, Piece, Pieces, ROWS, damaged};
use crate::input::rows::Wanted;
use crate::input::source::{BYTE_ORDER_MARK, Input};
use serde_json::value::RawValue;
use std::sync::Arc;
use truecount_analysis::{Error, Fault, Position};

struct Array {
    /// The objects that no piece has yet.
    left: std::vec::IntoIter<Box<RawValue>>,
    /// The number of the next one.
    row: u64,
    objects: Arc<Objects>,
}

struct Rows {
    values: Vec<Box<RawValue>>,
    row: u64,
    objects: Arc<Objects>,
}

pub fn open(input: Input, wanted: &Wanted) -> Result<Box<dyn Pieces>, Error> {
    let place = input.name().to_owned();
    let content = input.content()?;
    let content = content.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&content);
    let values: Vec<Box<RawValue>> =
        serde_json::from_slice(content).map_err(|e| damaged(&place, "JSON")(e.to_string()))?;
    let Some(first) = values.first() else { return Err(Error::in_file(place, Fault::FileEmpty)) };
    let objects = Arc::new(Objects::new(place, Position::Row, (1, first.get().as_bytes()), wanted)?);
    Ok(Box::new(Array { left: values.into_iter(), row: 1, objects }))
}

impl Pieces for Array {
    fn next(&mut self) -> Result<Option<Box<dyn Piece>>, Error> {
        let values: Vec<Box<RawValue>> = self.left.by_ref().take(ROWS).collect();
        if values.is_empty() {
            return self.objects.one_less().map(|()| None);
        }
        let row = self.row;
        self.row += values.len() as u64;
        self.objects.one_more();
        Ok(Some(Box::new(Rows { values, row, objects: Arc::clone(&self.objects) })))
    }

    fn unit(&self) -> fn(u64) -> Position {
        Position::Row
    }
}

impl Piece for Rows {
    fn read(self: Box<Self>) -> Result<Part, Error> {
        let values = self.values.iter().map(|value| value.get().as_bytes());
        self.objects.chunk((self.row..).zip(values)).map(|chunk| (Some(chunk), None))
    }
}
