//! Differences, ratios and totals: the same bits on any number of threads, and summaries that follow from the rows.

use rayon::ThreadPoolBuilder;
use std::sync::atomic::AtomicBool;
use truecount_studies::intervals::BAND;
use truecount_studies::together::{Held, Quantity, Setting, Together, figure, summarise};
use truecount_studies::{Plan, Results, Study, run};

/// Three settings of both targets.
fn study() -> Together {
    let settings = Setting::all().into_iter().filter(|s| s.labels == 100 && s.n_first == 100 && s.first == 0.3);
    Together::of(settings.take(3).collect())
}

fn complete(replications: u32, threads: usize) -> Results<Held> {
    let threads = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (plan, mut results) = (Plan { seed: 7, replications }, Results::default());
    run(&study(), plan, &threads, &AtomicBool::new(false), &mut results, |_| Ok::<_, ()>(())).unwrap();
    results
}

#[test]
fn threads_do_not_change_a_bit() {
    let one = complete(4, 1).to_csv(&study());
    assert_eq!(one.lines().count(), 1 + 3 * 24);
    assert_eq!(complete(4, 3).to_csv(&study()), one);
    assert_eq!(Results::from_csv(&study(), &one).unwrap(), complete(4, 2));
}

/// The mean over the three settings within four Monte Carlo errors.
#[test]
fn intervals_hold_where_nothing_is_near_an_end() {
    let (study, results) = (study(), complete(200, 2));
    for (place, arm) in study.arms().iter().enumerate() {
        let coverages = results.of_arm(&study, place).map(|(_, held)| held.coverage.unwrap());
        let mean = coverages.sum::<f64>() / 3.0;
        assert!((mean - 0.95).abs() < 4.0 * (0.95 * 0.05 / 600.0_f64).sqrt(), "{arm}: {mean}");
    }
}

/// And the picture has a dot for every setting and arm.
#[test]
fn summaries_are_those_of_the_rows() {
    let (study, results) = (study(), complete(5, 2));
    let summaries = summarise(&study, &results);
    assert_eq!(summaries.len(), study.arms().len());
    for (place, summary) in summaries.iter().enumerate() {
        let held: Vec<&Held> = results.of_arm(&study, place).map(|(_, held)| held).collect();
        let name = format!("{:?}", summary.quantity).to_lowercase();
        let arm = study.arms()[place];
        assert_eq!(format!("{name} {}", summary.method), arm.replacen("against-", "against", 1));
        let coverage: Vec<f64> = held.iter().map(|held| held.coverage.unwrap()).collect();
        let in_band = coverage.iter().filter(|c| (BAND[0]..=BAND[1]).contains(*c)).count() as f64 / 3.0;
        assert_eq!((summary.coverages.settings, summary.coverages.in_band), (3, in_band), "{arm}");
        assert_eq!(summary.coverages.mean, coverage.iter().sum::<f64>() / 3.0, "{arm}");
        let mut ratios: Vec<f64> = held.iter().filter_map(|held| held.se_ratio).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        assert_eq!(summary.se_ratio, ratios.get(1).copied(), "{arm}");
        assert_eq!(summary.se_ratio.is_none(), summary.quantity == Quantity::Ratio);
        let endless: u32 = held.iter().map(|held| held.endless).sum();
        assert_eq!((summary.endless, summary.none), (f64::from(endless) / 15.0, 0.0), "{arm}");
    }
    assert_eq!(figure(&study, &results).matches("<circle").count(), 3 * study.arms().len());
}
