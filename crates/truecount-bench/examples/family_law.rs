//! The large-sample distribution of W² compared with the parametric bootstrap, and its rejection
//! rate for the correct family. The tables `check-families*.csv` of `docs/evidence/data`:
//!
//! ```console
//! $ cargo run --release -p truecount-bench --example family_law -- 10000
//! ```
//!
//! Each replication has its own stream of random numbers.

use rayon::prelude::*;
use truecount::Error;
use truecount::distribution::Distribution;
use truecount::distribution::{Beta, Logistic, Normal, ScoreDistribution, SkewNormal, StudentT};
use truecount::scores::Class;
use truecount::shift_test::Goodness;
use truecount_bench::replications::{percent, stream};

/// Bootstrap samples for a p-value, and data sets for which both p-values are computed.
const RESAMPLES: u64 = 999;
const PAIRS: u64 = 100;

fn distributions() -> Result<Vec<(&'static str, ScoreDistribution)>, Error> {
    Ok(vec![
        ("normal", Normal::new(0.0, 1.0)?.into()),
        ("skew-normal, shape 3", SkewNormal::new(0.0, 1.0, 3.0)?.into()),
        ("logistic", Logistic::new(0.0, 1.0)?.into()),
        ("Student's t, 4 degrees", StudentT::new(0.0, 1.0, 4.0)?.into()),
        ("beta, 2 and 5", Beta::new(2.0, 5.0)?.into()),
    ])
}

/// Draws n scores from a distribution, and fits its family to them.
fn fit(distribution: &ScoreDistribution, n: usize, replicate: u64) -> Option<Goodness> {
    let mut rng = stream(20_261_122, replicate);
    let scores: Vec<f64> = (0..n).map(|_| distribution.sample(&mut rng)).collect();
    Goodness::new(distribution.family(), Class::Positive, &scores).ok()
}

fn main() -> Result<(), Error> {
    let replicates = std::env::args().nth(1).map_or(1000, |text| text.parse().expect("a number of replicates"));
    println!("Rejections in % at level 5 % / 1 %, and fits without a law in %; {replicates} replicates\n");
    println!("| scores of | n | rejected | no law |\n|---|---|---|---|");
    for (name, distribution) in distributions()? {
        for n in [20, 50, 200, 1000] {
            let fits = (0..replicates).into_par_iter().filter_map(|replicate| fit(&distribution, n, replicate));
            let p_values: Vec<Option<f64>> = fits.map(|fit| fit.large_sample_p_value()).collect();
            let rejected = |level| percent(&p_values, |p| p.is_some_and(|p| p <= level));
            println!(
                "| {name} | {n} | {:.2} / {:.2} | {:.1} |",
                rejected(0.05),
                rejected(0.01),
                percent(&p_values, Option::is_none)
            );
        }
    }
    println!("\nThe law's p less the bootstrap's: mean and largest of {PAIRS} data sets, {RESAMPLES} samples each\n");
    println!("| scores of | n | mean | largest |\n|---|---|---|---|");
    for (name, distribution) in distributions()? {
        for n in [50, 500] {
            let difference = |replicate| {
                let fit = fit(&distribution, n, replicate)?;
                let replicates: Vec<f64> = (0..RESAMPLES).map(|number| fit.replicate(replicate, number)).collect();
                Some(fit.large_sample_p_value()? - fit.p_value(&replicates))
            };
            let differences: Vec<f64> = (0..PAIRS).into_par_iter().filter_map(difference).collect();
            let mean = differences.iter().sum::<f64>() / differences.len() as f64;
            let largest = differences.iter().fold(0.0, |largest: f64, d| largest.max(d.abs()));
            println!("| {name} | {n} | {mean:+.3} | {largest:.3} |");
        }
    }
    Ok(())
}
