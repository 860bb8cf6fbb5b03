//! Tally files. A damaged one is refused; one whose checksum somebody made to match may be accepted, and can then be used.

use crate::{Target, table};
use std::sync::OnceLock;
use truecount::IntervalOptions;
use truecount_analysis::executor::Sequential;
use truecount_tables::groups::{Groups, Keys};
use truecount_tables::tally::{TallyFile, bytes};
use twox_hash::XxHash64;

/// Its target.
pub const TARGET: Target = Target { name: "tally", seeds, words: &WORDS, read };

const WORDS: [&[u8]; 8] = [
    b"PAR1",
    b"truecount tally",
    b"\"checksum\":\"",
    b"\"by\":[]",
    b"\"together\"",
    b"\"each\"",
    b"counts",
    b"\0\0\0\0",
];

const MARK: &[u8] = b"\"checksum\":\"";

fn seeds() -> Vec<Vec<u8>> {
    let model = table::model();
    let weighted = [false, true].map(|weighted| {
        let empty = || if weighted { model.weighted_tallies().expect("methods with weights") } else { model.tallies() };
        let mut contents = vec![empty(), empty(), empty()];
        for (tallies, from) in contents.iter_mut().zip(0..) {
            let scores: Vec<f64> = (0..9).map(|i| f64::from(i * 3 + from) / 6.0).collect();
            let batch = truecount::Batch::from(&scores[..]);
            let weights = [1.5; 9];
            let batch = if weighted { batch.with_weights(&weights).expect("one each") } else { batch };
            model.update(tallies, batch).expect("finite scores");
        }
        let keys = Keys::new(table::batch(3).project(&[4, 7]).expect("columns of it"));
        bytes(&Groups { keys, contents, shift_total: None }, model, weighted, vec!["scores.csv".to_owned()], Some(7))
    });
    let contents = vec![model.tallies()];
    let single = bytes(&Groups { keys: Keys::none(), contents, shift_total: None }, model, false, Vec::new(), None);
    weighted.into_iter().chain([single]).collect()
}

fn read(input: &[u8]) {
    static WHOLE: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let model = table::model();
    let read = TallyFile::parse(input.to_vec(), model);
    assert!(
        read.is_err() || WHOLE.get_or_init(seeds).iter().any(|whole| whole == input),
        "a damaged tally is accepted"
    );
    if let Ok(file) = TallyFile::parse(sealed(input), model) {
        // What is refused here is another thing than a panic.
        drop(file.groups.finish(&Sequential, model, &IntervalOptions::default()));
    }
}

/// The same with the checksum that its contents have.
fn sealed(input: &[u8]) -> Vec<u8> {
    let mut file = input.to_vec();
    let Some(mark) = memchr::memmem::rfind(&file, MARK) else { return file };
    let start = mark + MARK.len();
    if let Some(place) = file.get_mut(start..start + 16) {
        place.fill(b'0');
        let checksum = format!("{:016x}", XxHash64::oneshot(0, &file));
        file[start..start + 16].copy_from_slice(checksum.as_bytes());
    }
    file
}
