//! Messages of Arrow IPC, checked before they are decoded.

use arrow_buffer::Buffer;
use arrow_ipc::{Message, MessageHeader, RecordBatch};
use truecount_text::is_plausible;

/// Continuation marker before the length of a message; old files lack it.
pub const MARKER: [u8; 4] = [0xff; 4];

/// Parses a message, which may begin with a marker and its length.
pub fn parse(head: &[u8]) -> Result<Message<'_>, String> {
    let head = head.strip_prefix(&MARKER).unwrap_or(head);
    let head = head.get(4..).ok_or("a message is cut off")?;
    arrow_ipc::root_as_message(head).map_err(|e| e.to_string())
}

/// Returns the number of rows of a batch, or `None` if the message is not a batch.
pub fn rows(message: &Message) -> Option<Result<u64, String>> {
    let batch = message.header_as_record_batch()?;
    Some(u64::try_from(batch.length()).map_err(|_| format!("a batch of {} rows", batch.length())))
}

/// Returns the number of bytes in the body after the message.
pub fn body_length(message: &Message) -> Result<u64, String> {
    u64::try_from(message.bodyLength()).map_err(|_| format!("a message of {} bytes", message.bodyLength()))
}

/// Returns an error if a buffer lies outside the body, or if the decompressed size is implausible.
pub fn check(message: &Message, body: &Buffer) -> Result<(), String> {
    let batch = match message.header_type() {
        MessageHeader::RecordBatch => message.header_as_record_batch(),
        MessageHeader::DictionaryBatch => message.header_as_dictionary_batch().and_then(|batch| batch.data()),
        _ => return Ok(()),
    };
    check_buffers(&batch.ok_or("a batch without contents")?, body)
}

fn check_buffers(batch: &RecordBatch, body: &[u8]) -> Result<(), String> {
    let mut total = 0_u64;
    for buffer in batch.buffers().into_iter().flatten() {
        let (offset, length) = (usize::try_from(buffer.offset()), usize::try_from(buffer.length()));
        let range = offset.ok().zip(length.ok()).and_then(|(offset, length)| Some(offset..offset.checked_add(length)?));
        let Some(bytes) = range.and_then(|range| body.get(range)) else {
            return Err(format!("{} bytes expected at {} of {}", buffer.length(), buffer.offset(), body.len()));
        };
        if batch.compression().is_some()
            && let Some(length) = bytes.first_chunk()
        {
            // -1 marks an uncompressed buffer; the decoder rejects other negative numbers.
            total = total.saturating_add(u64::try_from(i64::from_le_bytes(*length)).unwrap_or_default());
        }
    }
    if !is_plausible(body.len() as u64, total) {
        return Err(format!(
            "{} compressed bytes would expand to {total}; write smaller batches, or do not compress them",
            body.len()
        ));
    }
    Ok(())
}
