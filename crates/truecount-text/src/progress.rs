//! Reports progress, and notes about the input, while files are read.

use std::io::{self, Read};
use std::sync::Arc;

/// Shows how far reading has come.
pub trait Progress: Sync {
    /// Begins to report the reading of an input with this name and size in bytes, if known. Reading
    /// has ended when the meter is dropped.
    fn begin(&self, name: &str, bytes: Option<u64>) -> Arc<dyn Meter>;

    /// Shows a warning or a note about an input that has been read.
    fn note(&self, name: &str, message: &str) {
        self.begin(name, None).note(message);
    }
}

/// Measures the reading of one input.
pub trait Meter: Send + Sync {
    /// Reports that this many more bytes were read.
    fn advance(&self, bytes: u64);

    /// Shows a warning or a note about how the input is read.
    fn note(&self, message: &str);
}

/// A progress without any output, which also drops notes.
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _: &str, _: Option<u64>) -> Arc<dyn Meter> {
        Arc::new(Self)
    }
}

impl Meter for NoProgress {
    fn advance(&self, _: u64) {}

    fn note(&self, _: &str) {}
}

/// A reader that reports the bytes it reads to a meter.
pub(crate) struct Metered<R> {
    pub bytes: R,
    pub meter: Arc<dyn Meter>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer)?;
        self.meter.advance(read as u64);
        Ok(read)
    }
}
