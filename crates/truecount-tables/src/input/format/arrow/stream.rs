//! Arrow IPC streams, read message by message. Dictionaries come before the batches that refer to them.

use super::{EncodedBatch, FORMAT, message};
use crate::input::format::columns::ColumnIndices;
use crate::input::format::{FormatChunk, OpenFile, OpenPiece, damaged, unreadable};
use arrow_array::ArrayRef;
use arrow_buffer::Buffer;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_schema::SchemaRef;
use std::collections::HashMap;
use std::io::{BufRead, ErrorKind, Read};
use std::sync::Arc;
use truecount::Error;
use truecount::error::Position;
use truecount_text::{ColumnSelection, Input, Pieces, catch_decoder_panic};

/// An open Arrow IPC stream.
struct ArrowStream {
    file_name: String,
    bytes: Box<dyn BufRead + Send>,
    schema: SchemaRef,
    dictionaries: Arc<HashMap<i64, ArrayRef>>,
    columns: ColumnIndices,
    /// The number of the next batch's first row.
    row: u64,
}

/// An encoded message with its body.
struct StoredMessage {
    head: Vec<u8>,
    body: Buffer,
}

pub fn open(input: Input, selection: &ColumnSelection) -> Result<OpenFile, Error> {
    let file_name = input.name().to_owned();
    let mut bytes = input.stream();
    let first = read_message(&mut bytes).map_err(damaged(&file_name, FORMAT))?;
    let schema = catch_decoder_panic(|| {
        let message = message::parse(&first.as_ref().ok_or("the stream is empty")?.head)?;
        let schema = message.header_as_schema().ok_or("it has no schema")?;
        Ok::<_, String>(arrow_ipc::convert::fb_to_schema(schema))
    });
    let schema = schema.map_err(damaged(&file_name, FORMAT))?;
    let columns = ColumnIndices::find(file_name.clone(), &schema, selection)?;
    Ok(Box::new(ArrowStream {
        file_name,
        bytes,
        schema: Arc::new(schema),
        dictionaries: Arc::default(),
        columns,
        row: 1,
    }))
}

/// Reads the next message; returns `None` at the end of the stream, which must be the end of the file.
fn read_message(bytes: &mut Box<dyn BufRead + Send>) -> Result<Option<StoredMessage>, String> {
    let mut head = Vec::new();
    if is_at_end(bytes)? {
        return Ok(None);
    }
    read_bytes(bytes, 4, &mut head)?;
    if head == message::MARKER {
        read_bytes(bytes, 4, &mut head)?;
    }
    let length = u32::from_le_bytes(*head.last_chunk().expect("four bytes at least"));
    if length == 0 {
        return if is_at_end(bytes)? {
            Ok(None)
        } else {
            Err("data follow the end of the stream; if these are several streams, save each in its own file".to_owned())
        };
    }
    read_bytes(bytes, u64::from(length), &mut head)?;
    let message = message::parse(&head)?;
    let mut body = Vec::new();
    read_bytes(bytes, message::body_length(&message)?, &mut body)?;
    let body = Buffer::from_vec(body);
    message::check(&message, &body)?;
    Ok(Some(StoredMessage { head, body }))
}

/// Returns whether no bytes are left. An interrupted read is repeated.
fn is_at_end(bytes: &mut Box<dyn BufRead + Send>) -> Result<bool, String> {
    loop {
        match bytes.fill_buf() {
            Ok(more) => return Ok(more.is_empty()),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e.to_string()),
        }
    }
}

/// Appends `length` bytes. Memory is allocated for the bytes that are read, not for the stated length.
fn read_bytes(bytes: &mut Box<dyn BufRead + Send>, length: u64, to: &mut Vec<u8>) -> Result<(), String> {
    let read = bytes.by_ref().take(length).read_to_end(to).map_err(|e| e.to_string())?;
    if read as u64 == length { Ok(()) } else { Err("a message is cut off".to_owned()) }
}

impl ArrowStream {
    /// Reads up to the next batch, and returns it with its number of rows.
    fn batch(&mut self) -> Result<Option<(StoredMessage, u64)>, String> {
        while let Some(stored) = read_message(&mut self.bytes)? {
            let message = message::parse(&stored.head)?;
            if let Some(rows) = message::rows(&message) {
                let rows = rows?;
                return Ok(Some((stored, rows)));
            }
            if let Some(dictionary) = message.header_as_dictionary_batch() {
                let dictionaries = Arc::make_mut(&mut self.dictionaries);
                catch_decoder_panic(|| {
                    read_dictionary(&stored.body, dictionary, &self.schema, dictionaries, &message.version())
                })?;
            }
        }
        Ok(None)
    }
}

impl Pieces<FormatChunk> for ArrowStream {
    fn next(&mut self) -> Result<Option<OpenPiece>, Error> {
        let row = self.row;
        let Some((stored, rows)) = self.batch().map_err(|reason| unreadable(&self.file_name, row, reason))? else {
            return Ok(None);
        };
        self.row += rows;
        let (schema, dictionaries, columns) =
            (Arc::clone(&self.schema), Arc::clone(&self.dictionaries), self.columns.clone());
        let decode = move || {
            let message = message::parse(&stored.head)?;
            let batch = message.header_as_record_batch().ok_or("a batch without contents")?;
            let projection = Some(columns.positions());
            catch_decoder_panic(|| {
                read_record_batch(&stored.body, batch, schema, &dictionaries, projection, &message.version())
            })
        };
        Ok(Some(Box::new(EncodedBatch { decode, columns: self.columns.clone(), row })))
    }

    fn unit(&self) -> fn(u64) -> Position {
        Position::Row
    }
}
