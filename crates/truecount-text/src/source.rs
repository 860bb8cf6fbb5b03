//! Opens a file or standard input: detects its format, decompresses it, and counts the bytes read.

use crate::encoding::Utf16;
use crate::progress::Metered;
use crate::{Meter, Progress};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use truecount::Error;
use truecount::error::ErrorLocation;
use truecount_analysis::TableProblem;

const BUFFER: usize = 1 << 17;

/// The UTF-8 byte order mark, which some programs write before text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Limit on the size of contents that are held in memory, as a protection against decompression
/// bombs: `MAX_CONTENT + MAX_CONTENT_RATIO` × the compressed size, in bytes.
const MAX_CONTENT: u64 = 1 << 24;
const MAX_CONTENT_RATIO: u64 = 8;

/// Number of first bytes from which the format is detected: JSON may begin with white space.
const START: usize = 262;

/// The format of an input, detected from its first bytes whatever its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Text, if no other format matches.
    Text,
    /// Apache Parquet.
    Parquet,
    /// An Arrow IPC file (Feather).
    ArrowFile,
    /// An Arrow IPC stream.
    ArrowStream,
    /// JSON objects, one per line.
    JsonLines,
    /// An array of JSON objects.
    JsonArray,
    /// An Excel workbook, or another zip archive.
    Workbook,
    /// An unsupported format: its name, with what to do about it.
    Other(&'static str),
}

/// A sequential stream of bytes.
pub type InputStream = Box<dyn BufRead + Send>;

/// A compression format.
#[derive(Clone, Copy)]
pub struct Compression {
    /// Returns whether a file that begins with these bytes is compressed in this format.
    pub is_compressed: fn(&[u8]) -> bool,
    /// Decompresses a stream as it is read.
    pub decompress: fn(InputStream) -> io::Result<InputStream>,
}

/// Gzip, also with several members.
pub const GZIP: Compression = Compression {
    is_compressed: |start| start.starts_with(&[0x1f, 0x8b]),
    decompress: |bytes| Ok(Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(bytes)))),
};

