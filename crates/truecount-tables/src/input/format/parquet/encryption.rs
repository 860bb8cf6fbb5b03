//! Whether columns are encrypted in a file whose footer is not: the reader takes such a column for a damaged one, and the footer tells.

use super::footer;
use super::thrift::Fields;
use crate::input::format::random::RandomFile;

/// The field of `FileMetaData` with the algorithm, which files without encryption lack.
const ALGORITHM: i64 = 8;

/// Whether the file says that columns are encrypted.
pub fn has_encrypted_columns(file: &RandomFile) -> bool {
    let footer = footer(file).and_then(|(start, length)| file.bytes(start, length));
    footer.is_ok_and(|footer| Fields(&footer).has(ALGORITHM).unwrap_or(false))
}
