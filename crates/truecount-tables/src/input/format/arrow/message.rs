//! One message: checked before anything is made of it.

use crate::input::format::unpacked;
use arrow_buffer::Buffer;
use arrow_ipc::{Message, MessageHeader, RecordBatch};

/// What a message begins with, except in old files.
pub const MARK: [u8; 4] = [0xff; 4];

/// The message with these first bytes, which may begin with a mark and its length.
pub fn parse(head: &[u8]) -> Result<Message<'_>, String> {
    let head = head.strip_prefix(&MARK).unwrap_or(head);
    let head = head.get(4..).ok_or("a message is cut off")?;
    arrow_ipc::root_as_message(head).map_err(|e| e.to_string())
}

/// The rows of a batch, or nothing if the message is something else.
pub fn rows(message: &Message) -> Option<Result<u64, String>> {
    let batch = message.header_as_record_batch()?;
    Some(u64::try_from(batch.length()).map_err(|_| format!("a batch of {} rows", batch.length())))
}

/// How many bytes follow the message.
pub fn body_length(message: &Message) -> Result<u64, String> {
    u64::try_from(message.bodyLength()).map_err(|_| format!("a message of {} bytes", message.bodyLength()))
}

/// Refuses a message whose parts are not within its body, or would be larger unpacked than they can be.
pub fn check(message: &Message, body: &Buffer) -> Result<(), String> {
    let batch = match message.header_type() {
        MessageHeader::RecordBatch => message.header_as_record_batch(),
        MessageHeader::DictionaryBatch => message.header_as_dictionary_batch().and_then(|batch| batch.data()),
        _ => return Ok(()),
    };
    parts(&batch.ok_or("a batch without contents")?, body)
}

fn parts(batch: &RecordBatch, body: &[u8]) -> Result<(), String> {
    let mut all = 0_u64;
    for part in batch.buffers().into_iter().flatten() {
        let (offset, length) = (usize::try_from(part.offset()), usize::try_from(part.length()));
        let end = offset.ok().zip(length.ok()).and_then(|(offset, length)| Some(offset..offset.checked_add(length)?));
        let Some(part) = end.and_then(|place| body.get(place)) else {
            return Err(format!("{} bytes expected at {} of {}", part.length(), part.offset(), body.len()));
        };
        if batch.compression().is_some()
            && let Some(length) = part.first_chunk()
        {
            // Of a part that is not packed it is -1, and another negative number is refused by the decoder.
            all = all.saturating_add(u64::try_from(i64::from_le_bytes(*length)).unwrap_or_default());
        }
    }
    if !unpacked::is_possible(body.len() as u64, all) {
        return Err(format!(
            "{} packed bytes would be {all}; write smaller batches, or do not compress them",
            body.len()
        ));
    }
    Ok(())
}