/// Returns whether a file that begins with these bytes is compressed with zstd; it may begin with a
/// skippable frame.
pub fn is_zstd(start: &[u8]) -> bool {
    matches!(start, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// An open input at its beginning. An input is opened only once, since a pipe cannot be read again.
pub struct Input {
    name: String,
    start: Vec<u8>,
    kind: FileFormat,
    bytes: Bytes,
    /// The number of bytes read so far, before decompression.
    compressed_bytes: Arc<AtomicU64>,
    meter: Arc<dyn Meter>,
}

/// The bytes of an input.
pub enum Bytes {
    /// A regular file in a format that is read with random access.
    File(File),
    /// Any other input, decompressed.
    Stream(InputStream),
}

impl Input {
    /// Opens a file, or standard input for `-`, which may be compressed in one of these formats.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read.
    pub fn open(path: &Path, progress: &dyn Progress, compressions: &[Compression]) -> Result<Self, Error> {
        Self::open_metered(path, &progress.begin(&name(path), length([path])), compressions)
    }

    /// Opens a file like [`open`](Self::open). The meter counts the bytes before decompression.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read.
    pub fn open_metered(path: &Path, meter: &Arc<dyn Meter>, compressions: &[Compression]) -> Result<Self, Error> {
        let name = name(path);
        if is_stdio(path) {
            return Self::from_reader(&name, io::stdin(), meter, compressions);
        }
        let failed = |e: io::Error| TableProblem::unreadable(&name)(describe_io_error(&e));
        let file = File::open(path).map_err(TableProblem::unreadable(&name))?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(TableProblem::FolderNotFile { file: name }.into());
        }
        if metadata.is_file() {
            let start = read_start(&mut &file).map_err(failed)?;
            (&file).rewind().map_err(failed)?;
            let kind = FileFormat::from_start(&start);
            if matches!(kind, FileFormat::Parquet | FileFormat::ArrowFile) {
                let compressed_bytes = Arc::new(AtomicU64::new(metadata.len()));
                let meter = Arc::clone(meter);
                return Ok(Self { name, start, kind, bytes: Bytes::File(file), compressed_bytes, meter });
            }
        }
        Self::from_reader(&name, file, meter, compressions)
    }

    /// Creates an input of this name from a sequential reader.
    ///
    /// # Errors
    /// Returns an error if the reader fails.
    pub fn from_reader(
        name: &str,
        raw: impl Read + Send + 'static,
        meter: &Arc<dyn Meter>,
        compressions: &[Compression],
    ) -> Result<Self, Error> {
        let compressed_bytes = Arc::new(AtomicU64::new(0));
        let counting = CountingMeter { bytes: Arc::clone(&compressed_bytes), meter: Arc::clone(meter) };
        let opened = || {
            let (is_compressed, bytes) = decompress(raw, counting, compressions)?;
            let (start, bytes) = peek(bytes)?;
            let Some(encoding) = Utf16::detect(&start) else { return Ok((is_compressed, start, Box::new(bytes) as _)) };
            meter.note(&format!("note: {name} is read as UTF-16 text"));
            let (start, text) = peek(BufReader::with_capacity(BUFFER, encoding.decode(bytes)))?;
            Ok((is_compressed, start, Box::new(text) as InputStream))
        };
        let (is_compressed, start, bytes) =
            opened().map_err(|e| TableProblem::unreadable(name)(describe_io_error(&e)))?;
        let kind = match (GZIP.is_compressed)(&start) || is_zstd(&start) {
            true if is_compressed => FileFormat::Other("compressed twice; decompress it once"),
            true => FileFormat::Other("compressed with zstd; use gzip instead"),
            false => FileFormat::from_start(&start),
        };
        let (name, meter) = (name.to_owned(), Arc::clone(meter));
        Ok(Self { name, start, kind, bytes: Bytes::Stream(bytes), compressed_bytes, meter })
    }

    /// Returns the format of the input.
    pub fn kind(&self) -> FileFormat {
        self.kind
    }

    /// Returns the first few bytes.
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// Returns the name of the input in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the meter of the input, which takes notes.
    pub fn meter(&self) -> &Arc<dyn Meter> {
        &self.meter
    }

    /// Returns the bytes: as a file if the format is read with random access, or else as a stream.
    pub fn bytes(self) -> Bytes {
        self.bytes
    }

    /// Returns the bytes as a stream.
    pub fn stream(self) -> InputStream {
        match self.bytes {
            Bytes::File(file) => Box::new(BufReader::with_capacity(BUFFER, file)),
            Bytes::Stream(stream) => stream,
        }
    }

    /// Reads all bytes into memory.
    ///
    /// # Errors
    /// Returns an error if the bytes cannot be read, or [`TableProblem::DecompressionLimit`] if they are
    /// implausibly many for the compressed size.
    pub fn content(self) -> Result<Vec<u8>, Error> {
        let Self { name, compressed_bytes, .. } = &self;
        let (name, compressed_bytes) = (name.clone(), Arc::clone(compressed_bytes));
        let (mut content, mut stream) = (Vec::new(), self.stream());
        loop {
            let before = content.len();
            stream
                .by_ref()
                .take(MAX_CONTENT)
                .read_to_end(&mut content)
                .map_err(|e| TableProblem::unreadable(&name)(describe_io_error(&e)))?;
            if content.len() == before {
                return Ok(content);
            }
            let packed = compressed_bytes.load(Ordering::Relaxed);
            if content.len() as u64 > MAX_CONTENT + MAX_CONTENT_RATIO * packed {
                let megabytes = content.len() >> 20;
                return Err(ErrorLocation::file(name).error(TableProblem::DecompressionLimit { packed, megabytes }));
            }
        }
    }
}

impl FileFormat {
    fn from_start(start: &[u8]) -> Self {
        match start {
            [b'P', b'A', b'R', b'1', ..] => Self::Parquet,
            [b'A', b'R', b'R', b'O', b'W', b'1', ..] => Self::ArrowFile,
            [0xff, 0xff, 0xff, 0xff, ..] => Self::ArrowStream,
            [b'P', b'K', 3, 4, ..] => Self::Workbook,
            start if let Some(other) = other_format(start) => Self::Other(other),
            start => match start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start).trim_ascii_start() {
                // A document over several lines, as results are written.
                [b'{', b'\n', ..] | [b'{', b'\r', b'\n', ..] => Self::JsonArray,
                [b'{', ..] => Self::JsonLines,
                // A column of delimited text may be called [score].
                [b'[', rest @ ..] if matches!(rest.trim_ascii_start(), [] | [b'{' | b']', ..]) => Self::JsonArray,
                _ => Self::Text,
            },
        }
    }
}

/// Formats that are not read: their first bytes, and a hint.
const OTHER_FORMATS: [(&[u8], &str); 19] = [
    (b"\xd0\xcf\x11\xe0", "an old workbook (.xls), or one with a password; save it as .xlsx without one, or as CSV"),
    (b"BZh", "compressed with bzip2; use gzip instead"),
    (b"\xfd7zXZ\0", "compressed with xz; use gzip instead"),
    (b"\x04\x22\x4d\x18", "compressed with lz4; use gzip instead"),
    (b"LZIP", "compressed with lzip; use gzip instead"),
    (b"7z\xbc\xaf", "a 7-Zip archive; extract the table"),
    (b"Rar!", "a RAR archive; extract the table"),
    (b"PARE", "encrypted Parquet; decrypt it first"),
    (b"%PDF", "a PDF document; save the table as CSV"),
    (b"<!DOCTYPE", "an HTML page; save the table as CSV"),
    (b"<html", "an HTML page; save the table as CSV"),
    (b"RDX", "a file of R; write the table with write.csv"),
    (b"X\n\0\0\0", "a file of R; write the table with write.csv"),
    (b"$FL", "a file of SPSS; save it as CSV"),
    (b"<stata_dta>", "a file of Stata; save it as CSV"),
    (b"SQLite format 3\0", "an SQLite database; save the table as CSV"),
    (b"\x89HDF", "an HDF5 file; save the table as CSV or Parquet"),
    (b"Obj\x01", "an Avro file; save the table as CSV or Parquet"),
    (b"ORC", "an ORC file; save the table as CSV or Parquet"),
];

