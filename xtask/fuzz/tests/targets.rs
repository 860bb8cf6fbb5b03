//! What was found before stays mended, and a short search from there finds nothing.

use std::fs;
use std::path::Path;
use truecount_fuzz::mutate::{Random, mutate};
use truecount_fuzz::{TARGETS, run};

/// How many damaged inputs each target gets here.
const INPUTS: [(&str, u64); 6] =
    [("text", 200_000), ("labelled", 20_000), ("parquet", 3000), ("arrow", 3000), ("tally", 5000), ("model", 20_000)];

/// Bytes of an input at most.
const MOST: usize = 1 << 14;

#[test]
fn every_target_reads_what_was_found_before_and_more() {
    for (target, (name, inputs)) in TARGETS.iter().zip(INPUTS) {
        assert_eq!(target.name, name);
        let mut known = (target.seeds)();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
        let mut files: Vec<_> = fs::read_dir(folder).into_iter().flatten().map(|file| file.unwrap().path()).collect();
        files.sort();
        known.extend(files.iter().map(|file| fs::read(file).unwrap()));
        for input in &known {
            run(target, input);
        }
        for seed in 0..inputs {
            let mut random = Random(seed);
            let (mut input, other) = (known[random.below(known.len())].clone(), &known[random.below(known.len())]);
            mutate(&mut input, other, target, MOST, &mut random);
            run(target, &input);
        }
    }
}
