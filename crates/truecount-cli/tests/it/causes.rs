//! Folders for transcripts of `check`, which names the cause of a misfit.

use crate::common::Folder;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};

/// Offset and scale of the classifiers of five folds, and of one fitted to all rows.
const CLASSIFIERS: [(f64, f64); 6] = [(-0.25, 0.9), (0.1, 1.1), (0.3, 1.0), (-0.1, 1.15), (0.0, 0.85), (0.25, 1.1)];

struct Rows(ChaCha8Rng);

impl Rows {
    fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    fn score(&mut self, positive: bool, (offset, scale): (f64, f64)) -> f64 {
        offset + scale * Normal::new(if positive { 1.5 } else { 0.0 }, 1.0).unwrap().sample(&mut self.0)
    }

    /// Returns 2000 labelled rows in five folds, each scored by the classifier of its fold.
    fn labelled(&mut self, classifier: impl Fn(usize) -> (f64, f64)) -> String {
        let row = |row: usize| {
            let (positive, fold) = (row.is_multiple_of(2), row / 2 % 5);
            format!("{:.6},{},{fold}\n", self.score(positive, classifier(fold)), u8::from(positive))
        };
        "score,label,fold\n".to_owned() + &(0..2000).map(row).collect::<String>()
    }

    /// Returns 3000 test scores, 30 % of them from positives. A random fold's classifier scores each.
    fn test(&mut self, classifier: impl Fn(usize) -> (f64, f64)) -> String {
        let row = |row: usize| {
            let fold = self.0.random_range(0..5);
            format!("{:.6}\n", self.score(row % 10 < 3, classifier(fold)))
        };
        "score\n".to_owned() + &(0..3000).map(row).collect::<String>()
    }
}

const STANDARD: fn(usize) -> (f64, f64) = |_| (0.0, 1.0);
const OF_FOLD: fn(usize) -> (f64, f64) = |fold| CLASSIFIERS[fold];
const OF_ALL_ROWS: fn(usize) -> (f64, f64) = |_| CLASSIFIERS[5];

/// A folder with rows whose folds have different classifiers.
pub fn folder() -> Folder {
    let mut rows = Rows::new(1);
    Folder::new().file("labelled.csv", rows.labelled(OF_FOLD)).file("final.csv", rows.test(OF_ALL_ROWS))
}

/// A folder with test scores that are rounded, or on another scale.
pub fn rescaled() -> Folder {
    let mut rows = Rows::new(3);
    let rounded = |text: String| {
        let lines = text.lines().map(|line| match line.parse::<f64>() {
            Ok(score) => format!("{score:.0}\n"),
            Err(_) => format!("{line}\n"),
        });
        lines.collect::<String>()
    };
    Folder::new()
        .file("labelled.csv", rows.labelled(STANDARD))
        .file("rounded.csv", rounded(rows.test(STANDARD)))
        .file("scaled.csv", rows.test(|_| (20.0, 5.0)))
}