/// Returns the hint for a format that is not read.
fn other_format(start: &[u8]) -> Option<&'static str> {
    // A header of text may begin like a binary file, as PARENT does.
    let is_binary = start.iter().any(|byte| *byte < b'\t');
    let begins_with = |first: &[u8]| start.get(..first.len()).is_some_and(|start| start.eq_ignore_ascii_case(first));
    let is_certain = |first: &[u8]| !first.is_ascii() || first.starts_with(b"<") || first == b"%PDF";
    let is_known = |first: &[u8]| begins_with(first) && (is_binary || is_certain(first));
    let known = OTHER_FORMATS.iter().find(|(first, _)| is_known(first)).map(|(_, remedy)| *remedy);
    known.or_else(|| (start.get(257..262) == Some(b"ustar")).then_some("a tar archive; extract the table"))
}

struct CountingMeter {
    bytes: Arc<AtomicU64>,
    meter: Arc<dyn Meter>,
}

impl Meter for CountingMeter {
    fn advance(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.meter.advance(bytes);
    }

    fn note(&self, message: &str) {
        self.meter.note(message);
    }
}

/// Decompresses bytes if they are in one of these formats; returns whether they were, and the
/// stream.
fn decompress(
    raw: impl Read + Send + 'static,
    meter: CountingMeter,
    compressions: &[Compression],
) -> io::Result<(bool, InputStream)> {
    let raw = BufReader::with_capacity(BUFFER, Metered { bytes: raw, meter: Arc::new(meter) });
    let (start, bytes) = peek(raw)?;
    match compressions.iter().find(|compression| (compression.is_compressed)(&start)) {
        Some(compression) => Ok((true, (compression.decompress)(Box::new(bytes))?)),
        None => Ok((false, Box::new(bytes))),
    }
}

/// Returns the first bytes, and a stream of all bytes.
fn peek<R: BufRead>(mut bytes: R) -> io::Result<(Vec<u8>, impl BufRead + use<R>)> {
    let start = read_start(&mut bytes)?;
    Ok((start.clone(), Cursor::new(start).chain(bytes)))
}

/// Reads the first bytes, of which a pipe may return only a few at a time.
fn read_start(bytes: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(START);
    bytes.take(START as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// Returns whether the path stands for standard input or output.
pub fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns the name of an input in messages.
pub fn name(path: &Path) -> String {
    if is_stdio(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Returns the message for an I/O error while reading.
pub fn describe_io_error(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the compressed file is cut off; get a complete copy".to_owned(),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
            format!("{error}; the file is damaged, get a good copy")
        }
        _ => error.to_string(),
    }
}

/// Returns the error that a file is damaged.
pub fn damaged(file_name: &str, format: &'static str) -> impl Fn(String) -> Error {
    move |reason| ErrorLocation::file(file_name).error(TableProblem::FileDamaged { format, reason })
}

/// Returns whether the path is a regular file, which can be read again, unlike a pipe.
pub fn is_file(path: &Path) -> bool {
    !is_stdio(path) && path.metadata().is_ok_and(|metadata| metadata.is_file())
}

/// Returns a common name for these inputs in messages.
pub fn title(paths: &[PathBuf]) -> String {
    match paths {
        [only] => name(only),
        several => format!("{} files", several.len()),
    }
}

/// Returns the total size of the files in bytes, or `None` if one is not a regular file.
pub fn length<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Option<u64> {
    let size = |path: &Path| path.metadata().ok().filter(|_| is_file(path)).map(|metadata| metadata.len());
    paths.into_iter().map(size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoProgress;

    /// The limit on the decompression ratio does not apply to uncompressed files.
    #[test]
    fn large_uncompressed_contents_are_read() {
        let folder = tempfile::tempdir().unwrap();
        for start in ["PAR1", "{"] {
            let path = folder.path().join("large");
            let content = [start.as_bytes(), &vec![b' '; 1 << 25]].concat();
            std::fs::write(&path, &content).unwrap();
            assert!(Input::open(&path, &NoProgress, &[]).unwrap().content().unwrap() == content, "{start}");
        }
    }
}
