//! Searches with libFuzzer. Each target is a program of its own, so that what is counted after every input is what the target can reach,
//! and no more.

use crate::Target;
use crate::mutate::{Random, mutate};
use std::path::Path;

/// Called once: writes the target's inputs to the folder `TRUECOUNT_FUZZ_SEEDS`, to begin with.
pub fn begin(target: &Target) {
    // Inputs are read faster without other threads.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global().expect("the first to build it");
    let folder = std::env::var("TRUECOUNT_FUZZ_SEEDS").expect("TRUECOUNT_FUZZ_SEEDS names a folder");
    for (number, seed) in (target.seeds)().iter().enumerate() {
        std::fs::write(Path::new(&folder).join(format!("seed-{number}")), seed).expect("seeds can be written");
    }
}

/// Changes the input in the first so many bytes of a place, half of the time as libFuzzer does; its size then.
pub fn change(target: &Target, place: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    if seed % 2 == 0 {
        return libfuzzer_sys::fuzzer_mutate(place, size, most);
    }
    let mut input = place[..size].to_vec();
    mutate(&mut input, &place[..size], target, most, &mut Random(u64::from(seed)));
    place[..input.len()].copy_from_slice(&input);
    input.len()
}

/// The program that searches a target.
#[macro_export]
macro_rules! search {
    ($target:expr) => {
        libfuzzer_sys::fuzz_target!(init: $crate::search::begin(&$target), |input: &[u8]| { $crate::run(&$target, input) });
        libfuzzer_sys::fuzz_mutator!(|place: &mut [u8], size: usize, most: usize, seed: u32| {
            $crate::search::change(&$target, place, size, most, seed)
        });
    };
}
