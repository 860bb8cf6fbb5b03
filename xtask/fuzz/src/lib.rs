//! Fuzz targets for all readers of untrusted input. `cargo xtask fuzz` searches for hours, guided
//! by coverage; the tests replay earlier failures and damage inputs for a short while.
//!
//! A target is a module with valid inputs ([`Target::seeds`]) and a function that asserts the
//! properties of any input ([`Target::read`]). A reader must return a result or an error, without a
//! panic, a long wait, or more memory than a multiple of the input ([`run`]).

pub mod arrow;
mod disk;
pub mod labelled;
pub mod memory;
pub mod model;
pub mod mutate;
pub mod parquet;
mod reference;
#[cfg(feature = "search")]
pub mod search;
mod table;
pub mod tally;
pub mod text;

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A reader of untrusted input.
pub struct Target {
    /// Name of the target and of its folder in `corpus/`.
    pub name: &'static str,
    /// Returns inputs that the reader accepts.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Bytes that mean something to the reader.
    pub words: &'static [&'static [u8]],
    /// Reads an input, and panics if a required property does not hold.
    pub read: fn(&[u8]),
}

/// All targets.
pub const TARGETS: [Target; 6] =
    [text::TARGET, labelled::TARGET, parquet::TARGET, arrow::TARGET, tally::TARGET, model::TARGET];

/// Maximal time for one input. Inputs here are small; such a reader would need minutes for files of
/// ordinary size.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Memory that a reader may use per byte of input.
const MEMORY_FACTOR: usize = 10;

/// Memory in bytes that a reader may use for any input.
const MEMORY_BASE: usize = 200_000_000;

/// Feeds an input to a target.
///
/// # Panics
/// If the reader panics, is slow, or takes too much memory.
pub fn run(target: &Target, input: &[u8]) {
    // Memory is measured for the whole program, so one input is read at a time.
    static LOCK: Mutex<()> = Mutex::new(());
    let _guard = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let start = Instant::now();
    let before = memory::reset_peak();
    (target.read)(input);
    let (taken, limit) = (memory::peak() - before, MEMORY_FACTOR * input.len() + MEMORY_BASE);
    assert!(taken <= limit, "{}: {} bytes of input took {taken} bytes of memory", target.name, input.len());
    let time = start.elapsed();
    assert!(time <= TIME_LIMIT, "{}: {} bytes of input took {time:?}", target.name, input.len());
}
