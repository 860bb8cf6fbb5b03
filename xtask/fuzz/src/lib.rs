//! Every reader of what others wrote, fed with what nobody should write: `cargo xtask fuzz` searches for hours, guided by which
//! code an input reaches; the tests go through what was found before, and a while on from there.
//!
//! A target is a file here: inputs that are whole ([`Target::seeds`]), and what must be true of any input at all
//! ([`Target::read`]). A reader answers or refuses: no panic, no long wait ([`run`]), and no more memory than a multiple of the input.

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
    /// What it is called, and its folder in `corpus/`.
    pub name: &'static str,
    /// Inputs that it accepts.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Bytes that mean something to it.
    pub words: &'static [&'static [u8]],
    /// Reads an input, and panics where something is untrue that must be true.
    pub read: fn(&[u8]),
}

/// All targets.
pub const TARGETS: [Target; 6] =
    [text::TARGET, labelled::TARGET, parquet::TARGET, arrow::TARGET, tally::TARGET, model::TARGET];

/// How long one input may take; what takes so long here would take minutes with the sizes that people have.
const PATIENCE: Duration = Duration::from_secs(10);

/// How much memory a reader may take: so many times the input, and so many bytes besides.
const MEMORY: [usize; 2] = [10, 200_000_000];

/// Feeds an input to a target.
///
/// # Panics
/// If the reader does, is slow, or takes too much memory.
pub fn run(target: &Target, input: &[u8]) {
    // Memory is that of the whole program, so one input is read at a time.
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let start = Instant::now();
    let before = memory::begin();
    (target.read)(input);
    let (taken, most) = (memory::most() - before, MEMORY[0] * input.len() + MEMORY[1]);
    assert!(taken <= most, "{}: {} bytes of input took {taken} bytes of memory", target.name, input.len());
    let time = start.elapsed();
    assert!(time <= PATIENCE, "{}: {} bytes of input took {time:?}", target.name, input.len());
}
