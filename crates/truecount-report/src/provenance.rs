//! The provenance of a report: its date, the command, the program's version, and the files with their sizes and hashes.

use jiff::Timestamp;
use jiff::tz::Offset;
use sha2::{Digest, Sha256};
use std::env;
use std::io::{self, Read};
use std::time::{SystemTime, UNIX_EPOCH};

/// The variable with the seconds since 1970 that replace today's, for reports that are the same
/// byte for byte (reproducible-builds.org).
const SOURCE_DATE_EPOCH: &str = "SOURCE_DATE_EPOCH";

/// Names of the months; jiff's formatter would make the browser page larger.
const MONTHS: [&str; 12] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
];

/// The date of a report and the origin of its rows.
pub struct Provenance {
    /// The day on which the report is made, such as 26 November 2026, in UTC.
    pub date: String,
    /// The origin of the rows.
    pub origin: Origin,
}

/// The origin of the rows of a report.
pub enum Origin {
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

impl Provenance {
    /// Returns the provenance of a report that is made now.
    pub fn today(origin: Origin) -> Self {
        let fixed = env::var(SOURCE_DATE_EPOCH).ok().and_then(|seconds| seconds.parse().ok());
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs().cast_signed());
        Self { date: format_day(fixed.unwrap_or_else(now)), origin }
    }
}

/// Formats the day of a second since 1970, in UTC; empty beyond the year 9999.
fn format_day(second: i64) -> String {
    let Ok(time) = Timestamp::from_second(second) else { return String::new() };
    let date = Offset::UTC.to_datetime(time).date();
    let month = MONTHS[date.month().unsigned_abs() as usize - 1];
    format!("{} {month} {}", date.day(), date.year())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_in_words() {
        assert_eq!(format_day(0), "1 January 1970");
        assert_eq!(format_day(1_795_694_400), "26 November 2026");
        assert_eq!(format_day(i64::MAX), "");
    }
}
