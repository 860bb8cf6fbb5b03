//! JSON Lines, one object per line: each block of whole lines is a piece.

use super::JsonTable;
use crate::pieces::{ChunkAndRest, Piece, Pieces, TextPiece, TextPieces};
use crate::rows::{CellVisitor, ColumnSelection, TextChunk};
use crate::source::{self, BYTE_ORDER_MARK, Input};
use crate::table::{BLOCK_SIZE, MAX_ROW_SIZE};
use std::io::{self, BufRead, Read};
use std::sync::Arc;
use truecount::Error;
use truecount::error::{ErrorLocation, Position};
use truecount_analysis::TableProblem;

struct JsonLines {
    blocks: JsonBlocks,
    /// The block with the first object.
    first: Option<JsonBlock>,
    table: Arc<JsonTable>,
}

/// The text of a file, split into blocks of whole lines.
struct JsonBlocks {
    file: String,
    bytes: Box<dyn BufRead + Send>,
    /// The first line of the next block, counted from 1.
    line: u64,
}

/// A block of whole lines.
struct JsonBlock {
    bytes: Vec<u8>,
    line: u64,
}

struct JsonLineRows {
    block: JsonBlock,
    table: Arc<JsonTable>,
}

pub fn open(input: Input, selection: &ColumnSelection) -> Result<TextPieces, Error> {
    let file = input.name().to_owned();
    let (blocks, first) = open_blocks(input)?;
    let Some(object) = first.objects().next() else {
        return Err(ErrorLocation::file(file).error(TableProblem::FileEmpty));
    };
    let table = Arc::new(JsonTable::new(file, Position::Line, object, selection)?);
    Ok(Box::new(JsonLines { blocks, first: Some(first), table }))
}

/// Shows the cells of the first `max` objects.
pub fn first(input: Input, max: usize, visit: &mut CellVisitor) -> Result<Vec<String>, Error> {
    let file = input.name().to_owned();
    let (mut blocks, first) = open_blocks(input)?;
    let mut lines: Vec<(u64, Vec<u8>)> = Vec::new();
    let mut block = Some(first);
    while let Some(current) = block.filter(|_| lines.len() < max) {
        let objects = current.objects().take(max - lines.len());
        lines.extend(objects.map(|(line, object)| (line, object.to_vec())));
        block = blocks.next()?;
    }
    let objects: Vec<(u64, &[u8])> = lines.iter().map(|(line, object)| (*line, object.as_slice())).collect();
    super::first_objects(&objects, |line| ErrorLocation::file(&file).at(Position::Line(line)), visit)
}

/// Opens the blocks of a file, and reads the first one.
fn open_blocks(input: Input) -> Result<(JsonBlocks, JsonBlock), Error> {
    let mut blocks = JsonBlocks { file: input.name().to_owned(), bytes: input.stream(), line: 1 };
    let mut first = blocks.next()?.unwrap_or(JsonBlock { bytes: Vec::new(), line: 1 });
    if first.bytes.starts_with(BYTE_ORDER_MARK) {
        first.bytes.drain(..BYTE_ORDER_MARK.len());
    }
    Ok((blocks, first))
}

impl Pieces<TextChunk> for JsonLines {
    fn next(&mut self) -> Result<Option<TextPiece>, Error> {
        let block = match self.first.take() {
            Some(first) => Some(first),
            None => self.blocks.next()?,
        };
        let Some(block) = block else { return self.table.finish_piece().map(|()| None) };
        self.table.begin_piece();
        Ok(Some(Box::new(JsonLineRows { block, table: Arc::clone(&self.table) })))
    }

    fn unit(&self) -> fn(u64) -> Position {
        Position::Line
    }
}

impl Piece<TextChunk> for JsonLineRows {
    fn read(self: Box<Self>) -> Result<ChunkAndRest<TextChunk>, Error> {
        self.table.chunk(self.block.objects()).map(|chunk| (Some(chunk), None))
    }
}

impl JsonBlocks {
    fn next(&mut self) -> Result<Option<JsonBlock>, Error> {
        let mut bytes = Vec::with_capacity(BLOCK_SIZE + 1);
        let read = self.read(&mut bytes);
        let line = self.line;
        self.line += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        read.map_err(|e| {
            let location = ErrorLocation::file(&self.file).at(Position::AfterLine(self.line - 1));
            location.error(TableProblem::FileUnreadable { reason: source::describe_io_error(&e) })
        })?;
        if bytes.len() > MAX_ROW_SIZE && !bytes.ends_with(b"\n") {
            let location = ErrorLocation::file(&self.file).at(Position::Line(self.line));
            return Err(location.error(TableProblem::RowTooLarge { megabytes: MAX_ROW_SIZE >> 20 }));
        }
        Ok((!bytes.is_empty()).then_some(JsonBlock { bytes, line }))
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

impl JsonBlock {
    /// Returns the lines that are not empty, with their numbers.
    fn objects(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let lines = self.bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        (self.line..).zip(lines).filter(|(_, line)| !line.is_empty())
    }
}
