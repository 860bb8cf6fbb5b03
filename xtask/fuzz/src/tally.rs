//! Tally files. A damaged tally must be refused. If its checksum is made to match, the tally may be
//! accepted, and must then be usable.

use crate::{Target, table};
use std::sync::OnceLock;
use truecount::IntervalOptions;
use truecount::Tally;
use truecount_analysis::executor::Sequential;
use truecount_tables::groups::{Groups, Keys};
use truecount_tables::tally::{TallyFile, bytes};
use twox_hash::XxHash64;

/// The target of tally files.
pub const TARGET: Target = Target { name: "tally", seeds, words: &WORDS, read };

const WORDS: [&[u8]; 8] = [
    b"PAR1", b"truecount tally", b"\"checksum\":\"", b"\"by\":[]", b"\"together\"", b"\"each\"", b"counts", b"\0\0\0\0",
];

const CHECKSUM_KEY: &[u8] = b"\"checksum\":\"";

fn seeds() -> Vec<Vec<u8>> {
    let model = table::model();
    let grouped = [false, true].map(|weighted| {
        let empty = || if weighted { Tally::weighted(model).expect("methods with weights") } else { Tally::new(model) };
        let mut contents = vec![empty(), empty(), empty()];
        for (tallies, from) in contents.iter_mut().zip(0..) {
            let scores: Vec<f64> = (0..9).map(|i| f64::from(i * 3 + from) / 6.0).collect();
            let batch = truecount::Batch::from(&scores[..]);
            let weights = [1.5; 9];
            let batch = if weighted { batch.with_weights(&weights).expect("one each") } else { batch };
            tallies.update(batch).expect("finite scores");
        }
        let keys = Keys::new(table::batch(3).project(&[4, 7]).expect("columns of it"));
        bytes(&Groups { keys, contents, shift_total: None }, model, weighted, vec!["scores.csv".to_owned()], Some(7))
    });
    let contents = vec![Tally::new(model)];
    let single =
        bytes(&Groups { keys: Keys::single_group(), contents, shift_total: None }, model, false, Vec::new(), None);
    grouped.into_iter().chain([single]).collect()
}

fn read(input: &[u8]) {
    static SEEDS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let model = table::model();
    let read = TallyFile::parse(input.to_vec(), model);
    assert!(read.is_err() || SEEDS.get_or_init(seeds).iter().any(|seed| seed == input), "a damaged tally is accepted");
    if let Ok(file) = TallyFile::parse(with_valid_checksum(input), model) {
        // An error is fine here; a panic is not.
        drop(file.groups.estimate(&Sequential, model, &IntervalOptions::default()));
    }
}

/// Returns the file with the checksum of its contents, unchanged if it has no checksum.
fn with_valid_checksum(input: &[u8]) -> Vec<u8> {
    let mut file = input.to_vec();
    let Some(key) = memchr::memmem::rfind(&file, CHECKSUM_KEY) else { return file };
    let start = key + CHECKSUM_KEY.len();
    if let Some(digits) = file.get_mut(start..start + 16) {
        digits.fill(b'0');
        let checksum = format!("{:016x}", XxHash64::oneshot(0, &file));
        file[start..start + 16].copy_from_slice(checksum.as_bytes());
    }
    file
}
