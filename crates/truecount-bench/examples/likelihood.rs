//! Coverage and width of the 95 % intervals of likelihood methods, compared with `es`.
//!
//! `likelihood REPLICATIONS DISTANCE` draws normal classes of standard deviation 1 whose means
//! differ by DISTANCE, and prints a row for each setting: coverage in % and mean width of each
//! method, fitted to the labelled scores and, with `given`, with the true probabilities. The target
//! is either the sample, whose number of positives is fixed by the prevalence, or the population
//! that the scores are drawn from.

use rand::RngExt;
use rand_distr::Distribution;
use std::error::Error;
use truecount::distribution::Normal;
use truecount::model::KnownDistributions;
use truecount::sweep::Separation;
use truecount::{IntervalOptions, LabelledScores, Method, Model, Settings, Target};
use truecount_bench::replications::stream;

const FITTED: [Method; 4] = [Method::ES, Method::SLD, Method::ML, Method::KDEY_ML];
/// The methods with the true probabilities.
const GIVEN: [Method; 2] = [Method::SLD, Method::ML];
const METHODS: usize = FITTED.len() + GIVEN.len();

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [replications, distance] = &arguments[..] else { return Err("usage: likelihood REPLICATIONS DISTANCE".into()) };
    let (replications, distance): (u64, f64) = (replications.parse()?, distance.parse()?);
    println!("labels n alpha target | es | sld | ml | kdey-ml | sld given | ml given");
    let mut seed = 7;
    for each in [50, 500] {
        for n in [50, 500] {
            for alpha in [0.0, 0.02, 0.1, 0.5, 0.9, 0.98, 1.0] {
                for target in [Target::Sample, Target::Population] {
                    let setting = Setting { distance, each, n, alpha, target };
                    let row = setting.run(replications, seed)?;
                    let cells: Vec<String> =
                        row.iter().map(|(coverage, width)| format!("{coverage:.1} {width:.3}")).collect();
                    println!("{each} {n} {alpha} {target} | {}", cells.join(" | "));
                    seed += 1;
                }
            }
        }
    }
    Ok(())
}

struct Setting {
    distance: f64,
    /// Labelled scores of each class.
    each: usize,
    n: usize,
    alpha: f64,
    target: Target,
}

impl Setting {
    /// Returns coverage in % and mean width of each method. Labelled samples that cannot be fitted
    /// are left out.
    fn run(&self, replications: u64, seed: u64) -> Result<[(f64, f64); METHODS], Box<dyn Error>> {
        let Self { distance, each, n, alpha, target } = *self;
        let normal = |mean: f64| rand_distr::Normal::new(mean, 1.0).map_err(|error| error.to_string());
        let (plus, minus) = (normal(distance)?, normal(0.0)?);
        let separation = Separation::new(Normal::new(distance, 1.0)?.into(), Normal::new(0.0, 1.0)?.into())?;
        let known = KnownDistributions::new(&separation, &GIVEN, 0.5, 0.5)?;
        let settings = Settings::new(FITTED.iter().copied());
        let labels: Vec<bool> = (0..2 * each).map(|i| i < each).collect();
        let options = IntervalOptions::new(0.95, target)?;
        let (mut sums, mut sets) = ([(0.0, 0.0); METHODS], 0.0);
        for replication in 0..replications {
            let mut rng = stream(seed, replication);
            let positives = match target {
                Target::Population => (0..n).filter(|_| rng.random::<f64>() < alpha).count(),
                Target::Sample => (0..n).filter(|i| (*i as f64) < (alpha * n as f64).round()).count(),
            };
            let mut draw = |n: usize, positives: usize| -> Vec<f64> {
                (0..n).map(|i| if i < positives { plus.sample(&mut rng) } else { minus.sample(&mut rng) }).collect()
            };
            let (train, test) = (draw(2 * each, each), draw(n, positives));
            let Ok(train) = LabelledScores::new(&train, &labels) else { continue };
            let Ok(model) = Model::fit(&train, &settings) else { continue };
            let fitted = model.estimate_with(&test, &options)?;
            let given = known.estimate(&test, &options)?;
            sets += 1.0;
            for (sum, estimate) in sums.iter_mut().zip(fitted.iter().chain(&given)) {
                let interval = estimate.interval.ok_or("these methods have intervals")?;
                let covers = interval.lower <= alpha + 1e-12 && alpha - 1e-12 <= interval.upper;
                *sum = (sum.0 + f64::from(u8::from(covers)), sum.1 + interval.upper - interval.lower);
            }
        }
        Ok(sums.map(|(covered, width)| (100.0 * covered / sets, width / sets)))
    }
}
