//! Earlier failures stay fixed, and a short search from there detects no new ones.

use std::fs;
use std::path::Path;
use truecount_fuzz::mutate::{Random, mutate};
use truecount_fuzz::{TARGETS, run};

/// Number of damaged inputs for each target.
const INPUTS: [(&str, u64); 6] =
    [("text", 200_000), ("labelled", 20_000), ("parquet", 3000), ("arrow", 3000), ("tally", 5000), ("model", 20_000)];

/// Maximal size of an input in bytes.
const MAX_SIZE: usize = 1 << 14;

#[test]
fn every_target_reads_earlier_failures_and_damaged_inputs() {
    for (target, (name, inputs)) in TARGETS.iter().zip(INPUTS) {
        assert_eq!(target.name, name);
        let mut corpus = (target.seeds)();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
        let mut files: Vec<_> = fs::read_dir(folder).into_iter().flatten().map(|file| file.unwrap().path()).collect();
        files.sort();
        corpus.extend(files.iter().map(|file| fs::read(file).unwrap()));
        for input in &corpus {
            run(target, input);
        }
        for seed in 0..inputs {
            let mut random = Random(seed);
            let mut choose = || &corpus[random.below(corpus.len())];
            let (mut input, other) = (choose().clone(), choose());
            mutate(&mut input, other, target, MAX_SIZE, &mut random);
            run(target, &input);
        }
    }
}
