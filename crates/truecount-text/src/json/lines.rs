//! An object a line: each block of whole lines is a piece.

use super::{Objects, object};
use crate::cells::number;
use crate::pieces::{BytePiece, LinePart, Pieces, TextPiece, TextPieces};
use crate::rows::{See, TextChunk, Wanted};
use crate::source::{self, BYTE_ORDER_MARK, Input};
use crate::table::{LARGEST, SIZE};
use std::io::{self, BufRead, Read};
use std::sync::Arc;
use truecount::{Error, ErrorLocation, Position};
use truecount_analysis::TableProblem;

struct Lines {
    blocks: JsonBlocks,
    /// The block with the first object.
    first: Option<JsonBlock>,
    objects: Arc<Objects>,
}

/// The text of a file, cut at line ends.
struct JsonBlocks {
    place: String,
    bytes: Box<dyn BufRead + Send>,
    /// The line that the next block begins with.
    line: u64,
}

/// Whole lines.
struct JsonBlock {
    bytes: Vec<u8>,
    line: u64,
}

struct JsonLineRows {
    block: JsonBlock,
    objects: Arc<Objects>,
}

pub fn open(input: Input, wanted: &Wanted) -> Result<TextPieces, Error> {
    let place = input.name().to_owned();
    let (blocks, first) = begun(input)?;
    let Some(object) = first.objects().next() else {
        return Err(ErrorLocation::file(place).error(TableProblem::FileEmpty));
    };
    let objects = Arc::new(Objects::new(place, Position::Line, object, wanted)?);
    Ok(Box::new(Lines { blocks, first: Some(first), objects }))
}

/// Shows the cells of the first objects, so many of them, in the columns that any of them has.
pub fn first(input: Input, most: usize, see: &mut See) -> Result<Vec<String>, Error> {
    let place = input.name().to_owned();
    let (mut blocks, first) = begun(input)?;
    let mut lines: Vec<(u64, Vec<u8>)> = Vec::new();
    let mut block = Some(first);
    while let Some(whole) = block.filter(|_| lines.len() < most) {
        let objects = whole.objects().take(most - lines.len());
        lines.extend(objects.map(|(line, object)| (line, object.to_vec())));
        block = blocks.next()?;
    }
    let mut names: Vec<String> = Vec::new();
    for path in lines.iter().flat_map(|(_, object)| object::paths(object)) {
        if !names.contains(&path) {
            names.push(path);
        }
    }
    for (line, object) in &lines {
        let mut found = vec![None; names.len()];
        let at = ErrorLocation::file(&place).at(Position::Line(*line));
        object::values(object, &names, &mut found).map_err(|wrong| at.error(TableProblem::from(wrong)))?;
        for (column, (name, value)) in names.iter().zip(found).enumerate() {
            let cell = object::cell(name, value);
            see(column, cell.shown(), number(&cell).ok());
        }
    }
    if lines.is_empty() { Err(ErrorLocation::file(&place).error(TableProblem::FileEmpty)) } else { Ok(names) }
}

/// The first block, and the others.
fn begun(input: Input) -> Result<(JsonBlocks, JsonBlock), Error> {
    let mut blocks = JsonBlocks { place: input.name().to_owned(), bytes: input.stream(), line: 1 };
    let mut first = blocks.next()?.unwrap_or(JsonBlock { bytes: Vec::new(), line: 1 });
    if first.bytes.starts_with(BYTE_ORDER_MARK) {
        first.bytes.drain(..BYTE_ORDER_MARK.len());
    }
    Ok((blocks, first))
}

impl Pieces<TextChunk> for Lines {
    fn next(&mut self) -> Result<Option<TextPiece>, Error> {
        let block = match self.first.take() {
            Some(first) => Some(first),
            None => self.blocks.next()?,
        };
        let Some(block) = block else { return self.objects.one_less().map(|()| None) };
        self.objects.one_more();
        Ok(Some(Box::new(JsonLineRows { block, objects: Arc::clone(&self.objects) })))
    }

    fn unit(&self) -> fn(u64) -> Position {
        Position::Line
    }
}

impl BytePiece<TextChunk> for JsonLineRows {
    fn read(self: Box<Self>) -> Result<LinePart<TextChunk>, Error> {
        self.objects.chunk(self.block.objects()).map(|chunk| (Some(chunk), None))
    }
}

impl JsonBlocks {
    fn next(&mut self) -> Result<Option<JsonBlock>, Error> {
        let mut bytes = Vec::with_capacity(SIZE + 1);
        let read = self.read(&mut bytes);
        let line = self.line;
        self.line += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        read.map_err(|e| {
            let location = ErrorLocation::file(&self.place).at(Position::AfterLine(self.line - 1));
            location.error(TableProblem::Unreadable { reason: source::describe(&e) })
        })?;
        if bytes.len() > LARGEST && !bytes.ends_with(b"\n") {
            let location = ErrorLocation::file(&self.place).at(Position::Line(self.line));
            return Err(location.error(TableProblem::RowTooLarge { megabytes: LARGEST >> 20 }));
        }
        Ok((!bytes.is_empty()).then_some(JsonBlock { bytes, line }))
    }

    /// The next bytes, and on to the end of the line.
    fn read(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        self.bytes.by_ref().take(SIZE as u64).read_to_end(bytes)?;
        if !bytes.ends_with(b"\n") {
            self.bytes.by_ref().take(LARGEST as u64).read_until(b'\n', bytes)?;
        }
        Ok(())
    }
}

impl JsonBlock {
    /// The lines that are not empty, with their numbers.
    fn objects(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let lines = self.bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        (self.line..).zip(lines).filter(|(_, line)| !line.is_empty())
    }
}
