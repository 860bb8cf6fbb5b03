//! The folder for transcripts of `--label-weight`, `--label-cluster` and `--label-stratum`.

use crate::common::Folder;
use std::fmt::Write;

/// A folder with `test.csv` and a labelled table with weights `w`, equal weights `same`, and
/// clusters `c`, and strata `h` by score.
pub fn folder() -> Folder {
    let mut train = "score,label,w,same,c,h\n".to_owned();
    for i in 0..120_u32 {
        let positive = u32::from(i % 2 == 0);
        // Multiples of the golden ratio modulo 1 are evenly spread and reproducible.
        let spread = (f64::from(i) * 0.618_033_988_75).fract();
        let score = 0.25 * f64::from(positive) + 0.7 * spread;
        writeln!(train, "{score:.4},{positive},{},{},day {},{}", 1 + i % 5, 2, i / 6, score > 0.5).unwrap();
    }
    let test: String = (0..300)
        .map(|i| format!("{:.4}", 0.95 * (f64::from(i) * 0.618_033_988_75).fract()))
        .collect::<Vec<_>>()
        .join("\n");
    Folder::new().file("train.csv", train).file("test.csv", format!("score\n{test}\n"))
}
