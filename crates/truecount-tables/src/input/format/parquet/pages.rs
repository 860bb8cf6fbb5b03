//! Checks the pages of a column before they are decoded, since the decoder allocates the size that
//! a page header states, up to 2 GiB.

use super::thrift::Fields;
use crate::input::format::shared_file::SharedFile;
use parquet::file::metadata::ColumnChunkMetaData;
use truecount_text::is_plausible;

/// Fields of `PageHeader` with the uncompressed and compressed sizes of a page.
const SIZE_FIELDS: [i64; 2] = [2, 3];

/// Number of bytes that are read at a time: more than most headers, and many small pages.
const WINDOW: u64 = 1 << 12;

/// Returns the offset of the first page of a column.
pub fn start(column: &ColumnChunkMetaData) -> i64 {
    column.dictionary_page_offset().unwrap_or(column.data_page_offset())
}

/// Returns an error if a page has an implausible uncompressed size or no valid header.
pub fn check(file: &SharedFile, column: &ColumnChunkMetaData) -> Result<(), String> {
    let offset = |offset: i64| u64::try_from(offset).map_err(|_| format!("a column at {offset}"));
    let mut next = offset(start(column))?;
    let end = next.saturating_add(offset(column.compressed_size())?).min(file.length());
    let (mut window_start, mut window) = (next, bytes::Bytes::new());
    while next < end {
        let header_bytes =
            next.checked_sub(window_start).and_then(|skipped| window.get(usize::try_from(skipped).ok()?..));
        let Some((header, [unpacked, packed])) = header_bytes.and_then(sizes) else {
            // The header is not completely in the window.
            let length = if window_start == next { 16 * window.len() as u64 } else { WINDOW };
            if window_start == next && next + window.len() as u64 >= end {
                return Err(format!("there is no page header at byte {next}"));
            }
            (window_start, window) =
                (next, file.bytes(next, length.max(WINDOW).min(end - next)).map_err(|e| e.to_string())?);
            continue;
        };
        if !is_plausible(packed, unpacked) {
            return Err(format!("a page of {packed} bytes would expand to {unpacked} bytes"));
        }
        next = next.saturating_add(header).saturating_add(packed);
    }
    Ok(())
}

/// Returns the length of a page header, and the uncompressed and compressed sizes of the page.
fn sizes(bytes: &[u8]) -> Option<(u64, [u64; 2])> {
    let mut fields = Fields(bytes);
    let [unpacked, packed] = fields.numbers(SIZE_FIELDS)?.map(|size| u64::try_from(size?).ok());
    Some(((bytes.len() - fields.0.len()) as u64, [unpacked?, packed?]))
}
