//! The pages of a column, looked through before they are decoded: the decoder makes room for what a page's header says, up to 2 GiB.

use super::thrift::Fields;
use crate::input::format::random::RandomFile;
use crate::input::format::unpacked;
use parquet::file::metadata::ColumnChunkMetaData;

/// The fields of `PageHeader` with the sizes of a page, unpacked and as it is stored.
const SIZES: [i64; 2] = [2, 3];

/// How much is read at once: of most headers more than all, and of small pages many.
const WINDOW: u64 = 1 << 12;

/// Where the first page of a column begins.
pub fn start(column: &ColumnChunkMetaData) -> i64 {
    column.dictionary_page_offset().unwrap_or(column.data_page_offset())
}

/// Refuses a column with a page that would be larger unpacked than it can be, or that is none.
pub fn check(file: &RandomFile, column: &ColumnChunkMetaData) -> Result<(), String> {
    let place = |place: i64| u64::try_from(place).map_err(|_| format!("a column at {place}"));
    let mut next = place(start(column))?;
    let end = next.saturating_add(place(column.compressed_size())?).min(file.length());
    let (mut from, mut window) = (next, bytes::Bytes::new());
    while next < end {
        let known = next.checked_sub(from).and_then(|skipped| window.get(usize::try_from(skipped).ok()?..));
        let Some((header, [unpacked, packed])) = known.and_then(sizes) else {
            // The header is not, or not all, in the window.
            let length = if from == next { 16 * window.len() as u64 } else { WINDOW };
            if from == next && next + window.len() as u64 >= end {
                return Err(format!("there is no page at {next}"));
            }
            (from, window) = (next, file.bytes(next, length.max(WINDOW).min(end - next)).map_err(|e| e.to_string())?);
            continue;
        };
        if !unpacked::is_possible(packed, unpacked) {
            return Err(format!("a page of {packed} bytes would have {unpacked} unpacked"));
        }
        next = next.saturating_add(header).saturating_add(packed);
    }
    Ok(())
}

/// The length of a page's header, and its sizes unpacked and stored.
fn sizes(bytes: &[u8]) -> Option<(u64, [u64; 2])> {
    let mut fields = Fields(bytes);
    let [unpacked, packed] = fields.numbers(SIZES)?.map(|size| u64::try_from(size?).ok());
    Some(((bytes.len() - fields.0.len()) as u64, [unpacked?, packed?]))
}
