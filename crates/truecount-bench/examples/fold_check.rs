//! How often `check` says that folds' classifiers do not score alike, and names that as the cause of a misfit. The table of `docs/evidence/checks.md`:
//!
//! ```console
//! $ cargo run --release -p truecount-bench --example fold_check -- 10000
//! ```
//!
//! Negatives are N(0, 1), positives N(1.5, 1), labelled half and half in five folds of equal size; classifier k gives a + b times that, a
//! normal about 0 and b about 1. Of 2000 test scores three tenths are positives. Each replicate has its own stream of random numbers.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use rayon::prelude::*;
use truecount::check::{Cause, ProfileCounts, ScoreProfile, ShiftCheck, Verdict};
use truecount::{Error, LabelledScores, PerClass};

const FOLDS: usize = 5;
const TEST: usize = 2000;

#[derive(Clone, Copy)]
enum Scored {
    /// By one more classifier.
    ByAnother,
    /// Each row by the classifier of a fold, drawn at random.
    ByFolds,
    /// By one more classifier, and a tenth of the negatives come from N(−2, 1).
    WithThird,
}

struct Setting {
    labelled: usize,
    /// Standard deviations of a and b.
    apart: (f64, f64),
    scored: Scored,
}

/// Whether folds differ, test scores are doubtful or no mixture, and folds are named.
type Said = (bool, bool, bool);

impl Setting {
    fn said(&self, replicate: u64) -> Result<Said, Error> {
        let mut rng = ChaCha8Rng::seed_from_u64(20_261_122);
        rng.set_stream(replicate);
        let about = |mean, sd| Normal::new(mean, sd).expect("a standard deviation");
        let (offset, scale) = (about(0.0, self.apart.0), about(1.0, self.apart.1));
        let classifiers: Vec<(f64, f64)> =
            (0..=FOLDS).map(|_| (offset.sample(&mut rng), scale.sample(&mut rng))).collect();
        let score = |classifier: usize, x: f64| classifiers[classifier].0 + classifiers[classifier].1 * x;
        let mut class = |mean: f64| -> (Vec<f64>, Vec<u32>) {
            let rows = (0..self.labelled).map(|row| row % FOLDS);
            rows.map(|fold| (score(fold, about(mean, 1.0).sample(&mut rng)), u32::try_from(fold).expect("few"))).unzip()
        };
        let ((positive, of_positive), (negative, of_negative)) = (class(1.5), class(0.0));
        let labels: Vec<bool> = (0..2 * self.labelled).map(|row| row < self.labelled).collect();
        let labelled = LabelledScores::new(&[positive, negative].concat(), &labels)?;
        let check = ShiftCheck::new(&labelled)?;
        let folds = PerClass { positive: of_positive, negative: of_negative };
        let folds = check.folds(labelled.scores(), &folds)?.expect("five folds");
        let test = (0..TEST).map(|row| {
            let mean = match self.scored {
                _ if row < 3 * TEST / 10 => 1.5,
                Scored::WithThird if row % 10 == 0 => -2.0,
                _ => 0.0,
            };
            let classifier = if matches!(self.scored, Scored::ByFolds) { rng.random_range(0..FOLDS) } else { FOLDS };
            score(classifier, about(mean, 1.0).sample(&mut rng))
        });
        let test: Vec<f64> = test.collect();
        let (mut tally, mut seen, look) =
            (check.tally(), ProfileCounts::default(), ScoreProfile::new(labelled.scores()));
        check.update(&mut tally, &test)?;
        look.see(&mut seen, &test, None);
        let checked = check.test_all([&tally])?.remove(0);
        let causes = check.causes(&checked, &tally, (&look, &seen), Some(&folds))?;
        let named = causes.iter().any(|cause| matches!(cause, Cause::Folds { .. }));
        Ok((folds.differ(), checked.verdict() != Verdict::Plausible, named))
    }
}

fn main() -> Result<(), Error> {
    let replicates: u64 = std::env::args().nth(1).map_or(1000, |typed| typed.parse().expect("a number of replicates"));
    println!("| labelled | sd of a, b | test scores | folds differ | doubtful or no mixture | folds named |");
    println!("|---|---|---|---|---|---|");
    for labelled in [250, 1000] {
        for apart in [(0.0, 0.0), (0.2, 0.1)] {
            for (scored, by) in [
                (Scored::ByAnother, "of one more classifier"),
                (Scored::ByFolds, "of the folds' classifiers"),
                (Scored::WithThird, "of one more, and a third component"),
            ] {
                let setting = Setting { labelled, apart, scored };
                let said: Vec<Said> = (0..replicates)
                    .into_par_iter()
                    .map(|replicate| setting.said(replicate))
                    .collect::<Result<_, _>>()?;
                let percent = |of: fn(&Said) -> bool| {
                    100.0 * said.iter().filter(|said| of(said)).count() as f64 / said.len() as f64
                };
                println!(
                    "| {labelled} + {labelled} | {}, {} | {by} | {:.2} % | {:.2} % | {:.2} % |",
                    apart.0,
                    apart.1,
                    percent(|said| said.0),
                    percent(|said| said.1),
                    percent(|said| said.2)
                );
            }
        }
    }
    Ok(())
}
