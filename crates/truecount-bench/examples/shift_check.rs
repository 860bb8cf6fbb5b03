//! Rejection rates of the shift check at level 0.05: under prior probability shift, and if a tenth
//! of the test negatives comes from a third component. The tables `check-false-alarms.csv` and
//! `check-power.csv` of `docs/evidence/data`:
//!
//! ```console
//! $ cargo run --release -p truecount-bench --example shift_check -- 10000
//! ```
//!
//! Negatives are N(0, 1), positives N(d, 1). Every replication draws both samples from its own
//! stream of random numbers.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use rayon::prelude::*;
use truecount::shift_test::ShiftCheck;
use truecount::{Error, LabelledScores};

#[derive(Clone, Copy)]
struct Setting {
    /// The numbers of labelled positives and negatives.
    labelled: (usize, usize),
    n: usize,
    /// The distance d between the classes' means.
    distance: f64,
    prevalence: f64,
    /// The mean of the third component, if any.
    third: Option<f64>,
}

impl Setting {
    /// Returns the p-value of one replication; `None` if its labelled positives score lower than
    /// the negatives. The class counts of the test scores are fixed.
    fn p_value(&self, replicate: u64) -> Result<Option<f64>, Error> {
        let mut rng = ChaCha8Rng::seed_from_u64(20_261_121);
        rng.set_stream(replicate);
        let mut draw = |mean: f64, n: usize| -> Vec<f64> {
            Normal::new(mean, 1.0).expect("a standard deviation").sample_iter(&mut rng).take(n).collect()
        };
        let (positive, negative) = self.labelled;
        let train = [draw(self.distance, positive), draw(0.0, negative)].concat();
        let labels: Vec<bool> = (0..train.len()).map(|i| i < positive).collect();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of n
        let positives = (self.prevalence * self.n as f64).round() as usize;
        let negatives = self.n - positives;
        let n_third = if self.third.is_some() { negatives / 10 } else { 0 };
        let third = draw(self.third.unwrap_or(0.0), n_third);
        let test = [draw(self.distance, positives), draw(0.0, negatives - n_third), third].concat();
        let labelled = match LabelledScores::new(&train, &labels) {
            Err(error) if error.code() == "classes-inverted" => return Ok(None),
            labelled => labelled?,
        };
        let check = ShiftCheck::new(&labelled)?;
        let mut tally = check.tally();
        check.update(&mut tally, &test)?;
        Ok(Some(check.test(&tally)?.p_value))
    }

    /// Returns the percentages of the replications with p at most 0.05 and 0.01.
    fn rejection_rates(&self, replicates: u64) -> Result<(f64, f64), Error> {
        let p_values = (0..replicates).into_par_iter().filter_map(|replicate| self.p_value(replicate).transpose());
        let p_values: Vec<f64> = p_values.collect::<Result<_, _>>()?;
        let rejected = |level: f64| p_values.iter().filter(|p| **p <= level).count();
        let share = |level: f64| 100.0 * rejected(level) as f64 / p_values.len() as f64;
        Ok((share(0.05), share(0.01)))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let replicates: u64 = std::env::args().nth(1).ok_or("name the number of replicates")?.parse()?;
    println!("| labelled | n | apart | prevalence | rejected at 5 % | at 1 % |\n|---|---|---|---|---|---|");
    for (labelled, n) in [
        ((10, 10), 5),
        ((10, 10), 100),
        ((50, 50), 200),
        ((100, 100), 1),
        ((100, 100), 5),
        ((100, 100), 1000),
        ((500, 500), 1000),
        ((500, 500), 10_000),
    ] {
        for distance in [1.0, 2.0] {
            for prevalence in [0.0, 0.1, 0.3, 0.5] {
                let setting = Setting { labelled, n, distance, prevalence, third: None };
                let (five, one) = setting.rejection_rates(replicates)?;
                let (positive, negative) = labelled;
                println!("| {positive} + {negative} | {n} | {distance} | {prevalence} | {five:.2} % | {one:.2} % |");
            }
        }
    }
    println!("\n| labelled | apart | third component | rejected at 5 % | at 1 % |\n|---|---|---|---|---|");
    for labelled in [(100, 100), (500, 500)] {
        for distance in [1.0, 2.0] {
            for third in [-2.0, 2.0] {
                let setting = Setting { labelled, n: 1000, distance, prevalence: 0.3, third: Some(third) };
                let (five, one) = setting.rejection_rates(replicates)?;
                println!("| {} + {} | {distance} | {third:+} | {five:.1} % | {one:.1} % |", labelled.0, labelled.1);
            }
        }
    }
    Ok(())
}
