//! The rates at which `check` finds that the folds' classifiers score differently, and names this
//! as the cause of a misfit. The table `docs/evidence/data/check-folds.csv`:
//!
//! ```console
//! $ cargo run --release -p truecount-bench --example fold_check -- 10000
//! ```
//!
//! Negatives x are N(0, 1), positives N(1.5, 1). Half of the labelled rows are positive, in five folds of equal size.
//! Classifier k scores a + b x, with a normal around 0 and b normal around 1. Of the 2000 test scores 30 % are
//! positive. Each replication has its own stream of random numbers.

use rand::RngExt;
use rand_distr::{Distribution, Normal};
use rayon::prelude::*;
use truecount::scores::PerClass;
use truecount::shift_test::{Cause, ScoreProfile, ScoreProfileCounts, ShiftCheck, Verdict};
use truecount::{Error, LabelledScores};
use truecount_bench::replications::{percent, stream};

const FOLDS: usize = 5;
const TEST: usize = 2000;

/// The way the test scores are made.
#[derive(Clone, Copy)]
enum TestScores {
    /// A sixth classifier scores all rows.
    SixthClassifier,
    /// A random fold's classifier scores each row.
    FoldClassifiers,
    /// A sixth classifier scores all rows, and a tenth of the negatives comes from N(−2, 1).
    ThirdComponent,
}

struct Setting {
    labelled: usize,
    /// The standard deviations of a and b.
    spread: (f64, f64),
    test: TestScores,
}

/// Whether the folds differ, whether a mixture is doubtful or rejected, and whether the folds are named as the cause.
type Findings = (bool, bool, bool);

impl Setting {
    fn run(&self, replicate: u64) -> Result<Findings, Error> {
        let mut rng = stream(20_261_122, replicate);
        let normal = |mean, sd| Normal::new(mean, sd).expect("a standard deviation");
        let (offset, scale) = (normal(0.0, self.spread.0), normal(1.0, self.spread.1));
        let classifiers: Vec<(f64, f64)> =
            (0..=FOLDS).map(|_| (offset.sample(&mut rng), scale.sample(&mut rng))).collect();
        let score = |classifier: usize, x: f64| classifiers[classifier].0 + classifiers[classifier].1 * x;
        let mut class = |mean: f64| -> (Vec<f64>, Vec<u32>) {
            let rows = (0..self.labelled).map(|row| row % FOLDS);
            rows.map(|fold| (score(fold, normal(mean, 1.0).sample(&mut rng)), u32::try_from(fold).expect("few")))
                .unzip()
        };
        let ((positive, positive_folds), (negative, negative_folds)) = (class(1.5), class(0.0));
        let labels: Vec<bool> = (0..2 * self.labelled).map(|row| row < self.labelled).collect();
        let labelled = LabelledScores::new(&[positive, negative].concat(), &labels)?;
        let check = ShiftCheck::new(&labelled)?;
        let folds = PerClass { positive: positive_folds, negative: negative_folds };
        let folds = check.folds(labelled.scores(), &folds)?.expect("five folds");
        let test = (0..TEST).map(|row| {
            let mean = match self.test {
                _ if row < 3 * TEST / 10 => 1.5,
                TestScores::ThirdComponent if row % 10 == 0 => -2.0,
                _ => 0.0,
            };
            let by_folds = matches!(self.test, TestScores::FoldClassifiers);
            let classifier = if by_folds { rng.random_range(0..FOLDS) } else { FOLDS };
            score(classifier, normal(mean, 1.0).sample(&mut rng))
        });
        let test: Vec<f64> = test.collect();
        let (mut tally, mut counts, profile) =
            (check.tally(), ScoreProfileCounts::default(), ScoreProfile::new(labelled.scores()));
        check.update(&mut tally, &test)?;
        profile.update(&mut counts, &test, None);
        let result = check.test_all([&tally])?.remove(0);
        let causes = check.causes(&result, &tally, (&profile, &counts), Some(&folds))?;
        let named = causes.iter().any(|cause| matches!(cause, Cause::Folds { .. }));
        Ok((folds.differ(), result.verdict() != Verdict::Plausible, named))
    }
}

fn main() -> Result<(), Error> {
    let replicates: u64 = std::env::args().nth(1).map_or(1000, |text| text.parse().expect("a number of replicates"));
    println!("| labelled | sd of a, b | test scores | folds differ | doubtful or no mixture | folds named |");
    println!("|---|---|---|---|---|---|");
    for labelled in [250, 1000] {
        for spread in [(0.0, 0.0), (0.2, 0.1)] {
            for (test, description) in [
                (TestScores::SixthClassifier, "of one more classifier"),
                (TestScores::FoldClassifiers, "of the folds' classifiers"),
                (TestScores::ThirdComponent, "of one more, and a third component"),
            ] {
                let setting = Setting { labelled, spread, test };
                let findings: Vec<Findings> = (0..replicates)
                    .into_par_iter()
                    .map(|replicate| setting.run(replicate))
                    .collect::<Result<_, _>>()?;
                println!(
                    "| {labelled} + {labelled} | {}, {} | {description} | {:.2} % | {:.2} % | {:.2} % |",
                    spread.0,
                    spread.1,
                    percent(&findings, |findings| findings.0),
                    percent(&findings, |findings| findings.1),
                    percent(&findings, |findings| findings.2)
                );
            }
        }
    }
    Ok(())
}
