//! A file that several threads read at their own offsets.

use bytes::Bytes;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

/// A regular file for concurrent random access.
#[derive(Clone)]
pub struct SharedFile {
    file: Arc<File>,
    length: u64,
}

impl SharedFile {
    pub fn new(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { file: Arc::new(file), length })
    }

    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns a reader that begins at an offset.
    pub fn reader_at(&self, offset: u64) -> BufReader<FileCursor> {
        BufReader::new(FileCursor { file: Arc::clone(&self.file), offset })
    }

    /// Reads `length` bytes at an offset. The range is checked before memory is allocated, since a
    /// damaged file may state a wrong length.
    pub fn bytes(&self, offset: u64, length: u64) -> io::Result<Bytes> {
        if offset.checked_add(length).is_none_or(|end| end > self.length) {
            return Err(io::Error::other(format!("{length} bytes expected at {offset} of {}", self.length)));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).map_err(io::Error::other)?);
        FileCursor { file: Arc::clone(&self.file), offset }.take(length).read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(bytes.into())
    }

    /// Returns whether several files were concatenated, of which a reader would see only the last.
    ///
    /// `end_of_parts`, as stated in the last file, counts from the start of that file; `footer`
    /// counts from the start of all. Their difference is at least the length of the other files, at
    /// whose end there is a `seam`: the end of one file and the beginning of the next.
    pub fn is_joined(&self, end_of_parts: u64, footer: u64, seam: &[u8]) -> io::Result<bool> {
        let room = footer.saturating_sub(end_of_parts) + seam.len() as u64;
        let finder = memchr::memmem::Finder::new(seam);
        let (step, mut offset) = (1 << 20, 0);
        while offset < room.min(self.length) {
            let length = (step + seam.len() as u64).min(self.length - offset);
            if finder.find(&self.bytes(offset, length)?).is_some() {
                return Ok(true);
            }
            offset += step;
        }
        Ok(false)
    }
}

/// A cursor with its own offset, independent of that of the file.
pub struct FileCursor {
    file: Arc<File>,
    offset: u64,
}

impl Read for FileCursor {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = read_at(&self.file, buffer, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}
