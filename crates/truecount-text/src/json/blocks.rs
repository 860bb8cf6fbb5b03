//! Blocks of objects: of a file with an object per line, as it is read, or of an array, which is held
//! in memory.

use crate::rows::MAX_ROWS;
use crate::source::{self, BYTE_ORDER_MARK, FileFormat, Input, InputStream, damaged};
use crate::table::{BLOCK_SIZE, MAX_ROW_SIZE};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::sync::Arc;
use truecount::Error;
use truecount::error::{ErrorLocation, Position};
use truecount_analysis::TableProblem;

/// The unit of the numbers of objects, line or row, and the blocks of a file, as they are read.
pub type Blocks = (fn(u64) -> Position, Box<dyn Iterator<Item = Result<JsonBlock, Error>> + Send>);

/// Consecutive objects in a text.
pub struct JsonBlock {
    text: Arc<Vec<u8>>,
    /// The number of the first object: its line, or its row.
    number: u64,
    /// The range of each object in an array; `None` for a text with an object per line.
    ranges: Option<Vec<Range<usize>>>,
}

impl JsonBlock {
    /// Returns the objects with their numbers. Empty lines are no objects.
    pub fn objects(&self) -> Box<dyn Iterator<Item = (u64, &[u8])> + '_> {
        if let Some(ranges) = &self.ranges {
            return Box::new((self.number..).zip(ranges.iter().map(|range| &self.text[range.clone()])));
        }
        let lines = self.text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        Box::new((self.number..).zip(lines).filter(|(_, line)| !line.is_empty()))
    }
}

/// Opens JSON Lines, or a JSON array of objects.
pub fn open(input: Input) -> Result<Blocks, Error> {
    if input.kind() == FileFormat::JsonLines {
        let mut lines = LineBlocks { file: input.name().to_owned(), bytes: input.stream(), line: 1 };
        return Ok((Position::Line, Box::new(std::iter::from_fn(move || lines.next().transpose()))));
    }
    let file = input.name().to_owned();
    let text = input.content()?;
    let ranges = array_values(&file, &text)?;
    let text = Arc::new(text);
    let blocks = (0..ranges.len()).step_by(MAX_ROWS).map(move |first| {
        let ranges = ranges[first..ranges.len().min(first + MAX_ROWS)].to_vec();
        Ok(JsonBlock { text: Arc::clone(&text), number: first as u64 + 1, ranges: Some(ranges) })
    });
    Ok((Position::Row, Box::new(blocks)))
}

/// Returns the range of each object in an array, or in the largest array of a document of results,
/// which has a table for each key.
fn array_values(file: &str, text: &[u8]) -> Result<Vec<Range<usize>>, Error> {
    let content = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let is_damaged = |e: serde_json::Error| damaged(file, "JSON")(e.to_string());
    let values: Vec<&RawValue> = if content.trim_ascii_start().starts_with(b"[") {
        serde_json::from_slice(content).map_err(is_damaged)?
    } else {
        let document: BTreeMap<String, &RawValue> = serde_json::from_slice(content).map_err(is_damaged)?;
        let is_table = |value: &&&RawValue| {
            let rest = value.get().strip_prefix('[').unwrap_or_default();
            rest.trim_start().starts_with('{')
        };
        let table = document.values().filter(is_table).max_by_key(|table| table.get().len());
        let reason = || TableProblem::RowNotObject { reason: "the document has no array of objects".to_owned() };
        let table = table.ok_or_else(|| ErrorLocation::file(file).at(Position::Line(1)).error(reason()))?;
        serde_json::from_str(table.get()).map_err(is_damaged)?
    };
    let range = |value: &&RawValue| {
        let start = value.get().as_ptr().addr() - text.as_ptr().addr();
        start..start + value.get().len()
    };
    Ok(values.iter().map(range).collect())
}

/// A file with an object per line, split into blocks of whole lines.
struct LineBlocks {
    file: String,
    bytes: InputStream,
    /// The first line of the next block, counted from 1.
    line: u64,
}

impl LineBlocks {
    fn next(&mut self) -> Result<Option<JsonBlock>, Error> {
        let mut bytes = Vec::with_capacity(BLOCK_SIZE + 1);
        let read = self.read(&mut bytes);
        let number = self.line;
        self.line += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        read.map_err(|e| {
            let location = ErrorLocation::file(&self.file).at(Position::AfterLine(self.line - 1));
            location.error(TableProblem::FileUnreadable { reason: source::describe_io_error(&e) })
        })?;
        if bytes.len() > MAX_ROW_SIZE && !bytes.ends_with(b"\n") {
            let location = ErrorLocation::file(&self.file).at(Position::Line(self.line));
            return Err(location.error(TableProblem::RowTooLarge { megabytes: MAX_ROW_SIZE >> 20 }));
        }
        if number == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        Ok((!bytes.is_empty()).then(|| JsonBlock { text: Arc::new(bytes), number, ranges: None }))
    }

    /// Reads the next [`BLOCK_SIZE`] bytes and the rest of the last line.
    fn read(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        self.bytes.by_ref().take(BLOCK_SIZE as u64).read_to_end(bytes)?;
        if !bytes.ends_with(b"\n") {
            self.bytes.by_ref().take(MAX_ROW_SIZE as u64).read_until(b'\n', bytes)?;
        }
        Ok(())
    }
}
