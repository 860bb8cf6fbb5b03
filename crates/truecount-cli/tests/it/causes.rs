//! Folders for transcripts of `check`, which names the cause of a misfit, and scores on another scale in `estimate`.

use crate::common::Folder;
use insta::assert_snapshot;
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

    /// Returns 3000 test scores, 30 % of them from positives. A random fold's classifier scores
    /// each.
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

/// Percentages instead of shares: `estimate` says that the scores have another range.
#[test]
fn scores_on_another_scale_are_named() {
    let folder = Folder::with_spam();
    let on_scale = |name: &str, column: usize, scale: f64| {
        let text = folder.read(name);
        let (header, rows) = text.split_once('\n').unwrap();
        let convert = |row: &str| {
            let mut cells: Vec<String> = row.split(',').map(str::to_owned).collect();
            let score: f64 = cells[column].parse().unwrap();
            cells[column] = (scale / (1.0 + (-score).exp())).to_string();
            cells.join(",") + "\n"
        };
        format!("{header}\n{}", rows.lines().map(convert).collect::<String>())
    };
    let (train, weeks) = (on_scale("train.csv", 0, 1.0), on_scale("weeks.csv", 1, 100.0));
    let folder = folder.file("shares.csv", train).file("percentages.csv", weeks);
    let json = folder.json("estimate --train shares.csv --test percentages.csv");
    let warnings = json["estimates"][0]["warnings"].as_array().unwrap();
    let warning = warnings.iter().find(|warning| warning["code"] == "scores-outside-range").unwrap();
    assert!(warning["share"].as_f64() > Some(0.8) && warning["labelled"].as_f64() > Some(0.95), "{warning}");
    assert_snapshot!(warning["message"].as_str().unwrap(), @"do not rely on this estimate: 82 % of the new scores lie outside the range of 97 % of the labelled ones (3.62e-6 to 1.000); score both with the same version of the classifier and on the same scale");
    let run = folder.run("estimate --train shares.csv --test percentages.csv");
    assert!(run.stderr.contains(warning["message"].as_str().unwrap()), "{}", run.stderr);
    let same = folder.run("estimate --train shares.csv --test shares.csv --format json");
    assert!(!same.stdout.contains("scores-outside-range"), "{}", same.stdout);
}
