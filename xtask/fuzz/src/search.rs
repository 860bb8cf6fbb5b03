//! Searches with libFuzzer. Each target is a separate program, so that coverage is counted only in
//! the code that the target can reach.

use crate::Target;
use crate::mutate::{Random, mutate};
use std::path::Path;

/// Writes the target's seeds to the folder `TRUECOUNT_FUZZ_SEEDS`. Must be called once, before the
/// search.
pub fn begin(target: &Target) {
    // Inputs are read faster without other threads.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global().expect("the first to build it");
    let folder = std::env::var("TRUECOUNT_FUZZ_SEEDS").expect("TRUECOUNT_FUZZ_SEEDS names a folder");
    for (number, seed) in (target.seeds)().iter().enumerate() {
        std::fs::write(Path::new(&folder).join(format!("seed-{number}")), seed).expect("seeds can be written");
    }
}

/// Mutates the input in the first `size` bytes of a buffer, half of the time with libFuzzer's
/// mutator, and returns its new size.
pub fn change(target: &Target, buffer: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    if seed % 2 == 0 {
        return libfuzzer_sys::fuzzer_mutate(buffer, size, max_size);
    }
    let mut input = buffer[..size].to_vec();
    mutate(&mut input, &buffer[..size], target, max_size, &mut Random(u64::from(seed)));
    buffer[..input.len()].copy_from_slice(&input);
    input.len()
}

/// Defines the program that searches a target.
#[macro_export]
macro_rules! search {
    ($target:expr) => {
        libfuzzer_sys::fuzz_target!(init: $crate::search::begin(&$target), |input: &[u8]| { $crate::run(&$target, input) });
        libfuzzer_sys::fuzz_mutator!(|buffer: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $crate::search::change(&$target, buffer, size, max_size, seed)
        });
    };
}
