//! Bytes from a file or standard input, opened once, unpacked, and counted as they are read.

use crate::progress::Metered;
use crate::{Meter, Progress};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use truecount::{Error, ErrorLocation};
use truecount_analysis::TableProblem;

const BUFFER: usize = 1 << 17;

/// What some programs write before text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What is held in memory as a whole may be this large, and this many times as large as it is when packed, beyond that.
const CONTENT: u64 = 1 << 24;
const CONTENT_RATIO: u64 = 8;

/// As many bytes as tell what an input is: JSON may begin with spaces and empty lines.
const START: usize = 64;

/// What an input is by its first bytes, however it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing else, so it may be text.
    Text,
    /// Apache Parquet.
    Parquet,
    /// An Arrow IPC file, or Feather.
    ArrowFile,
    /// An Arrow IPC stream.
    ArrowStream,
    /// Objects of JSON, one a line.
    JsonLines,
    /// One array of objects of JSON.
    JsonArray,
    /// A workbook of Excel, or another zip archive.
    Workbook,
    /// Nothing that could be read: what it is, and what to do about it.
    Other(&'static str),
}

/// Bytes that are read from their beginning to their end.
pub type InputStream = Box<dyn BufRead + Send>;

/// A way in which bytes are packed.
#[derive(Clone, Copy)]
pub struct Packing {
    /// Whether a file that begins with these bytes is packed so.
    pub is_packed: fn(&[u8]) -> bool,
    /// Unpacks a file as it is read.
    pub unpack: fn(InputStream) -> io::Result<InputStream>,
}

/// What gzip packs, also in several parts.
pub const GZIP: Packing = Packing {
    is_packed: |start| start.starts_with(&[0x1f, 0x8b]),
    unpack: |bytes| Ok(Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(bytes)))),
};

/// Whether zstd packed a file that begins with these bytes: it may begin with a frame for something else, which is skipped.
pub fn is_zstd(start: &[u8]) -> bool {
    matches!(start, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// An input that is open, from its beginning. What is read from a pipe is gone, so nothing opens an input twice.
pub struct Input {
    name: String,
    start: Vec<u8>,
    kind: Kind,
    bytes: Bytes,
    /// How many bytes were read of it, as they are stored.
    packed: Arc<AtomicU64>,
}

/// The bytes of an input.
pub enum Bytes {
    /// An ordinary file, of a format that is read from several places at once.
    File(File),
    /// Anything else, unpacked.
    Stream(InputStream),
}

impl Input {
    /// Opens a file, or standard input for `-`, which may be packed in one of these ways.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn open(path: &Path, progress: &dyn Progress, packings: &[Packing]) -> Result<Self, Error> {
        Self::metered(path, &progress.begin(&name(path), length([path])), packings)
    }

    /// Opens a file like [`open`](Self::open); the meter counts the bytes as they are stored.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn metered(path: &Path, meter: &Arc<dyn Meter>, packings: &[Packing]) -> Result<Self, Error> {
        let name = name(path);
        if is_stdio(path) {
            return Self::reading(&name, io::stdin(), meter, packings);
        }
        let failed = |e: io::Error| TableProblem::unreadable(&name)(describe(&e));
        let file = File::open(path).map_err(TableProblem::unreadable(&name))?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(TableProblem::Folder { file: name }.into());
        }
        if metadata.is_file() {
            let start = start_of(&mut &file).map_err(failed)?;
            (&file).rewind().map_err(failed)?;
            let kind = Kind::from_start(&start);
            if matches!(kind, Kind::Parquet | Kind::ArrowFile) {
                let packed = Arc::new(AtomicU64::new(metadata.len()));
                return Ok(Self { name, start, kind, bytes: Bytes::File(file), packed });
            }
        }
        Self::reading(&name, file, meter, packings)
    }

    /// The input of this name that can be read only from its beginning to its end.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn reading(
        name: &str,
        raw: impl Read + Send + 'static,
        meter: &Arc<dyn Meter>,
        packings: &[Packing],
    ) -> Result<Self, Error> {
        let packed = Arc::new(AtomicU64::new(0));
        let counting = CountingReader { bytes: Arc::clone(&packed), meter: Arc::clone(meter) };
        let opened = || {
            let (is_packed, bytes) = unpacked(raw, counting, packings)?;
            peeked(bytes).map(|(start, bytes)| (is_packed, start, bytes))
        };
        let (is_packed, start, bytes) = opened().map_err(|e| TableProblem::unreadable(name)(describe(&e)))?;
        let kind = match (GZIP.is_packed)(&start) || is_zstd(&start) {
            true if is_packed => Kind::Other("packed twice; unpack it once"),
            true => Kind::Other("packed with zstd; pack it with gzip instead"),
            false => Kind::from_start(&start),
        };
        Ok(Self { name: name.to_owned(), start, kind, bytes: Bytes::Stream(Box::new(bytes)), packed })
    }

    /// Its format.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its first few bytes.
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its bytes, as a file where it is one of a format that is read from several places at once.
    pub fn bytes(self) -> Bytes {
        self.bytes
    }

    /// Its bytes.
    pub fn stream(self) -> InputStream {
        match self.bytes {
            Bytes::File(file) => Box::new(BufReader::with_capacity(BUFFER, file)),
            Bytes::Stream(stream) => stream,
        }
    }

    /// Its bytes, all at once: of what is held in memory as a whole.
    ///
    /// # Errors
    /// Returns an error if they cannot be read, or are so many more than the packed ones that no honest file has them.
    pub fn content(self) -> Result<Vec<u8>, Error> {
        let Self { name, packed, .. } = &self;
        let (name, packed) = (name.clone(), Arc::clone(packed));
        let (mut content, mut stream) = (Vec::new(), self.stream());
        loop {
            let before = content.len();
            stream
                .by_ref()
                .take(CONTENT)
                .read_to_end(&mut content)
                .map_err(|e| TableProblem::unreadable(&name)(describe(&e)))?;
            if content.len() == before {
                return Ok(content);
            }
            let packed = packed.load(Ordering::Relaxed);
            if content.len() as u64 > CONTENT + CONTENT_RATIO * packed {
                let megabytes = content.len() >> 20;
                return Err(ErrorLocation::file(name).error(TableProblem::Inflated { packed, megabytes }));
            }
        }
    }
}

