//! Samples from pools: the same bits on any number of threads, and intervals that hold even where the samples take the
//! whole pool.

use rayon::ThreadPoolBuilder;
use std::sync::atomic::AtomicBool;
use truecount::LabelledScores;
use truecount::distribution::{Distribution, Normal};
use truecount_studies::intervals::Intervals;
use truecount_studies::pools::{Pool, Pools, by_pool, by_prevalence, figure};
use truecount_studies::{Plan, Results, Study, run};

/// Two normal classes, two standard deviations apart: their quantiles.
fn pool(name: &str, positives: u32, negatives: u32) -> Pool {
    let class = |n: u32, mean: f64| {
        let class = Normal::new(mean, 1.0).unwrap();
        (0..n).map(move |i| class.quantile((f64::from(i) + 0.5) / f64::from(n)))
    };
    let scores: Vec<f64> = class(positives, 2.0).chain(class(negatives, 0.0)).collect();
    let labels: Vec<bool> = (0..positives + negatives).map(|i| i < positives).collect();
    Pool::new(name, LabelledScores::new(&scores, &labels).unwrap()).unwrap()
}

fn complete(study: &Pools, plan: Plan, threads: usize) -> Results<Intervals> {
    let threads = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut results = Results::default();
    run(study, plan, &threads, &AtomicBool::new(false), &mut results, |_| Ok::<_, ()>(())).unwrap();
    results
}

#[test]
fn threads_do_not_change_a_bit() {
    let study = Pools::of([pool("small", 300, 600), pool("larger", 350, 600)]);
    let plan = Plan { seed: 7, replications: 4 };
    let one = complete(&study, plan, 1).to_csv(&study);
    assert_eq!(one.lines().count(), 1 + (3 + 6) * 8);
    assert_eq!(complete(&study, plan, 3).to_csv(&study), one);
    assert_eq!(Results::from_csv(&study, &one).unwrap(), complete(&study, plan, 2));
}

/// The positives of the samples with half of them positive are all that the pool has, and yet the intervals of `es`
/// hold 95 % of the time: no less than four Monte Carlo errors of all three settings allow. (Small samples make them
/// careful.)
#[test]
fn a_pool_need_not_be_large() {
    let study = Pools::of([pool("small", 280, 520)]);
    let replications = 200;
    let results = complete(&study, Plan { seed: 1, replications }, 2);
    let es = study.arms().iter().position(|arm| *arm == "es").unwrap();
    let found: Vec<&Intervals> = results.of_arm(&study, es).map(|(_, found)| found).collect();
    let mean = found.iter().map(|found| found.coverage.unwrap()).sum::<f64>() / 3.0;
    let error = (0.95 * 0.05 / (3.0 * f64::from(replications))).sqrt();
    assert!(mean > 0.95 - 4.0 * error, "{mean}");
}

/// Summaries follow from the rows they summarise, and the picture has a dot for every setting and arm with intervals.
#[test]
fn summaries_are_those_of_the_rows() {
    let study = Pools::of([pool("small", 300, 600), pool("larger", 350, 600)]);
    let results = complete(&study, Plan { seed: 2, replications: 3 }, 2);
    let (prevalences, pools) = (by_prevalence(&study, &results), by_pool(&study, &results));
    assert_eq!((prevalences.len(), pools.len()), (6 * 8, 3 * 8));
    let arms = study.arms().iter().cycle();
    assert!(prevalences.iter().map(|row| &row.arm).eq(arms.clone().take(6 * 8)));
    assert!(pools.iter().map(|row| &row.arm).eq(arms.take(3 * 8)));
    assert_eq!(prevalences.iter().map(|row| row.pools).sum::<usize>(), (3 * 2 + 3) * 8);
    let rows = |arm: &str| {
        let arm = study.arms().iter().position(|name| *name == arm).unwrap();
        results.of_arm(&study, arm).map(|(setting, found)| (setting.clone(), found.clone())).collect::<Vec<_>>()
    };
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} {b}");
    for row in &prevalences {
        let rows = rows(row.arm);
        let of: Vec<_> = rows.iter().filter(|(s, _)| (s.labels, s.alpha) == (row.labels, row.alpha)).collect();
        assert_eq!(of.len(), row.pools);
        close(row.over.mae.unwrap(), mean(of.iter().map(|(_, found)| found.mae.unwrap()).collect()));
    }
    for row in &pools {
        let rows = rows(row.arm);
        let of: Vec<_> = rows.iter().filter(|(s, _)| s.pool.name() == row.pool && s.labels == row.labels).collect();
        assert_eq!(of.len(), 3);
        close(row.over.mae.unwrap(), mean(of.iter().map(|(_, found)| found.mae.unwrap()).collect()));
        assert_eq!(row.over.coverages.is_none(), row.arm == "dys");
    }
    assert_eq!(figure(&study, &results).matches("<circle").count(), (3 + 6) * 7);
}
