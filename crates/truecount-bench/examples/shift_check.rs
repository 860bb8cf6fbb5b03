//! Rejection rates of the shift check, as three files of `docs/evidence/data`:
//! `check-false-alarms.csv` and `check-shapes.csv`, where only the prevalence has changed, and
//! `check-power.csv`, where a tenth of the test negatives comes from a third component.
//!
//! ```console
//! $ cargo run --release -p truecount-bench --example shift_check -- 10000 docs/evidence/data
//! ```
//!
//! The settings of other shapes have a twentieth of the replications. Every replication draws both
//! samples from its own stream of random numbers.

use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use rayon::prelude::*;
use std::fmt::Write as _;
use std::path::Path;
use truecount::shift_test::ShiftCheck;
use truecount::{Error, LabelledScores};
use truecount_bench::replications::{percent, stream};
use truecount_bench::shapes::Shape;

#[derive(Clone, Copy)]
enum Class {
    Normal { mean: f64 },
    Shape { shape: Shape, positive: bool },
}

impl Class {
    fn draw(self, n: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
        match self {
            Self::Normal { mean } => {
                Normal::new(mean, 1.0).expect("a standard deviation").sample_iter(rng).take(n).collect()
            }
            Self::Shape { shape, positive } => (0..n).map(|_| shape.draw(positive, rng)).collect(),
        }
    }
}

#[derive(Clone, Copy)]
struct Setting {
    /// The numbers of labelled positives and negatives.
    labelled: (usize, usize),
    n: usize,
    /// Positives and negatives.
    classes: [Class; 2],
    prevalence: f64,
    /// A class from which a tenth of the negatives come, if any.
    third: Option<Class>,
}

impl Setting {
    /// Normal classes, `distance` standard deviations apart.
    fn normal(labelled: (usize, usize), n: usize, distance: f64, prevalence: f64) -> Self {
        let classes = [distance, 0.0].map(|mean| Class::Normal { mean });
        Self { labelled, n, classes, prevalence, third: None }
    }

    /// Returns the p-value of one replication; `None` if its labelled positives score lower than
    /// the negatives. The class counts of the test scores are fixed.
    fn p_value(&self, replicate: u64) -> Result<Option<f64>, Error> {
        let mut rng = stream(20_261_121, replicate);
        let ([positive, negative], (n_positive, n_negative)) = (self.classes, self.labelled);
        let train = [positive.draw(n_positive, &mut rng), negative.draw(n_negative, &mut rng)].concat();
        let labels: Vec<bool> = (0..train.len()).map(|i| i < n_positive).collect();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of n
        let positives = (self.prevalence * self.n as f64).round() as usize;
        let negatives = self.n - positives;
        let n_third = if self.third.is_some() { negatives / 10 } else { 0 };
        let third = self.third.map_or_else(Vec::new, |third| third.draw(n_third, &mut rng));
        let test = [positive.draw(positives, &mut rng), negative.draw(negatives - n_third, &mut rng), third].concat();
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
        let rejected = |level: f64| percent(&p_values, |p| *p <= level);
        Ok((rejected(0.05), rejected(0.01)))
    }
}

fn false_alarms(replicates: u64) -> Result<String, Box<dyn std::error::Error>> {
    let mut table = "labelled,n,d,α = 0,α = 0.1,α = 0.3,α = 0.5\n".to_owned();
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
            write!(table, "{} + {},{n},{distance}", labelled.0, labelled.1)?;
            for prevalence in [0.0, 0.1, 0.3, 0.5] {
                let (five, one) = Setting::normal(labelled, n, distance, prevalence).rejection_rates(replicates)?;
                write!(table, ",{five:.2} / {one:.2}")?;
            }
            table.push('\n');
        }
    }
    Ok(table)
}

fn power(replicates: u64) -> Result<String, Box<dyn std::error::Error>> {
    let mut table = "labelled,d,third component,at 5 %,at 1 %\n".to_owned();
    for labelled in [(100, 100), (500, 500)] {
        for distance in [1.0, 2.0] {
            for mean in [-2.0, 2.0] {
                let third = Some(Class::Normal { mean });
                let setting = Setting { third, ..Setting::normal(labelled, 1000, distance, 0.3) };
                let (five, one) = setting.rejection_rates(replicates)?;
                writeln!(table, "{} + {},{distance},{mean:+},{five:.1},{one:.1}", labelled.0, labelled.1)?;
            }
        }
    }
    Ok(table)
}

fn shapes(replicates: u64) -> Result<String, Box<dyn std::error::Error>> {
    const PREVALENCES: [f64; 4] = [0.02, 0.3, 0.8, 0.99];
    let mut table = "shape,labelled,n,α = 0.02,α = 0.3,α = 0.8,α = 0.99\n".to_owned();
    let mut rates = Vec::new();
    // Two values fit some mix, whatever the shares.
    let shapes = Shape::ALL.into_iter().filter(|(shape, _)| !matches!(shape, Shape::Verdict | Shape::SharpVerdict));
    for (shape, name) in shapes {
        for labelled in [(10, 10), (30, 30), (100, 100), (500, 500), (15, 485), (10, 1990), (40, 1960)] {
            for n in [200, 5000] {
                write!(table, "{name},{} + {},{n}", labelled.0, labelled.1)?;
                for prevalence in PREVALENCES {
                    let classes = [true, false].map(|positive| Class::Shape { shape, positive });
                    let setting = Setting { labelled, n, classes, prevalence, third: None };
                    let (five, one) = setting.rejection_rates(replicates)?;
                    write!(table, ",{five:.1} / {one:.1}")?;
                    rates.push(one);
                }
                table.push('\n');
            }
        }
    }
    let above = |limit: f64| percent(&rates, |rate| *rate > limit);
    println!("at level 1 %, in % of {} settings of other shapes:", rates.len());
    println!(
        "mean {:.2}, largest {:.1}",
        rates.iter().sum::<f64>() / rates.len() as f64,
        rates.iter().copied().fold(0.0, f64::max)
    );
    println!("above 2 %: {:.1} of the settings, above 3 %: {:.1}", above(2.0), above(3.0));
    Ok(table)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let replicates: u64 = arguments.next().ok_or("name the number of replicates")?.parse()?;
    let folder = arguments.next().ok_or("name a folder for the tables")?;
    let folder = Path::new(&folder);
    std::fs::write(folder.join("check-false-alarms.csv"), false_alarms(replicates)?)?;
    std::fs::write(folder.join("check-power.csv"), power(replicates)?)?;
    std::fs::write(folder.join("check-shapes.csv"), shapes(replicates.div_ceil(20))?)?;
    Ok(())
}
