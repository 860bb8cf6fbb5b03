//! Detects encrypted columns in a file with a plain footer, which the decoder reports as damaged.

use super::footer;
use super::thrift::Fields;
use crate::input::format::shared_file::SharedFile;

/// Field of `FileMetaData` with the encryption algorithm, which only encrypted files have.
const ALGORITHM: i64 = 8;

/// Returns whether the footer states an encryption algorithm.
pub fn has_encrypted_columns(file: &SharedFile) -> bool {
    let footer = footer(file).and_then(|(start, length)| file.bytes(start, length));
    footer.is_ok_and(|footer| Fields(&footer).has(ALGORITHM).unwrap_or(false))
}
