//! A file that several threads read, each at its own places.

use bytes::Bytes;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

/// An ordinary file.
#[derive(Clone)]
pub struct RandomFile {
    file: Arc<File>,
    length: u64,
}

impl RandomFile {
    pub fn new(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { file: Arc::new(file), length })
    }

    pub fn length(&self) -> u64 {
        self.length
    }

    /// The bytes from a place on.
    pub fn from(&self, place: u64) -> BufReader<At> {
        BufReader::new(At { file: Arc::clone(&self.file), next: place })
    }

    /// So many bytes. What a damaged file says of its parts is not believed: room is made for what is there.
    pub fn bytes(&self, place: u64, length: u64) -> io::Result<Bytes> {
        if place.checked_add(length).is_none_or(|end| end > self.length) {
            return Err(io::Error::other(format!("{length} bytes expected at {place} of {}", self.length)));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).map_err(io::Error::other)?);
        At { file: Arc::clone(&self.file), next: place }.take(length).read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(bytes.into())
    }

    /// Whether the file is several, one after another, of which a reader sees the last alone: between what the last one says it
    /// consists of and its footer there is room for those before it, and in it the end of one and the beginning of the next.
    pub fn is_joined(&self, known: u64, footer: u64, seam: &[u8]) -> io::Result<bool> {
        let room = footer.saturating_sub(known) + seam.len() as u64;
        let found = memchr::memmem::Finder::new(seam);
        let (step, mut place) = (1 << 20, 0);
        while place < room.min(self.length) {
            let length = (step + seam.len() as u64).min(self.length - place);
            if found.find(&self.bytes(place, length)?).is_some() {
                return Ok(true);
            }
            place += step;
        }
        Ok(false)
    }
}

/// Reads from a place of its own without moving the file's.
pub struct At {
    file: Arc<File>,
    next: u64,
}

impl Read for At {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = read_at(&self.file, buffer, self.next)?;
        self.next += read as u64;
        Ok(read)
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], place: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, place)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], place: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, place)
}
