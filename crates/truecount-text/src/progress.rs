//! Reports progress while files are read.

use std::io::{self, Read};
use std::sync::Arc;

/// Shows how far reading has come.
pub trait Progress: Sync {
    /// Reading begins of an input with this name, and this many bytes if that is known. It has ended when the meter is
    /// dropped.
    fn begin(&self, what: &str, bytes: Option<u64>) -> Arc<dyn Meter>;
}

/// Measures one reading.
pub trait Meter: Send + Sync {
    /// This many more bytes were read.
    fn advance(&self, bytes: u64);
}

/// Shows nothing.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: Option<u64>) -> Arc<dyn Meter> {
        Arc::new(Self)
    }
}

impl Meter for Silent {
    fn advance(&self, _: u64) {}
}

/// Bytes that a meter counts as they are read.
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
