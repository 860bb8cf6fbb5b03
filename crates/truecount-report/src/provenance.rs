//! The provenance of a report: the command, the program's version, and the files with their sizes
//! and hashes.

use sha2::{Digest, Sha256};
use std::io::{self, Read};

/// The origin of the rows of a report.
pub enum Provenance {
    /// From files.
    Files {
        /// The command as a shell takes it.
        command: String,
        /// The files that were read.
        files: Vec<InputFile>,
    },
    /// From the memory of a program.
    InMemory,
}

/// A file that was read.
pub struct InputFile {
    /// Name of the file.
    pub name: String,
    /// Size and hash; `None` if the file was a pipe, which can be read only once.
    pub content: Option<FileContent>,
}

/// The size of a file and its hash.
pub struct FileContent {
    /// The number of bytes.
    pub bytes: u64,
    /// SHA-256, as `sha256sum` shows it.
    pub hash: String,
}

impl FileContent {
    /// Reads a file to its end.
    ///
    /// # Errors
    /// Returns an error if the reader fails.
    pub fn read(file: &mut impl Read) -> io::Result<Self> {
        let (mut hash, mut bytes) = (Sha256::new(), 0);
        let mut buffer = vec![0; 1 << 20];
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(Self { bytes, hash: hex(&hash.finalize()) }),
                n => {
                    hash.update(&buffer[..n]);
                    bytes += n as u64;
                }
            }
        }
    }
}

/// Quotes these arguments for a shell, preceded by the program's name.
pub fn command_line(typed: &[String]) -> String {
    let quoted = shlex::try_join(typed.iter().map(String::as_str)).expect("arguments have no zero bytes");
    format!("truecount {quoted}")
}

/// Formats bytes as hexadecimal, two digits a byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}
