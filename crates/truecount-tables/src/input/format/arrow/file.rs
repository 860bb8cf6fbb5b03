//! Arrow IPC files: the footer has the offsets of the batches, so that any thread can read any
//! batch. A file cannot be read as the stream that it contains: Polars writes its schema without a length.

use super::{EncodedBatch, FORMAT, message};
use crate::Meter;
use crate::input::format::columns::ColumnIndices;
use crate::input::format::shared_file::SharedFile;
use crate::input::format::{FormatChunk, OpenFile, OpenPiece, as_file, damaged, unreadable};
use arrow_buffer::Buffer;
use arrow_ipc::reader::{FileDecoder, read_footer_length};
use arrow_ipc::{Block, Footer};
use std::sync::Arc;
use truecount::Error;
use truecount::error::{ErrorLocation, Position};
use truecount_analysis::TableProblem;
use truecount_text::{ColumnSelection, Input, Pieces, catch_decoder_panic};

/// Length of the end of a file: the footer's length (4 bytes) and the magic bytes (6).
const TRAILER: u64 = 10;

/// An open Arrow IPC file.
struct Batches {
    file_name: String,
    file: SharedFile,
    blocks: std::vec::IntoIter<Block>,
    decoder: Arc<FileDecoder>,
    columns: ColumnIndices,
    /// The number of the next batch's first row.
    row: u64,
    meter: Arc<dyn Meter>,
}

pub fn open(input: Input, selection: &ColumnSelection, meter: &Arc<dyn Meter>) -> Result<OpenFile, Error> {
    let file_name = input.name().to_owned();
    let file = SharedFile::new(as_file(input)?).map_err(TableProblem::unreadable(&file_name))?;
    let (start, footer) = footer(&file).map_err(damaged(&file_name, FORMAT))?;
    let footer = catch_decoder_panic(|| arrow_ipc::root_as_footer(&footer)).map_err(damaged(&file_name, FORMAT))?;
    let batches: Vec<Block> = footer.recordBatches().into_iter().flatten().copied().collect();
    let dictionaries: Vec<Block> = footer.dictionaries().into_iter().flatten().copied().collect();
    let ranges = batches.iter().chain(&dictionaries).filter_map(|block| ByteRange::from_block(block).ok());
    let ends = ranges.map(|ByteRange { start, length, .. }| start + length);
    let joined = file.is_joined(ends.max().unwrap_or_default(), start, b"ARROW1ARROW1");
    if joined.map_err(TableProblem::unreadable(&file_name))? {
        return Err(ErrorLocation::file(file_name).error(TableProblem::FilesJoined { format: FORMAT }));
    }
    let schema = catch_decoder_panic(|| schema(&footer)).map_err(damaged(&file_name, FORMAT))?;
    let columns = ColumnIndices::find(file_name.clone(), &schema, selection)?;
    let decoder = FileDecoder::new(Arc::new(schema), footer.version());
    let mut decoder = decoder.with_projection(columns.positions().to_vec());
    for block in &dictionaries {
        read_block(&file, block)
            .and_then(|bytes| catch_decoder_panic(|| decoder.read_dictionary(block, &bytes)))
            .map_err(damaged(&file_name, FORMAT))?;
    }
    let (blocks, decoder, meter) = (batches.into_iter(), Arc::new(decoder), Arc::clone(meter));
    Ok(Box::new(Batches { file_name, file, blocks, decoder, columns, row: 1, meter }))
}

fn footer(file: &SharedFile) -> Result<(u64, bytes::Bytes), String> {
    let end = file.length().checked_sub(TRAILER).ok_or("it is shorter than its trailer")?;
    let last = file.bytes(end, TRAILER).map_err(|e| e.to_string())?;
    let length = read_footer_length(last[..].try_into().expect("ten bytes")).map_err(|e| e.to_string())?;
    let start = end.checked_sub(length as u64).ok_or("its footer is longer than the file")?;
    Ok((start, file.bytes(start, length as u64).map_err(|e| e.to_string())?))
}

fn schema(footer: &Footer) -> Result<arrow_schema::Schema, String> {
    let schema = footer.schema().ok_or("it has no schema")?;
    if !schema.endianness().equals_to_target_endianness() {
        return Err("it was written with another byte order".to_owned());
    }
    Ok(arrow_ipc::convert::fb_to_schema(schema))
}

/// The bytes of a message and its body.
struct ByteRange {
    start: u64,
    /// The length of the message.
    head: u64,
    /// The length of the message and its body.
    length: u64,
}

impl ByteRange {
    fn from_block(block: &Block) -> Result<Self, String> {
        let sizes = [block.offset(), i64::from(block.metaDataLength()), block.bodyLength()].map(u64::try_from);
        let [start, head, body] = sizes.map(|size| size.map_err(|e| e.to_string()));
        let (start, head) = (start?, head?);
        let length = head.checked_add(body?).filter(|length| start.checked_add(*length).is_some());
        Ok(Self { start, head, length: length.ok_or("a part is beyond the end")? })
    }
}

/// Reads and checks a message; returns its bytes with the body.
fn read_block(file: &SharedFile, block: &Block) -> Result<Buffer, String> {
    let ByteRange { start, head, length } = ByteRange::from_block(block)?;
    let bytes = Buffer::from(file.bytes(start, length).map_err(|e| e.to_string())?);
    let head = usize::try_from(head).map_err(|e| e.to_string())?;
    message::check(&message::parse(&bytes[..head])?, &bytes.slice(head))?;
    Ok(bytes)
}

impl Batches {
    /// Returns the number of rows of a batch, reading only its message.
    fn rows(&self, block: &Block) -> Result<u64, String> {
        let ByteRange { start, head, .. } = ByteRange::from_block(block)?;
        let head = self.file.bytes(start, head).map_err(|e| e.to_string())?;
        message::rows(&message::parse(&head)?).unwrap_or(Ok(0))
    }
}

impl Pieces<FormatChunk> for Batches {
    fn next(&mut self) -> Result<Option<OpenPiece>, Error> {
        let Some(block) = self.blocks.next() else { return Ok(None) };
        let row = self.row;
        self.row += self.rows(&block).map_err(|reason| unreadable(&self.file_name, row, reason))?;
        let (file, decoder, meter) = (self.file.clone(), Arc::clone(&self.decoder), Arc::clone(&self.meter));
        let decode = move || {
            let bytes = read_block(&file, &block)?;
            let batch = catch_decoder_panic(|| decoder.read_record_batch(&block, &bytes))?;
            meter.advance(bytes.len() as u64);
            batch.ok_or_else(|| "a batch without contents".to_owned())
        };
        Ok(Some(Box::new(EncodedBatch { decode, columns: self.columns.clone(), row })))
    }

    fn unit(&self) -> fn(u64) -> Position {
        Position::Row
    }
}