impl Kind {
    fn from_start(start: &[u8]) -> Self {
        match start {
            [b'P', b'A', b'R', b'1', ..] => Self::Parquet,
            [b'A', b'R', b'R', b'O', b'W', b'1', ..] => Self::ArrowFile,
            [0xff, 0xff, 0xff, 0xff, ..] => Self::ArrowStream,
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Self::Other("UTF-16 text; save it as UTF-8"),
            [b'P', b'K', 3, 4, ..] => Self::Workbook,
            [0xd0, 0xcf, 0x11, 0xe0, ..] => {
                Self::Other("an old workbook (.xls), or one with a password; save it as .xlsx without one, or as CSV")
            }
            [b'P', b'A', b'R', b'E', ..] => Self::Other("encrypted Parquet; decrypt it first"),
            start => match start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start).trim_ascii_start() {
                [b'{', ..] => Self::JsonLines,
                // A column of a text may be called [score].
                [b'[', rest @ ..] if matches!(rest.trim_ascii_start(), [] | [b'{' | b']', ..]) => Self::JsonArray,
                _ => Self::Text,
            },
        }
    }
}

/// Counts bytes for itself as well.
struct CountingReader {
    bytes: Arc<AtomicU64>,
    meter: Arc<dyn Meter>,
}

impl Meter for CountingReader {
    fn advance(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.meter.advance(bytes);
    }
}

/// Unpacks bytes that are packed in one of these ways, and tells whether they were.
fn unpacked(
    raw: impl Read + Send + 'static,
    meter: CountingReader,
    packings: &[Packing],
) -> io::Result<(bool, InputStream)> {
    let raw = BufReader::with_capacity(BUFFER, Metered { bytes: raw, meter: Arc::new(meter) });
    let (start, bytes) = peeked(raw)?;
    match packings.iter().find(|packing| (packing.is_packed)(&start)) {
        Some(packing) => Ok((true, (packing.unpack)(Box::new(bytes))?)),
        None => Ok((false, Box::new(bytes))),
    }
}

/// The first bytes, and all of them: a pipe may give them one by one.
fn peeked<R: BufRead>(mut bytes: R) -> io::Result<(Vec<u8>, impl BufRead + use<R>)> {
    let start = start_of(&mut bytes)?;
    Ok((start.clone(), Cursor::new(start).chain(bytes)))
}

fn start_of(bytes: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(START);
    bytes.take(START as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// Whether the path means standard input or output.
pub fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of an input in messages.
pub fn name(path: &Path) -> String {
    if is_stdio(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// An I/O error in words.
pub fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the compressed file is cut off; get a complete copy".to_owned(),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
            format!("{error}; the file is damaged, get a good copy")
        }
        _ => error.to_string(),
    }
}

/// Whether it is an ordinary file, which can be read again: what comes through a pipe cannot.
pub fn is_file(path: &Path) -> bool {
    !is_stdio(path) && path.metadata().is_ok_and(|metadata| metadata.is_file())
}

/// One name for all these inputs together.
pub fn title(paths: &[PathBuf]) -> String {
    match paths {
        [only] => name(only),
        several => format!("{} files", several.len()),
    }
}

/// The total length of all files; `None` if one is not an ordinary file.
pub fn length<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Option<u64> {
    let of = |path: &Path| path.metadata().ok().filter(|_| is_file(path)).map(|metadata| metadata.len());
    paths.into_iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    /// What is not packed is no larger than itself, whatever its format.
    #[test]
    fn large_contents_that_are_not_packed() {
        let folder = tempfile::tempdir().unwrap();
        for start in ["PAR1", "{"] {
            let path = folder.path().join("large");
            let content = [start.as_bytes(), &vec![b' '; 1 << 25]].concat();
            std::fs::write(&path, &content).unwrap();
            assert!(Input::open(&path, &Silent, &[]).unwrap().content().unwrap() == content, "{start}");
        }
    }
}
